"""`csl 1`'s positions by the rules of the obvious reference, quick moves, and when an answer goes out at the latest."""

import random
import time
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

from helpers.csl_positions import replay, start, winner
from helpers.reference_simplexity import board_of
from helpers.sizes import scaled
from saddlepoint.games.simplexity.csl_players import Parameters, ThinkRequest

WINNERS = {"White": 0, "Red": 1, "Draw": None, None: None}
BOARDS = [
    (6, 7, 4, 10, 11),
    (4, 5, 3, 6, 6),
    (1, 6, 3, 3, 3),
    (6, 1, 3, 2, 4),
    (5, 4, 4, 2, 3),
    (8, 13, 4, 26, 26),
]


def random_game(parameters, seed):
    """(reference board, position, moves so far) along a game to its end."""
    draw, board, position, moves = random.Random(seed), board_of(parameters), start(parameters), []
    yield board, position, moves
    while board.outcome() is None:
        col, shape = draw.choice(board.legal())
        moves.append(f"{col}{shape}")
        board, position = board.play(col, shape), position.after(col, "rs".index(shape))
        yield board, position, moves


@settings(max_examples=scaled(20, 3))
@given(st.sampled_from(BOARDS), st.integers(0, 10**6))
def test_along_random_games_all_is_as_in_the_reference(sizes, seed):
    parameters = Parameters(*sizes)
    for board, position, moves in random_game(parameters, seed):
        assert position.text() == board.text()
        assert parameters.of_rows(board.text()) == position.state
        assert replay(parameters, ",".join(moves) or "-") == position
        assert winner(position) == WINNERS[board.outcome()]
        assert position.over() == (board.outcome() is not None)
        if board.outcome() is None:
            assert sorted(position.moves()) == sorted(
                (col, "rs".index(shape)) for col, shape in board.legal()
            )


def check_quick_move(board, position):
    """No move is worth more: a win 3, one that is not answered by a win 2, one that is 1, a loss 0."""
    me, you = ("White", "Red") if board.mover == "w" else ("Red", "White")

    def worth(move):
        after = board.play(*move)
        if after.outcome() is not None:
            return {me: 3, you: 0, "Draw": 2}[after.outcome()]
        return 1 if any(after.play(*reply).outcome() == you for reply in after.legal()) else 2

    column, shape = position.quick_move(time.monotonic() + 60)
    assert worth((column, "rs"[shape])) == max(map(worth, board.legal()))


@pytest.mark.parametrize(
    ("sizes", "moves"),
    [
        # A piece of the opponent's shape makes a threat of its own.
        ((5, 4, 4, 2, 3), "0r,2r,3r,3s,1s,0s"),
        ((5, 4, 4, 2, 3), "2r,3s,1r,0r,0s,3s"),
        ((5, 4, 4, 2, 3), "2r,3r,2s,3r,1r,3s,0s,2s"),
        # The opponent threatens, or seems to.
        ((4, 5, 3, 6, 6), "4s,4s"),
        ((4, 5, 3, 6, 6), "4s,2r,3r"),
        ((4, 5, 3, 6, 6), "3r,0s,3s"),
        ((4, 5, 3, 6, 6), "4r,2s,4s"),
        ((4, 5, 3, 6, 6), "2s,0r,1r"),
    ],
)
def test_a_quick_move_sees_every_threat(sizes, moves):
    parameters = Parameters(*sizes)
    board = board_of(parameters)
    for word in moves.split(","):
        board = board.play(int(word[0]), word[1])
    check_quick_move(board, replay(parameters, moves))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected 6 rows of 7 cells"),
        ("/".join(["......."] * 5), "expected 6 rows of 7 cells"),
        ("/".join(["........"] + ["......."] * 5), "expected 6 rows of 7 cells"),
        ("/".join(["...x..."] + ["......."] * 5), "'x' in row 0, column 3 is no cell"),
        ("/".join(["......."] * 5 + ["...w..."]), "row 5, column 3 hangs in the air"),
        ("/".join(["ww....."] + ["......."] * 5), "as many pieces on the board as Red or one more"),
        ("/".join(["r......"] + ["......."] * 5), "as many pieces on the board as Red or one more"),
        (
            "/".join(["wRwRwRw", "RwRwRwR", "wRwRwRw", "RwRwRwR", ".......", "......."]),
            "more white round pieces on the board",
        ),
    ],
)
def test_what_is_no_board_is_refused(text, why):
    with pytest.raises(ValueError, match=why):
        Parameters().of_rows(text)


