"""Evaluators of Goofspiel: hands, and what they win yet where the prizes come in a known order."""

import functools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..interface import (
    Component,
    Game,
    jit,
    jit_inline,
    kernel,
    parameter,
    popcount,
    quick_tanh,
    solve,
    work_size,
)
from .game import Goofspiel


@jit_inline
def highest(cards):
    """The index of the highest card of a set that is not empty."""
    card = -1
    while cards != 0:
        card += 1
        cards >>= 1
    return card


@jit_inline
def beaten(card, others):
    """The number of the other's cards that it beats, less those that beat it."""
    below = others & ((1 << card) - 1)
    return popcount(np.uint64(below)) - popcount(np.uint64(others >> (card + 1)))


@dataclass(frozen=True)
class Hands(Component):
    """An estimate for Goofspiel: the points that player 0 will still win, less player 1's, and from them the
    result.

    A card's advantage is the number of the other's cards that it beats, less the number of those that beat
    it. Both hands and the prizes are taken from the highest down. The points are a weighted sum of five
    numbers. All prizes together, and the highest one alone, by the hands' mean advantage. Each prize by the
    mean advantage of both players' cards of its rank, and by the square of that. The highest prize by the
    owner of the higher of both highest cards. For a win or a loss, the lead and these points are compared
    with `spread` times the root of the sum of squared prizes, less the part that belongs to the next prize:
    tanh of that. It is made for prizes that chance draws (`known_order` for others).
    `benchmarks/fit_hands.py` is where the numbers come from.
    """

    weights: tuple[float, ...] = (-0.95, 0.33, 1.65, -0.22, 0.12)
    spread: float = 0.59

    @staticmethod
    def is_made_for(game: Game) -> bool:
        """Whether chance draws the prizes: in a known order other cards are worth keeping."""
        return isinstance(game, Goofspiel) and game.drawn

    bound: ClassVar[float] = 1.0
    """The largest absolute value of an expected win or loss; points stay within the game's own range of results."""

    @kernel
    def counts(self, game, state):
        """The five numbers; the sum of all prizes' sizes, and of their squares; how many there are."""
        hand0, hand1, deck = state.hand0, state.hand1, state.deck
        if state.prize >= 0:
            deck |= 1 << state.prize
        total, advantages, first, ranked, squared, top, sizes, squares, cards = (
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0,
        )
        while hand0 != 0:
            card0, card1, prize = highest(hand0), highest(hand1), highest(deck)
            hand0 &= ~(1 << card0)
            hand1 &= ~(1 << card1)
            deck &= ~(1 << prize)
            worth = float(prize + game.lowest)
            advantage = 0.5 * float(beaten(card0, state.hand1) - beaten(card1, state.hand0))
            if cards == 0:
                first = worth
                top = worth * float(int(card0 > card1) - int(card0 < card1))
            total += worth
            advantages += advantage
            ranked += worth * advantage
            squared += worth * advantage * abs(advantage)
            sizes += abs(worth)
            squares += worth * worth
            cards += 1
        if cards > 0:
            many = float(cards)
            mean, highest_by_mean = total * advantages / (many * many), first * advantages / many
            return mean, highest_by_mean, ranked / many, squared / (many * many), top, sizes, squares, cards
        return 0.0, 0.0, 0.0, 0.0, 0.0, sizes, squares, cards

    @kernel
    def points(self, game, state):
        """The points that player 0 is expected to win yet, less player 1's; the sum of the prizes' squares; how many prizes there are."""
        mean, first, ranked, squared, top, sizes, squares, cards = self.counts(game, state)
        weights = self.weights
        points = (
            weights[0] * mean
            + weights[1] * first
            + weights[2] * ranked
            + weights[3] * squared
            + weights[4] * top
        )
        return min(max(points, -sizes), sizes), squares, cards

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        points, squares, cards = self.points(game, state)
        lead = float(state.points) + points
        if game.by_points:
            return lead
        unsettled = self.spread * math.sqrt(squares) * float(cards - 1) / float(max(cards, 1))
        return quick_tanh(lead / max(unsettled, 0.01))


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
                            cells[i, j] = (
                                sign * worth
                                + values[place_of(hand0 & ~(1 << own0[i]), hand1 & ~(1 << own1[j]))]
                            )
                    value, _ = solve(cells, m, n, x, y, work)
                values[place_of(hand0, hand1)] = value
                values[place_of(hand1, hand0)] = -value


@functools.lru_cache(4)
def values_of(worths: tuple[int, ...]) -> NDArray[np.float64]:
    """The points that player 0 still wins, less player 1's, for all hands, by `place_of`: 0.5 s and 26 MB for
    13 cards.
    """
    cards = len(worths)
    values = np.zeros(2 * 3**cards)
    _fill(
        np.array(worths, np.float64),
        values,
        np.zeros(cards),
        np.zeros(cards),
        np.zeros(work_size(cards, cards)),
    )
    values.flags.writeable = False
    return values


@dataclass(frozen=True)
class KnownOrder(Component):
    """The exact points that player 0 will still win, less player 1's, for prizes in a known order.

    And the result from them.

    For the winner, the lead and these points are compared with `spread` times the root of the sum of squared
    prizes, less the part that belongs to the next prize: tanh of that. `known_order_of` makes the one of a
    game.
    """

    worths: tuple[int, ...] = parameter((1,))
    """The prizes as they come."""
    spread: float = parameter(0.59)

    bound: ClassVar[float] = 1.0
    """The largest absolute value of an expected win or loss; points stay within the game's own range of results."""

    @property
    def values(self) -> Any:
        """The table, see `values_of`."""
        return values_of(self.worths)

    @property
    def spreads(self) -> Any:
        """The unit that points are divided by, by the number of cards in a hand."""
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
        return quick_tanh(points / self.spreads[popcount(np.uint64(state.hand0))])


def known_order_of(game: Goofspiel) -> KnownOrder:
    """The evaluator of a game whose prizes come in a known order."""
    return KnownOrder(_worths(game))


def _worths(game: Goofspiel) -> tuple[int, ...]:
    return tuple((game.prizes + game.lowest).tolist())
