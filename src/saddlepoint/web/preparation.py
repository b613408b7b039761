"""What has to be compiled before it can answer: in a process of its own, so that the page stays quick and Ctrl-C ends it at once."""

import threading
import time
from collections import OrderedDict
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import NamedTuple

from ..arena.workers.compiling import compile_need
from ..arena.workers.local import LocalWorkers
from ..game import Game
from ..players.needs import Need
from .compiling import Compiling
from .errors import Refused, first_line

_MOST = 8
"""Players that may wait to be compiled."""
_KEPT = 512
RULES = "random"
"""The player that needs nothing but the rules."""


class _Job(NamedTuple):
    need: Need
    future: Future[None]
    since: float
    seconds: float


class Preparation:
    """Compiles players ahead of their first answer, one after the other; may be asked from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workers: LocalWorkers | None = None
        self._jobs: dict[tuple[str, str], _Job] = {}
        self._ready: OrderedDict[tuple[str, str], None] = OrderedDict()

    def missing(self, spec: str, game: Game, player: str) -> Compiling | None:
        """What of a player in a game is not compiled yet, which this call sees to; None where it may play.

        `spec` is the game's name here. Raises Refused where it cannot be compiled.
        """
        key = spec, player
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                if key in self._ready:
                    return None
                need = Need(game, player)
                if need.seconds <= 0:
                    self._note(key)
                    return None
                job = self._begin(key, need)
            if not job.future.done():
                return Compiling(f"{spec}: {player}", self._left(key, job))
            del self._jobs[key]
            if not self._jobs:
                self._end()
            error = job.future.exception()
            if error is not None and not isinstance(error, BrokenProcessPool):  # a process that died: it is compiled here
                raise Refused(f"{player} cannot play {spec}: {first_line(error)}")
            self._note(key)
            return None

    def close(self) -> None:
        """End what is being compiled."""
        with self._lock:
            self._end()
            self._jobs.clear()

    def _begin(self, key: tuple[str, str], need: Need) -> _Job:
        if len(self._jobs) >= _MOST:
            raise Refused("too much is being compiled already; try again in a moment", 503)
        if self._workers is None:
            self._workers = LocalWorkers(1)
        self._jobs[key] = job = _Job(need, self._workers.run(compile_need, need), time.monotonic(), need.seconds)
        return job

    def _left(self, key: tuple[str, str], job: _Job) -> float | None:
        """The seconds of those before it in the queue, and its own."""
        total = 0.0
        for other, one in self._jobs.items():
            if not one.future.done():
                began = one.since if one.future.running() else time.monotonic()
                total += max(1.0, one.seconds - (time.monotonic() - began))
            if other == key:
                break
        return round(total, 1)

    def _note(self, key: tuple[str, str]) -> None:
        self._ready[key] = None
        while len(self._ready) > _KEPT:
            self._ready.popitem(last=False)

    def _end(self) -> None:
        workers, self._workers = self._workers, None
        if workers is not None:
            with suppress(OSError):
                workers.close(at_once=True)
