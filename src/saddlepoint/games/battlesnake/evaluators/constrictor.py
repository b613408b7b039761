"""Constrictor: Light Riders on a board on which heads may meet, so what is known of that game is used."""

import math

from ....boards.bitboard import board_of, free_cells
from ....boards.fill_bounds import fillable_bound
from ....boards.fill_count import counted_fill
from ....boards.flood import NOBODY, voronoi
from ....compiled import jit_inline
from ....evaluators.territory.prospects import features_of, shared_features
from ..state import head_of

_FILL_DOUBT = 0.1
_CLOSE, _NODES = 1, 100
"""By how much bounds may differ that are counted, and nodes for each: one bound is seldom further from the truth than the other."""
_ANY = 1024


@jit_inline
def fill_lead(grid, head0, head1, own0, own1):
    """How many more steps player 0 can make in its own cells; by bounds, where these are close counted as far as that is cheap."""
    most0, most1 = fillable_bound(grid, head0, own0), fillable_bound(grid, head1, own1)
    if abs(most0 - most1) <= _CLOSE:
        _, most0 = counted_fill(grid, head0, own0, most0, _ANY, _NODES)
        _, most1 = counted_fill(grid, head1, own1, most1, _ANY, _NODES)
    return float(most0 - most1)


@jit_inline
def constrictor_lead(trails, game, state):
    """(player 0's lead, whether the snakes are separated): by `trails`, the network of Light Riders, and in cells that can be filled."""
    grid = game.grid
    head0, head1 = head_of(state.snake0), head_of(state.snake1)
    free = free_cells(grid, game.outside) & ~(board_of(grid, state.body0) | board_of(grid, state.body1))
    found = voronoi(grid, head0, head1, free, NOBODY)
    own0, own1, contested = found.territory0, found.territory1, found.contested
    if found.separated:
        return fill_lead(grid, head0, head1, own0, own1), True
    features0 = features_of(grid, head0, head1, own0, own1, contested, free)
    features1 = features_of(grid, head1, head0, own1, own0, contested, free)
    shared = shared_features(grid, head0, head1, contested, free)
    return 2.0 * trails.compared(game, state, features0, features1, shared), False


@jit_inline
def result_of(lead, separated, scale):
    """The expected result; a lead has the right sign nearly always once the snakes are separated."""
    return lead / (abs(lead) + _FILL_DOUBT) if separated else math.tanh(lead / scale)
