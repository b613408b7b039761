"""One round on machine words: where a snake moves, what it eats, of what it dies; then what chance does: food, a side of the board."""

import numpy as np

from ..interface import (
    board_of,
    board_on,
    count,
    empty,
    free_cells,
    has_bit,
    is_empty,
    jit_inline,
    jit_part,
    lowest,
    neighbours,
    pad_of,
    popcount,
    single,
    trailing_zeros,
    with_bit,
    words_of_board,
)
from .state import (
    ALIVE,
    DOWN,
    FULL_HEALTH,
    HAZARD,
    HEADS,
    LEFT,
    MAYBE,
    NO_CELL,
    OTHER,
    RIGHT,
    SELF,
    STARVED,
    UP,
    WALL,
    State,
    coiled_of,
    due_word,
    food_due,
    head_of,
    health_of,
    length_of,
    sides_due,
    snake_word,
    tail_of,
)

# A pad (`pad_of`) holds the words of boards that a round changes bit by bit.


@jit_part
def pad_has(pad, word, cell):
    """Whether the bit of a cell is set, 0 or 1; `word` is where the board's first word stands."""
    return np.int64((pad[word + (cell >> 6)] >> np.uint64(cell & 63)) & np.uint64(1))


@jit_part
def pad_set(pad, word, cell, flag):
    """Set the bit of a cell if the flag is 1, not if it is 0."""
    pad[word + (cell >> 6)] |= np.uint64(flag) << np.uint64(cell & 63)


@jit_part
def pad_clear(pad, word, cell, flag):
    """Clear the bit of a cell if the flag is 1, not if it is 0."""
    pad[word + (cell >> 6)] &= ~(np.uint64(flag) << np.uint64(cell & 63))


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
    if not has_bit(state.hazards, cell):
        return 0
    if len(state.stacked) == 1:
        return 1
    return 1 + has_bit(state.stacked, cell) + 2 * has_bit(state.stacked, cell + 64 * grid.words)


@jit_part
def health_after(health, times, damage):
    """(health after hunger and hazards that are listed `times` times, whether these killed): rules 2 and 3."""
    health -= 1
    for _ in range(times):
        health = min(max(health - damage, 0), FULL_HEALTH)
        if health == 0:
            return health, True
    return health, False


@jit_part
def cause_before_collisions(health, inside, poisoned):
    """The cause of a snake's death apart from collisions, or ALIVE: rules 3 and 5."""
    cause = ALIVE if inside else WALL
    cause = STARVED if health <= 0 else cause
    return HAZARD if poisoned else cause


@jit_part
def cause_of_collision(in_own, in_other, other_is_there, heads_meet, length, other_length):
    """The collision that kills a snake, or ALIVE: rule 6. The lists are those from the second cell on."""
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
    taken = pad_of(words_of_board(grid, board_of(grid, state.body0) | board_of(grid, state.body1)))
    pad_clear(taken, 0, tail_of(state.snake0), np.int64(coiled_of(state.snake0) == 0))
    pad_clear(taken, 0, tail_of(state.snake1), np.int64(coiled_of(state.snake1) == 0))
    if wrapped:
        up, right, down, left = (
            across(grid, head, UP),
            across(grid, head, RIGHT),
            across(grid, head, DOWN),
            across(grid, head, LEFT),
        )
    else:
        # A step off the board stands for one onto the head, which is taken.
        column = head & (grid.stride - 1)
        up = head - grid.stride if head >= grid.stride else head
        right = head + 1 if column < grid.width - 1 else head
        down = head + grid.stride if head < (grid.height - 1) * grid.stride else head
        left = head - 1 if column > 0 else head
    return (
        1 - pad_has(taken, 0, up),
        1 - pad_has(taken, 0, right),
        1 - pad_has(taken, 0, down),
        1 - pad_has(taken, 0, left),
    )


NOTHING = 0
"""The outcome of no new food; 1 + y * width + x is a piece on the cell (x, y), whose row is counted from the bottom."""

LEFT_SIDE, RIGHT_SIDE, BOTTOM_SIDE, TOP_SIDE = 1, 2, 3, 4
SIDES = ("left", "right", "bottom", "top")
"""The outcomes 1 to 4 of a draw in royale, by name."""


@jit_part
def outcome_of(grid, cell):
    y = row_of(grid, cell)
    return 1 + (grid.height - 1 - y) * grid.width + (cell - y * grid.stride)


