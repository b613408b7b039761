"""A solved game: the values of all its positions, and both players' strategies at any of them."""

import bisect
import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algorithms.result import stage_html
from ...compiled import put_words, run, state_from_words, word_count
from ...compiled.states import as_machine_words
from ...game.base import CHANCE, NO_ACTION, TERMINAL, Game, GameError
from ...matrix import solve, solve_matrix, work_size
from ...system.text import count_of
from .packing import Folded, Packing, decided, folded, order_by_height, tells_chance
from .solve import Solver
from .successors import clock_word, fill_matrix, shape_of, without_clock

_REMEMBERED = 1 << 13
"""Positions whose strategies are kept for their images."""


def least_probability(discount: float | None) -> float:
    """The probability below which a strategy's action is left out.

    In a game with cycles and without a discount it would come about in the end, however small it is. Elsewhere it is kept.
    """
    return 1e-8 if discount == 1.0 else 0.0


class Stage(NamedTuple):
    """The value of a position, its matrix, and an equilibrium strategy of each player that chooses there."""

    value: float
    strategies: tuple[dict[int, float], dict[int, float]]
    """Each player's probabilities by action, all legal actions among them; empty where a player has no choice."""
    matrix: tuple[tuple[float, ...], ...]
    """The values after each joint action, in the order of the strategies; of chance's outcomes in a position of chance."""
    root: tuple[Any, Any] | None = None
    """The game and the position, so that a notebook can show names."""

    def _repr_html_(self) -> str:
        return stage_html(*self)


