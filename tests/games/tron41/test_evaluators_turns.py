"""The territories of players who move in turn, against a queue over lists of cells, over random positions."""

import numpy as np
import pytest

from helpers.board_positions import board_of_row, write_board
from helpers.reference_boards import around, cells_of, distances, free_of, random_positions, territories
from helpers.sizes import PLAIN_ONLY, scaled
from saddlepoint.boards.grid import Grid
from saddlepoint.compiled import jit, run
from saddlepoint.games.tron41.evaluators import turn_voronoi

pytestmark = pytest.mark.compiles_long
SOON = [pytest.mark.compiles_soon, pytest.mark.full]


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