@jit_part
def cell_of(grid, outcome):
    y = (outcome - 1) // grid.width
    return (grid.height - 1 - y) * grid.stride + (outcome - 1 - y * grid.width)


@jit_inline
def places(grid, outside, state):
    """The cells on which the next piece of food may appear: without food and snakes, and not beside a head.

    `outside`: the words of what is no cell.
    """
    near0 = neighbours(grid, single(grid, head_of(state.snake0)))
    near1 = neighbours(grid, single(grid, head_of(state.snake1)))
    taken = (
        board_of(grid, state.body0) | board_of(grid, state.body1) | board_of(grid, state.food) | near0 | near1
    )
    return free_cells(grid, outside) & ~taken


@jit_inline
def list_places(grid, room, share, out, probabilities, found):
    """Append the outcomes of a piece of food, which comes with the probability `share`; returns the count."""
    here = share / max(1, count(room))
    while not is_empty(room):
        cell = lowest(room)
        out[found] = outcome_of(grid, cell)
        probabilities[found] = here
        found += 1
        room = room & ~single(grid, cell)
    return found


@jit_inline
def drawn_place(grid, room, random):
    """A cell of the board (of one cell at least), drawn by a random word."""
    # The high half of the product of a random half word with n is uniform in 0 .. n - 1, but for one part in 2**32 / n.
    left = np.int64(((random >> np.uint64(32)) * np.uint64(count(room))) >> np.uint64(32))
    base = 0
    for word in words_of_board(grid, room):
        here = popcount(word)
        if left < here:
            for _ in range(left):
                word &= word - np.uint64(1)
            return base + trailing_zeros(word)
        left -= here
        base += 64
    return 0


@jit_inline
def with_side(grid, hazards, taken, side):
    """(the hazards, what royale has taken) after it takes a column or row more on that side."""
    most = grid.width if side <= RIGHT_SIDE else grid.height
    already = taken >> 8 * (side - 1) & 255
    if already >= most:
        return hazards, taken
    for k in range(grid.height if side <= RIGHT_SIDE else grid.width):
        if side == LEFT_SIDE:
            cell = k * grid.stride + already
        elif side == RIGHT_SIDE:
            cell = k * grid.stride + grid.width - 1 - already
        elif side == BOTTOM_SIDE:
            cell = (grid.height - 1 - already) * grid.stride + k
        else:
            cell = already * grid.stride + k
        hazards = with_bit(hazards, cell)
    return hazards, taken + (1 << 8 * (side - 1))


# These are part of next_state whatever their size: called, they would hand a whole position over in memory, twice.


@jit_part
def due_after(game, round_, food):
    """The word of chance's turn after a round that leaves this board of food, and two snakes alive."""
    pieces, sides = 0, 0
    if game.has_food:
        pieces = max(0, game.minimum_food - count(board_of(game.grid, food)))
        if pieces == 0 and game.food_probability > 0.0:
            pieces = MAYBE
    if game.royale and round_ % game.shrink_every == 0:
        sides = 1
    return due_word(pieces, sides)


