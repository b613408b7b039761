"""Boards against sets of cells."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.board_positions import board_of_row, write_board
from helpers.sizes import PLAIN_ONLY, scaled
from saddlepoint.boards.bitboard import (
    board_of,
    contains,
    count,
    is_empty,
    lowest,
    neighbours,
    shifted,
    single,
    words_of_board,
)
from saddlepoint.boards.grid import Grid, words_of
from saddlepoint.compiled import jit, run

pytestmark = pytest.mark.plain
GRIDS = [
    pytest.param(Grid(8, 8), marks=pytest.mark.compiles_soon),
    Grid(16, 16),
    Grid(11, 12),  # three words: a register with padding
    pytest.param(Grid(17, 15), marks=PLAIN_ONLY),
    Grid(9, 20),
]


@jit
def steps(grid, row, out):
    board = board_of_row(grid, row)
    write_board(grid, shifted(grid, board, 0), out[0])
    write_board(grid, shifted(grid, board, 2), out[1])
    write_board(grid, shifted(grid, board, 1), out[2])
    write_board(grid, shifted(grid, board, 3), out[3])
    write_board(grid, neighbours(grid, board), out[4])
    same = board | board
    return (
        count(board),
        is_empty(board),
        -1 if is_empty(board) else lowest(board),
        same == board,
        same != ~board,
    )


@jit
def membership(grid, row, out):
    board = board_of_row(grid, row)
    for cell in range(len(out)):
        out[cell] = contains(grid, board, cell) and lowest(single(grid, cell)) == cell


@jit
def round_trip(grid, words):
    return words_of_board(grid, board_of(grid, words))


@pytest.mark.compiles_long
@pytest.mark.parametrize("grid", GRIDS, ids=str)
@settings(max_examples=scaled(60, 20), deadline=None)
@given(data=st.data())
def test_steps_move_lanes_and_bits(grid, data):
    bits = data.draw(st.integers(0, (1 << 64 * grid.words) - 1))
    row, out = np.array(words_of(bits, grid.words), np.uint64), np.zeros((5, grid.words), np.uint64)
    stride, full = grid.stride, (1 << 64 * grid.words) - 1
    first = sum(1 << k for k in range(0, 64 * grid.words, stride))
    expected = [
        bits >> stride,
        bits << stride & full,
        (bits & ~(first << stride - 1)) << 1,
        (bits & ~first) >> 1,
    ]
    expected.append(expected[0] | expected[1] | expected[2] | expected[3])
    number, nothing, least, same, different = run(steps, grid, row, out)
    assert [tuple(int(w) for w in words) for words in out] == [words_of(b, grid.words) for b in expected]
    assert (number, nothing, same, different) == (bits.bit_count(), bits == 0, True, True)
    assert least == (bits & -bits).bit_length() - 1


@pytest.mark.compiles_long
@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_membership_and_words(grid):
    rng = np.random.default_rng(5)
    for _ in range(20):
        row = rng.integers(0, 1 << 64, grid.words, np.uint64)
        out = np.zeros(64 * grid.words, np.uint8)
        run(membership, grid, row, out)
        assert out.tolist() == [int(row[c >> 6]) >> (c & 63) & 1 for c in range(len(out))]
        words = tuple(row)
        assert run(round_trip, grid, words) == words
