"""Algorithms for games of turns, and the one with all the refinements: PrincipalVariation."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...compiled import Component, run
from ...game import NO_ACTION, Game
from ..algorithm import Algorithm, Memory, UnsupportedGameError
from ..restated import Told, may_be_opinion, only_result, origin, whole_steps
from ..result import Partial
from ..workspace import DEEPEST
from .lazy_smp import Helpers
from .position_value import RootWorth, Worth
from .principal_variation_kernel import search_from
from .shared_table import new_shared_table
from .workspace import AT_MOST, NOT_TRIED, forget, new_turn_workspace

_GRAIN = 2.0**-44
"""The width of a null window, as a share of the largest value: far above rounding, far below any difference."""
_WIDER = 4.0
_SHARED_DEPTH = 3
"""Less deep a search is over before another thread has begun."""


class TurnAlgorithm(Algorithm):
    """Base of the algorithms that search games of turns; they find one best action at the root."""

    solves_stages: ClassVar[bool] = False
    turns_only: ClassVar[bool] = True

    def workspace(self, game: Game) -> Any:
        return new_turn_workspace(game)

    def reset(self, ws: Any) -> None:
        forget(ws)

    def begin(self, ws: Any) -> None:
        ws["root_known"] = NOT_TRIED

    def strategies(self, game: Game, state: Any, ws: Any) -> tuple[dict[int, float], dict[int, float]]:
        player = game.current_player(state)
        if player not in (0, 1):
            return {}, {}
        best = int(ws["preferred"][player])
        mixture = {int(action): float(action == best) for action in ws["actions"][0, : int(ws["root_count"])]}
        return (mixture, {}) if player == 0 else ({}, mixture)

    def line(self, game: Game, state: Any, ws: Any) -> tuple[tuple[int, int], ...]:
        joints: list[tuple[int, int]] = []
        for action in ws["line"][0, : int(ws["line_length"][0])]:
            player = game.current_player(state)
            joints.append((NO_ACTION, int(action)) if player == 1 else (int(action), NO_ACTION))
            state = game.next_state(state, *joints[-1])
        return tuple(joints)

    def partial(self, ws: Any, depth: int) -> Partial:
        """The root actions that the unfinished iteration has searched; the one that leads."""
        player = int(ws["root_player"])
        cells: dict[tuple[int, int], tuple[float, float]] = {}
        for k in range(int(ws["root_count"])):
            known, value = int(ws["root_known"][k]), self.told(float(ws["root_values"][k]), ws).value
            if known == NOT_TRIED:
                continue
            action = int(ws["actions"][0, k])
            joint = (action, NO_ACTION) if player == 0 else (NO_ACTION, action)
            low = -math.inf if known == AT_MOST and player == 0 else value
            high = math.inf if known == AT_MOST and player == 1 else value
            cells[joint] = (low, high)
        best = (int(ws["preferred"][0]), int(ws["preferred"][1]))
        return Partial(depth, cells, best if cells and best[player] != NO_ACTION else None)


@dataclass(frozen=True)
class PrincipalVariation(TurnAlgorithm):
    """Alpha-beta for games of turns and chance, by default as principal-variation search; every part is a setting.

    - `alpha_beta`: off, everything is searched: plain minimax, expectimax.
    - `null_windows`: moves after the first are only asked whether they are better (Marsland and Campbell 1982).
    - `aspiration`: deepening begins with a window of this share of the range of values around the last value; 0: off.
    - `table`, `megabytes`: positions met before, from one move of a game to the next; None: where the game has a hash.
      `deeper_entries`: what was looked at deeper than asked counts too. `fold`: mirror images share an entry, where
      the game has the kernel `folded_hash`.
    - `killers`, `history`, `countermoves`, `static_order` (the game's own): which move to try first. Killers and
      countermoves go before history; they pay without a table (see the benchmark of settings).
    - `wins`: the game's kernel `winning_actions`, where it has one.
    - `late_reduction`: moves from number `late_moves` on are first searched that many moves less deep (0: off).
    - `null_move`: where passing, searched that much less deep, is good enough, so is the position (0: off); not sound
      where it may be good to pass. The game needs the kernel `pass_turn`.
    - `quiet_plies`: below the depth limit the moves of the evaluator's kernel `noisy_actions(game, state, player, out)`
      are followed up to that far; the player may also be content with the estimate.
    - `star1`, `star2`: bounds at chance nodes (Ballard 1983); `star2` first tries one answer to every outcome, which
      pays where first answers are good. `samples`: of chance nodes with more outcomes only that
      many are followed, drawn by the search's seed (0: all).
    - `distance`: what a value loses inside the search, as a share, for every move between it and its end, so that a
      nearer win, and a later loss, is better. Wants results on both sides of 0. Reported values are the game's, with the
      `plies` to the end beside them. Where there is chance, or a result that is neither 0 nor the best or worst, a solved
      value is known up to what may have been lost, which `bounds` says; it is exact with a distance of 0.

    - `threads`: that many search at once and share the table ("lazy SMP"); only the first one's answer counts, the
      others fill the table for it. What is not solved then differs from run to run, also under a limit of nodes.
    - `first_of_equals`: where the position is solved, of equally good actions the first in the game's order is chosen,
      however the search got there; costs part of another search.

    An evaluator with the kernel `evaluate_for(game, state, player)` judges finished and unfinished positions from the
    view of the player who is to move at the root: see RootWorth. Nothing is then proven of the game's value.
    """

    alpha_beta: bool = True
    null_windows: bool = True
    aspiration: float = 0.05
    table: bool | None = None
    megabytes: float = 32.0
    deeper_entries: bool = True
    fold: bool = True
    killers: bool = False
    history: bool = True
    countermoves: bool = False
    static_order: bool = True
    wins: bool = True
    late_reduction: int = 0
    late_moves: int = 4
    null_move: int = 0
    quiet_plies: int = 0
    star1: bool = True
    star2: bool = False
    samples: int = 0
    distance: float = 1e-6
    threads: int = 1
    first_of_equals: bool = False

    name: ClassVar[str] = "pvs"

    def __post_init__(self) -> None:
        if not 0.0 <= self.distance < 0.1:
            raise ValueError(f"distance must be 0 or more and below 0.1, not {self.distance}")
        for setting in ("late_reduction", "null_move", "quiet_plies", "samples", "aspiration"):
            if getattr(self, setting) < 0:
                raise ValueError(f"{setting} must be 0 or more, not {getattr(self, setting)}")
        for setting in ("late_moves", "threads"):
            if getattr(self, setting) < 1:
                raise ValueError(f"{setting} must be 1 or more, not {getattr(self, setting)}")
        if self.megabytes <= 0:
            raise ValueError(f"megabytes must be above 0, not {self.megabytes}")
        if self.quiet_plies and not _brings(self.evaluator, "noisy_actions"):
            raise ValueError("quiet_plies needs an evaluator with the kernel noisy_actions")

    def check(self, game: Game) -> None:
        super().check(game)
        if self.null_move and not game.can_pass:
            raise UnsupportedGameError(f"null_move needs a game with the kernel pass_turn; {type(game).__name__} has none")

    @property
    def worth(self) -> Component:
        """What positions are worth: by results and estimates, or in the root player's view."""
        return _worth(self.leaf)

    def iterate(self, game: Any, state: Any, depth: int, ws: Any, memory: Memory) -> float:
        self.set_up(game, state, ws)
        table = self._table(game, memory)
        quiet = self.evaluator if self.quiet_plies else None
        chance = 1 if game.has_chance else None

        def look(ws: Any, depth: int, low: float, high: float) -> float:
            return run(search_from, game, self.worth, quiet, chance, state, depth, 0, low, high, ws, table)

        if self.threads > 1 and depth >= _SHARED_DEPTH:
            workspaces = self._helpers(game, state, ws, memory)
            with Helpers(workspaces, look, depth) as helpers:
                value = self._in_window(depth, ws, look)
            ws["nodes"] += helpers.nodes
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

    def _take_first(self, value: float, game: Game, ws: Any, look: Callable[[Any, int, float, float], float]) -> None:
        """Search the actions in the game's order until one is as good as the value, to the end if need be."""
        found, near = ws["preferred"].copy(), 8 * float(ws["grain"])
        ws["preferred"] = NO_ACTION
        look(ws, min(game.max_depth, DEEPEST), value - near, value + near)
        if ws["stop"]:
            ws["preferred"] = found

    def _helpers(self, game: Game, state: Any, ws: Any, memory: Memory) -> list[Any]:
        """The other threads' workspaces, set up for this search."""
        workspaces = memory.keep(("helpers", game, self.threads), lambda: [self.workspace(game) for _ in range(self.threads - 1)])
        for other in workspaces:
            if int(other["age"]) != int(ws["age"]):
                forget(other)
            for field in ("identity", "low", "high", "age", "seed", "deadline", "node_limit", "expected"):
                other[field] = ws[field]
            other["nodes"], other["stop"], other["others"] = 0, 0, 0
            self.set_up(game, state, other)
        return workspaces

    def told(self, value: float, ws: Any, solved: bool = False) -> Told:
        """The best or worst result at so many moves counts without what the distance took."""
        result = float(ws["best"] if value > 0.0 else ws["worst"])
        opinion = _brings(self.evaluator, "evaluate_for")
        if self.distance > 0.0 and not opinion and value != 0.0 and value * result > 0.0:
            plies = whole_steps(math.log(value / result) / math.log1p(-self.distance), DEEPEST)
            if plies is not None and (solved or not may_be_opinion(value, result, getattr(self.leaf, "bound", 0.0))):
                return Told(result, plies)
        return Told(value, None)

    def bounds(self, game: Game, value: float, solved: bool, ws: Any) -> tuple[float, float]:
        if not solved or _brings(self.evaluator, "evaluate_for"):
            return game.min_utility, game.max_utility
        if self.distance == 0.0:
            return value, value
        least = max((1.0 - self.distance) ** game.max_depth, 1e-300)
        if game.has_chance:  # what each result may have lost, whatever its sign
            lost = (1.0 - least) * max(abs(game.min_utility), abs(game.max_utility))
            return value - lost, value + lost
        low, high = origin(value, least)
        if not ws["others"]:
            result = only_result(low, high, (float(ws["worst"]), 0.0, float(ws["best"])))
            if result is not None:
                return result, result
        return low, high

    def set_up(self, game: Game, state: Any, ws: Any) -> None:
        """The settings, as the compiled search reads them."""
        relative = _brings(self.evaluator, "evaluate_for")
        ws["alpha_beta"], ws["null_windows"] = self.alpha_beta, self.null_windows and self.alpha_beta
        ws["use_table"], ws["deeper_entries"] = self.uses_table(game), self.deeper_entries
        ws["fold"] = self.fold and game.folds
        ws["killers"], ws["history"], ws["countermoves"] = self.killers, self.history, self.countermoves
        ws["static_order"] = self.static_order
        ws["wins"] = self.wins and game.tells_wins and not relative
        ws["use_bounds"] = game.has_bounds and not relative
        ws["star1"], ws["star2"] = self.star1 and self.alpha_beta, self.star2 and self.alpha_beta
        ws["late_moves"], ws["late_reduction"], ws["null_move"] = self.late_moves, self.late_reduction, self.null_move
        ws["quiet_plies"], ws["samples"] = self.quiet_plies, self.samples
        ws["keep"], ws["stretch"] = 1.0 - self.distance, 1.0 / (1.0 - self.distance)
        ws["shrunk"] = (1.0 - self.distance) ** game.max_depth
        ws["worst"], ws["best"] = game.min_utility, game.max_utility
        ws["grain"] = _GRAIN * max(abs(float(ws["low"])), abs(float(ws["high"])), 1e-30)
        ws["noise"] = ws["grain"] / 16.0
        if self.distance > 0:  # values shrink towards 0
            ws["low"], ws["high"] = min(float(ws["low"]), 0.0), max(float(ws["high"]), 0.0)
        player = game.current_player(state)
        ws["root_player"] = player if player in (0, 1) else 0
        ws["salt"] = ws["identity"] ^ np.uint64(int(ws["root_player"]) if relative else 2)

    def _table(self, game: Game, memory: Memory) -> Any:
        if not self.uses_table(game):
            return memory.keep("no shared table", lambda: new_shared_table(0.0))
        return memory.keep(("shared table", self.megabytes), lambda: new_shared_table(self.megabytes))


@functools.cache
def _worth(evaluator: Component) -> Component:
    return RootWorth(evaluator) if _brings(evaluator, "evaluate_for") else Worth(evaluator)


def _brings(evaluator: Component | None, name: str) -> bool:
    return evaluator is not None and name in evaluator.kernels
