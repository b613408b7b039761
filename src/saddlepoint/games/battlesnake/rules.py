"""One round on machine words: where a snake moves, what it eats, of what it dies."""

import numpy as np

from ...boards.bitboard import board_of, contains, empty, single
from ...boards.grid import DOWN, LEFT, RIGHT, UP, has_bit
from ...compiled import jit_inline, trailing_zeros
from .state import ALIVE, FULL_HEALTH, HAZARD, HEADS, OTHER, SELF, STARVED, WALL


@jit_inline
def row_of(grid, cell):
    """The grid's row of a cell, from the top."""
    return cell >> trailing_zeros(np.uint64(grid.stride))


@jit_inline
def target(grid, cell, direction, wrapped):
    """The cell one step in that direction, across the edges where `wrapped`; else -1 off the board."""
    # Without branches: directions of a search are as good as random.
    x = (cell & (grid.stride - 1)) + (direction == RIGHT) - (direction == LEFT)
    y = row_of(grid, cell) + (direction == DOWN) - (direction == UP)
    if wrapped:
        x = 0 if x == grid.width else grid.width - 1 if x < 0 else x
        y = 0 if y == grid.height else grid.height - 1 if y < 0 else y
    inside = (x >= 0) & (x < grid.width) & (y >= 0) & (y < grid.height)
    return y * grid.stride + x if inside else -1


@jit_inline
def spot(grid, cell):
    """The board of one cell; of none for -1."""
    return single(grid, cell) if cell >= 0 else empty(grid)


@jit_inline
def direction_at(state, cell):
    """The direction from a snake's cell to the next one towards its head."""
    return 2 * has_bit(state.high, cell) + has_bit(state.low, cell)


@jit_inline
def stacked_at(grid, state, cell):
    """How often a cell is in the list of hazards."""
    if not has_bit(state.hazards, cell):
        return 0
    further = 64 * grid.words
    return 1 + has_bit(state.stacked, cell) + 2 * has_bit(state.stacked, cell + further)


@jit_inline
def health_after(grid, state, health, head, on_food, damage):
    """(health after hunger and hazards, whether these killed): rules 2 and 3."""
    health -= 1
    if head < 0 or on_food:
        return health, False
    for _ in range(stacked_at(grid, state, head)):
        health = min(max(health - damage, 0), FULL_HEALTH)
        if health == 0:
            return health, True
    return health, False


@jit_inline
def cause_before_collisions(health, head, poisoned):
    """What kills a snake whatever else is on the board: rules 3 and 5."""
    if poisoned:
        return HAZARD
    if health <= 0:
        return STARVED
    return WALL if head < 0 else ALIVE


@jit_inline
def cause_of_collision(grid, head, own, other, other_is_there, other_head, length, other_length):
    """What kills a snake among those that are left: rule 6. `own` and `other` are the lists from the second cell on."""
    if contains(grid, own, head):
        return SELF
    if other_is_there:
        if contains(grid, other, head):
            return OTHER
        if head == other_head and length <= other_length:
            return HEADS
    return ALIVE


@jit_inline
def worth_of_step(grid, state, player, direction, wrapped, damage):
    """3 for a step that only a meeting of heads can make deadly; else 2, 1 or 0.

    2: it kills unless the other dies before collisions. 1: it kills, in a collision, so the own body stays in the way.
    0: it kills before.
    """
    mine = player == 0
    head, health = (state.head0, state.health0) if mine else (state.head1, state.health1)
    there = target(grid, head, direction, wrapped)
    if there < 0:
        return 0
    on_food = has_bit(state.food, there)
    left, poisoned = health_after(grid, state, health, there, on_food, damage)
    if poisoned or (left <= 0 and not on_food):
        return 0
    vacated0, vacated1 = state.coiled0 == 0 and there == state.tail0, state.coiled1 == 0 and there == state.tail1
    in0 = has_bit(state.body0, there) and not vacated0
    in1 = has_bit(state.body1, there) and not vacated1
    if in0 if mine else in1:
        return 1
    return 2 if (in1 if mine else in0) else 3


@jit_inline
def room_for_food(grid, state, inside, near0, near1):
    """The cells on which food may appear: without food and snakes, and not beside a head."""
    taken = board_of(grid, state.body0) | board_of(grid, state.body1) | board_of(grid, state.food) | near0 | near1
    return inside & ~taken