@pytest.mark.parametrize(
    ("parameters", "moves", "why"),
    [
        (Parameters(), "", "move 0, '', is none"),
        (Parameters(), "3r,", "move 1, '', is none"),
        (Parameters(), "3x", "is none"),
        (Parameters(), "-3r", "is none"),
        (Parameters(), "٣r", "is none"),
        (Parameters(), "7r", "move 0, 7r: invalid column"),
        (Parameters(), "3r,3s,3r,3s,3r,3s,3r", "move 6, 3r: column full"),
        (Parameters(), ",".join(f"{k % 7}s" for k in range(23)), "move 4, 4s: game over"),
        (Parameters(round=1), "0r,1r,2r", "move 2, 2r: no piece of that shape"),
    ],
)
def test_what_are_no_moves_is_refused(parameters, moves, why):
    with pytest.raises(ValueError, match=why):
        replay(parameters, moves)


@pytest.mark.parametrize(
    ("parameters", "moves", "first"),
    [
        (Parameters(), "-", (3, 0)),
        (Parameters(), "0r", (3, 1)),
        (Parameters(6, 6), "-", (3, 0)),
        (Parameters(), "3r,3s,3r,3s,3r,3s", (2, 0)),
        (Parameters(round=0), "-", (3, 1)),
    ],
)
def test_without_time_it_is_the_middle_column_and_the_own_shape(parameters, moves, first):
    assert replay(parameters, moves).quick_move(0.0) == first


def test_parameters_are_told_in_words():
    assert str(Parameters(8, 9, 5, 20, 21)) == "8x9, 5 in a row, 20 round and 21 square"


def test_a_match_may_be_on_a_board_too_large_for_the_game():
    assert Parameters(64, 64, 64, 0, 0).rows == 64


@pytest.mark.parametrize(
    "sizes", [(0, 7, 4), (6, -7, 4), (6, 7, 0), (3, 3, 4), (65, 7, 4), (6, 7, 4, -1), (6, 7, 4, 1, -1)]
)
def test_parameters_without_a_game_are_refused(sizes):
    with pytest.raises(ValueError):
        Parameters(*sizes)


# -- requests ------------------------------------------------------------------------------------------------------------


def request(budget: float, reserve: float = 0.0) -> ThinkRequest:
    """A request asked at the moment 100, with a budget in seconds."""
    position = start(Parameters())
    return ThinkRequest(
        "g", "r", position.parameters, position.state, budget, 100.0, lambda text: None, reserve
    )


@pytest.mark.plain
@pytest.mark.parametrize(
    ("budget", "reserve", "search", "answer"),
    [
        (0.2, 0.0, 0.155, 0.16),  # the reserves for a search and for an answer are 45 ms and 40 ms
        (1.0, 0.0, 0.955, 0.96),
        (1.0, 0.1, 0.855, 0.86),  # what a busy engine holds back comes on top
        (0.05, 0.0, 0.03, 0.03),  # a short budget keeps six tenths of itself
        (0.1, 0.1, 0.06, 0.06),
        (0.0, 0.0, 0.0, 0.0),
    ],
)
def test_a_search_and_an_answer_leave_a_reserve_and_short_budgets_keep_more_than_half(
    budget: float, reserve: float, search: float, answer: float
) -> None:
    asked = request(budget, reserve)
    assert asked.search_until == pytest.approx(100 + search)
    assert asked.answer_until == pytest.approx(100 + answer)
    assert asked.ready_until == pytest.approx(100 + budget / 2)


@pytest.mark.plain
def test_a_request_is_answered_once_or_void() -> None:
    said: list[str] = []
    position = start(Parameters())
    asked = ThinkRequest("g", "r", position.parameters, position.state, 1.0, 100.0, said.append)
    asked.answer(((3, 1), SimpleNamespace(depth=7, value=0.5)))
    asked.answer(((2, 0), None))
    asked.fall_back()
    asked.stop()
    asked.report_stopped()
    assert said == ["info g r depth 7 value +0.500\nmove g r 3 s"]
    void = ThinkRequest("g", "r", position.parameters, position.state, 1.0, 100.0, said.append)
    void.stop()
    void.fall_back()
    assert void.done
    void.report_stopped()
    assert said[1:] == ["info g r stopped"]


@pytest.mark.plain
@pytest.mark.parametrize("end", [ThinkRequest.stop, ThinkRequest.fall_back, ThinkRequest.cancel])
def test_an_answer_and_a_stop_end_the_search_also_one_that_begins_later(end) -> None:
    asked, stopped = request(1.0), list[str]()
    asked.cancels(SimpleNamespace(stop=lambda stopped=stopped: stopped.append("first")))  # type: ignore[arg-type]
    assert stopped == []
    end(asked)
    asked.cancels(SimpleNamespace(stop=lambda stopped=stopped: stopped.append("second")))  # type: ignore[arg-type]
    assert stopped == ["first", "second"]
