"""Goofspiel whose prizes come in a known order: what the hands win yet is solved, as points; who wins is estimated from that."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import Component, jit, jit_inline, kernel, parameter
from ...evaluators.squashed import quick_tanh
from ...game import Game
from ...matrix import solve, work_size
from .game import Goofspiel

_BOTH, _FIRST, _SECOND = 0, 1, 2
"""Who holds a card: the digits of a place in the table, the lowest card first. Cards that nobody holds do not count."""


@jit_inline
def place_of(hand0, hand1):
    """The place of two hands in the table: a number to the base 3 with a 1 before it."""
    place, digit = 0, 1
    while hand0 | hand1 != 0:
        if (hand0 | hand1) & 1:
            place += digit * (_BOTH if hand0 & hand1 & 1 else _FIRST if hand0 & 1 else _SECOND)
            digit *= 3
        hand0 >>= 1
        hand1 >>= 1
    return place + digit


@jit
def _fill(worths, values, x, y, work):
    """The values of all hands of a card, of two and so on, from the end: `worths` are the prizes' as they come."""
    cards = len(worths)
    cells, own0, own1 = np.zeros((cards, cards)), np.zeros(cards, np.int64), np.zeros(cards, np.int64)
    for count in range(1, cards + 1):
        worth = worths[cards - count]
        for length in range(count, min(2 * count, cards) + 1):
            for number in range(3**length):
                hand0, hand1, m, n, rest = 0, 0, 0, 0, number
                for card in range(length):
                    who = rest % 3
                    rest //= 3
                    if who != _SECOND:
                        hand0 |= 1 << card
                        if m < cards:
                            own0[m] = card
                        m += 1
                    if who != _FIRST:
                        hand1 |= 1 << card
                        if n < cards:
                            own1[n] = card
                        n += 1
                if m != count or n != count or hand0 > hand1:
                    continue
                value = 0.0
                if hand0 != hand1:
                    for i in range(m):
                        for j in range(n):
                            sign = int(own0[i] > own1[j]) - int(own0[i] < own1[j])
                            cells[i, j] = sign * worth + values[place_of(hand0 & ~(1 << own0[i]), hand1 & ~(1 << own1[j]))]
                    value, _ = solve(cells, m, n, x, y, work)
                values[place_of(hand0, hand1)] = value
                values[place_of(hand1, hand0)] = -value


@functools.lru_cache(4)
def values_of(worths: tuple[int, ...]) -> NDArray[np.float64]:
    """What player 0 wins yet by points, less player 1's, of all hands, by `place_of`: 0.5 s and 26 MB with 13 cards."""
    cards = len(worths)
    values = np.zeros(2 * 3**cards)
    _fill(np.array(worths, np.float64), values, np.zeros(cards), np.zeros(cards), np.zeros(work_size(cards, cards)))
    values.flags.writeable = False
    return values


@dataclass(frozen=True)
class KnownOrder(Component):
    """The points that player 0 will win yet, less player 1's, exactly, where the prizes come in a known order; from that who wins.

    For who wins, the lead and these points are compared with `spread` times the root of the sum of squared prizes, less the part that
    belongs to the next prize: tanh of that. `known_order_of` makes the one of a game.
    """

    worths: tuple[int, ...] = parameter((1,))
    """The prizes as they come."""
    spread: float = parameter(0.59)

    @property
    def bound(self) -> float:
        """The largest absolute value of who wins; points stay within the game's own range of results."""
        return 1.0

    @property
    def values(self) -> Any:
        """The table, see `values_of`."""
        return values_of(self.worths)

    @property
    def spreads(self) -> Any:
        """By the number of cards in a hand what points are compared with."""
        left = np.array([0.0, *np.cumsum(np.square(self.worths[::-1], dtype=np.float64))])
        count = np.arange(len(left))
        return np.maximum(self.spread * np.sqrt(left) * (count - 1) / np.maximum(count, 1), 0.01)

    def is_made_for(self, game: Game) -> bool:
        """Whether the game's prizes come in this order."""
        return isinstance(game, Goofspiel) and not game.drawn and _worths(game) == self.worths

    @kernel
    def raw(self, game, state):
        """The points that player 0 wins yet, less player 1's."""
        return self.values[place_of(state.hand0, state.hand1)]

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        points = float(state.points) + self.values[place_of(state.hand0, state.hand1)]
        if game.by_points:
            return points
        count, hand = 0, state.hand0
        while hand != 0:
            count += 1
            hand &= hand - 1
        return quick_tanh(points / self.spreads[count])


def known_order_of(game: Goofspiel) -> KnownOrder:
    """The evaluator of a game whose prizes come in a known order."""
    return KnownOrder(_worths(game))


def _worths(game: Goofspiel) -> tuple[int, ...]:
    return tuple((game.prizes + game.lowest).tolist())
