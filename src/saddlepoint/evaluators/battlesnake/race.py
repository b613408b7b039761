"""Who reaches a cell first while both snakes move on and their tails leave cells behind."""

from typing import Any, NamedTuple

from ...boards.bitboard import (
    board_of,
    count,
    east,
    empty,
    free_cells,
    is_empty,
    neighbours,
    north,
    single,
    south,
    west,
)  # fmt: skip
from ...compiled import jit_inline
from ...games.battlesnake.state import NO_CELL, coiled_of, head_of, length_of, tail_of


class Race(NamedTuple):
    """What each snake reaches before the other; heads belong to nobody."""

    own0: Any
    """The cells that player 0's snake is the first on, or as soon as a shorter one."""
    own1: Any
    contested: Any
    """The cells that two snakes of one length reach in the same round."""
    near0: int
    """How many of the own cells are reached within `NEAR` rounds."""
    near1: int
    food0: int
    """Rounds to the nearest own cell with food; FAR without one."""
    food1: int
    shut0: bool
    """Whether the snake is shut in: its room is used up before a tail opens it."""
    shut1: bool


NEAR = 4
FAR = 30


@jit_inline
def race(game, state):
    """Both snakes run as fast as they can, neither eats, and every round the tails leave a cell.

    A cell k cells from the tail can be entered from round k + 1 on. A snake waits for it in the room that it has, as long as that
    has cells enough. Who comes to a cell in the same round as a shorter snake takes it. Edges are walls, wrapped or not.
    """
    grid = game.grid
    snake0, snake1 = state.snake0, state.snake1
    head0, head1 = single(grid, head_of(snake0)), single(grid, head_of(snake1))
    bodies = board_of(grid, state.body0) | board_of(grid, state.body1)
    low, high = board_of(grid, state.low), board_of(grid, state.high)
    on = bodies & ~(head0 | head1)
    up, right, down, left = on & ~(low | high), on & low & ~high, on & high & ~low, on & low & high
    longer0, longer1 = length_of(snake0) > length_of(snake1), length_of(snake1) > length_of(snake0)
    food = board_of(grid, state.food)
    moving = not game.constrictor
    wait0, wait1 = coiled_of(snake0), coiled_of(snake1)
    tails = single(grid, tail_of(snake0) if moving and wait0 == 0 else NO_CELL)
    tails = tails | single(grid, tail_of(snake1) if moving and wait1 == 0 else NO_CELL)
    open_ = free_cells(grid, game.outside) & ~bodies
    reached0, reached1 = head0, head1
    shut0, shut1 = False, False
    near0, near1, food0, food1 = 0, 0, FAR, FAR
    steps = 0
    while True:
        steps += 1
        open_ = open_ | tails
        new0, new1 = neighbours(grid, reached0) & open_, neighbours(grid, reached1) & open_
        if shut0:
            new0 = empty(grid)
        if shut1:
            new1 = empty(grid)
        if longer0:
            new1 = new1 & ~new0
        if longer1:
            new0 = new0 & ~new1
        ends0, ends1 = is_empty(new0), is_empty(new1)
        if ends0 or ends1:
            if ends0 and not shut0:
                shut0 = count(reached0) <= steps
            if ends1 and not shut1:
                shut1 = count(reached1) <= steps
            if ends0 and ends1 and ((shut0 and shut1) or (is_empty(tails) and steps > wait0 and steps > wait1)):
                break
        if food0 == FAR and not is_empty(new0 & food):
            food0 = steps
        if food1 == FAR and not is_empty(new1 & food):
            food1 = steps
        reached0, reached1, open_ = reached0 | new0, reached1 | new1, open_ & ~(new0 | new1)
        if steps == NEAR:
            near0, near1 = count(reached0 & ~reached1), count(reached1 & ~reached0)
        tails = (north(grid, tails & up) | south(grid, tails & down)) | (east(grid, tails & right) | west(grid, tails & left))
        tails = tails & bodies
        if moving:
            if steps == wait0:
                tails = tails | single(grid, tail_of(snake0))
            if steps == wait1:
                tails = tails | single(grid, tail_of(snake1))
    contested = reached0 & reached1
    reached0, reached1 = reached0 & ~(contested | head0), reached1 & ~(contested | head1)
    if steps < NEAR:
        near0, near1 = count(reached0), count(reached1)
    return Race(reached0, reached1, contested, near0, near1, food0, food1, shut0, shut1)
