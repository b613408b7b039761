"""Games that say nothing but text: a grid of characters is a board, everything else text and a list of moves."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from undercut import Undercut

from helpers.small_games import TextConnectFour
from saddlepoint.game.base import Game
from saddlepoint.game.own_games import load_class
from saddlepoint.game.words import board_of, field_text

GAME = Undercut()
GAMES = Path(__file__).parents[2] / "examples" / "games"


@pytest.mark.parametrize(
    ("text", "rows", "said"),
    [
        (".x\no.", (".x", "o."), ""),
        (". x .\no . x", (".x.", "o.x"), ""),
        (". x . .\no . x .\nround 3, lead of x: -2", (".x..", "o.x."), "round 3, lead of x: -2"),
        ("x to move\n.x.\no..\n2 : 1\nlast: b3", (".x.", "o.."), "x to move\n2 : 1\nlast: b3"),
    ],
)
def test_a_board_is_a_rectangle_of_characters_whatever_other_lines_say(
    text: str, rows: tuple[str, ...], said: str
) -> None:
    assert board_of(text) == (rows, said)


@pytest.mark.parametrize("text", ["...", "ab\nabc", "(0, 0)", "", "x: life 6\no: life 4\nround 1 of 50"])
def test_words_are_no_board(text: str) -> None:
    assert board_of(text) is None


def test_a_game_of_falling_discs_is_clicked_where_they_land() -> None:
    game = TextConnectFour()
    picture = game.picture(game.initial_state("4433"))
    assert (picture.width, picture.height, picture.board, picture.column_names) == (
        7,
        6,
        "frame",
        tuple("0123456"),
    )
    assert {(one.x, one.y): (one.owner, one.label) for one in picture.pieces} == {
        (3, 5): (0, "x"),
        (3, 4): (1, "o"),
        (2, 5): (0, "x"),
        (2, 4): (1, "o"),
    }
    assert [move.to for move in picture.moves] == [(0, 5), (1, 5), (2, 3), (3, 3), (4, 5), (5, 5), (6, 5)]
    assert all(move.piece is not None and move.piece.owner == 0 for move in picture.moves)


def test_where_both_move_at_once_it_is_seen_whose_the_pieces_are_and_the_other_lines_stand_below() -> None:
    game = load_class(str(GAMES / "harvest.py"), "Harvest", Game)()
    picture = game.picture(game.advance(game.initial_state(), 12, -1))
    assert (picture.width, picture.height, picture.said) == (5, 5, "0 : 0")
    assert {(one.label, one.owner) for one in picture.pieces} == {("x", 0), ("o", 1), ("@", None)}


def test_a_board_may_begin_without_a_free_cell() -> None:
    game = load_class(str(GAMES / "clobber.py"), "Clobber", Game)()
    picture = game.picture(game.initial_state())
    assert (picture.width, picture.height) == (6, 5)
    assert all(move.start is not None and move.to is not None for move in picture.moves)


class Inner(NamedTuple):
    left: int
    open: bool


class Fields(NamedTuple):
    round: int
    share: float
    cells: tuple[int, ...]
    line: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    inner: Inner
    nothing: tuple[int, ...]


def test_fields_are_told_by_name_long_tuples_in_rows() -> None:
    state = Fields(
        3, 0.5, (0, 1, 0, 0, 12, 0, 0, 0, 2), tuple(range(14)), ((1, 2), (3, 4)), Inner(np.int64(7), True), ()
    )
    assert field_text(state).split("\n") == [
        "round       3",
        "share       0.5",
        "cells        0  1  0",
        "             0 12  0",
        "             0  0  2",
        "line         0  1  2  3  4  5  6  7  8  9 10 11",
        "            12 13",
        "rows        1 2",
        "            3 4",
        "inner.left  7",
        "inner.open  yes",
        "nothing     none",
    ]


def test_a_game_that_writes_its_own_text_is_shown_by_it() -> None:
    class Written(Undercut):
        def to_text(self, state):
            return f"round {state.round}, lead {state.lead}"

    assert Written().render(Written().initial_state()) == "round 0, lead 0"


def test_undercuts_numbers_are_named_from_1_on() -> None:
    assert [move.name for move in GAME.picture(GAME.initial_state()).moves if move.player == 0] == [
        "1",
        "2",
        "3",
        "4",
        "5",
    ]
    assert GAME.string_to_action(GAME.initial_state(), 0, "5") == 4


def test_what_is_no_grid_is_text_and_a_list_of_moves() -> None:
    picture = GAME.picture(GAME.initial_state())
    assert (picture.width, picture.text) == (0, "round  0\nlead   0")
    assert [(move.player, move.action, move.to) for move in picture.moves] == [
        (p, a, None) for p in (0, 1) for a in range(5)
    ]
