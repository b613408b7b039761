"""Boards on which pieces fall, against lists of cells."""

import pytest
from hypothesis import given, strategies as st

from helpers.reference_lines import lines_of
from saddlepoint.boards.columns import Columns


@st.composite
def boards(draw):
    """Columns with two disjoint random boards."""
    rows, cols = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    columns = Columns(rows, cols, draw(st.integers(1, max(rows, cols))))
    board = draw(st.integers(0, columns.inside)) & columns.inside
    gaps = draw(st.integers(0, columns.inside)) & columns.inside & ~board
    return columns, board, gaps


def members(columns, board):
    return {
        (row, col)
        for row in range(columns.rows)
        for col in range(columns.cols)
        if board >> columns.cell(row, col) & 1
    }


@given(boards())
def test_lines_and_what_would_complete_them(case):
    columns, board, gaps = case
    own, free = members(columns, board), members(columns, gaps)
    lines = lines_of(columns.rows, columns.cols, columns.win)
    held = [set(line) for line in lines if set(line) <= own]
    assert columns.any_run(board) == bool(held)
    found = [columns.position(cell) for cell in columns.first_run(board)]
    assert set(found) in held if held else found == []
    lacking = {cell for line in lines for cell in line if cell in free and set(line) - {cell} <= own}
    assert members(columns, columns.completing(board, gaps)) == lacking


@given(boards(), st.integers(1, 25), st.integers(1, 12))
def test_runs_of_any_length(case, length, step):
    _, board, gaps = case
    columns = Columns(1, 1, length)
    for start in range(board.bit_length() + gaps.bit_length() + 1):
        places = [start + k * step for k in range(length)]
        whole = all(board >> place & 1 for place in places)
        absent = [place for place in places if not board >> place & 1]
        assert columns.runs(board, step) >> start & 1 == whole
        assert columns.runs_by_gaps(board, gaps, step, 1)[1] >> start & 1 == (
            len(absent) == 1 and gaps >> absent[0] & 1
        )
        assert all(columns.spread(1 << start, step) >> place & 1 for place in places)
    assert columns.spread(1, step).bit_count() == length


@given(boards(), st.data())
def test_gravity_and_the_mirror(case, data):
    columns, board, _ = case
    heights = [data.draw(st.integers(0, columns.rows)) for _ in range(columns.cols)]
    filled = sum(((1 << height) - 1) << col * columns.height for col, height in enumerate(heights))
    lowest = {(height, col) for col, height in enumerate(heights) if height < columns.rows}
    assert members(columns, columns.landings(filled)) == lowest
    image = members(columns, columns.mirrored(board))
    assert image == {(row, columns.cols - 1 - col) for row, col in members(columns, board)}
    assert columns.mirrored(columns.mirrored(board)) == board


def test_lines_are_walked_in_the_order_of_the_framework():
    columns = Columns(2, 3, 2)
    walked = [[columns.position(cell) for cell in line] for line in columns.lines()]
    assert walked == [
        [(0, 0), (0, 1), (0, 2)],
        [(1, 0), (1, 1), (1, 2)],
        [(0, 0), (1, 0)],
        [(0, 1), (1, 1)],
        [(0, 2), (1, 2)],
        [(1, 0)],
        [(0, 0), (1, 1)],
        [(0, 1), (1, 2)],
        [(0, 2)],
        [(1, 2)],
        [(0, 2), (1, 1)],
        [(0, 1), (1, 0)],
        [(0, 0)],
    ]


@pytest.mark.parametrize(
    ("size", "words"), [((6, 7), 1), ((7, 8), 1), ((8, 13), 2), ((9, 37), 6), ((18, 22), 7), ((33, 42), 23)]
)
def test_words_of_a_board(size, words):
    assert Columns(*size, 4).words == words
