"""Positions near the end of a game, solved by its legal actions alone: what `check_game` holds hash and bounds against."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ..compiled import run
from ..game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from ..matrix import solve_matrix

_TREE = 2_500  # steps that one position may take
_ALL = 8_000
_DEEPEST = 100
"""Plies of a tree: in compiled code that is called near Python's limit of recursion the process ends."""
_TOLERANCE = 1e-7  # of the range of results
_PAIRS = 200  # positions compared with each other, to tell two with one hash apart

Fail = Callable[[str, Any], NoReturn]


class SmallTrees:
    """Exact values of the positions of small trees, each compared with what the game tells of it."""

    def __init__(self, game: Game, fail: Fail) -> None:
        self._game, self._fail = game, fail
        self._values: dict[Any, float] = {}
        self._by_hash: dict[int, Any] = {}
        self._by_canonical_hash: dict[int, Any] = {}
        self._left, self._spent, self._depth = _ALL, 0, 0
        self._near = _TOLERANCE * max(1.0, game.max_utility - game.min_utility)

    def check(self, path: Sequence[Any]) -> None:
        """Solve the positions of a finished game from its end on, as long as their trees are small."""
        for state in reversed(path):
            self._spent = self._depth = 0
            if self._left <= 0 or self._value(state) is None:
                return

    def _value(self, state: Any) -> float | None:
        """Player 0's value; None where it takes too many steps."""
        if state in self._values:
            return self._values[state]
        game = self._game
        node = game.current_player(state)
        if node == TERMINAL:
            value = float(game.returns(state))
            self._check_bounds(state, value)
        elif node == CHANCE:
            value = 0.0
            for outcome, probability in game.chance_outcomes(state):
                found = self._after(state, outcome, NO_ACTION)
                if found is None:
                    return None
                value += probability * found
            self._check_told(state, value)
        else:
            actions = [game.choices(state, p) if node in (p, SIMULTANEOUS) else [NO_ACTION] for p in (0, 1)]
            cells = np.empty((len(actions[0]), len(actions[1])))
            for i, action0 in enumerate(actions[0]):
                for j, action1 in enumerate(actions[1]):
                    found = self._after(state, action0, action1)
                    if found is None:
                        return None
                    cells[i, j] = found
            value = _stage_value(cells)
            self._check_searched(state, node, actions, cells, value)
            self._check_told(state, value)
        self._values[state] = value
        return value

    def _after(self, state: Any, action0: int, action1: int) -> float | None:
        self._spent += 1
        self._left -= 1
        if self._spent > _TREE or self._left <= 0 or self._depth == _DEEPEST:
            return None
        self._depth += 1
        found = self._value(self._game.advance(state, action0, action1))
        self._depth -= 1
        return found

    def _check_searched(self, state: Any, node: int, actions: list[list[int]], cells: Any, value: float) -> None:
        searched = [self._game.search_actions(state, p) if node in (p, SIMULTANEOUS) else [NO_ACTION] for p in (0, 1)]
        rows, columns = ([actions[p].index(action) for action in searched[p]] for p in (0, 1))
        # Of one player at a time: what both lose together may cancel out, and each must still have a best mixture.
        for kept in (cells[rows], cells[:, columns]):
            found = _stage_value(kept)
            if abs(found - value) > self._near:
                self._fail(
                    f"search_actions must keep what is needed: with all legal actions this is worth {value:g}, with those it "
                    f"gives one of the players, of {searched}, {found:g}", state,
                )  # fmt: skip

    def _check_told(self, state: Any, value: float) -> None:
        self._check_bounds(state, value)
        game = self._game
        other = self._by_hash.setdefault(int(run(game.kernels["hash"], game, state)), state)
        self._check_same(state, value, other, "the same hash")
        if game.has_canonical_hash:
            canonical = int(run(game.kernels["canonical_hash"], game, state)[0])
            self._check_same(state, value, self._by_canonical_hash.setdefault(canonical, state), "the same canonical_hash")

    def _check_same(self, state: Any, value: float, other: Any, shared: str) -> None:
        known = self._values.get(other, value)
        if abs(known - value) > self._near:
            self._fail(
                f"hash must tell positions apart: this one is worth {value:g} and {other!r}, with {shared}, {known:g}", state
            )

    def _check_bounds(self, state: Any, value: float) -> None:
        if self._game.has_bounds:
            low, high = run(self._game.kernels["bounds"], self._game, state)
            if not low - self._near <= value <= high + self._near:
                self._fail(f"bounds must hold the value, which is {value:g} here, and are {low:g} and {high:g}", state)


def _stage_value(cells: Any) -> float:
    lower, upper = cells.min(axis=1).max(), cells.max(axis=0).min()
    return float(lower) if lower == upper else float(solve_matrix(cells).value)


def play_differently(game: Game, one: Any, other: Any) -> bool:
    """Whether two positions are seen to differ in what a search looks at, now or some steps later.

    A hash may leave out what does not matter.
    """
    waiting, seen = [(one, other)], {(one, other)}
    while waiting and len(seen) < _PAIRS:
        a, b = waiting.pop(0)
        node = game.current_player(a)
        if node != game.current_player(b):
            return True
        if node == TERMINAL:
            if game.returns(a) != game.returns(b):
                return True
            continue
        if node == CHANCE:
            outcomes = game.chance_outcomes(a)
            if outcomes != game.chance_outcomes(b):
                return True
            joint = [(outcome, NO_ACTION) for outcome, _ in outcomes]
        else:
            actions = [game.search_actions(a, p) if node in (p, SIMULTANEOUS) else [NO_ACTION] for p in (0, 1)]
            if any(actions[p] != game.search_actions(b, p) for p in (0, 1) if node in (p, SIMULTANEOUS)):
                return True
            joint = [(i, j) for i in actions[0] for j in actions[1]]
        for pair in ((game.advance(a, i, j), game.advance(b, i, j)) for i, j in joint):
            if pair[0] != pair[1] and pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return False
