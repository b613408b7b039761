"""Threads that search the same position into the same table while the main thread does ("lazy SMP")."""

import math
import threading
from collections.abc import Callable
from typing import Any, Self

_FURTHEST = 4  # depths a helper may be ahead


class LazySMP:
    """Runs a search in other threads, each in a workspace of its own, until the block is left.

    `look(workspace, depth, low, high)` searches; every other helper begins a depth further, so that they do not all
    do the same.
    """

    def __init__(
        self, workspaces: list[Any], look: Callable[[Any, int, float, float], float], depth: int
    ) -> None:
        self._workspaces, self._look = workspaces, look
        self._threads = [
            threading.Thread(target=self._run, args=(ws, depth + 1 - k % 2), daemon=True) for k, ws in enumerate(workspaces)
        ]

    def _run(self, ws: Any, depth: int) -> None:
        for further in range(_FURTHEST):
            self._look(ws, depth + further, -math.inf, math.inf)
            if ws["stop"]:
                return

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for ws in self._workspaces:
            ws["stop"] = 1
        for thread in self._threads:
            thread.join()

    @property
    def nodes(self) -> int:
        """Positions the helpers have visited."""
        return sum(int(ws["nodes"]) for ws in self._workspaces)
