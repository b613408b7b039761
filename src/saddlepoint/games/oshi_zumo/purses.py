"""Purses: what Oshi-Zumo is worth with few coins, solved, and from that what it is worth with many.

Where a player has more coins than a stage of all bids has room for, some bids stand for those beside them.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..interface import (
    TERMINAL,
    Answer,
    Clock,
    Component,
    EndgamePlan,
    Game,
    SearchPlayer,
    jit,
    kernel,
    parameter,
    run,
    solve_matrix,
)
from .game import OshiZumo

_MOST_COINS, _USUAL_SIZE = 60, 3
"""Each player's coins in the game that is solved, on a board of the usual size: 0.6 s."""
_COINS_IN_ROUNDS, _MOST_ROUNDS, _SETTLED = 24, 64, 1e-10
"""With a horizon: the coins, where each number of rounds that are left is solved, 0.04 s each; so many at most, or until
a round more changes no value by more than that share of the range."""


@functools.lru_cache(8)
def values_of(coins: int, size: int, least: int, by_field: bool, rounds: int = 0) -> Any:
    """The value of each position of a game, by the rounds that are left, both players' coins and the wrestler's place.

    The place is 0 beyond player 0's end, 2 * size + 2 beyond the other's. Without a horizon (`rounds` 0) there is one table, with one
    those for 0, 1, ... rounds left, until more rounds change nothing. Backward induction over both purses: positions that cannot be met
    from the start have their values too. Half of them are those of exchanged players.
    """
    ends = np.arange(-size - 1.0, size + 2.0)
    ends = ends if by_field else np.sign(ends)
    if rounds == 0:
        values = _round_before(None, coins, ends, size, least)[None]
    else:
        tables = [np.broadcast_to(ends, (coins + 1, coins + 1, 2 * size + 3))]
        while len(tables) <= min(rounds, _MOST_ROUNDS):
            tables.append(_round_before(tables[-1], coins, ends, size, least))
            if abs(tables[-1] - tables[-2]).max() <= _SETTLED * ends[-1]:
                break
        values = np.array(tables)
    values.flags.writeable = False
    return values


def _round_before(after: Any, coins: int, ends: Any, size: int, least: int) -> Any:
    """The values with one round more than `after`.

    None: of a game without rounds, in which each bid leaves fewer coins.
    """
    values = np.zeros((coins + 1, coins + 1, 2 * size + 3))
    values[0, 0] = ends
    values[:, :, 0], values[:, :, -1] = ends[0], ends[-1]
    after = values if after is None else after
    for coins0 in range(1, coins + 1):
        bids0 = np.arange(min(least, coins0), coins0 + 1)[:, None]
        for coins1 in range(coins0 + 1):
            bids1 = np.arange(min(least, coins1), coins1 + 1)[None]
            push = np.sign(bids0 - bids1)
            for place in range(
                1, size + 1 if coins0 == coins1 else 2 * size + 2
            ):  # with equal purses the middle is worth 0
                value = solve_matrix(after[coins0 - bids0, coins1 - bids1, place + push]).value
                values[coins0, coins1, place] = value
                values[coins1, coins0, 2 * size + 2 - place] = -value
    return values


