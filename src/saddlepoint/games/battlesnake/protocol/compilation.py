"""Compiling for boards of a new size: in a process of its own, so that neither the event loop nor a search waits for it."""

import threading
from collections.abc import Callable
from concurrent.futures import wait
from contextlib import suppress
from typing import TYPE_CHECKING

from ....play.timely import LoadMaker
from .crowd import Rules, game_of

if TYPE_CHECKING:  # a bot answers before the searches are loaded
    from ....play.preparation import Preparation, Task
    from ....players.needs import Need

_NICE = 10
"""Games go before all that is compiled but the first: until then none can be played."""
_LOOK = 0.1  # seconds


class EndedError(Exception):
    """The server ends."""


class Compilation:
    """Compiles one thing after the other, and beside them what a game waits for; what is on disk already waits for nothing.

    `compile` may be called from any thread.
    """

    def __init__(self, load: LoadMaker, is_apart: bool = False) -> None:
        """Unless it `is_apart` all is compiled by the thread that needs it."""
        self._load, self._is_apart = load, is_apart
        self._lock = threading.Lock()
        self._usual: Preparation | None = None
        self._beside: Preparation | None = None
        self._closed = False

    @property
    def is_under_way(self) -> bool:
        """Whether other processes are at it."""
        return any(one is not None and one.is_under_way for one in (self._usual, self._beside))

    def compile(self, rules: Rules, player: str, is_awaited: Callable[[], bool] = lambda: False) -> None:
        """Compile that player, if need be; where that fails, whoever needs it will see why. Raises EndedError when it was closed.

        `is_awaited` says whether a game waits for it, which may become true meanwhile.
        """
        from ....players.needs import Need

        width, height, hazard_stack = rules.compiled
        need = Need(game_of(Rules(width, height, hazard_stack=hazard_stack)), player)
        if self._is_apart and need.is_missing:
            task = self._begun(need)
            while task is not None and not wait([task.future], _LOOK).done:
                if self.is_under_way and task.began is None and is_awaited():  # another board has its turn
                    task = self._begun_beside(need)
                    break
            if task is not None:
                with suppress(Exception):
                    task.future.result()
        if self._closed:
            raise EndedError("the server ends")

    def _begun(self, need: "Need") -> "Task | None":
        from ....play.preparation import Preparation

        with self._lock:
            if self._closed:
                return None
            niceness = 0 if self._usual is None else _NICE
            self._usual = self._usual or Preparation(self._load)
            return self._usual.begin(need, niceness)

    def _begun_beside(self, need: "Need") -> "Task | None":
        from ....play.preparation import Preparation

        with self._lock:
            if self._closed:
                return None
            self._beside = self._beside or Preparation(self._load)
            return self._beside.begin(need)

    def close(self) -> None:
        """End what is under way, without waiting for that: answers are due."""
        with self._lock:
            self._closed = True
        for preparation in filter(None, (self._usual, self._beside)):
            threading.Thread(target=preparation.close, name="compilation ends", daemon=True).start()
