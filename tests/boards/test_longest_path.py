"""The longest path: exact against trying everything, bounds on either side always, and the count of how long one rider can go on."""

import random
import threading
import time

import numpy as np
import pytest

from helpers import reference_boards as reference
from helpers.board_positions import board_of_row
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint.algorithms import StopToken
from saddlepoint.boards.bitboard import free_cells
from saddlepoint.boards.flood import reachable
from saddlepoint.boards.grid import Grid, int_of, words_of
from saddlepoint.boards.longest_path import (
    counted_fill,
    fillable_bound,
    greedy_fill,
    parity_bound,
    solve_fill,
)
from saddlepoint.compiled import jit, run


@jit
def bounds(grid, walls, heads, path, out):
    for k in range(len(walls)):
        free = ~board_of_row(grid, walls[k])
        out[k, 0] = greedy_fill(grid, heads[k, 0], free, path)
        out[k, 1] = fillable_bound(grid, heads[k, 0], free)
        out[k, 2] = parity_bound(grid, heads[k, 0], reachable(grid, heads[k, 0], free))


def random_bounds(width, height, number, seed):
    """Grid, walls and heads of random positions, and for each the bounds above."""
    grid = Grid(width, height)
    walls, heads = reference.random_positions(grid, number, seed)
    out = np.zeros((number, 3), np.int64)
    run(bounds, grid, walls, heads, np.zeros(64 * grid.words, np.int64), out)
    return grid, walls, heads, out


def walls_of(grid, rows):
    """Words and head of a drawing: `.` free, `x` blocked, `0` the head."""
    walls, head = int_of(grid.outside), -1
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            walls |= (mark != ".") << grid.cell(x, y)
            head = grid.cell(x, y) if mark == "0" else head
    return tuple(walls >> 64 * k & (1 << 64) - 1 for k in range(grid.words)), head


@pytest.mark.compiles_long
@pytest.mark.plain
@pytest.mark.parametrize(
    ("width", "height", "number"),
    [(4, 3, 1500), pytest.param(5, 5, 700, marks=[pytest.mark.compiles_soon, pytest.mark.full])],
)
def test_exact_and_bracketed(width, height, number):
    number, tight = scaled(number), 0
    grid, walls, heads, out = random_bounds(width, height, number, seed=3)
    for k in range(number):
        free = reference.free_of(grid, walls[k])
        head = grid.position(int(heads[k, 0]))
        longest = reference.longest_path(head, free)
        assert out[k, 0] <= longest <= out[k, 1] <= out[k, 2]
        tight += out[k, 1] == longest
        found = solve_fill(grid, tuple(walls[k]), int(heads[k, 0]))
        assert (found.lower, found.upper, found.exact) == (longest, longest, True)
        path = [grid.position(cell) for cell in found.path]
        assert len(path) == longest
        assert reference.is_path(head, path, free)
    assert tight > 0.8 * number


@pytest.mark.compiles_long
@pytest.mark.parametrize(("width", "height", "number"), [(5, 5, 500), (8, 8, 500), (15, 15, 300)])
def test_the_bound_is_the_best_chain_of_blocks(width, height, number):
    grid, walls, heads, out = random_bounds(width, height, scaled(number), seed=6)
    for k in range(len(heads)):
        expected = reference.fillable(grid.position(int(heads[k, 0])), reference.free_of(grid, walls[k]))
        assert out[k, 1] == expected


@pytest.mark.compiles_long
@pytest.mark.parametrize(("width", "height", "number"), [(8, 8, 60), (16, 16, 20)])
def test_stopped_searches_bracket_finished_ones(width, height, number):
    grid, number = Grid(width, height), scaled(number, 2)
    walls, heads = reference.random_positions(grid, number, seed=4)
    for k in range(number):
        free, head = reference.free_of(grid, walls[k]), grid.position(int(heads[k, 0]))
        longer = solve_fill(grid, tuple(walls[k]), int(heads[k, 0]), nodes=scaled(20_000, 200))
        for nodes in (1, 30):
            short = solve_fill(grid, tuple(walls[k]), int(heads[k, 0]), nodes=nodes)
            assert short.lower <= longer.lower <= longer.upper <= short.upper
            assert short.nodes <= nodes + 1
            assert reference.is_path(head, [grid.position(cell) for cell in short.path], free)


@pytest.mark.compiles_long
@pytest.mark.plain
@pytest.mark.parametrize(
    ("rows", "longest"),
    [
        # Both ways from a to b: one way round, then back along the other is cut off by neither articulation point alone.
        (["xx...xx", "0..x...", "xx...xx"], 9),
        # By parity: the other colour has five cells, the head's own three more: 2 * 3 + 1 steps.
        ([".0.", "...", "..."], 7),
    ],
)
def test_a_path_of_known_length_is_found(rows, longest):
    grid = Grid(len(rows[0]), len(rows))
    walls, head = walls_of(grid, rows)
    found = solve_fill(grid, walls, head)
    assert (found.lower, found.exact) == (longest, True)
    assert reference.longest_path(grid.position(head), reference.free_of(grid, walls)) == longest


def hard_position():
    grid = Grid(16, 16)
    walls, heads = reference.random_positions(grid, 40, seed=9)
    for k in range(40):
        found = solve_fill(grid, tuple(walls[k]), int(heads[k, 0]), nodes=scaled(20_000))
        if not found.exact:
            return grid, tuple(walls[k]), int(heads[k, 0])
    raise AssertionError("no position of these is hard")


@pytest.mark.compiles_long
def test_a_deadline_and_another_thread_end_the_search():
    grid, walls, head = hard_position()
    started = time.monotonic()
    assert not solve_fill(grid, walls, head, seconds=0.1).exact or time.monotonic() - started < 0.1
    assert time.monotonic() - started < 60  # it ended: the whole search would take hours

    token = StopToken()
    threading.Timer(0.1, token.stop).start()
    started = time.monotonic()
    solve_fill(grid, walls, head, seconds=20.0, stop=token)
    assert time.monotonic() - started < 60


# -- counting ------------------------------------------------------------------------------------------------------------

GRID = Grid(5, 5)


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


@pytest.mark.plain
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


@pytest.mark.plain
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
