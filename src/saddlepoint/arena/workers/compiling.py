"""Players compiled side by side: processes share what they compile, and no function is compiled by two of them."""

import time
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from typing import NamedTuple

from ...compiled import forecast
from ...players.needs import Need
from ...roster.make import make_player
from ..load import usable_cores
from .local import LocalWorkers
from .warming import warm_rules

_ALMOST = 0.9  # of what was expected: so much is done at most of what is not finished
_SOON = 10.0  # seconds, in which processes have started
_LOOK = 0.25  # seconds between looks at what is done


def compile_need(need: Need) -> None:
    """Make a player, and compile or load all that it and the game's rules need."""
    with closing(make_player(need.player, need.game)) as player:
        start = need.game.initial_state()
        with need.compiling():
            asked = warm_rules(need.game, start)
            for seat in (0, 1):
                player.warm(need.game, asked.get(seat, start), (seat,))
    if need.is_known:
        forecast.note_compiled(need.task)


class Standing(NamedTuple):
    """How far the compilation of some players is."""

    ready: Need | None
    """The player that has just become ready; None where time has passed."""
    under_way: list[Need]
    waiting: int
    seconds: float
    """About the time that is left."""


def compile_side_by_side(needs: Sequence[Need]) -> Generator[Standing]:
    """Compile these players in processes of their own, the longest first; closing the iterator ends the processes.

    What is finished stays on disk, however this ends. An exception in one of them is raised here.
    """
    cores = usable_cores()
    queue = sorted(needs, key=lambda need: -need.seconds)
    expected = {need: need.seconds for need in needs}
    long = sum(seconds > 0 for seconds in expected.values())
    processes = min(cores + 1, long)  # one waits now and then for what another compiles
    if processes <= 1:
        yield from _one_by_one(queue, expected)
        return
    began: dict[Future[None], tuple[Need, float]] = {}
    start, finished = time.monotonic(), 0.0
    workers = LocalWorkers(processes)
    complete = False
    try:
        while queue or began:
            while queue and len(began) < processes:
                need = queue.pop(0)
                began[workers.run(compile_need, need)] = need, time.monotonic()
            done, _ = wait(began, _LOOK, FIRST_COMPLETED)
            ready = [began.pop(future)[0] for future in done if future.result() is None]
            under_way = [need for need, _ in began.values()]
            finished += sum(expected[need] for need in ready)
            now = time.monotonic()
            running = [(expected[need], (now - since) * min(1.0, cores / processes)) for need, since in began.values()]
            rest = time_left(now - start, cores, finished, running, [expected[need] for need in queue])
            for need in ready or [None]:
                yield Standing(need, under_way, len(queue), rest)
        complete = True
    finally:
        workers.close(at_once=not complete)


def time_left(seconds: float, cores: int, finished: float, running: Sequence[tuple[float, float]], waiting: Sequence[float]) -> float:
    """Seconds until all is compiled, at the pace until now; slower than expected where the machine is busy.

    `finished` and `waiting` are what players are expected to take of one core, `running` the same with what they have had.
    """
    done = [min(_ALMOST * expected, had) for expected, had in running]
    pace = max(1.0, seconds * cores / (finished + sum(done))) if seconds > _SOON else 1.0
    rests = [expected - had for (expected, _), had in zip(running, done, strict=True)]
    return pace * max([(sum(rests) + sum(waiting)) / cores, *rests]) if rests else 0.0


def _one_by_one(queue: list[Need], expected: dict[Need, float]) -> Generator[Standing]:
    while queue:
        need = queue.pop(0)
        yield Standing(None, [need], len(queue), expected[need] + sum(expected[other] for other in queue))
        compile_need(need)
        yield Standing(need, [], len(queue), sum(expected[other] for other in queue))
