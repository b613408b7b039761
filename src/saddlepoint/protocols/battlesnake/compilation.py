"""Compiling for boards of a new size: in a process of its own, so that neither the event loop nor a search waits for it."""

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from ...play.timely import LoadMaker
from .crowd import Rules, game_of

if TYPE_CHECKING:  # a bot answers before the searches are loaded
    from ...play.preparation import Preparation

_NICE = 10
"""Games go before all that is compiled but the first: until then none can be played."""


class EndedError(Exception):
    """The server ends."""


class Compilation:
    """Compiles one thing after the other; what is on disk already takes no time. `compile` may be called from any thread."""

    def __init__(self, load: LoadMaker, is_apart: bool = False) -> None:
        """Unless it `is_apart` all is compiled by the thread that needs it."""
        self._load, self._is_apart = load, is_apart
        self._lock = threading.Lock()
        self._preparation: Preparation | None = None
        self._closed = False

    @property
    def is_under_way(self) -> bool:
        """Whether another process is at it."""
        return self._preparation is not None and self._preparation.is_under_way

    def compile(self, rules: Rules, player: str) -> None:
        """Compile that player, if need be; where that fails, whoever needs it will see why. Raises EndedError when it was closed."""
        from ...play.preparation import Preparation
        from ...players.needs import Need

        width, height, hazard_stack = rules.compiled
        need = Need(game_of(Rules(width, height, hazard_stack=hazard_stack)), player)
        task = None
        with self._lock:
            if self._is_apart and need.seconds > 0 and not self._closed:
                niceness = 0 if self._preparation is None else _NICE
                self._preparation = self._preparation or Preparation(self._load)
                task = self._preparation.begin(need, niceness)
        with suppress(Exception):
            if task is not None:
                task.future.result()
        if self._closed:
            raise EndedError("the server ends")

    def close(self) -> None:
        """End what is under way, without waiting for that: answers are due."""
        with self._lock:
            self._closed = True
        if self._preparation is not None:
            threading.Thread(target=self._preparation.close, name="compilation ends", daemon=True).start()
