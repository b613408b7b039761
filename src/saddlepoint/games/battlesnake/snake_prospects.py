"""The evaluator of `best` of Battlesnake: a small network compares what two snakes reach first, their food, lengths and room.

Constrictor is Light Riders on a board on which heads may meet, so what is known of that game is used there.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..interface import (
    SIMULTANEOUS,
    FeatureNetwork,
    Prospects,
    Squashed,
    board_of,
    count,
    counted_fill,
    features_of as trail_features,
    fillable_bound,
    free_cells,
    is_empty,
    jit_inline,
    jit_part,
    kernel,
    kernel_inline,
    local_cuts,
    neighbours,
    open_cells,
    parity_bound,
    quick_tanh,
    single,
    voronoi,
)
from .state import head_of, health_of, length_of, tail_of
from .voronoi import race

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
    found = voronoi(grid, head0, head1, free, SIMULTANEOUS)
    own0, own1, contested = found.territory0, found.territory1, found.contested
    if found.separated:
        return fill_lead(grid, head0, head1, own0, own1), True
    features0, features1, shared = trail_features(grid, head0, head1, own0, own1, contested, free)
    return 2.0 * trails.compared(game, state, features0, features1, shared), False


@jit_inline
def result_of(lead, separated, scale):
    """The expected result; a lead has the right sign nearly always once the snakes are separated."""
    return lead / (abs(lead) + _FILL_DOUBT) if separated else math.tanh(lead / scale)


FEATURES, SHARED_FEATURES = 24, 6
COUNT_NODES = 60
"""Nodes of the search whether a snake in a room of its own can wait for a tail."""
_FITTED_CELLS = 121.0
"""Cells of the board to which features are scaled."""
MOST_SMALL_CELLS = 64
"""Boards of no more cells have weights of their own."""
_MOST_AHEAD = 4
"""A lead in length that is as good as any larger one."""


@jit_inline
def cuts_of(grid, snake, own):
    return local_cuts(grid, own | single(grid, head_of(snake))) & own


@jit_inline
def both_flooded(grid, seed0, room0, seed1, room1):
    """`flooded` twice, at once: a step waits for the one before, so the second costs little."""
    filled0, filled1 = seed0, seed1
    while True:
        grown0, grown1 = (
            filled0 | (neighbours(grid, filled0) & room0),
            filled1 | (neighbours(grid, filled1) & room1),
        )
        grown0, grown1 = (
            grown0 | (neighbours(grid, grown0) & room0),
            grown1 | (neighbours(grid, grown1) & room1),
        )
        if is_empty((grown0 ^ filled0) | (grown1 ^ filled1)):
            return filled0, filled1
        filled0, filled1 = grown0, grown1


@jit_inline
def chambers_of(grid, snake0, snake1, whole0, whole1):
    beside0, beside1 = (
        neighbours(grid, single(grid, head_of(snake0))),
        neighbours(grid, single(grid, head_of(snake1))),
    )
    return both_flooded(grid, beside0 & whole0, whole0, beside1 & whole1, whole1)


@jit_inline
def features_of(
    grid,
    snake,
    other_snake,
    body,
    other_body,
    own,
    other,
    contested,
    cuts,
    chamber,
    near,
    food_steps,
    food,
    shut,
    spare,
    free,
):
    """The network's features of one snake: FEATURES numbers, cells scaled as if to a board of 11x11.

    Of the cells that it reaches first: all; as many as a path may fill by their colours; within 1, 4 and 8 rounds; with four
    neighbours among them or contested; next to what the other reaches as soon; that its own tail leaves behind; that the other's
    does; that may cut the others apart; that it reaches without any of these; with food. Whether it is shut in; whether it comes to
    the cell that its tail is on, or beside it; how many more cells it has than it is long, at most as many as it is long. How much
    longer it is than the other; its length, and whether that is odd. Rounds to food; health; health left there, as far as that is
    little. Steps from the middle of the board. Rounds to spare where it has to wait for a tail; rounds until it has to.
    """
    cells = _FITTED_CELLS / (grid.width * grid.height)
    length = length_of(snake)
    size = count(own)
    cell = head_of(snake)
    return (
        np.float32(cells * size),
        np.float32(cells * parity_bound(grid, head_of(snake), own)),
        np.float32(near[0]),
        np.float32(cells * near[1]),
        np.float32(cells * near[2]),
        np.float32(cells * count(open_cells(grid, own, own | contested))),
        np.float32(cells * count(own & neighbours(grid, other | contested))),
        np.float32(cells * count(own & body)),
        np.float32(cells * count(own & other_body)),
        np.float32(cells * count(cuts)),
        np.float32(cells * count(chamber)),
        np.float32(count(own & food)),
        np.float32(1.0 if shut else 0.0),
        np.float32(0.0 if is_empty((own | neighbours(grid, own)) & single(grid, tail_of(snake))) else 1.0),
        np.float32(min(size - length, length)),
        np.float32(min(max(length - length_of(other_snake), -_MOST_AHEAD), _MOST_AHEAD)),
        np.float32(length),
        np.float32(length & 1),
        np.float32(food_steps),
        np.float32(0.01 * health_of(snake)),
        np.float32(min(health_of(snake) - food_steps, 15)),
        np.float32(
            0.5
            * (
                abs(2 * (cell % grid.stride) + 1 - grid.width)
                + abs(2 * (cell // grid.stride) + 1 - grid.height)
            )
        ),
        np.float32(spare),
        np.float32(free),
    )


@jit_inline
def shared_features(grid, snake0, snake1, contested, food):
    """The network's shared features: contested cells, food, both lengths added, whether they are equal; the heads' distance, and its
    larger part along a row or a column."""
    cells = _FITTED_CELLS / (grid.width * grid.height)
    head0, head1 = head_of(snake0), head_of(snake1)
    across = abs(head0 % grid.stride - head1 % grid.stride)
    down = abs(head0 // grid.stride - head1 // grid.stride)
    return (
        np.float32(cells * count(contested)),
        np.float32(count(food)),
        np.float32(cells * (length_of(snake0) + length_of(snake1))),
        np.float32(1.0 if length_of(snake0) == length_of(snake1) else 0.0),
        np.float32(across + down),
        np.float32(max(across, down)),
    )


@jit_part
def described(game, state, nodes):
    grid = game.grid
    found = race(game, state, nodes)
    snake0, snake1 = state.snake0, state.snake1
    body0, body1, food = board_of(grid, state.body0), board_of(grid, state.body1), board_of(grid, state.food)
    own0, own1, contested = found.own0, found.own1, found.contested
    cuts0, cuts1 = cuts_of(grid, snake0, own0), cuts_of(grid, snake1, own1)
    chamber0, chamber1 = chambers_of(grid, snake0, snake1, own0 & ~cuts0, own1 & ~cuts1)
    features0 = features_of(
        grid,
        snake0,
        snake1,
        body0,
        body1,
        own0,
        own1,
        contested,
        cuts0,
        chamber0,
        found.near0,
        found.food0,
        food,
        found.shut0,
        found.spare0,
        found.free0,
    )
    features1 = features_of(
        grid,
        snake1,
        snake0,
        body1,
        body0,
        own1,
        own0,
        contested,
        cuts1,
        chamber1,
        found.near1,
        found.food1,
        food,
        found.shut1,
        found.spare1,
        found.free1,
    )
    return features0, features1, shared_features(grid, snake0, snake1, contested, food)


@dataclass(frozen=True)
class SnakeNetwork(FeatureNetwork):
    """A network over what is `described` of two snakes."""

    count_nodes: int = COUNT_NODES

    @kernel_inline
    def features(self, game, state):
        return described(game, state, self.count_nodes)


@dataclass(frozen=True)
class SmallBoards(SnakeNetwork):
    weights_file: ClassVar[str] = "small_boards.weights"


@dataclass(frozen=True)
class SnakeProspects(SnakeNetwork, Squashed):
    """An estimate of the result of two snakes: a small network over features.

    The features are those of `features_of` and `shared_features`. Twice its output is about the logarithm of
    the odds of winning, which `scale` 2 makes the expected result. `count_nodes` bounds the search whether a
    snake in a room of its own can wait for a tail; with 0 only cells are counted. Constrictor is valued as
    Light Riders is. Edges are walls, wrapped or not.

    Its own weights were fitted to games of the search of `best` on 11x11, for boards of at most 64 cells on 7x7; those of a file are for
    all boards.
    """

    scale: float = 2.0
    small_boards: SmallBoards = field(default_factory=SmallBoards, init=False, repr=False)
    trails: Prospects = field(default_factory=Prospects, init=False, repr=False)
    """For constrictor."""

    weights_file: ClassVar[str] = "standard.weights"

    def __post_init__(self) -> None:
        super().__post_init__()
        Squashed.__post_init__(self)
        if self.count_nodes < 0:
            raise ValueError(f"count_nodes must be 0 or more, not {self.count_nodes}")

    def check_fit(self, game: Any) -> None:
        """Constrictor has no food and no tails that move on, and is valued by the trails."""
        if game.constrictor:
            raise ValueError(
                "snake_prospects values constrictor by the weights of prospects: it has none there that can be fitted"
            )

    @kernel_inline
    def raw(self, game, state):
        """The network's lead, about the logarithm of the odds; in constrictor, separated, the lead in cells."""
        if game.constrictor:
            return constrictor_lead(self.trails, game, state)[0]
        features0, features1, shared = self.features(game, state)
        if self.is_shipped and game.grid.width * game.grid.height <= MOST_SMALL_CELLS:
            return 2.0 * self.small_boards.compared(game, state, features0, features1, shared)
        return 2.0 * self.compared(game, state, features0, features1, shared)

    @kernel
    def evaluate(self, game, state):
        if self.scale > 0.0 and game.constrictor:
            lead, separated = constrictor_lead(self.trails, game, state)
            return result_of(lead, separated, self.scale)
        raw = self.raw(game, state)
        return quick_tanh(raw / self.scale) if self.scale > 0.0 else raw
