"""Bidding where a player has more coins than a stage of all bids has room for: some bids stand for those beside them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit, run
from ...game import TERMINAL, Game
from ...matrix import solve_matrix
from ...players.base import Answer
from ...players.clock import Clock
from ...players.searching import EndgamePlan, SearchPlayer
from .purses import Purses

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
            for first, end, weight in zip(firsts.tolist(), ends.tolist(), weights / weights.sum(), strict=True)
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
