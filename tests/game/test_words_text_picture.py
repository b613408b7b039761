"""Games that say nothing but text: a grid of characters is a board, everything else text and a list of moves."""

from typing import NamedTuple

import numpy as np
import pytest
from undercut import Undercut

from helpers.small_games import TextConnectFour
from saddlepoint.game.words import field_text, grid_of

GAME = Undercut()


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (".x\no.", (".x", "o.")),
        (". x .\no . x", (".x.", "o.x")),
        ("...", None),
        ("ab\nabc", None),
        ("(0, 0)", None),
        ("", None),
    ],
)
def test_a_grid_is_a_rectangle_of_characters(text: str, rows: tuple[str, ...] | None) -> None:
    assert grid_of(text) == rows


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
