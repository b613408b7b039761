"""One round on machine words: where a snake moves, what it eats, of what it dies."""

import numpy as np

from ...boards.bitboard import board_of
from ...boards.grid import DOWN, LEFT, RIGHT, UP, has_bit
from ...boards.stack_words import joint_pad_of, pad_clear, pad_has
from ...compiled import jit_inline, jit_part, trailing_zeros
from .state import (
    ALIVE,
    FULL_HEALTH,
    HAZARD,
    HEADS,
    NO_CELL,
    OTHER,
    SELF,
    STARVED,
    WALL,
    coiled_of,
    head_of,
    health_of,
    tail_of,
)  # fmt: skip


@jit_part
def row_of(grid, cell):
    """The grid's row of a cell, from the top."""
    return cell >> trailing_zeros(np.uint64(grid.stride))


@jit_part
def step_of(grid, direction):
    """How much a step in that direction adds to a cell's index."""
    # A table of four half words: directions of a search are as good as random, and a branch would be guessed wrongly.
    by_direction = (256 - grid.stride) | 257 << 16 | (256 + grid.stride) << 32 | 255 << 48
    return (by_direction >> (direction << 4) & 0xFFFF) - 256


@jit_part
def across(grid, cell, direction):
    """The cell one step in that direction, across the edges."""
    x = (cell & (grid.stride - 1)) + (direction == RIGHT) - (direction == LEFT)
    y = row_of(grid, cell) + (direction == DOWN) - (direction == UP)
    x = 0 if x == grid.width else grid.width - 1 if x < 0 else x
    y = 0 if y == grid.height else grid.height - 1 if y < 0 else y
    return y * grid.stride + x


@jit_part
def target(grid, cell, direction, wrapped):
    """The cell one step in that direction, across the edges where `wrapped`; else NO_CELL off the board."""
    if wrapped:
        return across(grid, cell, direction)
    there = cell + step_of(grid, direction)
    inside = (there >= 0) & (there < grid.height * grid.stride) & ((there & (grid.stride - 1)) < grid.width)
    if grid.width == grid.stride:  # no column between the last and the first one of the next row
        inside &= (direction & 1 == 0) | ((there ^ cell) < grid.stride)
    return there if inside else NO_CELL


@jit_part
def next_on_path(grid, cell, direction, wrapped):
    """`target`, where that is known to be a cell."""
    return across(grid, cell, direction) if wrapped else cell + step_of(grid, direction)


@jit_part
def direction_at(state, cell):
    """The direction from a snake's cell to the next one towards its head."""
    return 2 * has_bit(state.high, cell) + has_bit(state.low, cell)


@jit_part
def stacked_at(grid, state, cell):
    """How often a cell is in the list of hazards."""
    if not has_bit(state.hazards, cell):
        return 0
    if len(state.stacked) == 1:
        return 1
    return 1 + has_bit(state.stacked, cell) + 2 * has_bit(state.stacked, cell + 64 * grid.words)


@jit_part
def health_after(health, times, damage):
    """(health after hunger and so many hazards, whether these killed): rules 2 and 3."""
    health -= 1
    for _ in range(times):
        health = min(max(health - damage, 0), FULL_HEALTH)
        if health == 0:
            return health, True
    return health, False


@jit_part
def cause_before_collisions(health, inside, poisoned):
    """What kills a snake whatever else is on the board: rules 3 and 5."""
    cause = ALIVE if inside else WALL
    cause = STARVED if health <= 0 else cause
    return HAZARD if poisoned else cause


@jit_part
def cause_of_collision(in_own, in_other, other_is_there, heads_meet, length, other_length):
    """What kills a snake that is left after these: rule 6. The lists are those from the second cell on."""
    meeting = HEADS if heads_meet & (length <= other_length) else ALIVE
    other = OTHER if in_other else meeting
    return SELF if in_own else other if other_is_there else ALIVE


@jit_inline
def worth_of_step(grid, state, player, direction, wrapped, damage):
    """3 for a step that only a meeting of heads can make deadly; else 2, 1 or 0.

    2: it kills unless the other dies before collisions. 1: it kills, in a collision, so the own body stays in the way.
    0: it kills before.
    """
    mine = state.snake0 if player == 0 else state.snake1
    there = target(grid, head_of(mine), direction, wrapped)
    if there == NO_CELL:
        return 0
    on_food = has_bit(state.food, there)
    left, poisoned = health_after(health_of(mine), 0 if on_food else stacked_at(grid, state, there), damage)
    if poisoned or (left <= 0 and not on_food):
        return 0
    in0 = has_bit(state.body0, there) and not vacates(state.snake0, there)
    in1 = has_bit(state.body1, there) and not vacates(state.snake1, there)
    if in0 if player == 0 else in1:
        return 1
    return 2 if (in1 if player == 0 else in0) else 3


@jit_part
def vacates(snake, cell):
    """Whether a snake's tail leaves the cell in the next round."""
    return coiled_of(snake) == 0 and tail_of(snake) == cell


@jit_part
def steps_into_room(grid, state, head, wrapped):
    """Whether a step up, right, down and left leads to a cell that no snake will be on, 0 or 1 each."""
    taken = joint_pad_of(state.body0, state.body1)
    pad_clear(taken, 0, tail_of(state.snake0), np.int64(coiled_of(state.snake0) == 0))
    pad_clear(taken, 0, tail_of(state.snake1), np.int64(coiled_of(state.snake1) == 0))
    if wrapped:
        up, right, down, left = (
            across(grid, head, UP), across(grid, head, RIGHT), across(grid, head, DOWN), across(grid, head, LEFT)
        )  # fmt: skip
    else:
        # A step off the board stands for one onto the head, which is taken.
        column = head & (grid.stride - 1)
        up = head - grid.stride if head >= grid.stride else head
        right = head + 1 if column < grid.width - 1 else head
        down = head + grid.stride if head < (grid.height - 1) * grid.stride else head
        left = head - 1 if column > 0 else head
    return 1 - pad_has(taken, 0, up), 1 - pad_has(taken, 0, right), 1 - pad_has(taken, 0, down), 1 - pad_has(taken, 0, left)


@jit_part
def room_for_food(grid, state, inside, near0, near1):
    """The cells on which food may appear: without food and snakes, and not beside a head."""
    taken = board_of(grid, state.body0) | board_of(grid, state.body1) | board_of(grid, state.food) | near0 | near1
    return inside & ~taken
