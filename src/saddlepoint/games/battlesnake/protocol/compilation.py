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


class EndedError(Exception):
    """The server ends."""


class Compilation:
    """Compiles one thing after the other; what is on disk already takes no time. `compile` may be called from any thread."""

    def __init__(self, command: Command | None = None) -> None:
        """Without a command all is compiled by the thread that needs it."""
        self._command = command
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed, self._is_first = False, True
        self.is_under_way = False
        """Whether another process is at it."""

    def compile(self, rules: Rules, player: str) -> None:
        """Compile that player, if need be; where that fails, whoever needs it will see why. Raises EndedError when it was closed."""
        from ....players.needs import Need

        width, height, hazard_stack = rules.compiled
        need = Need(game_of(Rules(width, height, hazard_stack=hazard_stack)), player)
        with self._turn:
            if self._command is not None and need.seconds > 0:
                game = Spec("battlesnake", {"width": width, "height": height, "hazard_stack": hazard_stack})
                self._run(self._command(str(game), player))
        if self._closed:
            raise EndedError("the server ends")

    def _run(self, words: list[str]) -> None:
        is_first, self._is_first = self._is_first, False
        with self._lock:
            if self._closed:
                return
            quiet = subprocess.DEVNULL
            self._process = subprocess.Popen(words, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
        if not is_first:
            with suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, self._process.pid, _NICE)
        self.is_under_way = True
        self._process.wait()
        self.is_under_way = False

    def close(self) -> None:
        """End what is under way."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
