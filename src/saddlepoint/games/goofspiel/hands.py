"""Goofspiel by the hands: which of a player's cards beat how many of the other's, and the prizes that are left for them."""

import math
from dataclasses import dataclass

import numpy as np

from ...compiled import Component, jit_inline, kernel, popcount
from ...evaluators.squashed import quick_tanh


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
    """How many of the other's cards it beats, less those that beat it."""
    above = others >> (card + 1)
    below = others & ((1 << card) - 1)
    return popcount(np.uint64(below)) - popcount(np.uint64(above))


@dataclass(frozen=True)
class Hands(Component):
    """An estimate for Goofspiel: the points that player 0 will win yet, less player 1's, and from that the result.

    A card's advantage is the share of the other's cards that it beats, less the share that beats it. The points are a weighted
    sum of three numbers: all prizes together, by the hands' mean advantage; the highest prize by that of the highest cards, the second
    by that of the second highest, and so on; and the same by whose card is the higher of the two, divided by their number.
    For who wins or loses, the lead and these points are compared with `spread` times the root of the sum of squared prizes, less
    the part that belongs to the next prize: tanh of that. Prizes of an order that is known count as if it were not.
    `benchmarks/fit_hands.py` is where the numbers come from.
    """

    weights: tuple[float, ...] = (-0.45, 1.5, 0.4)
    spread: float = 0.44

    @property
    def bound(self) -> float:
        """The largest absolute value of who wins; points stay within the game's own range of results."""
        return 1.0

    @kernel
    def counts(self, game, state):
        """The three numbers; the sum of all prizes' sizes, and of their squares; how many there are."""
        hand0, hand1, deck = state.hand0, state.hand1, state.deck
        if state.prize >= 0:
            deck |= 1 << state.prize
        total, mean, ranked, matched, sizes, squares, cards = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0
        while hand0 != 0:
            card0, card1, prize = highest(hand0), highest(hand1), highest(deck)
            hand0 &= ~(1 << card0)
            hand1 &= ~(1 << card1)
            deck &= ~(1 << prize)
            worth = float(prize + game.lowest)
            advantage = 0.5 * float(beaten(card0, state.hand1) - beaten(card1, state.hand0))
            total += worth
            mean += advantage
            ranked += worth * advantage
            matched += worth * float(int(card0 > card1) - int(card0 < card1))
            sizes += abs(worth)
            squares += worth * worth
            cards += 1
        if cards > 0:
            mean, ranked, matched = total * mean / float(cards * cards), ranked / float(cards), matched / float(cards)
        return mean, ranked, matched, sizes, squares, cards

    @kernel
    def raw(self, game, state):
        """The points that player 0 is expected to win yet, less player 1's."""
        mean, ranked, matched, sizes, _, _ = self.counts(game, state)
        points = self.weights[0] * mean + self.weights[1] * ranked + self.weights[2] * matched
        return min(max(points, -sizes), sizes)

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        mean, ranked, matched, sizes, squares, cards = self.counts(game, state)
        points = self.weights[0] * mean + self.weights[1] * ranked + self.weights[2] * matched
        lead = float(state.points) + min(max(points, -sizes), sizes)
        if game.by_points:
            return lead
        unsettled = self.spread * math.sqrt(squares) * float(cards - 1) / float(max(cards, 1))
        return quick_tanh(lead / max(unsettled, 0.01))
