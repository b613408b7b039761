"""Counting how long one rider can go on, against the exact search for the longest path."""

import random

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.boards.bitboard import free_cells
from saddlepoint.boards.fill_bounds import counted_fill, fillable_bound
from saddlepoint.boards.grid import Grid, int_of, words_of
from saddlepoint.boards.longest_path import solve_fill
from saddlepoint.compiled import jit, run

pytestmark = [pytest.mark.plain]

GRID = Grid(7, 6)


@jit
def counted(grid, head, walls, enough, nodes):
    free = free_cells(grid, walls)
    most = fillable_bound(grid, head, free)
    return most, counted_fill(grid, head, free, most, enough, nodes)


def boards(number, seed):
    """(head, walls with the head among them) at random, a third of the cells walls."""
    draw = random.Random(seed)
    for _ in range(number):
        cells = [GRID.cell(x, y) for x in range(GRID.width) for y in range(GRID.height)]
        head = draw.choice(cells)
        taken = sum(1 << cell for cell in cells if cell == head or draw.random() < 1 / 3)
        yield head, tuple(words_of(int_of(GRID.outside) | taken, GRID.words))


def test_with_nodes_enough_it_is_the_longest_path():
    lower_than_the_bound = 0
    for head, walls in boards(30, 1):
        exact = solve_fill(GRID, walls, head)
        most, (lower, upper) = run(counted, GRID, head, walls, 1000, 100_000)
        assert lower == upper == exact.lower == exact.upper <= most
        lower_than_the_bound += upper < most
        _, (lower, upper) = run(counted, GRID, head, walls, 4, 100_000)  # it ends with what is enough
        assert min(4, exact.lower) <= lower <= exact.lower <= upper
    assert lower_than_the_bound > 0


@COMPILED_ONLY
def test_with_few_nodes_it_is_a_pair_of_bounds():
    counted_at_all = 0
    for head, walls in boards(40, 2):
        exact = solve_fill(GRID, walls, head).lower
        for nodes in (0, 3, 10, 30):
            _, (lower, upper) = run(counted, GRID, head, walls, 1000, nodes)
            assert lower <= exact <= upper
            counted_at_all += lower == upper
    assert counted_at_all > 30