@jit_part
def after_round(game, state, action0, action1):
    """The position after both moves, before chance.

    Without branches as far as it goes: what happens in a round of a search is as good as random.
    """
    grid, wrapped, damage = game.grid, game.wrapped, game.hazard_damage
    size = grid.words
    # Where these boards begin on the pad.
    low, high, food, hazards = 2 * size, 3 * size, 4 * size, 5 * size
    snake0, snake1 = state.snake0, state.snake1
    old0, old1 = head_of(snake0), head_of(snake1)
    head0, head1 = target(grid, old0, action0, wrapped), target(grid, old1, action1, wrapped)
    inside0, inside1 = head0 != NO_CELL, head1 != NO_CELL
    cell0, cell1 = head0 if inside0 else 0, head1 if inside1 else 0
    pad = pad_of(state.body0 + state.body1 + state.low + state.high + state.food + state.hazards)

    tail0, tail1 = tail_of(snake0), tail_of(snake1)
    coiled0, coiled1 = coiled_of(snake0), coiled_of(snake1)
    moves0, moves1 = np.int64(coiled0 == 0), np.int64(coiled1 == 0)
    ahead0 = next_on_path(grid, tail0, 2 * pad_has(pad, high, tail0) + pad_has(pad, low, tail0), wrapped)
    ahead1 = next_on_path(grid, tail1, 2 * pad_has(pad, high, tail1) + pad_has(pad, low, tail1), wrapped)
    pad_set(pad, low, old0, action0 & 1)
    pad_set(pad, low, old1, action1 & 1)
    pad_set(pad, high, old0, action0 >> 1)
    pad_set(pad, high, old1, action1 >> 1)
    for board in (low, high):
        pad_clear(pad, board, tail0, moves0)
        pad_clear(pad, board, tail1, moves1)
    pad_clear(pad, 0, tail0, moves0)
    pad_clear(pad, size, tail1, moves1)
    tail0, tail1 = ahead0 if moves0 else tail0, ahead1 if moves1 else tail1
    coiled0, coiled1 = coiled0 - 1 + moves0, coiled1 - 1 + moves1

    # The bodies are now the lists from the second cell on, which collisions are about.
    in00, in01 = inside0 & (pad_has(pad, 0, cell0) != 0), inside0 & (pad_has(pad, size, cell0) != 0)
    in10, in11 = inside1 & (pad_has(pad, 0, cell1) != 0), inside1 & (pad_has(pad, size, cell1) != 0)
    fed0 = pad_has(pad, food, cell0) & np.int64(inside0)
    fed1 = pad_has(pad, food, cell1) & np.int64(inside1)
    harm0 = stacked_at(grid, state, cell0) if inside0 and not fed0 and pad_has(pad, hazards, cell0) else 0
    harm1 = stacked_at(grid, state, cell1) if inside1 and not fed1 and pad_has(pad, hazards, cell1) else 0
    health0, poisoned0 = health_after(health_of(snake0), harm0, damage)
    health1, poisoned1 = health_after(health_of(snake1), harm1, damage)
    health0, health1 = FULL_HEALTH if fed0 else health0, FULL_HEALTH if fed1 else health1
    length0, length1 = length_of(snake0) + fed0, length_of(snake1) + fed1
    coiled0, coiled1 = coiled0 + fed0, coiled1 + fed1
    pad_set(pad, 0, cell0, np.int64(inside0))
    pad_set(pad, size, cell1, np.int64(inside1))
    pad_clear(pad, food, cell0, fed0)
    pad_clear(pad, food, cell1, fed1)

    cause0 = cause_before_collisions(health0, inside0, poisoned0)
    cause1 = cause_before_collisions(health1, inside1, poisoned1)
    there0, there1 = cause0 == ALIVE, cause1 == ALIVE
    collision0 = cause_of_collision(in00, in01, there1, head0 == head1, length0, length1)
    collision1 = cause_of_collision(in11, in10, there0, head0 == head1, length1, length0)
    cause0 = collision0 if there0 else cause0
    cause1 = collision1 if there1 else cause1
    left = board_on(pad, 4, state.food)
    if game.constrictor:
        left, health0, health1 = words_of_board(grid, empty(grid)), FULL_HEALTH, FULL_HEALTH
        if coiled0 == 0:
            coiled0, length0 = 1, length0 + 1
        if coiled1 == 0:
            coiled1, length1 = 1, length1 + 1
    due = 0
    if game.chance_may_follow and cause0 | cause1 == ALIVE:
        due = due_after(game, state.round + 1, left)
    return State(
        board_on(pad, 0, state.food),
        board_on(pad, 1, state.food),
        board_on(pad, 2, state.food),
        board_on(pad, 3, state.food),
        left,
        state.hazards,
        state.stacked,
        snake_word(head0, tail0, health0, cause0, length0, coiled0),
        snake_word(head1, tail1, health1, cause1, length1, coiled1),
        state.round + 1,
        due,
        state.taken,
    )


@jit_part
def after_chance(game, state, outcome):
    """The position after a piece of food or none, or after a side was drawn; where more is due, chance goes on."""
    food, hazards, taken = state.food, state.hazards, state.taken
    pieces, sides = food_due(state.due), sides_due(state.due)
    if pieces != 0:
        pieces = pieces - 1 if pieces > 0 and outcome > NOTHING else 0
        if outcome > NOTHING:
            food = with_bit(food, cell_of(game.grid, outcome))
    else:
        sides -= 1
        if outcome > NOTHING:
            hazards, taken = with_side(game.grid, hazards, taken, outcome)
    return State(
        state.body0,
        state.body1,
        state.low,
        state.high,
        food,
        hazards,
        state.stacked,
        state.snake0,
        state.snake1,
        state.round,
        due_word(pieces, sides),
        taken,
    )
