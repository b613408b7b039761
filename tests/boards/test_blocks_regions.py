"""Choke points, edges and the cells that may cut a region, against the textbook."""

import sys

import numpy as np
import pytest

from helpers import reference_boards as reference
from helpers.board_positions import board_of_row, write_board
from helpers.sizes import PLAIN_ONLY, scaled
from saddlepoint.boards.bitboard import single
from saddlepoint.boards.blocks import choke_points, edges, local_cuts
from saddlepoint.boards.grid import Grid
from saddlepoint.compiled import jit, run

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

SOON = [pytest.mark.compiles_soon, pytest.mark.full]
SIZES = [
    pytest.param(7, 7, 3000, marks=SOON),
    (16, 16, 2500),
    (32, 32, 100),
    *(pytest.param(*size, marks=PLAIN_ONLY) for size in ((4, 3, 2000), (13, 13, 2000), (17, 15, 400))),
]


@jit
def shapes(grid, walls, heads, boards, numbers):
    for k in range(len(walls)):
        free = ~board_of_row(grid, walls[k])
        region = free | single(grid, heads[k, 0])
        write_board(grid, choke_points(grid, free, free), boards[k, 0])
        write_board(grid, local_cuts(grid, region), boards[k, 1])
        numbers[k] = edges(grid, free, region)


@pytest.mark.parametrize(("width", "height", "number"), SIZES)
def test_shapes(width, height, number):
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        grid, number = Grid(width, height), scaled(number, 4)
        walls, heads = reference.random_positions(grid, number, seed=width + 1)
        boards, numbers = np.zeros((number, 2, grid.words), np.uint64), np.zeros(number, np.int64)
        run(shapes, grid, walls, heads, boards, numbers)
        for k in range(number):
            free = reference.free_of(grid, walls[k])
            region = free | {grid.position(int(heads[k, 0]))}
            cuts = reference.articulation_points(region)
            assert reference.cells_of(grid, boards[k, 0]) == reference.choke_points(free, free)
            assert reference.cells_of(grid, boards[k, 1]) >= cuts
            assert numbers[k] == reference.edges(free, region)
    finally:
        sys.setrecursionlimit(depth)
