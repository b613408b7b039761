"""Compiling for boards of a new size: in a process of its own, so that neither the event loop nor a search waits for it."""

import os
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

from ....spec import Spec
from .crowd import Rules, game_of

Command = Callable[[str, str], list[str]]
"""The command that compiles a player for a game, both as specs, and keeps that on disk."""

_NICE = 10
"""Games go before all that is compiled but the first: until then none can be played."""
_LOOK = 0.1  # seconds


class EndedError(Exception):
    """The server ends."""


class Compilation:
    """Compiles one thing after the other, and beside them what a game waits for; what is on disk already waits for nothing.

    `compile` may be called from any thread.
    """

    def __init__(self, command: Command | None = None) -> None:
        """Without a command all is compiled by the thread that needs it."""
        self._command = command
        self._lock, self._turn, self._turn_beside = threading.Lock(), threading.Lock(), threading.Lock()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._closed, self._is_first = False, True

    @property
    def is_under_way(self) -> bool:
        """Whether other processes are at it."""
        return bool(self._processes)

    def compile(self, rules: Rules, player: str, is_awaited: Callable[[], bool] = lambda: False) -> None:
        """Compile that player, if need be; where that fails, whoever needs it will see why. Raises EndedError when it was closed.

        `is_awaited` says whether a game waits for it, which may become true meanwhile.
        """
        from ....players.needs import Need

        width, height, hazard_stack = rules.compiled
        need = Need(game_of(Rules(width, height, hazard_stack=hazard_stack)), player)
        if self._command is not None and need.seconds > 0:
            turn = self._taken_turn(is_awaited)
            try:
                if need.seconds > 0:  # nobody has done it meanwhile
                    game = Spec("battlesnake", {"width": width, "height": height, "hazard_stack": hazard_stack})
                    self._run(self._command(str(game), player), turn is self._turn_beside)
            finally:
                turn.release()
        if self._closed:
            raise EndedError("the server ends")

    def _taken_turn(self, is_awaited: Callable[[], bool]) -> threading.Lock:
        """The turn to compile, to be given back."""
        while not self._turn.acquire(timeout=_LOOK):
            if is_awaited() and self._turn_beside.acquire(blocking=False):
                return self._turn_beside
        return self._turn

    def _run(self, words: list[str], is_awaited: bool) -> None:
        with self._lock:
            if self._closed:
                return
            quiet = subprocess.DEVNULL
            process = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
            for one in self._processes if is_awaited else ():
                _stand_back(one)
            self._processes.append(process)
        if not self._is_first:
            _stand_back(process)
        process.wait()
        self._is_first = False
        with self._lock:
            self._processes.remove(process)

    def close(self) -> None:
        """End what is under way."""
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.kill()


def _stand_back(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
