"""PrincipalVariation: the search of turn-based games with all the refinements, each a setting; chance nodes too."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...boards.limits import DEAF, share_deadline
from ...compiled import Component, run
from ...compiled.bits import empty_table
from ...game.base import NO_ACTION, Game
from ..algorithm import Memory, UnsupportedGameError
from ..result import in_game_units, origin
from ..table import DEEPEST, room_for_actions
from .chance_nodes import BUCKET, ENTRY, ResultValue, RootPlayerValue, lazy_smp
from .principal_variation_kernel import search_from
from .turn_algorithm import ACTION_SLOTS, TurnAlgorithm, forget, new_turn_workspace

_GRAIN = 2.0**-44
"""The width of a null window, as a share of the largest value: far above rounding, far below any difference."""
_WIDER = 4.0
_SHARED_DEPTH = 3
"""Less deep a search is over before another thread has begun."""


@dataclass(frozen=True)
class PrincipalVariation(TurnAlgorithm):
    """Alpha-beta for turn-based games with or without chance, by default as principal-variation search; every part is a setting.

    - `alpha_beta`: off, everything is searched: plain minimax, expectimax.
    - `null_windows`: moves after the first are searched with a null window (Marsland and Campbell 1982).
    - `aspiration`: deepening begins with an aspiration window around the last value, of this share of the range of values
      to each side; 0: off.
    - `table`, `megabytes`: the transposition table, kept from one move of a game to the next; None: where the game has a hash.
      `deeper_entries`: entries of a greater depth (draft) than asked for are used too. `symmetry`: mirror images share an
      entry, where the game has the kernel `canonical_hash`.
    - `killers`, `history`, `countermoves`, `static_order` (the game's own): move ordering. Killers and
      countermoves go before history; they pay without a table (see the benchmark of settings).
    - `winning_actions`: uses the game's kernel of that name (immediate wins), where it has one.
    - `late_reduction`: late-move reductions: moves from number `late_moves` on are first searched that many plies less
      deep (0: off).
    - `null_move`: null-move pruning with this reduction R in plies (0: off): a position fails high if it does so after
      a pass, searched R plies less deep. Not sound where it may be good to pass. The game needs the kernel `pass_turn`.
    - `quiescence_plies`: quiescence search: below the depth limit the actions of the evaluator's kernel
      `noisy_actions(game, state, player, out)` are followed for up to that many plies; standing pat is allowed.
    - `star1`, `star2`: bounds at chance nodes (Ballard 1983). `star2` begins with the probing phase: one answer to every
      outcome, which pays where first answers are good. `samples`: of chance nodes with more outcomes only that
      many are followed, sampled by the search's seed (0: all).
    - `discount`: the share of a value that is lost for every ply between it and its end, as in mate-distance scoring: a
      nearer win, and a later loss, is better. Geometric: n plies leave (1 - discount)^n. Wants results on both sides of 0.
      Reported values are the game's, with the distance to the end in `plies` beside them. With chance, or
      with a result that is neither 0 nor the best or worst, a solved value has an error of at most what the discount took;
      `bounds` gives the interval. With a discount of 0 it is exact.

    - `threads`: that many search at once and share the table (lazy SMP); only the first one's answer counts, the
      others fill the table for it. What is not solved then differs from run to run, also under a limit of nodes.
    - `first_of_equals`: where the position is solved, of equally good actions the first in the game's order is chosen,
      however the search got there; costs part of another search.

    `SerialisedAlphaBeta` has settings of the same names for the same techniques. An evaluator with the kernel
    `evaluate_for(game, state, player)` judges finished and unfinished positions from the
    view of the player who is to move at the root: see RootPlayerValue. Nothing is then proven of the game's value.

    >>> from saddlepoint import PrincipalVariation, TicTacToe, search
    >>> game = TicTacToe()
    >>> state = game.next_state(game.initial_state(), 0)
    >>> search(game, state, PrincipalVariation()).best_action(1)
    4
    """

    alpha_beta: bool = True
    null_windows: bool = True
    aspiration: float = 0.05
    table: bool | None = None
    megabytes: float = 32.0
    deeper_entries: bool = True
    symmetry: bool = True
    killers: bool = False
    history: bool = True
    countermoves: bool = False
    static_order: bool = True
    winning_actions: bool = True
    late_reduction: int = 0
    late_moves: int = 4
    null_move: int = 0
    quiescence_plies: int = 0
    star1: bool = True
    star2: bool = False
    samples: int = 0
    discount: float = 1e-6
    threads: int = 1
    first_of_equals: bool = False

    name: ClassVar[str] = "pvs"
    title: ClassVar[str] = "Principal variation search"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.quiescence_plies and not _brings(self.evaluator, "noisy_actions"):
            raise ValueError("quiescence_plies needs an evaluator with the kernel noisy_actions")

    def check(self, game: Game) -> None:
        super().check(game)
        if self.null_move and not game.can_pass:
            raise UnsupportedGameError(
                f"null_move needs a game with the kernel pass_turn; {type(game).__name__} has none"
            )

    def workspace(self, game: Game) -> Any:
        plies = DEEPEST + 3
        own = (
            ("keep", "f8"),
            ("stretch", "f8"),  # what a value loses a move further from its end, and the inverse
            ("grain", "f8"),  # the width of a null window
            ("noise", "f8"),  # what rounding may make of a difference of 0
            ("shrunk", "f8"),  # what is left of a value as far away as can be
            ("order", "i8", (plies, room_for_actions(game))),
            ("among_count", "i8"),
            ("among", "i8", (room_for_actions(game),)),  # the root's actions, where these alone are searched
            ("killer_actions", "i8", (plies, 2, 2)),
            ("history_scores", "i8", (2, ACTION_SLOTS)),
            # countermoves: by mover, previous mover and previous move
            ("answers", "i8", (2, 2, ACTION_SLOTS)),
        )
        return new_turn_workspace(
            game, self, own, floors=np.float64, ceilings=np.float64
        )  # of a chance node's outcomes

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        self.set_up(game, state, ws)
        table = self.table_in(memory)

        def look(ws: Any, depth: int, low: float, high: float) -> float:
            return run(*self.compiled_search(game, state, depth, low, high, ws, table))

        if self.threads > 1 and depth >= _SHARED_DEPTH:
            workspaces = self._helpers(game, state, ws, memory)
            with lazy_smp(workspaces, look, depth):
                value = self._in_window(depth, ws, look)
            ws["nodes"] += sum(int(other["nodes"]) for other in workspaces)
            ws["others"] |= any(int(other["others"]) for other in workspaces)
        else:
            value = self._in_window(depth, ws, look)
        if not ws["stop"]:
            ws["expected"] = value
            if not ws["proven"]:
                ws["estimates"] += 1
            elif self.first_of_equals:
                self._take_first(value, game, ws, look)
        return value

    def compiled_search(
        self, game: Any, state: Any, depth: int, low: float, high: float, ws: Any, table: Any
    ) -> tuple[Any, ...]:
        """The compiled function that searches to the depth in a window, and its arguments."""
        quiescence = self.evaluator if self.quiescence_plies else None
        chance = 1 if game.has_chance else None
        return (
            search_from,
            game,
            _values(self.leaf),
            quiescence,
            chance,
            state,
            depth,
            0,
            low,
            high,
            ws,
            table,
        )

    def _in_window(self, depth: int, ws: Any, look: Callable[[Any, int, float, float], float]) -> float:
        """Search in a window around the last iteration's value, a wider one where the value lies outside."""
        expected, span = float(ws["expected"]), float(ws["high"] - ws["low"])
        margin = self.aspiration * span if self.alpha_beta and depth > 1 and not math.isnan(expected) else 0.0
        low, high = (expected - margin, expected + margin) if margin > 0 else (-math.inf, math.inf)
        while True:
            value = look(ws, depth, low, high)
            noise = float(ws["noise"])
            if ws["stop"] or low + noise < value < high - noise:
                return value
            margin *= _WIDER
            if value <= low + noise:
                low = value - margin if margin < span else -math.inf
            else:
                high = value + margin if margin < span else math.inf

    def _take_first(
        self, value: float, game: Game, ws: Any, look: Callable[[Any, int, float, float], float]
    ) -> None:
        """Search the actions in the game's order until one is as good as the value, to the end if need be."""
        found, near = ws["preferred"].copy(), 8 * float(ws["grain"])
        ws["preferred"] = NO_ACTION
        look(ws, min(game.max_depth, DEEPEST), value - near, value + near)
        if ws["stop"]:
            ws["preferred"] = found

    def _helpers(self, game: Game, state: Any, ws: Any, memory: Memory) -> list[Any]:
        """The other threads' workspaces, set up for this search."""
        workspaces = memory.keep(
            ("helpers", game, self.threads), lambda: [self.workspace(game) for _ in range(self.threads - 1)]
        )
        for other in workspaces:
            if int(other["age"]) != int(ws["age"]):
                forget(other)
            for field in ("identity", "low", "high", "age", "seed", "node_limit", "expected"):
                other[field] = ws[field]
            other["nodes"], other["stop"], other["others"], other["listen"] = 0, 0, 0, DEAF
            self.set_up(game, state, other)
        share_deadline(ws, workspaces)
        return workspaces

    def game_value(self, value: float, ws: Any, solved: bool = False) -> tuple[float, int | None]:
        """(the best or worst result without what the discount took, its distance)."""
        if self.discount == 0.0 or _brings(self.evaluator, "evaluate_for"):
            return value, None
        return in_game_units(
            value, lambda share: math.log(share) / math.log1p(-self.discount), self.leaf, solved, ws
        )

    def bounds(self, game: Game, value: float, solved: bool, ws: Any) -> tuple[float, float]:
        if not solved or _brings(self.evaluator, "evaluate_for"):
            return game.min_utility, game.max_utility
        return origin(game, value, max((1.0 - self.discount) ** game.max_depth, 1e-300), ws)

    def set_up(self, game: Game, state: Any, ws: Any) -> None:
        """Write the values derived from the settings into the workspace of the compiled search."""
        relative = _brings(self.evaluator, "evaluate_for")
        ws["null_windows"] = self.null_windows and self.alpha_beta
        ws["star1"], ws["star2"] = self.star1 and self.alpha_beta, self.star2 and self.alpha_beta
        ws["use_table"], ws["symmetry"] = self.uses_table, self.symmetry and game.has_canonical_hash
        ws["winning_actions"] = self.winning_actions and game.has_winning_actions and not relative
        ws["use_bounds"] = game.has_bounds and not relative
        ws["keep"], ws["stretch"] = 1.0 - self.discount, 1.0 / (1.0 - self.discount)
        ws["shrunk"] = (1.0 - self.discount) ** game.max_depth
        ws["grain"] = _GRAIN * max(abs(float(ws["low"])), abs(float(ws["high"])), 1e-30)
        ws["noise"] = ws["grain"] / 16.0
        if self.discount > 0:  # values shrink towards 0
            ws["low"], ws["high"] = min(float(ws["low"]), 0.0), max(float(ws["high"]), 0.0)
        player = game.current_player(state)
        ws["root_player"] = player if player in (0, 1) else 0
        ws["salt"] = ws["identity"] ^ np.uint64(int(ws["root_player"]) if relative else 2)

    def table_in(self, memory: Memory) -> Any:
        """The transposition table, made at its first use."""
        if not self.uses_table:
            return memory.keep("no shared table", lambda: empty_table(ENTRY, BUCKET, 0.0))
        megabytes = memory.megabytes_of(self.megabytes, ENTRY)
        return memory.keep(
            ("shared table", megabytes), lambda: empty_table(ENTRY, BUCKET, megabytes, memory.ahead)
        )


@functools.cache
def _values(evaluator: Component) -> Component:
    return RootPlayerValue(evaluator) if _brings(evaluator, "evaluate_for") else ResultValue(evaluator)


def _brings(evaluator: Component | None, name: str) -> bool:
    return evaluator is not None and name in evaluator.kernels
