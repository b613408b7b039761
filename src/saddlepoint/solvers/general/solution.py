"""A solved game: the values of all its positions, and both players' strategies at any of them."""

import bisect
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled import put_words, state_from_words, word_count
from ...compiled.states import as_machine_words
from ...game import CHANCE, NO_ACTION, TERMINAL, Game, GameError
from ...matrix import solve, work_size
from .packing import Packing

if TYPE_CHECKING:
    from .solve import Induction


class Stage(NamedTuple):
    """What is known of a position: its value, and of whoever chooses there an equilibrium strategy."""

    value: float
    strategies: tuple[dict[int, float], dict[int, float]]
    """Each player's probabilities by action, all legal actions among them; empty where a player has no choice."""
    matrix: tuple[tuple[float, ...], ...]
    """The values after each joint action, in the order of the strategies; of chance's outcomes in a position of chance."""


class Solution:
    """The values of all positions that can come about from a start, in the order of their packed words.

    words: shape (positions, width), sorted; values: shape (positions,), player 0's; order: shape (positions,), when each was
    solved, its successors always before it.
    """

    def __init__(
        self,
        game: Game,
        root: Any,
        packing: Packing,
        words: NDArray[np.uint64],
        values: NDArray[np.float64],
        order: NDArray[np.uint32],
    ) -> None:
        self.game, self.root, self.packing = game, as_machine_words(root), packing
        self.words, self.values, self.order = words, values, order

    @classmethod
    def of(cls, work: "Induction") -> "Solution":
        """What solving has found, once all is solved."""
        table = work.positions
        words = table.words()
        sorted_ = np.lexsort(words.T[::-1]) if len(words) else np.zeros(0, np.int64)
        return cls(
            work.game, work.root, table.packing, np.ascontiguousarray(words[sorted_]), table.values()[sorted_],
            sorted_.astype(np.uint32),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.values)

    @property
    def value(self) -> float:
        """Player 0's expected result from the start."""
        return self.value_of(self.root)

    def place_of(self, state: Any) -> int:
        """The number of a position among the sorted ones; raises GameError for one that cannot come about."""
        state = as_machine_words(state)
        words = np.zeros(word_count(state), np.uint64)
        put_words(state, words)
        key = self._packed(words)
        low, high = 0, len(self.values)
        for place, word in enumerate(key or ()):
            column = self.words[:, place]
            low, high = (
                bisect.bisect_left(column, word, low, high, key=int), bisect.bisect_right(column, word, low, high, key=int)
            )  # fmt: skip
        if key is None or low == high:
            raise GameError(f"this position cannot come about from the start that was solved:\n{self.game.render(state)}")
        return low

    def _packed(self, words: Any) -> list[int] | None:
        key = [0] * self.packing.width
        p = self.packing
        for word, base, mask, place, shift in zip(words, p.base, p.mask, p.place, p.shift, strict=True):
            distance = (int(word) - int(base)) % (1 << 64)
            if distance > int(mask):
                return None
            key[int(place)] |= distance << int(shift)
        return key

    def value_of(self, state: Any) -> float:
        """Player 0's expected result from a position; raises GameError for one that cannot come about."""
        if self.game.current_player(state) == TERMINAL:
            return float(self.game.returns(state))
        return float(self.values[self.place_of(state)])

    def at(self, state: Any) -> Stage:
        """Value, strategies and matrix of a position; raises GameError for one that cannot come about."""
        game, node, value = self.game, self.game.current_player(state), self.value_of(state)
        if node == TERMINAL:
            return Stage(value, ({}, {}), ())
        if node == CHANCE:
            after = [self.value_of(game.advance(state, outcome, NO_ACTION)) for outcome, _ in game.chance_outcomes(state)]
            return Stage(value, ({}, {}), tuple((one,) for one in after))
        own = [game.legal_actions(state, player) or [NO_ACTION] for player in (0, 1)]
        (m, n), side = map(len, own), max(map(len, own))
        cells, x, y = np.zeros((side, side)), np.zeros(side), np.zeros(side)
        for i, a in enumerate(own[0]):
            for j, b in enumerate(own[1]):
                cells[i, j] = self.value_of(game.advance(state, a, b))
        matrix = tuple(map(tuple, cells[:m, :n].tolist()))
        solve(cells, m, n, x, y, np.zeros(work_size(side, side)))
        mixtures = [
            {} if actions == [NO_ACTION] else dict(zip(actions, weights.tolist(), strict=False))
            for actions, weights in zip(own, (x, y), strict=True)
        ]
        return Stage(value, (mixtures[0], mixtures[1]), matrix)

    def states(self) -> Iterator[Any]:
        """All positions, in the order of their packed words."""
        p = self.packing
        for key in self.words:
            words = [
                (((int(key[place]) >> int(shift)) & int(mask)) + int(base)) % (1 << 64)
                for base, mask, place, shift in zip(p.base, p.mask, p.place, p.shift, strict=True)
            ]
            yield state_from_words(np.array(words, np.uint64), self.root)

    def rows(self) -> NDArray[np.uint64]:
        """All positions in the order in which they were solved, the packed words and the value's bits of each in a row."""
        rows = np.empty((len(self.values), self.packing.width + 1), np.uint64)
        rows[self.order, :-1] = self.words
        rows[self.order, -1] = self.values.view(np.uint64)
        return rows.reshape(-1)
