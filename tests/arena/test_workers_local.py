"""Processes of this machine that play games."""

import threading
import time

import pytest

from helpers.arena_games import NODES, plan
from helpers.programs import worker_processes
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.workers import LocalWorkers, close_players
from saddlepoint.system.processes import Processes


def test_games_handed_to_processes_that_have_just_ended_are_lost_like_those_that_these_played() -> None:
    workers = LocalWorkers(1)
    schedule, two = RoundRobin(("random", "random")), plan(2)
    jobs = [job for stage in schedule.stages(two, {}) for job in two.jobs(stage)]
    try:
        assert len(workers.submit(NODES, jobs[:1]).result(timeout=120)) == 1
        for process in worker_processes():
            process.kill()
        deadline = time.monotonic() + 30
        while not (lost := workers.submit(NODES, jobs[1:]).exception(timeout=30)):
            assert time.monotonic() < deadline
        assert workers.is_death(lost)
        again = workers.submit(NODES, jobs[1:]).exception(timeout=30)
        assert again is not None
        assert workers.is_death(again), "no error of the arena's own"
        workers.restart()
        assert len(workers.submit(NODES, jobs[1:]).result(timeout=120)) == 1
    finally:
        workers.close(at_once=True)


@pytest.mark.slow
def test_a_process_that_is_killed_at_the_end_does_not_hold_up_the_others() -> None:
    """Of two that wait for work one holds the lock of the queue, and cannot give it back."""
    for victim in range(2):
        workers = Processes(2, close_players)
        waits = [workers.run(time.sleep, 0.3) for _ in range(2)]
        for wait in waits:
            wait.result(timeout=120)
        processes = worker_processes()
        assert len(processes) == 2
        processes[victim].kill()
        closing = threading.Thread(target=workers.close, daemon=True)
        closing.start()
        closing.join(30)
        is_closed = not closing.is_alive()
        for process in processes:
            if process.is_running():
                process.kill()
        assert is_closed


@pytest.mark.slow
def test_closing_one_pool_does_not_wait_for_another() -> None:
    one, other = Processes(1), Processes(1)
    assert other.run(len, "work").result(timeout=120) == one.run(len, "work").result(timeout=120)
    one.close()
    assert other.run(len, "work").result(timeout=30) == 4
    other.close()
