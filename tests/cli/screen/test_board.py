"""Pictures as cells of a terminal."""

import pytest
from rich.console import Console
from rich.style import Style

from saddlepoint.cli.screen.board import draw, number_table, owner_colour
from saddlepoint.game.picture import Mark, Move, Number, Picture, Piece, Trail

BOARD = Picture(
    4,
    3,
    walls=((3, 2),),
    trails=(Trail(0, ((0, 1), (1, 1))), Trail(1, ((3, 0), (3, 1)), head=False)),
    pieces=(Piece(0, 0, 0), Piece(1, 0, 1, "square"), Piece(0, 2)),
    marks=(Mark(2, 2, "food"),),
)


def lines(picture: Picture, **options: object) -> list[str]:
    return draw(picture, **options).text.plain.split("\n")  # type: ignore[arg-type]


def test_a_board_in_unicode_and_in_ascii() -> None:
    assert lines(BOARD) == ["┌─────────┐", "│ ● □ ·▒▒ │", "│██00 ·▒▒ │", "│ • · *██ │", "└─────────┘"]
    assert lines(BOARD, plain=True) == [
        "+---------+",
        "| O h .:: |",
        "|==00 .:: |",
        "| * . *## |",
        "+---------+",
    ]


def test_owners_are_told_apart_with_and_without_colours() -> None:
    drawn = draw(BOARD).text
    colours = {
        drawn.plain[span.start : span.end]: Style.parse(str(span.style)).color
        for span in drawn.spans
        if not str(span.style).isspace()
    }
    assert colours["●"] == Style.parse(owner_colour(0)).color
    assert colours["□"] == Style.parse(owner_colour(1)).color
    assert owner_colour(0) != owner_colour(1)
    for plain in (False, True):
        for shape in ("disc", "square", "ring", "cross", "diamond", "card"):
            signs = {
                lines(Picture(1, 1, pieces=(Piece(0, 0, owner, shape),)), plain=plain)[1]
                for owner in (0, 1, None)
            }
            assert len(signs) == 3


def test_where_two_columns_a_cell_are_too_many_a_cell_has_one() -> None:
    assert draw(BOARD).width == 11
    assert lines(BOARD, columns=10) == ["┌────┐", "│●□·▒│", "│█0·▒│", "│•·*█│", "└────┘"]


def test_the_chosen_move_is_in_brackets_and_the_cells_of_moves_are_marked() -> None:
    chosen = Move(1, 0, "a", (3, 2), piece=Piece(3, 2, 1))
    empty = Picture(4, 3)
    assert lines(empty, chosen=chosen, targets=[(3, 2), (0, 0)]) == [
        "┌─────────┐",
        "│ + · · · │",
        "│ · · · · │",
        "│ · · ·[○]│",
        "└─────────┘",
    ]
    assert lines(empty, chosen=Move(0, 0, "b", (1, 0)))[1] == "│ ·[·]· · │"


def test_names_labels_and_places() -> None:
    named = Picture(
        3,
        2,
        "table",
        pieces=(Piece(1, 1, 0, "card", "12"),),
        column_names=("1", "2", "3"),
        row_names=("hand", "b"),
    )
    drawn = draw(named)
    assert drawn.text.plain.split("\n") == ["      1   2   3", "hand" + " " * 14, "b         ▮12     "]
    assert drawn.place((1, 1)) == (9, 2)
    wide = Picture(12, 1, column_names=tuple(map(str, range(1, 13))))
    assert lines(wide)[0].split() == ["1", "3", "5", "7", "9", "11"]


def test_a_board_without_edges_is_drawn_so() -> None:
    assert lines(Picture(2, 1, wraps=True), plain=True) == ["+.....+", ": . . :", "+.....+"]


def test_a_picture_without_cells_is_its_text_and_nothing_in_it_is_obeyed() -> None:
    drawn = draw(Picture(text="two\n\x1b[31mlines[bold]"))
    assert drawn.text.plain == "two\n\\x1b[31mlines[bold]"
    assert (drawn.width, drawn.height) == (19, 2)
    hostile = Picture(
        1, 1, pieces=(Piece(0, 0, 0, "disc", "\x1b[2J"),), column_names=("\n",), row_names=("\x07",)
    )
    assert all(line.isprintable() for line in lines(hostile))


def number_lines(*numbers: Number) -> list[str]:
    console = Console(width=24)
    with console.capture() as captured:
        console.print(number_table(numbers, plain=True))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_numbers_are_lines_and_bars() -> None:
    assert number_lines(Number("points", 5, 0, 10), Number("round", 3), Number("left", 2.5, 1)) == [
        "0 points 5   #####.....",
        "  round  3",
        "1 left   2.5",
    ]


@pytest.mark.parametrize(("value", "bar"), [(-3.0, ".........."), (30.0, "##########")])
def test_a_bar_never_leaves_its_place(value: float, bar: str) -> None:
    assert number_lines(Number("x", value, 0, 10)) == [f"0 x {value:g} {bar}"]
