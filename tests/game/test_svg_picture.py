"""Pictures as SVG: well-formed for every game, with all that is on the board, and no text that becomes markup."""

from xml.etree import ElementTree

import pytest

from saddlepoint.game.picture import Mark, Number, Picture, Piece, Trail
from saddlepoint.games import ConnectFour, LightRiders, TicTacToe
from saddlepoint.games.catalogue.games import make_game, usable_games

HOSTILE = '"><script>alert(1)</script>&'


def parsed(picture: Picture) -> ElementTree.Element:
    found = ElementTree.fromstring(picture.to_svg())
    assert found.tag.endswith("svg")
    return found


def texts(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter() if one.tag.endswith(("}text", "}title"))]


@pytest.mark.parametrize("name", [entry.name for entry in usable_games()])
def test_every_games_start_is_drawn(name):
    game = make_game(name)
    picture = game.picture(game.initial_state())
    told = texts(parsed(picture))
    assert [piece.label for piece in picture.pieces if piece.label and piece.label not in told] == []
    assert set(picture.column_names) <= set(told)


def test_a_board_is_as_wide_as_it_is_asked_for():
    picture = LightRiders().picture(LightRiders().initial_state())
    assert parsed(picture).get("width") == "320"
    assert ElementTree.fromstring(picture.to_svg(100)).get("width") == "100"


def test_what_a_game_says_is_text_and_never_markup():
    picture = Picture(
        2,
        2,
        column_names=(HOSTILE, "b"),
        row_names=(HOSTILE, "2"),
        said=f"{HOSTILE}\nround 3",
        numbers=(Number(HOSTILE, 1.0),),
        pieces=(
            Piece(0, 0, 0, label=HOSTILE, title=HOSTILE),
            Piece(1, 0, 1, "cross", locked=True),
            Piece(1, 1, None, HOSTILE),
        ),
        marks=(
            Mark(0, 1, HOSTILE, label=HOSTILE, title=HOSTILE),
            Mark(1, 1, "winning"),
            Mark(1, 1, "last", 0),
        ),
        trails=(Trail(1, ((0, 0), (1, 0), (1, 1))), Trail(0, ((0, 1),))),
    )
    assert texts(parsed(picture)).count(HOSTILE) == 7
    assert texts(parsed(Picture(text=f"a b\n{HOSTILE}"))) == ["a b", HOSTILE]


def test_a_trail_that_leaves_over_an_edge_is_not_drawn_across_the_board():
    drawn = parsed(Picture(5, 1, trails=(Trail(0, ((3, 0), (4, 0), (0, 0))),)))
    path = next(one.get("d") for one in drawn.iter() if one.get("stroke-width") == "22")
    assert path == "M140 20L180 20M20 20"


def test_a_notebook_shows_a_picture():
    picture = TicTacToe().picture(TicTacToe().initial_state())
    assert picture._repr_svg_() == picture.to_svg()


def test_pieces_behind_a_frame_are_seen_through_its_holes():
    game = ConnectFour()
    svg = game.picture(game.next_state(game.initial_state(), 3)).to_svg()
    assert svg.index('fill="#2f6fb7"') < svg.index('fill-rule="evenodd"')