@dataclass(frozen=True)
class Purses(Component):
    """The values of a game with `coins` coins each, as a table; larger purses are valued as smaller ones in the same proportion.

    Both purses are made smaller alike until the larger is `coins`; between whole coins the value is interpolated. Where `least`, the
    least bid, is above 1 it was made smaller with the coins, and `unit` says how many coins of the game one of the table's is. `rounds` is
    the game's horizon where that may end it, else 0. `purses_of` makes what fits a game.
    """

    coins: int = parameter(_MOST_COINS)
    size: int = parameter(3)
    least: int = parameter(1)
    by_field: bool = parameter(False)
    unit: float = parameter(1.0)
    rounds: int = parameter(0)

    def is_made_for(self, game: Game) -> bool:
        """Whether the table is one of this game's: of its board, its results, its least bid and its horizon."""
        return (
            isinstance(game, OshiZumo)
            and self.coins <= max(1, game.coins)
            and self == _purses_with(game, self.coins)
        )

    @property
    def bound(self) -> float:
        """The largest absolute value an evaluation can have."""
        return self.size + 1.0 if self.by_field else 1.0

    @property
    def values(self) -> Any:
        """The tables, see `values_of`."""
        return values_of(self.coins, self.size, self.least, self.by_field, self.rounds)

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result."""
        values, most, place = self.values, self.coins, int(state.field) + self.size + 1
        left = min(self.rounds - int(state.round), len(values) - 1) if self.rounds > 0 else 0
        coins0, coins1 = state.coins0 / self.unit, state.coins1 / self.unit
        larger = max(coins0, coins1)
        if larger > most:
            coins0, coins1 = coins0 * most / larger, coins1 * most / larger
        i, j = min(int(coins0), most - 1), min(int(coins1), most - 1)
        more0, more1 = min(coins0 - i, 1.0), min(coins1 - j, 1.0)
        value = (1.0 - more0) * (
            (1.0 - more1) * values[left, i, j, place] + more1 * values[left, i, j + 1, place]
        )
        return value + more0 * (
            (1.0 - more1) * values[left, i + 1, j, place] + more1 * values[left, i + 1, j + 1, place]
        )


def purses_of(game: OshiZumo, coins: int = _MOST_COINS) -> Purses:
    """The evaluator for a game, solved with at most `coins` coins; fewer if a purse has many positions.

    The positions of a purse are the places of the wrestler, times the rounds left if there is a horizon. The
    rounds are not scaled with the coins.
    """
    coins = coins if _ends_before_horizon(game) else min(coins, _COINS_IN_ROUNDS)
    return _purses_with(
        game, max(1, min(game.coins, coins, round(coins * math.sqrt(_USUAL_SIZE / game.size))))
    )


def _purses_with(game: OshiZumo, coins: int) -> Purses:
    """The evaluator for a game, scaled from one with exactly `coins` coins."""
    unit = 1.0 if game.min_bid <= 1 else game.coins / coins
    least = game.min_bid if game.min_bid <= 1 else max(1, round(game.min_bid / unit))
    return Purses(
        coins, game.size, least, game.by_field, unit, 0 if _ends_before_horizon(game) else game.horizon
    )


def _ends_before_horizon(game: OshiZumo) -> bool:
    """Whether the horizon ends no game: there is none, or each bid costs a coin and these are fewer."""
    return game.horizon == 0 or (game.min_bid > 0 and game.max_depth < game.horizon)


MOST_BIDS = 128
"""Of each player: the stage takes 2 ms at most, 1 ms on average. That many are all bids where no player has more coins."""


@jit
def _fill(game: Any, evaluator: Any, state: Any, bids0: Any, bids1: Any, cells: Any) -> None:
    """The value after each pair of bids."""
    for i in range(len(bids0)):
        for j in range(len(bids1)):
            after = game.successor(state, bids0[i], bids1[j])
            ended = game.current_player(after) == TERMINAL
            cells[i, j] = game.returns(after) if ended else evaluator.evaluate(game, after)


class FewBids(EndgamePlan):
    """Draws a bid from the equilibrium of a stage of some bids, spread evenly, and one of those that it stands for.

    What is left of the game is valued by an evaluator. Nobody needs to bid more than one coin above all that the other one has.
    """

    def __init__(self, evaluator: Purses) -> None:
        self._evaluator = evaluator

    def begin(self, searching: SearchPlayer) -> None:
        pass

    def warm(self, game: Game, state: Any) -> None:
        self._mixture(game, state, 0)

    def choose(self, searching: SearchPlayer, state: Any, clock: Clock) -> Answer | None:
        mixture = self.mixture(searching, state)
        if searching.choice == "best":
            return Answer(max(mixture, key=mixture.__getitem__))
        return Answer(int(searching.random.choice(list(mixture), p=list(mixture.values()))))

    def mixture(self, searching: SearchPlayer, state: Any) -> dict[int, float]:
        return self._mixture(searching.game, state, searching.player)

    def _mixture(self, game: Any, state: Any, player: int) -> dict[int, float]:
        bids = [_spread(*_range_of(game, state, one)) for one in (0, 1)]
        cells = np.zeros((len(bids[0]), len(bids[1])))
        run(_fill, game, self._evaluator, state, bids[0], bids[1], cells)
        solved = solve_matrix(cells)
        own, (low, high) = bids[player], _range_of(game, state, player)
        middles = (own[1:] + own[:-1] + 1) // 2
        firsts, ends = np.append(low, middles), np.append(middles, high + 1)
        weights = (solved.row_strategy, solved.column_strategy)[player]
        return {
            bid: float(weight) / (end - first)
            for first, end, weight in zip(
                firsts.tolist(), ends.tolist(), weights / weights.sum(), strict=True
            )
            if weight > 0
            for bid in range(first, end)
        }


def _range_of(game: Any, state: Any, player: int) -> tuple[int, int]:
    """The least and the greatest bid that is worth making."""
    own, other = (int(coins) for coins in (state[:2] if player == 0 else state[1::-1]))
    least = min(game.min_bid, own)
    return least, max(least, min(own, other + 1))


def _spread(low: int, high: int) -> NDArray[np.int64]:
    """Bids from the least to the greatest, all where there is room for them."""
    return np.unique(np.linspace(low, high, min(high - low + 1, MOST_BIDS)).round().astype(np.int64))
