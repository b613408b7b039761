"""Processes of this machine that play games."""

import os
import signal
import time

import psutil

from arena_games import NODES, plan
from saddlepoint.arena.schedule import RoundRobin
from saddlepoint.arena.workers import LocalWorkers


def test_games_handed_to_processes_that_have_just_ended_are_lost_like_those_that_these_played() -> None:
    workers = LocalWorkers(1)
    schedule, two = RoundRobin(("random", "random")), plan(2)
    jobs = [job for stage in schedule.stages(two, {}) for job in two.jobs(stage)]
    try:
        assert len(workers.submit(NODES, jobs[:1]).result(timeout=120)) == 1
        for process in psutil.Process().children():
            if "spawn_main" in " ".join(process.cmdline()):
                os.kill(process.pid, signal.SIGKILL)
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
