"""Purses: what Oshi-Zumo is worth with few coins, solved, and from that what it is worth with many."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...compiled import Component, jit, kernel, parameter, run
from ...matrix import solve, work_size
from .game import OshiZumo

_MOST_COINS = 100
"""Each player's coins in the game that is solved, of the usual seven fields: about two seconds."""
_USUAL_PLACES = 9
_GAIN = 1e-12
"""What a bid must gain at least to count as a better one."""


@jit
def _cell(values, coins0, coins1, place, bid0, bid1):
    """The value after both bids."""
    return values[coins0 - bid0, coins1 - bid1, place + int(bid0 > bid1) - int(bid0 < bid1)]


@jit
def _solved(values, coins0, coins1, place, least, bids, counts, matrix, x, y, work):
    """The value of a position all of whose followers have theirs; `bids` are those to begin with, and then those of its equilibrium.

    Double oracle: the bids are few, and each player's best answer among all joins them until neither gains by one.
    """
    least0, least1 = min(least, coins0), min(least, coins1)
    bids[0, 0], bids[1, 0] = max(least0, min(coins0, bids[0, 0])), max(least1, min(coins1, bids[1, 0]))
    for player in range(2):
        coins, lowest, kept = coins1 if player else coins0, least1 if player else least0, 1
        for k in range(1, counts[player]):
            bid = max(lowest, min(coins, bids[player, k]))
            if bid != bids[player, kept - 1]:
                bids[player, kept] = bid
                kept += 1
        counts[player] = kept
    for i in range(counts[0]):
        for j in range(counts[1]):
            matrix[i, j] = _cell(values, coins0, coins1, place, bids[0, i], bids[1, j])
    while True:
        m, n = counts[0], counts[1]
        value, _ = solve(matrix, m, n, x, y, work)
        best0, best1, bid0, bid1 = value + _GAIN, value - _GAIN, -1, -1
        for bid in range(least0, coins0 + 1):
            worth = 0.0
            for j in range(n):
                if y[j] > 0.0:
                    worth += y[j] * _cell(values, coins0, coins1, place, bid, bids[1, j])
            if worth > best0:
                best0, bid0 = worth, bid
        for bid in range(least1, coins1 + 1):
            worth = 0.0
            for i in range(m):
                if x[i] > 0.0:
                    worth += x[i] * _cell(values, coins0, coins1, place, bids[0, i], bid)
            if worth < best1:
                best1, bid1 = worth, bid
        for i in range(m):  # rounding may find gain in a bid that is there
            bid0 = -1 if bids[0, i] == bid0 else bid0
        for j in range(n):
            bid1 = -1 if bids[1, j] == bid1 else bid1
        if bid0 < 0 and bid1 < 0:
            break
        if bid0 >= 0:
            bids[0, m] = bid0
            for j in range(n):
                matrix[m, j] = _cell(values, coins0, coins1, place, bid0, bids[1, j])
            m += 1
        if bid1 >= 0:
            bids[1, n] = bid1
            for i in range(m):
                matrix[i, n] = _cell(values, coins0, coins1, place, bids[0, i], bid1)
            n += 1
        counts[0], counts[1] = m, n
    for player in range(2):
        kept = 0
        for k in range(counts[player]):
            if (y[k] if player else x[k]) > 0.0:
                bids[player, kept] = bids[player, k]
                kept += 1
        counts[player] = kept
    return value


@jit
def _fill(values, size, least):
    """Write the value of every position with as many coins as `values` has room for, those with fewer coins first.

    Where the wrestler's place is an end, and where no coins are left, the values are there already.
    """
    most = values.shape[0] - 1
    matrix, x, y = np.zeros((most + 1, most + 1)), np.zeros(most + 1), np.zeros(most + 1)
    work = np.zeros(work_size(most + 1, most + 1))
    bids, counts = np.ones((2 * size + 3, 2, most + 1), np.int64), np.ones((2 * size + 3, 2), np.int64)
    for coins0 in range(1, most + 1):
        for coins1 in range(coins0 + 1):
            for place in range(1, 2 * size + 2):
                if coins0 == coins1 and place > size + 1:
                    continue
                value = _solved(values, coins0, coins1, place, least, bids[place], counts[place], matrix, x, y, work)
                if coins0 == coins1 and place == size + 1:
                    value = 0.0
                values[coins0, coins1, place] = value
                values[coins1, coins0, 2 * size + 2 - place] = -value


@functools.lru_cache(8)
def values_of(coins: int, size: int, least: int, by_field: bool) -> Any:
    """The value of each position of a game, by both players' coins and the wrestler's place: 0 beyond player 0's end, 2 * size + 2."""
    ends = np.arange(-size - 1.0, size + 2.0)
    ends = ends if by_field else np.sign(ends)
    values = np.zeros((coins + 1, coins + 1, 2 * size + 3))
    values[0, 0] = ends
    values[:, :, 0], values[:, :, -1] = ends[0], ends[-1]
    run(_fill, values, size, least)
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

    @kernel
    def raw(self, game, state):
        """The same."""
        return self.evaluate(game, state)


def purses_of(game: OshiZumo, coins: int = _MOST_COINS) -> Purses:
    """The evaluator for a game, solved with so many coins at most; fewer where the wrestler has many places to be in."""
    most = max(1, min(game.coins, coins, int(coins * (_USUAL_PLACES / (2 * game.size + 3)) ** 0.25) + 1))
    if game.min_bid == 1 or most == game.coins:
        return Purses(most, game.size, game.min_bid, game.by_field)
    unit = game.coins / most
    return Purses(most, game.size, max(1, round(game.min_bid / unit)), game.by_field, unit)
