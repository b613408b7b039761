"""What next_state does: a round, and after it chance."""

import numpy as np

from ...boards.bitboard import board_of, count, empty, words_of_board
from ...boards.grid import with_bit
from ...boards.stack_words import board_on, pad_clear, pad_has, pad_of, pad_set
from ...compiled import jit_part
from .chance import NOTHING, cell_of, with_side
from .rules import (
    cause_before_collisions,
    cause_of_collision,
    health_after,
    next_on_path,
    stacked_at,
    target,
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
        board_on(pad, 0, state.food), board_on(pad, 1, state.food), board_on(pad, 2, state.food), board_on(pad, 3, state.food),
        left, state.hazards, state.stacked,
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
