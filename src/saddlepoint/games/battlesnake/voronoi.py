"""Who reaches a cell first: in a race in which tails leave cells behind, and at once, as most programs evaluate."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..interface import (
    Squashed,
    board_of,
    count,
    counted_fill,
    empty,
    free_cells,
    is_empty,
    jit_inline,
    jit_part,
    kernel,
    neighbours,
    parity_bound,
    shifted,
    single,
)
from .state import (
    DOWN,
    LEFT,
    NO_CELL,
    RIGHT,
    UP,
    coiled_of,
    head_of,
    health_of,
    length_of,
    tail_of,
)


class Race(NamedTuple):
    """The cells that each snake reaches before the other; heads belong to nobody."""

    own0: Any
    """The cells that player 0's snake is the first on, or as soon as a shorter one."""
    own1: Any
    contested: Any
    """The cells that two snakes of one length reach in the same round."""
    near0: tuple[int, int, int]
    """The number of own cells reached within each of `NEAR` rounds."""
    near1: tuple[int, int, int]
    food0: int
    """Rounds to the nearest own cell with food; FAR without one."""
    food1: int
    shut0: bool
    """Whether the snake is shut in: its room is used up before a tail opens it, and it does not come to where its own tail was."""
    shut1: bool
    spare0: int
    """Rounds to spare where waiting for a tail leaves the fewest: cells reached less rounds gone by; at most MOST_SPARE,
    0 where no path is long enough."""
    spare1: int
    free0: int
    """Rounds until it has to wait for a tail the first time, at most MOST_FREE."""
    free1: int


MOST_SPARE, MOST_FREE = 16, 20
NEAR = (1, 4, 8)
FAR = 30
_UNKNOWN = 1 << 20
_ENDLESS = 1 << 19
_CLOSE = 6
"""Rounds to spare by the number of cells, from which on nothing is counted."""


@jit_inline
def patience_of(reached, tail_cells):
    """The rounds that a snake can go on in the cells that it has reached; _ENDLESS where its own tail's cells are among them."""
    return count(reached) if is_empty(reached & tail_cells) else _ENDLESS


@jit_inline
def must_wait_too_long(grid, head, reached, new, others, patience, steps, nodes):
    """Whether a snake that waits in the cells that it has reached is dead before a tail opens `new` in round
    `steps`.

    Their number, `patience`, would be enough. In a room of its own, which no cell of the other lies beside, a
    path must lead through enough of them: colours tell, or a search of `nodes` nodes, where that is close.
    True is certain, False is not.
    """
    if nodes == 0 or is_empty(new) or not is_empty(neighbours(grid, reached) & others):
        return False
    room = reached & ~single(grid, head)
    most = min(patience - 1, parity_bound(grid, head, room))
    if most >= steps - 1:
        _, most = counted_fill(grid, head, room, most, steps - 1, nodes)
    return most < steps - 1


