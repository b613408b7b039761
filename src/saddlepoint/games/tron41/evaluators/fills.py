"""The leaves of the course's two stronger opponents, which know nothing of power-ups."""

import math
from dataclasses import dataclass
from typing import ClassVar

from ....boards.bitboard import count, free_cells
from ....boards.flood import PLAYER_0, PLAYER_1, reachable, voronoi
from ....compiled import Component, jit_inline, kernel
from ....game import TERMINAL


@jit_inline
def sigmoid(x):
    """1 / (1 + exp(-x)) stretched from 0 .. 1 to -1 .. 1, where 0 and 1 are the results of the course's games."""
    return 2.0 / (1.0 + math.exp(-x)) - 1.0


@dataclass(frozen=True)
class TronOwnFill(Component):
    """sigmoid(own flood fill / 200): the cells that the searching player can reach, whatever the opponent can.

    The two players' views are not each other's negatives; a search takes the view of the player who is to move at its
    root.
    """

    bound: ClassVar[float] = 1.0

    @kernel
    def estimate(self, game, state, player):
        """The player's view of a game that goes on."""
        free = free_cells(game.grid, game.walls(state))
        return sigmoid(count(reachable(game.grid, game.head(state, player), free)) / 200.0)

    @kernel
    def evaluate_for(self, game, state, player):
        """The player's view, -1 to 1; of a finished game its result."""
        if game.current_player(state) == TERMINAL:
            return game.returns(state) if player == 0 else -game.returns(state)
        return self.estimate(game, state, player)

    @kernel
    def evaluate(self, game, state):
        """Player 0's view, for searches that know only one."""
        return self.evaluate_for(game, state, 0)


@dataclass(frozen=True)
class TronTwoFills(TronOwnFill):
    """sigmoid((50 + own - opponent's) / 200) over a flood fill from both heads at once.

    The flood is one queue that the searching player's head enters first, so it has the cells that are equally near.
    The 50 make the two players' views differ, as in TronOwnFill.
    """

    @kernel
    def estimate(self, game, state, player):
        """The player's view of a game that goes on."""
        free = free_cells(game.grid, game.walls(state))
        ties = PLAYER_0 if player == 0 else PLAYER_1
        found = voronoi(game.grid, game.head(state, 0), game.head(state, 1), free, ties)
        lead = count(found.territory0) - count(found.territory1)
        return sigmoid((50.0 + (lead if player == 0 else -lead)) / 200.0)