def rows_of(words: NDArray[np.uint64], values: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Packed words, and the bits of values behind them, as a solution keeps them; shape (positions, width + 1)."""
    rows = np.empty((len(words), words.shape[1] + 1), np.uint64)
    rows[:, :-1] = words
    rows.view(np.float64)[:, -1] = values
    return rows


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written to: what is mapped from a file cannot either, and compiled code is the same for both."""
    view = array.view()
    view.flags.writeable = False
    return view


class Solution:
    """The values of all positions that can come about from a start, in the order of their packed words.

    rows: shape (positions, width + 1), the packed words of each, sorted, and the bits of its value, player 0's; order: shape (positions,),
    each position's place when those nearer to the end come first, so that its successors are before it. is_folded: whether of
    positions that are worth the same one is kept (`folding`). discount: of a game with cycles (`solvers.cycles`), whose clock
    stands still and whose positions are numbered from the start on; else None.
    """

    def __init__(
        self,
        game: Game,
        root: Any,
        packing: Packing,
        rows: NDArray[np.uint64],
        order: NDArray[np.uint32],
        is_folded: bool = False,
        discount: float | None = None,
    ) -> None:
        self.game, self.root, self.packing = game, as_machine_words(root), packing
        self.rows, self.order, self.is_folded, self.discount = (
            _read_only(rows),
            _read_only(order),
            is_folded,
            discount,
        )
        self._remembered: dict[Any, tuple[dict[int, float], dict[int, float]]] = {}

    @classmethod
    def of(cls, work: Solver) -> "Solution":
        """The solution of finished work. Its rows are those of the table, sorted in place."""
        rows, heights = work.positions.sort()
        return cls(
            work.game, work.root, work.positions.packing, rows, order_by_height(heights), work.is_folded
        )

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Solution of {self.subject}: {count_of(len(self), 'position')}>"

    @property
    def subject(self) -> str:
        """The subject of the values, in words: the game with its options, its start, and changes made to
        solve it.
        """
        words = repr(self.game)
        if self.root != as_machine_words(self.game.initial_state()):
            words += f", from {self.game.to_text(self.root)}"
        if self.clock_left_out:
            words += ", without its limit of moves"
        return (
            words
            if self.discount in (None, 1.0)
            else f"{words}, with the discount {self.discount:g} for each move"
        )

    @property
    def clock_left_out(self) -> bool:
        """Whether the game was solved without its limit of moves: its clock (`Game.clock`) stands still."""
        return self.discount is not None and bool(self.game.clock)

    @property
    def words(self) -> NDArray[np.uint64]:
        """The packed words of all positions, sorted; shape (positions, width)."""
        return self.rows[:, :-1]

    @property
    def values(self) -> NDArray[np.float64]:
        """Their values, player 0's, in the same order."""
        return self.rows.view(np.float64)[:, -1]

    @property
    def value(self) -> float:
        """Player 0's expected result from the start."""
        return self.value_of(self.root)

    def _as_solved(self, state: Any) -> Any:
        return state if self.discount is None else without_clock(self.game, state)

    def kept(self, state: Any) -> Folded:
        """The position that is kept for one that is not ended: itself, where nothing is folded."""
        return folded(self.game, state) if self.is_folded else Folded(state, False, 0.0)

    def place_of(self, state: Any) -> int:
        """The number of a position's kept one among the sorted ones; raises GameError where there is none, since it cannot come about."""
        place = self._place(self.kept(self._as_solved(state)).state)
        if place is None:
            raise self._unknown(state)
        return place

    def _unknown(self, state: Any) -> GameError:
        return GameError(
            f"this position cannot come about from the start that was solved:\n{self.game.render(state)}"
        )

    def _place(self, kept: Any) -> int | None:
        """The number of a position, as it is kept, among the sorted ones."""
        kept = as_machine_words(kept)
        words = np.zeros(word_count(kept), np.uint64)
        put_words(kept, words)
        key = self.packing.packed(words)
        low, high = 0, len(self.rows)
        for place, word in enumerate(key or ()):
            column = self.rows[:, place]
            low, high = (
                bisect.bisect_left(column, word, low, high, key=int),
                bisect.bisect_right(column, word, low, high, key=int),
            )
        return None if key is None or low == high else low

    def has(self, state: Any) -> bool:
        """Whether a position's value is known, which is not over: it can come about from the start that was solved, or is decided.

        Of a choice after chance that is not kept, whether that of all that follows is known.
        """
        with suppress(GameError):
            return math.isfinite(self.value_of(state))
        return False

    def value_of(self, state: Any) -> float:
        """Player 0's expected result from a position; raises GameError for one that cannot come about."""
        state = self._as_solved(state)
        if self.game.current_player(state) == TERMINAL:
            return float(self.game.returns(state))
        if self.is_folded and (sure := decided(self.game, as_machine_words(state))) is not None:
            return sure
        kept = self.kept(state)
        place = self._place(kept.state)
        if place is not None:
            return kept.worth(float(self.values[place]))
        if self.is_folded and tells_chance(self.game) and self.game.current_player(kept.state) != CHANCE:
            with suppress(GameError):  # a choice after chance, which is not kept
                return float(solve_matrix(np.array(self._matrix(state))).value)
        raise self._unknown(state)

    def at(self, state: Any) -> Stage:
        """Value, strategies and matrix of a position; raises GameError for one that cannot come about."""
        state = self._as_solved(state)
        node, value = self.game.current_player(state), self.value_of(state)
        if node == TERMINAL:
            return Stage(value, ({}, {}), (), (self.game, state))
        matrix = self._matrix(state)
        return Stage(
            value, ({}, {}) if node == CHANCE else self._strategies(state, matrix), matrix, (self.game, state)
        )

    def _matrix(self, state: Any) -> tuple[tuple[float, ...], ...]:
        game, state = self.game, as_machine_words(state)
        own = [[outcome for outcome, _ in game.chance_outcomes(state)], [NO_ACTION]]
        if game.current_player(state) != CHANCE:
            own = self.choices(state)
        elif self.is_folded and tells_chance(game):
            return tuple((self.value_of(game.advance(state, outcome, NO_ACTION)),) for outcome in own[0])
        cells = self.cells(state, own)
        if cells is None:
            raise GameError(f"not all positions after this one were solved:\n{game.render(state)}")
        return tuple(map(tuple, cells[0].tolist()))

    def cells(
        self, state: Any, own: list[list[int]], others: NDArray[np.float64] = np.zeros((0, 2))
    ) -> NDArray[np.float64] | None:
        """The values after each joint action of `own`, and what else is known there: shape (3, rows, columns); None if not all are known.

        others: two more numbers for each row of the solution, seen as `fill_stage` sees a position's bounds; none by default.
        """
        game, count = self.game, word_count(state)
        start = np.zeros(count, np.uint64)
        put_words(self.root, start)
        clock = -1 if self.discount is None else clock_word(game, self.root)
        node, (m, n) = game.current_player(state), map(len, own)
        actions, (height, side) = np.zeros((2, max(m, n)), np.int64), shape_of(node, m, n)
        actions[0, :m], actions[1, :n] = own
        cells = np.zeros((3, height * side))
        known = run(
            fill_matrix,
            game,
            state,
            actions,
            m,
            n,
            self.is_folded,
            clock,
            start[clock],
            self.packing.arrays,
            self.rows,
            others,
            (start, np.zeros(count, np.uint64)),
            cells,
        )
        return cells.reshape(3, height, side)[:, :m, :n] if known else None

    def choices(self, state: Any) -> list[list[int]]:
        """Both players' legal actions; [NO_ACTION] for a player without any."""
        return [self.game.legal_actions(state, player) or [NO_ACTION] for player in (0, 1)]

    def _strategies(
        self, state: Any, matrix: tuple[tuple[float, ...], ...]
    ) -> tuple[dict[int, float], dict[int, float]]:
        """An equilibrium of the stage; of an image the kept position's, which the certificate is about."""
        if self.is_folded:
            bare = as_machine_words(self.game.without_score(state)[0])
            plain, kept = (
                as_machine_words(self.game.relabelled(bare)),
                as_machine_words(self.kept(state).state),
            )
            if plain != bare:
                return self._relabelled(bare, plain)
            if kept != bare:
                return self._renamed(bare, kept)
        own = self.choices(state)
        (m, n), side = map(len, own), max(map(len, own))
        cells, x, y = np.zeros((side, side)), np.zeros(side), np.zeros(side)
        cells[:m, :n] = matrix
        solve(cells, m, n, x, y, np.zeros(work_size(side, side)))
        if least := least_probability(self.discount):
            for weights in (x, y):
                weights[weights < least] = 0.0
                weights /= weights.sum()
        mixtures = [
            {} if actions == [NO_ACTION] else dict(zip(actions, weights.tolist(), strict=False))
            for actions, weights in zip(own, (x, y), strict=True)
        ]
        return mixtures[0], mixtures[1]

    def _of_kept(self, state: Any) -> tuple[dict[int, float], dict[int, float]]:
        """The strategies of a position by which many others are answered, one after another."""
        if state not in self._remembered:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[state] = self._strategies(state, self._matrix(state))
        return self._remembered[state]

    def _relabelled(self, state: Any, plain: Any) -> tuple[dict[int, float], dict[int, float]]:
        """The strategies of the position that this one becomes: each player's k-th action is that one's k-th."""
        first, second = (
            {
                a: mixture[b]
                for a, b in zip(
                    *(self.game.legal_actions(one, player) for one in (state, plain)), strict=True
                )
            }
            for player, mixture in enumerate(self._of_kept(plain))
        )
        return first, second

    def _renamed(self, state: Any, kept: Any) -> tuple[dict[int, float], dict[int, float]]:
        game, there = self.game, self._of_kept(kept)
        for image, actions0, actions1, swap in game.symmetries(state):
            if as_machine_words(image) == as_machine_words(kept) and swap == game.canonical(state)[1]:
                own = [set(game.legal_actions(state, player)) for player in (0, 1)]
                first, second = there[::-1] if swap else there
                return {a: first[actions0[a]] for a in sorted(own[0])}, {
                    b: second[actions1[b]] for b in sorted(own[1])
                }
        raise GameError(
            f"{game!r} folds {game.to_text(state)} to {game.to_text(kept)}, which its symmetries do not list"
        )

    def warm(self) -> None:
        """Compile, or load from disk, all that asking for a position may need: before a clock runs."""
        game, state = self.game, self.root
        while game.current_player(state) != TERMINAL:
            self.at(state)
            if self.is_folded:  # an image's kept position is found by all of these
                game.without_score(state)
                game.relabelled(state)
                game.canonical(state)
                next(iter(game.symmetries(state)), None)
            if self.discount is not None:  # it may never end
                break
            outcomes = game.chance_outcomes(state)
            joint = (
                (outcomes[0][0], NO_ACTION)
                if outcomes
                else tuple(actions[0] for actions in self.choices(state))
            )
            state = game.advance(state, *joint)

    def states(self) -> Iterator[Any]:
        """All positions that can come about, each once: in the order of their packed words; of a folded solution as moves meet them."""
        return self._reachable_states() if self.is_folded else self.kept_states()

    def _reachable_states(self) -> Iterator[Any]:
        game, found, waiting = self.game, {self.root}, [self.root]
        while waiting:
            state = waiting.pop()
            node = game.current_player(state)
            if node == TERMINAL:
                continue
            yield state
            joint = [(outcome, NO_ACTION) for outcome, _ in game.chance_outcomes(state)]
            if node != CHANCE:
                own = self.choices(state)
                joint = [(a, b) for a in own[0] for b in own[1]]
            after = [self._as_solved(game.advance(state, a, b)) for a, b in joint]
            waiting += (fresh := [one for one in dict.fromkeys(after) if one not in found])
            found.update(fresh)

    def kept_states(self) -> Iterator[Any]:
        """The positions that are kept, in the order of their packed words."""
        for key in self.words:
            yield state_from_words(self.packing.unpacked(key), self.root)

    def rows_as_solved(self) -> NDArray[np.uint64]:
        """The rows in the order in which positions were solved: a copy."""
        rows = np.empty_like(self.rows)
        rows[self.order] = self.rows
        return rows
