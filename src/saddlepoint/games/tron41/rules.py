"""The rules of Tron-41 on machine words: where a step leads, what a bomb clears, where a trap falls; and the symmetries of a map."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..interface import (
    Grid,
    GridSymmetry,
    Symmetry,
    board_of,
    free_cells,
    grid_symmetries,
    has_bit,
    int_of,
    is_empty,
    jit_inline,
    lowest,
    neighbour,
    shifted,
    single,
    words_of,
    words_of_board,
)


class State(NamedTuple):
    """A position; cells are indices of the game's grid, which leaves the border of walls out."""

    blocked: tuple[np.uint64, ...]
    """Walls, barriers, both heads, and every bit outside the field."""
    barriers: tuple[np.uint64, ...]
    """The blocked cells that a bomb clears and armor enters."""
    traps: tuple[np.uint64, ...]
    speeds: tuple[np.uint64, ...]
    bombs: tuple[np.uint64, ...]
    armors: tuple[np.uint64, ...]
    head0: int
    """Player 0's cell (`1` on the board); -1 after a crash."""
    head1: int
    turn: int
    """The player to move; while a trap is pending, the one to move after it."""
    armor0: int
    armor1: int
    speed0: int
    """Moves of player 0 that will keep the turn, 0 to 4."""
    speed1: int
    trapped: int
    """The player around whom chance is about to set a trap; -1: nobody."""


UP, RIGHT, DOWN, LEFT = range(4)

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
    return words_of_board(grid, board_of(grid, words) & ~single(grid, cell))


@jit_inline
def square(grid, cell, reach):
    """The cells at most `reach` rows and columns away, some of them perhaps beyond the field's edge."""
    board = single(grid, cell)
    for _ in range(reach):
        board = board | shifted(grid, board, RIGHT) | shifted(grid, board, LEFT)
    for _ in range(reach):
        board = board | shifted(grid, board, UP) | shifted(grid, board, DOWN)
    return board


@jit_inline
def trap_candidates(grid, blocked, traps, speeds, bombs, armors, cell):
    """The empty cells on the border of the 5x5 square around a cell."""
    ring = square(grid, cell, TRAP_REACH) & ~square(grid, cell, TRAP_REACH - 1)
    powerups = board_of(grid, traps) | board_of(grid, speeds) | board_of(grid, bombs) | board_of(grid, armors)
    return ring & free_cells(grid, blocked) & ~powerups


@jit_inline
def choices(candidates):
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
    cell = state.head0 if state.trapped == 0 else state.head1
    return trap_candidates(grid, state.blocked, state.traps, state.speeds, state.bombs, state.armors, cell)


_BOARDS = ("blocked", "barriers", "traps", "speeds", "bombs", "armors")


def moved(motion: GridSymmetry, state: State) -> State:
    words = motion.grid.words
    boards: Any = {name: words_of(motion.cells(int_of(getattr(state, name))), words) for name in _BOARDS}
    return state._replace(**boards, head0=motion.cell(int(state.head0)), head1=motion.cell(int(state.head1)))


def exchanged(state: State) -> State:
    """The position with the players' places, turns and possessions exchanged."""
    return state._replace(
        head0=state.head1,
        head1=state.head0,
        turn=1 - state.turn,
        armor0=state.armor1,
        armor1=state.armor0,
        speed0=state.speed1,
        speed1=state.speed0,
        trapped=1 - state.trapped if state.trapped >= 0 else -1,
    )


def symmetries(grid: Grid, state: State, trap_boards: Callable[[State], list[int]]) -> list[Symmetry]:
    """All motions that leave the walls where they are, with and without an exchange of the players.

    `trap_boards` gives the cells that each outcome of the pending trap blocks; none where no trap is pending.
    """
    heads = sum(1 << int(head) for head in (state.head0, state.head1) if head >= 0)
    walls = int_of(state.blocked) & ~int_of(state.barriers) & ~heads
    traps = trap_boards(state)
    found: list[Symmetry] = []
    for motion in grid_symmetries(grid):
        if motion.cells(walls) != walls:
            continue
        image, actions = moved(motion, state), motion.directions
        if traps:
            outcome_of = {cells: outcome for outcome, cells in enumerate(trap_boards(image))}
            actions = tuple(outcome_of[motion.cells(cells)] for cells in traps)
        if not motion.is_identity:
            found.append(Symmetry(image, actions, actions, False))
        found.append(Symmetry(exchanged(image), actions, actions, True))
    return found
