"""Pictures as cells of a terminal."""

from dataclasses import replace
from typing import Any

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


EMPTY = Picture(4, 3)


@pytest.mark.parametrize(
    ("picture", "options", "shown"),
    [
        pytest.param(
            BOARD,
            {},
            ["┌─────────┐", "│ ● □ ·▒▒ │", "│██00 ·▒▒ │", "│ • · *██ │", "└─────────┘"],
            id="unicode",
        ),
        pytest.param(
            BOARD,
            {"plain": True},
            ["+---------+", "| O h .:: |", "|==00 .:: |", "| * . *## |", "+---------+"],
            id="ascii",
        ),
        pytest.param(
            BOARD,
            {"columns": 10},
            ["┌────┐", "│●□·▒│", "│█0·▒│", "│•·*█│", "└────┘"],
            id="where two columns a cell are too many a cell has one",
        ),
        pytest.param(
            EMPTY,
            {"chosen": Move(1, 0, "a", (3, 2), piece=Piece(3, 2, 1)), "targets": [(3, 2), (0, 0)]},
            ["┌─────────┐", "│ + · · · │", "│ · · · · │", "│ · · ·[○]│", "└─────────┘"],
            id="the chosen move is in brackets, the cells of moves are marked",
        ),
        pytest.param(
            replace(EMPTY, said="round 3"),
            {},
            ["┌─────────┐", "│ · · · · │", "│ · · · · │", "│ · · · · │", "└─────────┘", "round 3"],
            id="what else a text says stands below",
        ),
        pytest.param(
            EMPTY,
            {"chosen": Move(0, 0, "b", (1, 0))},
            ["┌─────────┐", "│ ·[·]· · │", "│ · · · · │", "│ · · · · │", "└─────────┘"],
            id="a move without a piece",
        ),
        pytest.param(
            Picture(2, 1, wraps=True), {"plain": True}, ["+.....+", ": . . :", "+.....+"], id="without edges"
        ),
    ],
)
def test_a_board_is_drawn(picture: Picture, options: dict[str, Any], shown: list[str]) -> None:
    assert lines(picture, **options) == shown
    assert draw(picture, **options).width == len(shown[0])


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
            assert (
                len(
                    {
                        lines(Picture(1, 1, pieces=(Piece(0, 0, owner, shape),)), plain=plain)[1]
                        for owner in (0, 1, None)
                    }
                )
                == 3
            )


def test_names_labels_and_places() -> None:
    drawn = draw(
        Picture(
            3,
            2,
            "table",
            pieces=(Piece(1, 1, 0, "card", "12"),),
            column_names=("1", "2", "3"),
            row_names=("hand", "b"),
        )
    )
    assert drawn.text.plain.split("\n") == ["      1   2   3", "hand" + " " * 14, "b         ▮12     "]
    assert drawn.place((1, 1)) == (9, 2)
    assert lines(Picture(12, 1, column_names=tuple(map(str, range(1, 13)))))[0].split() == [
        "1",
        "3",
        "5",
        "7",
        "9",
        "11",
    ]


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


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        (
            (Number("points", 5, 0, 10), Number("round", 3), Number("left", 2.5, 1)),
            ["0 points 5   #####.....", "  round  3", "1 left   2.5"],
        ),
        ((Number("x", -3.0, 0, 10),), ["0 x -3 .........."]),  # a bar never leaves its place
        ((Number("x", 30.0, 0, 10),), ["0 x 30 ##########"]),
    ],
)
def test_numbers_are_lines_and_bars(numbers: tuple[Number, ...], shown: list[str]) -> None:
    assert number_lines(*numbers) == shown
