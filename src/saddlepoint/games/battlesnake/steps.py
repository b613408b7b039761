"""What next_state does: a round, and after it chance."""

from ...boards.bitboard import board_of, count, empty, is_empty, single, words_of_board
from ...boards.grid import with_bit
from ...compiled import jit_part
from .chance import NOTHING, cell_of, with_side
from .rules import (
    cause_before_collisions,
    cause_of_collision,
    direction_at,
    health_after,
    target,
    vacated,
)  # fmt: skip
from .state import (
    ALIVE,
    FULL_HEALTH,
    MAYBE,
    NO_CELL,
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
)  # fmt: skip

# These are part of next_state whatever their size: called, they would hand a whole position over in memory, twice.


@jit_part
def due_after(game, round_, food):
    """What chance is to do after a round that leaves this board of food, and two snakes alive."""
    pieces, sides = 0, 0
    if game.has_food:
        pieces = max(0, game.minimum_food - count(food))
        if pieces == 0 and game.food_probability > 0.0:
            pieces = MAYBE
    if game.royale and round_ % game.shrink_every == 0:
        sides = 1
    return due_word(pieces, sides)


@jit_part
def marked(grid, snake, flag):
    """The board of a snake's head where the flag is not 0, else none: without a branch, for directions are as good as random."""
    return single(grid, head_of(snake) if flag != 0 else NO_CELL)


@jit_part
def after_round(game, state, action0, action1):
    """The position after both moves, before chance."""
    grid, wrapped, damage = game.grid, game.wrapped, game.hazard_damage
    snake0, snake1 = state.snake0, state.snake1
    head0 = target(grid, head_of(snake0), action0, wrapped)
    head1 = target(grid, head_of(snake1), action1, wrapped)
    gone0, gone1 = vacated(grid, snake0), vacated(grid, snake1)
    low0, low1 = marked(grid, snake0, action0 & 1), marked(grid, snake1, action1 & 1)
    high0, high1 = marked(grid, snake0, action0 & 2), marked(grid, snake1, action1 & 2)
    low, high = board_of(grid, state.low) | low0 | low1, board_of(grid, state.high) | high0 | high1
    low, high = low & ~(gone0 | gone1), high & ~(gone0 | gone1)
    # The lists from the second cell on, which collisions are about.
    own0, own1 = board_of(grid, state.body0) & ~gone0, board_of(grid, state.body1) & ~gone1
    tail0, tail1 = tail_of(snake0), tail_of(snake1)
    coiled0, coiled1 = coiled_of(snake0) - 1, coiled_of(snake1) - 1
    if coiled0 < 0:
        coiled0, tail0 = 0, target(grid, tail0, direction_at(state, tail0), wrapped)
    if coiled1 < 0:
        coiled1, tail1 = 0, target(grid, tail1, direction_at(state, tail1), wrapped)
    new0, new1 = single(grid, head0), single(grid, head1)
    food = board_of(grid, state.food)
    on_food0, on_food1 = not is_empty(food & new0), not is_empty(food & new1)
    health0, poisoned0 = health_after(grid, state, health_of(snake0), head0, on_food0, damage)
    health1, poisoned1 = health_after(grid, state, health_of(snake1), head1, on_food1, damage)
    length0, length1 = length_of(snake0), length_of(snake1)
    if on_food0:
        health0, length0, coiled0, food = FULL_HEALTH, length0 + 1, coiled0 + 1, food & ~new0
    if on_food1:
        health1, length1, coiled1, food = FULL_HEALTH, length1 + 1, coiled1 + 1, food & ~new1
    cause0 = cause_before_collisions(health0, head0, poisoned0)
    cause1 = cause_before_collisions(health1, head1, poisoned1)
    there0, there1 = cause0 == ALIVE, cause1 == ALIVE
    in00, in01 = not is_empty(own0 & new0), not is_empty(own1 & new0)
    in10, in11 = not is_empty(own0 & new1), not is_empty(own1 & new1)
    collision0 = cause_of_collision(in00, in01, there1, head0 == head1, length0, length1)
    collision1 = cause_of_collision(in11, in10, there0, head0 == head1, length1, length0)
    cause0 = collision0 if there0 else cause0
    cause1 = collision1 if there1 else cause1
    if game.constrictor:
        food, health0, health1 = empty(grid), FULL_HEALTH, FULL_HEALTH
        if coiled0 == 0:
            coiled0, length0 = 1, length0 + 1
        if coiled1 == 0:
            coiled1, length1 = 1, length1 + 1
    due = 0
    if cause0 == ALIVE and cause1 == ALIVE:
        due = due_after(game, state.round + 1, food)
    return State(
        words_of_board(grid, own0 | new0), words_of_board(grid, own1 | new1), words_of_board(grid, low),
        words_of_board(grid, high), words_of_board(grid, food), state.hazards, state.stacked,
        snake_word(head0, tail0, health0, cause0, length0, coiled0), snake_word(head1, tail1, health1, cause1, length1, coiled1),
        state.round + 1, due, state.taken,
    )  # fmt: skip


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
        state.body0, state.body1, state.low, state.high, food, hazards, state.stacked, state.snake0, state.snake1, state.round,
        due_word(pieces, sides), taken,
    )  # fmt: skip
