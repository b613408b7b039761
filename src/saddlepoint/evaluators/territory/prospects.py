"""Prospects: a small network's view of the territories; fill bounds once separated."""

import math
from dataclasses import dataclass
from typing import ClassVar

from ...boards.bitboard import count, dark_cells, neighbours, single
from ...boards.blocks import best_way, choke_points, edges, local_cuts, narrow_cells, open_cells
from ...boards.flood import flooded
from ...boards.longest_path import colour, fillable_bound, parity_bound
from ...compiled import jit_inline, kernel, kernel_inline
from ..network.features import FeatureNetwork
from .counts import Territorial

FEATURES, SHARED_FEATURES = 20, 5
_FITTED_SIDE = 16.0  # cells a side of the boards that the weights were fitted on


@jit_inline
def features_of(grid, head0, head1, own0, own1, contested, free):
    """The network's features of territories that are not separated: of player 0, of player 1, of both."""
    return (
        features_of_player(grid, head0, head1, own0, own1, contested, free),
        features_of_player(grid, head1, head0, own1, own0, contested, free),
        shared_features(grid, head0, head1, contested, free),
    )


@jit_inline
def features_of_player(grid, head, other_head, own, other, contested, free):
    """The network's features of one player: FEATURES numbers, scaled as if to a board of 16x16.

    Cells of the territory: all; with four free neighbours; with at most two; choke points; that may cut the territory, or
    the free cells; with four neighbours in the territory; their free neighbours added up; how many more have the other
    colour of a checkerboard than the head than have its own; within 2, 4 and 8 steps of the head. Of the front, the cells
    next to what the other reaches as soon: all; with four free neighbours; next to contested cells. The best way through
    the chambers, as in `Chambers`; what is reached from the head without a cell that may cut the territory, and of the
    front therein. The head's free neighbours, and its steps from the middle of the board.
    """
    cells = _FITTED_SIDE * _FITTED_SIDE / (grid.width * grid.height)
    steps = _FITTED_SIDE / math.sqrt(grid.width * grid.height)
    here = single(grid, head)
    beside = neighbours(grid, here)
    front = own & neighbours(grid, other | contested | single(grid, other_head))
    chokes = choke_points(grid, own, free)
    open_ = open_cells(grid, own, free)
    cuts = local_cuts(grid, own | here) & own
    whole = own & ~cuts
    chamber = flooded(grid, beside & whole, whole)
    size = count(own)
    dark = count(own & dark_cells(grid))
    like = dark if colour(grid, head) == 0 else size - dark
    near2 = within(grid, beside & own, own, 1)
    near4 = within(grid, near2, own, 2)
    near8 = within(grid, near4, own, 4)
    return (
        cells * size,
        cells * count(open_),
        cells * count(narrow_cells(grid, own, free)),
        cells * count(chokes),
        cells * count(cuts),
        cells * count(local_cuts(grid, free | here) & own),
        cells * count(open_cells(grid, own, own)),
        cells * edges(grid, own, free),
        cells * (size - 2 * like),
        cells * count(near2),
        cells * count(near4),
        cells * count(near8),
        steps * count(front),
        steps * count(front & open_),
        steps * count(own & neighbours(grid, contested)),
        cells * best_way(grid, head, own, chokes, front, free, 1.0, 0.0, 1.0),
        cells * count(chamber),
        steps * count(chamber & front),
        float(count(beside & free)),
        steps
        * 0.5
        * (abs(2 * (head % grid.stride) + 1 - grid.width) + abs(2 * (head // grid.stride) + 1 - grid.height)),
    )


@jit_inline
def within(grid, cells, room, steps):
    """The cells, and those of `room` within `steps` steps of them."""
    for _ in range(steps):
        cells = cells | (neighbours(grid, cells) & room)
    return cells


@jit_inline
def shared_features(grid, head0, head1, contested, free):
    """The network's shared features: the share of the board that is free, the cells nobody reaches first, and the
    heads' distance in steps, whether that is odd, and its larger part along a row or a column."""
    cells = _FITTED_SIDE * _FITTED_SIDE / (grid.width * grid.height)
    steps = _FITTED_SIDE / math.sqrt(grid.width * grid.height)
    across = abs(head0 % grid.stride - head1 % grid.stride)
    down = abs(head0 // grid.stride - head1 // grid.stride)
    return (
        count(free) / float(grid.width * grid.height),
        cells * count(contested),
        steps * (across + down),
        float((across + down) & 1),
        steps * max(across, down),
    )


@dataclass(frozen=True)
class Prospects(Territorial, FeatureNetwork):
    """An estimate of the expected result: bounds of fillable cells where the heads are separated, else a
    small network.

    Separated: the difference of the bounds of the cells that each can fill; it nearly always has the right
    sign, so a lead d is worth d / (|d| + `fill_doubt`).

    Else: a small network compares the players by twenty features of either and five that they share
    (see `features_of_player` and `shared_features`). Twice its output is about the logarithm of the odds of winning, which `scale` 2
    makes the expected result.

    The weights were fitted to games between strong players on 16x16; `saddlepoint fit --evaluator prospects` fits others.

    >>> from saddlepoint import LightRiders
    >>> from saddlepoint.evaluators import Prospects
    >>> game = LightRiders(8, 8)
    >>> state = game.next_state(game.initial_state(), 1, 0)
    >>> round(Prospects().evaluate(game, state), 3)
    0.905
    """

    scale: float = 2.0
    fill_doubt: float = 0.1

    weights_file: ClassVar[str] = "prospects.weights"

    def __post_init__(self) -> None:
        super().__post_init__()
        FeatureNetwork.__post_init__(self)

    @kernel
    def raw(self, game, state):
        """The difference in fillable cells where separated; else the network's lead."""
        found = self.territories(game, state, game.current_player(state))
        return (
            self.fill_lead(game, state, found) if found.separated else self.network_lead(game, state, found)
        )

    @kernel
    def evaluate(self, game, state):
        """Player 0's expected result; each of the two kinds of positions with its own squashing function."""
        found = self.territories(game, state, game.current_player(state))
        if found.separated:
            lead = self.fill_lead(game, state, found)
            return lead / (abs(lead) + self.fill_doubt) if self.scale > 0.0 else lead
        lead = self.network_lead(game, state, found)
        return math.tanh(lead / self.scale) if self.scale > 0.0 else lead

    @kernel
    def fill_lead(self, game, state, found):
        """The difference of upper bounds of the cells each can fill.

        Who is ahead by the colours' bound, and still is by the closer one, is ahead: the other's closer bound, which
        takes the time, is then left out.
        """
        grid, head0, head1 = game.grid, game.head(state, 0), game.head(state, 1)
        own0, own1 = found.territory0, found.territory1
        most0, most1 = parity_bound(grid, head0, own0), parity_bound(grid, head1, own1)
        if most0 >= most1:
            most0 = fillable_bound(grid, head0, own0)
            if most0 <= most1:
                most1 = fillable_bound(grid, head1, own1)
        else:
            most1 = fillable_bound(grid, head1, own1)
            if most1 <= most0:
                most0 = fillable_bound(grid, head0, own0)
        return float(most0 - most1)

    @kernel
    def features(self, game, state):
        """The network's features: of player 0, of player 1, of both."""
        return self.features_in(game, state, self.territories(game, state, game.current_player(state)))

    @kernel_inline
    def features_in(self, game, state, found):
        """`features`, where the territories are known."""
        grid, head0, head1 = game.grid, game.head(state, 0), game.head(state, 1)
        free, contested = self.free(game, state), found.contested
        return features_of(grid, head0, head1, found.territory0, found.territory1, contested, free)

    @kernel
    def network_lead(self, game, state, found):
        """The difference of two territories that are not separated, about the logarithm of the odds."""
        features0, features1, shared = self.features_in(game, state, found)
        return 2.0 * self.compared(game, state, features0, features1, shared)
