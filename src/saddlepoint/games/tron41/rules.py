"""The rules on machine words: where a step leads, what a bomb clears, where a trap falls."""

from ...boards.bitboard import (
    board_of,
    count,
    east,
    free_cells,
    is_empty,
    lowest,
    north,
    single,
    south,
    west,
    words_of_board,
)  # fmt: skip
from ...boards.grid import has_bit, neighbour
from ...compiled import jit_inline

FAST_MOVES = 4
"""The speed counter after a pick-up."""

BOMB_REACH = 4
TRAP_REACH = 2
TRAP_CELLS = 3
MOST_TRAPS = 560
"""Ways to choose three of the sixteen cells around the opponent."""


@jit_inline
def survives(grid, state, cell, direction, armored):
    """Whether a step from the cell does not crash; `armored`: barriers may be entered."""
    there = neighbour(grid, cell, direction)
    if there < 0:
        return False
    return not has_bit(state.blocked, there) or (armored and has_bit(state.barriers, there))


@jit_inline
def without_bit(grid, words, cell):
    """The words with the cell's bit cleared."""
    return words_of_board(grid, board_of(grid, words) & ~single(grid, cell))


@jit_inline
def square(grid, cell, reach):
    """The cells at most so many rows and columns away, those beyond the field's edge cut off by whoever asks."""
    board = single(grid, cell)
    for _ in range(reach):
        board = board | east(grid, board) | west(grid, board)
    for _ in range(reach):
        board = board | north(grid, board) | south(grid, board)
    return board


@jit_inline
def trap_candidates(grid, blocked, traps, speeds, bombs, armors, cell):
    """The empty cells on the border of the 5x5 square around a cell."""
    ring = square(grid, cell, TRAP_REACH) & ~square(grid, cell, TRAP_REACH - 1)
    powerups = board_of(grid, traps) | board_of(grid, speeds) | board_of(grid, bombs) | board_of(grid, armors)
    return ring & free_cells(grid, blocked) & ~powerups


@jit_inline
def choices(candidates):
    """The number of ways to choose three of them."""
    return candidates * (candidates - 1) * (candidates - 2) // 6


@jit_inline
def chosen_cells(grid, candidates, outcome):
    """Three of the candidates, by their number in the combinatorial number system (0 is the three lowest cells)."""
    third = 2
    while choices(third + 1) <= outcome:
        third += 1
    rest = outcome - choices(third)
    second = 1
    while (second + 1) * second // 2 <= rest:
        second += 1
    first = rest - second * (second - 1) // 2
    chosen = candidates & ~candidates
    place = 0
    while not is_empty(candidates) and place <= third:
        here = single(grid, lowest(candidates))
        if place in (first, second, third):
            chosen = chosen | here
        candidates = candidates & ~here
        place += 1
    return chosen


@jit_inline
def candidates_of(grid, state):
    """The cells that the pending trap may take."""
    cell = state.head0 if state.trapped == 0 else state.head1
    return trap_candidates(grid, state.blocked, state.traps, state.speeds, state.bombs, state.armors, cell)


@jit_inline
def pending_choices(grid, state):
    """The number of outcomes of the pending trap."""
    return choices(count(candidates_of(grid, state)))
