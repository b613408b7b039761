"""Playing on alone: once the riders are separated, drive the longest path that can be found."""

from typing import Any

from ..boards.bitboard import free_cells
from ..boards.flood import separated
from ..boards.longest_path import FillResult, solve_fill
from ..compiled import jit, run
from ..game import NO_ACTION, SIMULTANEOUS, Game


@jit
def _apart(game: Any, state: Any) -> bool:
    return separated(game.grid, game.head(state, 0), game.head(state, 1), free_cells(game.grid, game.walls(state)))


def is_territorial(game: Game) -> bool:
    """Whether the game has heads and walls on a grid."""
    return "walls" in game.kernels and "head" in game.kernels and hasattr(game, "grid")


def are_apart(game: Game, state: Any) -> bool:
    """Whether no cell can be reached by both players."""
    return bool(run(_apart, game, state))


class FillPlan:
    """The path of a separated rider, kept from move to move and lengthened while there is time."""

    def __init__(self) -> None:
        self._path: list[int] = []
        self._exact = False
        self.last: FillResult | None = None
        """What the last search of a path found; None where the plan was simply followed."""

    def next_cell(
        self, game: Any, state: Any, player: int, seconds: float | None, nodes: int | None = None
    ) -> int | None:
        """The cell to go to next, None where there is no way on. Thinks only while the plan is not proven best."""
        self.last = None
        walls = game.walls(state)
        if not self._exact:
            found = solve_fill(game.grid, walls, int(game.head(state, player)), seconds=seconds, nodes=nodes)
            self.last = found
            self._exact = found.exact
            if found.exact or found.lower > len(self._path):
                self._path = list(found.path)
        return self._path.pop(0) if self._path else None


def action_to(game: Any, state: Any, player: int, cell: int) -> int | None:
    """The player's action that leads to a cell, None if there is none."""
    other = NO_ACTION
    if game.current_player(state) == SIMULTANEOUS:
        other = game.search_actions(state, 1 - player)[0]
    for action in game.search_actions(state, player):
        joint = (action, other) if player == 0 else (other, action)
        if int(game.head(game.next_state(state, *joint), player)) == cell:
            return action
    return None
