"""Base of the searches in which both players may move at the same time."""

from typing import Any, ClassVar

import numpy as np

from ...compiled import run
from ...game import NO_ACTION, Game
from ..algorithm import Algorithm, Memory
from ..result import Partial
from ..table import new_table
from .stage import new_stage_workspace


class StageAlgorithm(Algorithm):
    """What it finds of the root, actions, strategies and cells, is in ply 0 of the workspace."""

    solves_stages: ClassVar[bool] = True
    """Whether it solves stage matrices, and so needs the compiled solver."""
    bounds_mark: ClassVar[int] = -1
    """The value in the workspace's `known` that says that a cell has bounds only; -1: cells have values or nothing."""

    def workspace(self, game: Game) -> Any:
        return new_stage_workspace(game, self)

    def table_in(self, memory: Memory) -> Any:
        """The transposition table, made at its first use; of one slot where none is used."""
        entries = memory.entries if self.uses_table else 1
        return memory.keep(("table", entries), lambda: new_table(entries, memory.ahead))

    def reset(self, ws: Any) -> None:
        ws["preferred"] = NO_ACTION

    def begin(self, ws: Any) -> None:
        ws["known"][0] = 0

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        """The compiled function that searches to the depth, and its arguments.

        A search that is more than one call has its own `iterate` instead.
        """
        raise NotImplementedError

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        return run(*self.compiled_search(game, state, depth, ws, self.table_in(memory)))

    def strategies(self, game: Game, state: Any, ws: Any) -> tuple[dict[int, float], dict[int, float]]:
        acting = game.players_to_act(state)
        mixtures: list[dict[int, float]] = []
        for player, field in ((0, "x"), (1, "y")):
            count = int(ws["sizes"][0, player]) if player in acting else 0
            actions, weights = ws["actions"][0, player, :count], ws[field][0, :count]
            mixtures.append({int(a): float(w) for a, w in zip(actions, weights, strict=True)})
        return mixtures[0], mixtures[1]

    def partial(self, ws: Any, depth: int) -> Partial:
        """The root cells that an unfinished iteration had settled."""
        own0, own1 = (ws["actions"][0, player, : int(ws["sizes"][0, player])] for player in (0, 1))
        known, lower, upper = (ws[name][0, : len(own0), : len(own1)] for name in ("known", "lower", "upper"))
        i, j = np.nonzero(known)
        low = lower[i, j]
        high = np.where(known[i, j] == self.bounds_mark, upper[i, j], low)
        joint = zip(own0[i].tolist(), own1[j].tolist(), strict=True)
        cells = dict(zip(joint, zip(low.tolist(), high.tolist(), strict=True), strict=True))
        return Partial(depth, cells)
