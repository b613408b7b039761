"""Boards that a round changes bit by bit."""

import numpy as np
from hypothesis import given, strategies as st

from saddlepoint.boards.grid import int_of, words_of
from saddlepoint.boards.images import board_on, pad_of
from saddlepoint.compiled import jit
from saddlepoint.games.battlesnake.rules import pad_clear, pad_has, pad_set

WORDS = 3
BOARD = st.integers(0, 2 ** (64 * WORDS) - 1)
CELL = st.integers(0, 64 * WORDS - 1)
FLAG = st.integers(0, 1)


@jit
def changed(first, second, cell, other, flag):
    """Two boards after a cell of each was changed if `flag` is 1; whether both cells were set in the second one before."""
    pad = pad_of(first + second)
    before = pad_has(pad, len(first), cell), pad_has(pad, len(first), other)
    pad_set(pad, 0, cell, flag)
    pad_clear(pad, len(first), other, flag)
    return board_on(pad, 0, first), board_on(pad, 1, first), before


def words(bits):
    return tuple(np.uint64(word) for word in words_of(bits, WORDS))


@given(BOARD, BOARD, CELL, CELL, FLAG)
def test_single_bits_of_two_boards_are_set_and_cleared(first, second, cell, other, flag):
    one, two, before = changed(words(first), words(second), cell, other, flag)
    assert tuple(before) == (second >> cell & 1, second >> other & 1)
    assert int_of(one) == first | flag << cell
    assert int_of(two) == second & ~(flag << other)
