"""Purses: what Oshi-Zumo is worth with few coins, solved, and from that what it is worth with many."""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compiled import Component, kernel, parameter
from ...matrix import solve_matrix
from .game import OshiZumo

_MOST_COINS, _USUAL_SIZE = 60, 3
"""Each player's coins in the game that is solved, on a board of the usual size: 0.6 s."""


@functools.lru_cache(8)
def values_of(coins: int, size: int, least: int, by_field: bool) -> Any:
    """The value of each position of a game, by both players' coins and the wrestler's place: 0 beyond player 0's end, 2 * size + 2.

    Backward induction over both purses: positions that cannot be met from the start have their values too. Half of them are those of
    exchanged players.
    """
    ends = np.arange(-size - 1.0, size + 2.0)
    ends = ends if by_field else np.sign(ends)
    values = np.zeros((coins + 1, coins + 1, 2 * size + 3))
    values[0, 0] = ends
    values[:, :, 0], values[:, :, -1] = ends[0], ends[-1]
    for coins0 in range(1, coins + 1):
        bids0 = np.arange(min(least, coins0), coins0 + 1)[:, None]
        for coins1 in range(coins0 + 1):
            bids1 = np.arange(min(least, coins1), coins1 + 1)[None]
            push = np.sign(bids0 - bids1)
            for place in range(1, size + 1 if coins0 == coins1 else 2 * size + 2):  # with equal purses the middle is worth 0
                value = solve_matrix(values[coins0 - bids0, coins1 - bids1, place + push]).value
                values[coins0, coins1, place] = value
                values[coins1, coins0, 2 * size + 2 - place] = -value
    values.flags.writeable = False
    return values


@dataclass(frozen=True)
class Purses(Component):
    """The values of a game with `coins` coins each, as a table; larger purses are valued as smaller ones in the same proportion.

    Both purses are made smaller alike until the larger is `coins`; between whole coins the value is interpolated. Where `least`, the
    least bid, is above 1 it was made smaller with the coins, and `unit` says how many coins of the game one of the table's is.
    `purses_of` makes what fits a game.
    """

    coins: int = parameter(_MOST_COINS)
    size: int = parameter(3)
    least: int = parameter(1)
    by_field: bool = parameter(False)
    unit: float = parameter(1.0)

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return self.size + 1.0 if self.by_field else 1.0

    @property
    def values(self) -> Any:
        """The table, see `values_of`."""
        return values_of(self.coins, self.size, self.least, self.by_field)

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        values, most, place = self.values, self.coins, int(state.field) + self.size + 1
        coins0, coins1 = state.coins0 / self.unit, state.coins1 / self.unit
        larger = max(coins0, coins1)
        if larger > most:
            coins0, coins1 = coins0 * most / larger, coins1 * most / larger
        i, j = min(int(coins0), most - 1), min(int(coins1), most - 1)
        more0, more1 = min(coins0 - i, 1.0), min(coins1 - j, 1.0)
        value = (1.0 - more0) * ((1.0 - more1) * values[i, j, place] + more1 * values[i, j + 1, place])
        return value + more0 * ((1.0 - more1) * values[i + 1, j, place] + more1 * values[i + 1, j + 1, place])


def purses_of(game: OshiZumo, coins: int = _MOST_COINS) -> Purses:
    """The evaluator for a game, solved with so many coins at most; fewer where the wrestler has many places to be in.

    It knows no horizon, and takes a least bid of 0 for 1: of such a game it is an estimate, whatever the coins.
    """
    most = max(1, min(game.coins, coins, round(coins * math.sqrt(_USUAL_SIZE / game.size))))
    if game.min_bid <= 1 or most == game.coins:
        return Purses(most, game.size, max(1, game.min_bid), game.by_field)
    unit = game.coins / most
    return Purses(most, game.size, max(1, round(game.min_bid / unit)), game.by_field, unit)
