"""Alpha-beta on the serialised game: one player commits first, the other answers knowing it.

When player 0 commits first the value is a lower bound of the simultaneous one, when player 1 does, an upper bound: where
both have a choice in one round, one search proves one bound and no more. The contest's strongest programs play by it.
All of its refinements are settings of this one search.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ...compiled import Component
from ...game.base import NO_ACTION, Game
from ..result import Partial, in_game_units, origin
from ..table import room_for_actions, room_for_plies
from .serialised_kernel import serial_root
from .stage import StageAlgorithm, new_stage_workspace

_GRAIN = 5
"""Units of depth in a round of two actions against two, where depth counts choices."""


_KEPT = 1 << 12
"""Estimates that are kept: as many as a core's own cache has room for."""


@functools.cache
def _by_choices(sizes: int) -> np.ndarray:
    """The cost in units of a round by its number of joint actions, int64 (sizes,): the logarithm to the base 4, rounded up."""
    return np.array([0] + [math.ceil(_GRAIN * math.log(n, 4) - 1e-9) for n in range(1, sizes)])


@dataclass(frozen=True)
class SerialisedAlphaBeta(StageAlgorithm):
    """Serialised alpha-beta; `first` commits first, so that the other knows its action.

    With `first=0` a finished search proves a lower bound of the game's value, with `first=1` an upper one; it is exact where
    no round was met in which both have a choice, and where the bound is an end of the range. With `flip` nothing is proven
    but in such games.

    Settings with the names of `PrincipalVariation`'s are the same techniques.

    - `table`: the transposition table, bounds and best moves, kept from one turn to the next where the memory is; None:
      where the game has a hash. `deeper_entries`: entries of a greater depth (draft) than asked for, as after
      the last move, are used too.
    - `killers`, `history`: move ordering.
    - `sort_rounds`: in that many top rounds the first mover's actions are ordered by static evaluation. `prune_margin`, in
      the evaluator's units: forward pruning of those whose static value is worse than the best one by more.
    - `flip`: below the root the other player commits first.
    - `budget`: a node budget in the place of the depth limit, divided evenly among the actions at each node (0: off).
    - `decided`: static cutoff for decided positions: a component with the kernels `is_decided` and `evaluate`; where the
      first says so, the second gives the value.
    - `discount`: the share of a result that is lost for every ply up to it, as in mate-distance scoring. Linear: n plies,
      counted from the start of the game, leave 1 - n discount. Reported values are the game's, with the
      distance to the end in `plies` beside them.
    - `null_windows`: all but the first action of either player are searched with a null window first (principal-variation
      search).
    - `by_choices`: fractional plies: a round costs the logarithm, to the base 4, of the number of its joint actions (in
      fifths, rounded up). Two actions against two cost one, three against three 1.6, a round in which nobody has a
      choice nothing.
    - `futility`: the futility margin, in the evaluator's units (0: off): with at most a depth of 1 left, a position whose
      static value is outside the window by more than that is cut off.
    - `keep_estimates`: the evaluator's last estimates are kept by position in a small memory (64 KB), so that a position that comes again,
      by another order of moves or in another window, is not estimated again. No value changes. The game needs a hash.
    - `contempt`: what a result of 0 counts less for the first mover, as a share of its worst result: 1 makes a draw as bad as a loss.
      With it nothing is proven.

    >>> from saddlepoint import BiasedRPS, SerialisedAlphaBeta, search
    >>> game = BiasedRPS()
    >>> result = search(game, game.initial_state(), SerialisedAlphaBeta(first=0))
    >>> result.value, result.bounds
    (-5.0, (-5.0, 50.0))
    """

    first: Literal[0, 1] = 0
    table: bool | None = None
    killers: bool = True
    history: bool = False
    sort_rounds: int = 0
    prune_margin: float = float("inf")
    flip: bool = False
    budget: float = 0.0
    decided: Component | None = None
    discount: float = 0.0
    null_windows: bool = False
    by_choices: bool = False
    futility: float = 0.0
    deeper_entries: bool = False
    contempt: float = 0.0
    keep_estimates: bool = False

    name: ClassVar[str] = "alphabeta"
    title: ClassVar[str] = "Serialised alpha-beta"
    solves_stages: ClassVar[bool] = False
    is_serialised: ClassVar[bool] = True

    def workspace(self, game: Game) -> Any:
        grain, joints = _GRAIN if self.by_choices else 1, room_for_actions(game) ** 2 + 1
        kept = _KEPT if self.keep_estimates else 1
        ws = new_stage_workspace(
            game,
            self,
            ("joint", "i8"),  # whether a round was met in which both had a choice
            ("drawn", "f8"),  # what a result of 0 counts for player 0
            ("others", "i8"),  # whether a result was met that is neither 0 nor at an end of the range
            ("grain", "i8"),
            ("costs", "i8", (joints,)),  # of a depth, and of a round by its number of joint actions, in units
            ("killer_actions", "i8", (room_for_plies(game), 2, 2)),
            ("history_scores", "i8", (2, room_for_actions(game))),
            ("kept_keys", "u8", (kept,)),
            ("kept_values", "f8", (kept,)),  # estimates, by the position's hash
        )
        ws["drawn"] = self.contempt * (game.min_utility if self.first == 0 else game.max_utility)
        ws["grain"], ws["costs"] = grain, _by_choices(joints) if self.by_choices else 1
        return ws

    def reset(self, ws: Any) -> None:
        super().reset(ws)
        ws["killer_actions"], ws["history_scores"] = NO_ACTION, 0

    def compiled_search(self, game: Any, state: Any, depth: int, ws: Any, table: Any) -> tuple[Any, ...]:
        units = depth * int(ws["grain"])
        return serial_root, game, self.leaf, self.decided, state, units, self.budget, 0, self.first, ws, table

    def game_value(self, value: float, ws: Any, solved: bool = False) -> tuple[float, int | None]:
        """(a result without what the discount took, its distance)."""
        if self.discount == 0.0:
            return value, None
        return in_game_units(
            value, lambda share: (1.0 - share) / self.discount - int(ws["root_step"]), self.leaf, solved, ws
        )

    def bounds(self, game: Game, value: float, solved: bool, ws: Any) -> tuple[float, float]:
        """The bound that the first mover's value proves.

        Both bounds where no searched position has a choice of both players.
        """
        low, high = game.min_utility, game.max_utility
        one_sided = ws["joint"] != 0 or (self.sort_rounds > 0 and self.prune_margin < math.inf)
        if not solved or (self.flip and one_sided) or self.contempt > 0.0:
            return low, high
        # A table's entries may be of another move of the game: any step of it can have been the root.
        share = 1.0 - self.discount * (2 * game.max_depth + int(ws["root_step"]))
        least, most = origin(game, value, share, ws)
        if not one_sided:
            return least, most
        return (least, high) if self.first == 0 else (low, most)

    def partial(self, ws: Any, depth: int) -> Partial:
        """The first mover's finished root actions, each with the other's NO_ACTION; the leading pair."""
        cells: dict[tuple[int, int], tuple[float, float]] = {}
        for i in np.nonzero(ws["known"][0, 0, : int(ws["sizes"][0, self.first])])[0]:
            action, value = int(ws["actions"][0, self.first, i]), float(ws["lower"][0, 0, i])
            value, is_bound = (
                self.game_value(-value if self.first else value, ws)[0],
                ws["known"][0, 0, i] != 1,
            )
            if self.first == 0:
                cells[action, NO_ACTION] = (-math.inf if is_bound else value, value)
            else:
                cells[NO_ACTION, action] = (value, math.inf if is_bound else value)
        best = (int(ws["preferred"][0]), int(ws["preferred"][1])) if cells else None
        return Partial(depth, cells, best)
