"""States as words: what goes in comes out, the same words in compiled code and in plain Python, and a hash of all of them."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

from saddlepoint.compiled import hash_of_words, jit, put_words, run, state_from_words, word_count

pytestmark = pytest.mark.plain


class Place(NamedTuple):
    column: np.int8
    row: np.uint16


class Board(NamedTuple):
    count: int
    bits: np.uint64
    over: bool
    weight: float
    place: Place
    rows: tuple[np.uint8, ...]
    pair: tuple[int, float]


BOARDS = st.builds(
    Board,
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 2**64 - 1).map(np.uint64),
    st.booleans(),
    st.floats(allow_nan=False),
    st.builds(Place, st.integers(-128, 127).map(np.int8), st.integers(0, 65535).map(np.uint16)),
    st.tuples(*[st.integers(0, 255).map(np.uint8)] * 3),
    st.tuples(st.integers(-5, 5), st.floats(-1, 1)),
)


@jit
def written(state, out):
    put_words(state, out)
    return word_count(state)


@jit
def hashed(state):
    return hash_of_words(state)


@jit
def read(words, like):
    return state_from_words(words, like)


def words_of(state: Any) -> list[int]:
    out = np.zeros(16, np.uint64)
    count = run(written, state, out)
    assert count == word_count(state)
    return out[:count].tolist()


@given(BOARDS)
def test_a_state_comes_back_from_its_words(board):
    words = words_of(board)
    plain = np.zeros(len(words), np.uint64)
    put_words(board, plain)
    assert words == plain.tolist()
    assert run(read, plain, board) == state_from_words(plain, board) == board


@given(BOARDS, BOARDS)
def test_the_hash_is_of_all_words(one, other):
    assert int(run(hashed, one)) == int(hash_of_words(one))
    same = int(run(hashed, one)) == int(run(hashed, other))
    assert same == (words_of(one) == words_of(other))


@given(BOARDS)
def test_another_number_anywhere_is_another_hash(board):
    others = [
        board._replace(count=board.count ^ 1),
        board._replace(bits=board.bits ^ np.uint64(2**63)),
        board._replace(over=not board.over),
        board._replace(rows=(*board.rows[:2], np.uint8(board.rows[2] ^ 1))),
        board._replace(pair=(board.pair[0] + 1, board.pair[1])),
    ]
    assert len({int(hash_of_words(other)) for other in (board, *others)}) == 6
