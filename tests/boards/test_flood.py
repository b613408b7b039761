"""Floods and territories against queues over lists of cells, over 10,000 random positions; and where the players move in turn."""

import numpy as np
import pytest

from helpers.board_positions import board_of_row, write_board
from helpers.reference_boards import around, cells_of, distances, free_of, random_positions, territories
from helpers.sizes import PLAIN_ONLY, scaled
from saddlepoint.boards.flood import NOBODY, PLAYER_0, PLAYER_1, reachable, separated, turn_voronoi, voronoi
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
        for ties in range(3):
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
        assert found[3 * NOBODY : 3 * NOBODY + 3] == [mine, yours, equal]
        assert found[3 * PLAYER_0 : 3 * PLAYER_0 + 3] == [mine | equal, yours, set()]
        assert found[3 * PLAYER_1 : 3 * PLAYER_1 + 3] == [mine, yours | equal, set()]
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


# -- in turn -------------------------------------------------------------------------------------------------------------


@jit
def floods_in_turn(grid, walls, heads, turns, boards, touching):
    for k in range(len(walls)):
        free = ~board_of_row(grid, walls[k])
        found = turn_voronoi(grid, heads[k, 0], heads[k, 1], free, turns[k, 0], turns[k, 1], turns[k, 2])
        write_board(grid, found.territory0, boards[k, 0])
        write_board(grid, found.territory1, boards[k, 1])
        touching[k] = not found.separated


def claimed(heads, free, turn, extras):
    """Each move of a player claims the free cells next to the ones claimed by its last move."""
    fronts, owned, extras = [{heads[0]}, {heads[1]}], [set(), set()], list(extras)
    left, idle, patience = set(free) - set(heads), 0, 2 * sum(extras) + 4
    while idle < patience:
        fronts[turn] = {there for cell in fronts[turn] for there in around(cell) if there in left}
        owned[turn] |= fronts[turn]
        left -= fronts[turn]
        idle = 0 if fronts[turn] else idle + 1
        if extras[turn] > 0:
            extras[turn] -= 1
        else:
            turn = 1 - turn
    return owned


@pytest.mark.plain
@pytest.mark.parametrize(
    ("width", "height", "number"),
    [pytest.param(5, 5, 1500, marks=SOON), pytest.param(11, 11, 1000, marks=PLAIN_ONLY), (15, 15, 1000)],
)
def test_a_cell_goes_to_who_arrives_first(width, height, number):
    grid, number = Grid(width, height), scaled(number)
    walls, heads = random_positions(grid, number, seed=width)
    turns = np.random.default_rng(width).integers([0, 0, 0], [2, 5, 5], (number, 3))
    turns[::2, 1:] = 0
    boards, touching = np.zeros((number, 2, grid.words), np.uint64), np.zeros(number, np.uint8)
    run(floods_in_turn, grid, walls, heads, turns, boards, touching)
    apart = 0
    for k in range(number):
        free, places = free_of(grid, walls[k]), [grid.position(int(head)) for head in heads[k]]
        turn, *extras = turns[k].tolist()
        owned = claimed(places, free, turn, extras)
        assert [cells_of(grid, boards[k, p]) for p in (0, 1)] == owned
        reached = [set(distances(place, free)) for place in places]
        assert bool(touching[k]) == bool(reached[0] & reached[1])
        apart += not touching[k]
        if extras == [0, 0]:  # strictly in turn: equal distances go to who moves first
            mine, yours, equal = territories(*places, free)
            assert owned == [mine | (equal if turn == 0 else set()), yours | (equal if turn == 1 else set())]
    assert 0 < apart < number