@jit_part
def race(game, state, nodes):
    """The `Race` of two snakes that run as fast as they can.

    Neither eats, and every round the tails leave a cell.

    A cell k cells from the tail can be entered from round k + 1 on. A snake waits for it in the room that it
    has, as long as that has cells enough, and a path through enough of them as far as a search of `nodes`
    nodes shows (0: none). A snake that reaches a cell in the same round as a shorter one takes it. Edges are
    walls, wrapped or not.
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
    # Boards in the place of conditions: lengths are as good as random, and a branch would be guessed wrongly.
    yields0 = ~empty(grid) if longer1 else empty(grid)
    yields1 = ~empty(grid) if longer0 else empty(grid)
    room0, room1 = ~empty(grid), ~empty(grid)
    patience0, patience1 = _UNKNOWN, _UNKNOWN
    hungry0, hungry1 = 1, 1
    spare0, spare1, free0, free1 = MOST_SPARE, MOST_SPARE, MOST_FREE, MOST_FREE
    first0, first1, second0, second1, third0, third1 = 0, 0, 0, 0, 0, 0
    steps = 0
    while True:
        steps += 1
        open_ = open_ | tails
        new0, new1 = (
            neighbours(grid, reached0) & (open_ & room0),
            neighbours(grid, reached1) & (open_ & room1),
        )
        if patience0 - steps < _CLOSE and must_wait_too_long(
            grid, head_of(snake0), reached0, new0, reached1, patience0, steps, nodes
        ):
            patience0, room0, new0 = 0, empty(grid), empty(grid)
        if patience1 - steps < _CLOSE and must_wait_too_long(
            grid, head_of(snake1), reached1, new1, reached0, patience1, steps, nodes
        ):
            patience1, room1, new1 = 0, empty(grid), empty(grid)
        new0, new1 = new0 & ~(new1 & yields0), new1 & ~(new0 & yields1)
        rests = 0
        if is_empty(new0):
            if patience0 == _UNKNOWN:
                patience0 = patience_of(reached0, board_of(grid, state.body0) & ~head0)
            spare0, free0 = min(spare0, patience0 - steps), min(free0, steps)
            if patience0 <= steps:
                room0 = empty(grid)
            rests = 1
        else:
            patience0 = _UNKNOWN
        if is_empty(new1):
            if patience1 == _UNKNOWN:
                patience1 = patience_of(reached1, board_of(grid, state.body1) & ~head1)
            spare1, free1 = min(spare1, patience1 - steps), min(free1, steps)
            if patience1 <= steps:
                room1 = empty(grid)
            if rests == 1:
                if patience0 <= steps and patience1 <= steps:
                    break
                if steps > wait0 and steps > wait1 and is_empty(tails):
                    break
        else:
            patience1 = _UNKNOWN
        reached0, reached1, open_ = reached0 | new0, reached1 | new1, open_ & ~(new0 | new1)
        hungry0 += int(is_empty(reached0 & food))
        hungry1 += int(is_empty(reached1 & food))
        if steps == NEAR[0]:
            first0, first1 = count(reached0 & ~reached1), count(reached1 & ~reached0)
        elif steps == NEAR[1]:
            second0, second1 = count(reached0 & ~reached1), count(reached1 & ~reached0)
        elif steps == NEAR[2]:
            third0, third1 = count(reached0 & ~reached1), count(reached1 & ~reached0)
        tails = (shifted(grid, tails & up, UP) | shifted(grid, tails & down, DOWN)) | (
            shifted(grid, tails & right, RIGHT) | shifted(grid, tails & left, LEFT)
        )
        tails = tails & bodies
        if moving:
            if steps == wait0:
                tails = tails | single(grid, tail_of(snake0))
            if steps == wait1:
                tails = tails | single(grid, tail_of(snake1))
    shut0, shut1 = patience0 <= steps, patience1 <= steps
    food0 = FAR if is_empty(reached0 & food) else hungry0
    food1 = FAR if is_empty(reached1 & food) else hungry1
    contested = reached0 & reached1
    reached0, reached1 = reached0 & ~(contested | head0), reached1 & ~(contested | head1)
    if steps < NEAR[2]:
        third0, third1 = count(reached0), count(reached1)
        if steps < NEAR[1]:
            second0, second1 = third0, third1
    return Race(
        reached0,
        reached1,
        contested,
        (first0, second0, third0),
        (first1, second1, third1),
        food0,
        food1,
        shut0,
        shut1,
        max(spare0, 0),
        max(spare1, 0),
        free0,
        free1,
    )


# Who reaches a cell first, as most programs for Battlesnake evaluate a position.

_FAR = 40
"""Rounds to food where none is reached first; more than most such ways."""


class Reach(NamedTuple):
    """The cells each snake reaches first, and its rounds to the nearest food among them."""

    own0: Any
    own1: Any
    food0: int
    food1: int


@jit_inline
def reach(grid, head0, head1, free, food, lead):
    """Divide the free cells by distance. Equally near ones go to the longer snake: `lead` is by how much player 0's is."""
    reached0, reached1 = single(grid, head0), single(grid, head1)
    own0, own1 = empty(grid), empty(grid)
    open_ = free & ~(reached0 | reached1)
    food0, food1, rounds = _FAR, _FAR, 0
    while True:
        new0, new1 = neighbours(grid, reached0) & open_, neighbours(grid, reached1) & open_
        new = new0 | new1
        if is_empty(new):
            return Reach(own0, own1, food0, food1)
        rounds += 1
        first0 = new0 if lead > 0 else new0 & ~new1
        first1 = new1 if lead < 0 else new1 & ~new0
        if food0 == _FAR and not is_empty(first0 & food):
            food0 = rounds
        if food1 == _FAR and not is_empty(first1 & food):
            food1 = rounds
        own0, own1, open_ = own0 | first0, own1 | first1, open_ & ~new
        if lead > 0:
            new1 = first1
        if lead < 0:
            new0 = first0
        reached0, reached1 = reached0 | new0, reached1 | new1


@jit_inline
def vacated(grid, snake):
    """The board of the cell that a snake's tail leaves in the next round."""
    return single(grid, tail_of(snake) if coiled_of(snake) == 0 else NO_CELL)


@jit_inline
def needs_food(health, rounds, behind):
    """The cost of hunger, in cells: high once the nearest food is too far, low while it is only a long way."""
    if health < rounds:
        return 30.0
    return rounds * (0.4 if behind else 0.1) + max(0, 40 - health) * 0.2


@dataclass(frozen=True)
class SnakeVoronoi(Squashed):
    """Cells nearer to head 0 less cells nearer to head 1; the longer snake takes those that are equally near.

    `length_worth` cells for each cell of length that one snake has more, up to five; a few for the way to food, and many once it
    is too far to live that long. Bodies stay where they are, but for tails that move on in the next round. Edges are walls, wrapped
    or not.
    """

    length_worth: float = 3.0

    @kernel
    def raw(self, game, state):
        grid = game.grid
        bodies = board_of(grid, state.body0) | board_of(grid, state.body1)
        free = free_cells(grid, game.outside) & ~(
            bodies & ~(vacated(grid, state.snake0) | vacated(grid, state.snake1))
        )
        snake0, snake1 = state.snake0, state.snake1
        lead = length_of(snake0) - length_of(snake1)
        found = reach(grid, head_of(snake0), head_of(snake1), free, board_of(grid, state.food), lead)
        cells = float(count(found.own0) - count(found.own1)) + self.length_worth * min(max(lead, -5), 5)
        if game.constrictor or not game.has_food:
            return cells
        hunger0 = needs_food(health_of(snake0), found.food0, lead <= 0)
        hunger1 = needs_food(health_of(snake1), found.food1, lead >= 0)
        return cells - hunger0 + hunger1
