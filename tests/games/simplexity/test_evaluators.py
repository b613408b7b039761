"""The evaluators of Simplexity against their definitions over lists of cells."""

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers import reference_simplexity as reference
from helpers.reference_lines import lines_of, threats_told
from helpers.sizes import scaled
from saddlepoint.games.simplexity import BrokenRuns, CentreDistance, Lines, Simplexity

pytestmark = pytest.mark.compiles_long
GAME = Simplexity()

# Lines of the board as (start, step) with the walks of the framework: from the left, from below.
WALKS = ((0, 1), (1, 0), (1, 1), (1, -1))


@st.composite
def positions(draw, most_rows=7, most_cols=8):
    """A game and a position of it, as a state and as lists of cells; never one with a line."""
    rows, cols = draw(st.integers(1, most_rows)), draw(st.integers(1, most_cols))
    win = draw(st.integers(2, 5).filter(lambda win: win <= max(rows, cols) or max(rows, cols) < 2))
    game, draw_moves = (
        Simplexity(rows, max(cols, win), win, 9, 10),
        np.random.default_rng(draw(st.integers(0, 10**6))),
    )
    return game, *reference.quiet_game(game, draw_moves, draw_moves.integers(0, min(game.last_move, 60) + 1))


def unlike(one, other):
    return one[0] != other[0] and one[1] != other[1]


def walked_lines(board):
    """Every row, column and diagonal from its first cell on."""
    for row in range(board.rows):
        for col in range(board.cols):
            for up, right in WALKS:
                if row - up >= 0 and 0 <= col - right < board.cols:
                    continue  # not its first cell
                line, at = [], (row, col)
                while at[0] < board.rows and 0 <= at[1] < board.cols:
                    line.append(board.at(*at))
                    at = at[0] + up, at[1] + right
                yield line


def steps_of(board):
    """Runs alike in shape or colour, of two or more, that an unlike piece broke."""
    steps = 0
    for line in walked_lines(board):
        run, previous = 0, None
        for piece in line:
            if piece is None:
                run = 0
            elif previous is None or not unlike(piece, previous):
                run += 1
            else:
                steps += run >= 2
                run = 1
            previous = piece
    return steps


@settings(max_examples=scaled(100))
@given(positions())
def test_broken_runs(position):
    game, state, board = position
    evaluator, steps = BrokenRuns(step=0.5).plain, steps_of(board)
    assert evaluator.raw(game.plain, state) == (0.5 * steps if state.moves % 2 else -0.5 * steps)
    for depth in range(4):
        assert evaluator.along_path(game.plain, state, depth) == (-1) ** depth * 0.5 * steps


@pytest.mark.parametrize(
    ("row", "worth"),
    [
        (
            "wWrWr..",
            1.0,
        ),  # white round and square are alike by colour; the red round one differs from the square in both
        ("Wr.....", 0.0),  # a run of one was broken, and that is nothing
    ],
)
def test_broken_runs_of_a_row(row, worth):
    state = GAME.from_text("/".join([row, *["......."] * 5]))
    assert BrokenRuns().along_path(GAME, state, 0) == worth


def centre_sum(board):
    """The framework's loop, in its 32-bit numbers."""

    def distance(x1, y1, x2, y2):
        return np.float32(math.sqrt(math.pow(x1 - x2, 2) + math.pow(y1 - y2, 2)))

    row0, col0 = board.rows // 2, board.cols // 2
    most, total = distance(row0, col0, 0, 0), np.float32(0)
    for row in range(board.rows):
        for col in range(board.cols):
            piece = board.at(row, col)
            if piece is not None:
                for own in (piece[0] == "w", piece[1] == "r"):
                    near = most - distance(row0, col0, row, col)
                    total = total + near if own else total - near
    return float(total)


@settings(max_examples=scaled(100))
@given(positions())
def test_centre_distance(position):
    game, state, board = position
    assert CentreDistance().plain.raw(game.plain, state) == centre_sum(board)


def line_counts(board):
    open_, pairs, missing = [0] * 4, [0] * 4, [set(), set(), set(), set()]
    members = [lambda p: p[1] == "r", lambda p: p[1] == "s", lambda p: p[0] == "w", lambda p: p[0] == "r"]
    for line in lines_of(board.cols, board.rows, board.win):
        window = [((x, y), board.at(y, x)) for x, y in line]
        gaps = [cell for cell, piece in window if piece is None]
        for k, is_member in enumerate(members):
            if all(piece is None or is_member(piece) for _, piece in window):
                open_[k] += 1
                pairs[k] += len(gaps) == 2
                if len(gaps) == 1:
                    missing[k].add(gaps[0])
    has = {kind for kind, left in board.supplies.items() if left > 0}
    rounds, squares, whites, reds = missing
    white = (rounds | whites if ("w", "r") in has else set()) | (
        whites - squares if ("w", "s") in has else set()
    )
    red = (squares | reds if ("r", "s") in has else set()) | (reds - rounds if ("r", "r") in has else set())
    places = {(col, len(column)) for col, column in enumerate(board.columns) if len(column) < board.rows}
    return (
        open_[0] - open_[1],
        open_[2] - open_[3],
        pairs[0] - pairs[1],
        pairs[2] - pairs[3],
        *threats_told((white, red), places, "wr".index(board.mover)),
    )


@pytest.mark.plain
@settings(max_examples=scaled(100))
@given(positions())
def test_line_counts(position):
    game, state, board = position
    assert Lines().plain.counts(game.plain, state) == line_counts(board)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((6, 7, 4, 10, 11), marks=pytest.mark.compiles_soon),
        (8, 13, 4, 26, 26),
        (18, 22, 9, 99, 99),
    ],
    ids=str,
)
def test_compiled_they_say_the_same_on_boards_of_one_word_and_of_many(size):
    game = Simplexity(*size)
    for seed in range(4 if game.rows < 10 else 1):
        state, board = reference.quiet_game(game, np.random.default_rng(seed), 5 * seed + 10)
        for evaluator in (Lines(), BrokenRuns(), CentreDistance()):
            assert evaluator.evaluate(game, state) == pytest.approx(
                evaluator.plain.evaluate(game.plain, state), abs=1e-12
            )
        assert tuple(Lines().counts(game, state)) == line_counts(board)


def test_what_lines_makes_of_its_counts():
    lines = Lines(weights=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    state = GAME.after("3r")
    # Red's seven windows less: lines through the bottom middle cell are closed to square
    rounds, squares = 69, 69 - 7
    assert lines.evaluate(GAME, state) == pytest.approx((rounds - squares) / (1 + rounds - squares))
    assert (
        Lines().evaluate(GAME, GAME.after("1r,2r,3r,6s")) == Lines().forced_win_value
    )  # White has 0r and 4r
    # Red cannot stop both.
    assert Lines().evaluate(GAME, GAME.after("1r,6s,2r,6s,3r")) == Lines().forced_win_value
    assert Lines().evaluate(GAME, GAME.after("0s,1s,6r,2s,6r")) == -Lines().forced_win_value


def test_mirrored_positions_are_worth_the_same():
    for seed in range(20):
        state, _ = reference.quiet_game(GAME, np.random.default_rng(seed), 2 * seed)
        for image in GAME.symmetries(state):
            assert Lines().evaluate(GAME, image.state) == pytest.approx(
                Lines().evaluate(GAME, state), abs=1e-12
            )
            assert CentreDistance().evaluate(GAME, image.state) == pytest.approx(
                CentreDistance().evaluate(GAME, state), abs=1e-3
            )
