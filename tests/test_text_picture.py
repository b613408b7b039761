"""Games that say nothing but text: a grid of characters is a board, everything else text and a list of moves."""

import pytest
from undercut import Undercut

from saddlepoint.text_picture import grid_of
from text_connect_four import TextConnectFour


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
    assert (picture.width, picture.height, picture.board, picture.column_names) == (7, 6, "frame", tuple("0123456"))
    assert {(one.x, one.y): (one.owner, one.label) for one in picture.pieces} == {
        (3, 5): (0, "x"), (3, 4): (1, "o"), (2, 5): (0, "x"), (2, 4): (1, "o"),
    }  # fmt: skip
    assert [move.to for move in picture.moves] == [(0, 5), (1, 5), (2, 3), (3, 3), (4, 5), (5, 5), (6, 5)]
    assert all(move.piece is not None and move.piece.owner == 0 for move in picture.moves)


def test_what_is_no_grid_is_text_and_a_list_of_moves() -> None:
    game = Undercut()
    picture = game.picture(game.initial_state())
    assert (picture.width, picture.text) == (0, "(0, 0)")
    assert [(move.player, move.action, move.to) for move in picture.moves] == [(p, a, None) for p in (0, 1) for a in range(5)]
