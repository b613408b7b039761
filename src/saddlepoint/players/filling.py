"""Playing on alone: once the riders are separated, drive the longest path that can be found."""

import time
from typing import Any

from ..algorithms import SerialisedAlphaBeta
from ..boards.bitboard import free_cells
from ..boards.flood import separated
from ..boards.longest_path import solve_fill
from ..compiled import jit, run
from ..evaluators import Prospects
from ..game import NO_ACTION, SIMULTANEOUS, Game
from .base import Answer, MoveStatistics
from .clock import Clock
from .searching import EndgamePlan, SearchPlayer


@jit
def _separated(game: Any, state: Any) -> bool:
    return separated(game.grid, game.head(state, 0), game.head(state, 1), free_cells(game.grid, game.walls(state)))


def is_territorial(game: Game) -> bool:
    """Whether the game has heads and walls on a grid."""
    return "walls" in game.kernels and "head" in game.kernels and hasattr(game, "grid")


def are_separated(game: Game, state: Any) -> bool:
    """Whether no cell can be reached by both players."""
    return bool(run(_separated, game, state))


class FillRoom(EndgamePlan):
    """Drives the longest path that can be found once the players of a territorial game are separated.

    The path is kept from move to move, and lengthened while it is not proven longest and there is time.
    """

    def begin(self, searching: SearchPlayer) -> None:
        self._filling = self._exact = False
        self._path: list[int] = []

    def warm(self, game: Any, state: Any) -> None:
        if is_territorial(game):
            are_separated(game, state)
            found = solve_fill(game.grid, game.walls(state), int(game.head(state, 0)), seconds=0.001)
            if found.path:
                action_to(game, state, 0, found.path[0])

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        game: Any = searching.game
        self._filling = self._filling or (is_territorial(game) and are_separated(game, state))
        if not self._filling:
            return None
        limits, started, visited = searching.limits, time.perf_counter(), 0
        if not self._exact:
            seconds = searching.seconds(searching.allowance(clock, separated=True).soft)
            head = int(game.head(state, searching.player))
            found = solve_fill(game.grid, game.walls(state), head, seconds=seconds, nodes=limits.nodes, stop=searching.stop)
            # The node that was refused is counted too.
            visited = found.nodes if limits.nodes is None else min(found.nodes, limits.nodes)
            self._exact = found.exact
            if found.exact or found.lower > len(self._path):
                self._path = list(found.path)
        action = action_to(game, state, searching.player, self._path.pop(0)) if self._path else None
        return None if action is None else Answer(action, MoveStatistics(time.perf_counter() - started, None, visited))


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


def trails_search() -> SerialisedAlphaBeta:
    """What plays best, by games, where two heads leave trails and move at the same time."""
    return SerialisedAlphaBeta(
        Prospects(), killers=True, history=True, null_windows=True, discount=1e-6, by_choices=True, futility=0.4,
        deeper_entries=True,
    )  # fmt: skip
