"""Goofspiel by the hands: which of a player's cards beat how many of the other's, and the prizes that are left for them."""

import math
from dataclasses import dataclass

import numpy as np

from ...compiled import Component, jit_inline, kernel, popcount
from ...evaluators.squashed import quick_tanh
from ...game import Game
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
    """How many of the other's cards it beats, less those that beat it."""
    above = others >> (card + 1)
    below = others & ((1 << card) - 1)
    return popcount(np.uint64(below)) - popcount(np.uint64(above))


@dataclass(frozen=True)
class Hands(Component):
    """An estimate for Goofspiel: the points that player 0 will win yet, less player 1's, and from that the result.

    A card's advantage is the number of the other's cards that it beats, less the number of those that beat it. Both hands and the
    prizes are taken from the highest down. The points are a weighted sum of five numbers. All prizes together, and the highest one
    alone, by the hands' mean advantage. Each prize by the mean advantage of both players' cards of its rank, and by the square of that.
    The highest prize by whose highest card is the higher one.
    For who wins or loses, the lead and these points are compared with `spread` times the root of the sum of squared prizes, less
    the part that belongs to the next prize: tanh of that. It is made for prizes that chance draws (`known_order` for others).
    `benchmarks/fit_hands.py` is where the numbers come from.
    """

    weights: tuple[float, ...] = (-0.95, 0.33, 1.65, -0.22, 0.12)
    spread: float = 0.59

    @staticmethod
    def is_made_for(game: Game) -> bool:
        """Whether chance draws the prizes: in a known order other cards are worth keeping."""
        return isinstance(game, Goofspiel) and game.drawn

    @property
    def bound(self) -> float:
        """The largest absolute value of who wins; points stay within the game's own range of results."""
        return 1.0

    @kernel
    def counts(self, game, state):
        """The five numbers; the sum of all prizes' sizes, and of their squares; how many there are."""
        hand0, hand1, deck = state.hand0, state.hand1, state.deck
        if state.prize >= 0:
            deck |= 1 << state.prize
        total, advantages, first, ranked, squared, top, sizes, squares, cards = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0
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
        points = weights[0] * mean + weights[1] * first + weights[2] * ranked + weights[3] * squared + weights[4] * top
        return min(max(points, -sizes), sizes), squares, cards

    @kernel
    def raw(self, game, state):
        """The points that player 0 is expected to win yet, less player 1's."""
        points, _, _ = self.points(game, state)
        return points

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        points, squares, cards = self.points(game, state)
        lead = float(state.points) + points
        if game.by_points:
            return lead
        unsettled = self.spread * math.sqrt(squares) * float(cards - 1) / float(max(cards, 1))
        return quick_tanh(lead / max(unsettled, 0.01))
