"""Floods and territories against queues over lists of cells, over 10,000 random positions."""

import numpy as np
import pytest

from helpers.board_positions import board_of_row, write_board
from helpers.reference_boards import cells_of, distances, free_of, random_positions, territories
from helpers.sizes import PLAIN_ONLY, scaled
from saddlepoint.boards.flood import reachable, separated, voronoi
from saddlepoint.boards.grid import Grid
from saddlepoint.compiled import jit, run

pytestmark = pytest.mark.compiles_long
SOON = [pytest.mark.compiles_soon, pytest.mark.full]
SIZES = [
    pytest.param(4, 3, 1700, marks=PLAIN_ONLY),
    pytest.param(7, 7, 2000, marks=SOON),
    (8, 8, 1500),
    (16, 16, 2000),
    (32, 32, 200),
    *(pytest.param(*size, marks=PLAIN_ONLY) for size in ((13, 13, 1500), (17, 15, 900), (9, 20, 200))),
]


@jit
def floods(grid, walls, heads, boards, flags):
    for k in range(len(walls)):
        free = ~board_of_row(grid, walls[k])
        head0, head1 = heads[k, 0], heads[k, 1]
        for ties in range(3):  # of players there are 0 and 1
            found = voronoi(grid, head0, head1, free, ties)
            write_board(grid, found.territory0, boards[k, 3 * ties])
            write_board(grid, found.territory1, boards[k, 3 * ties + 1])
            write_board(grid, found.contested, boards[k, 3 * ties + 2])
            flags[k, ties] = not found.separated
        write_board(grid, reachable(grid, head0, free), boards[k, 9])
        flags[k, 3] = separated(grid, head0, head1, free)


@pytest.mark.plain
@pytest.mark.parametrize(("width", "height", "number"), SIZES)
def test_floods(width, height, number):
    grid, number = Grid(width, height), scaled(number)
    walls, heads = random_positions(grid, number, seed=width)
    boards, flags = np.zeros((number, 10, grid.words), np.uint64), np.zeros((number, 4), np.uint8)
    run(floods, grid, walls, heads, boards, flags)
    apart = 0
    for k in range(number):
        free = free_of(grid, walls[k])
        head0, head1 = (grid.position(int(head)) for head in heads[k])
        mine, yours, equal = territories(head0, head1, free)
        found = [cells_of(grid, words) for words in boards[k]]
        assert found[6:9] == [mine, yours, equal]
        assert found[0:3] == [mine | equal, yours, set()]
        assert found[3:6] == [mine, yours | equal, set()]
        reached = set(distances(head0, free))
        assert found[9] == reached
        shared = bool(reached & set(distances(head1, free)))
        assert flags[k].tolist() == [shared, shared, shared, not shared]
        apart += not shared
    assert 0 < apart < number  # the positions show both


@pytest.mark.plain
def test_heads_side_by_side_are_apart_where_each_blocks_the_other():
    # .0|1.  in one row: nobody can pass
    grid = Grid(4, 1)
    walls = np.array([[0b0110 | ~0b1111 & (1 << 64) - 1]], np.uint64)
    boards, flags = np.zeros((1, 10, 1), np.uint64), np.zeros((1, 4), np.uint8)
    run(floods, grid, walls, np.array([[1, 2]]), boards, flags)
    assert flags[0].tolist() == [0, 0, 0, 1]
    assert [cells_of(grid, boards[0, k]) for k in (0, 1)] == [{(0, 0)}, {(3, 0)}]
