"""A position of Simplexity as machine words, formulas of its drops, its text and its picture."""

import re
from typing import Any, NamedTuple

import numpy as np

from ..interface import (
    Bits,
    Columns,
    GameError,
    formula,
    int_of,
)

WHITE, RED = 0, 1
ROUND, SQUARE = 0, 1
UNDECIDED, WHITE_WON, RED_WON, DRAW = 0, 1, 2, 3
SHAPES = "rs"
"""How the shapes are written."""


class State(NamedTuple):
    """A position: three sets of cells of the game's `columns`, each a tuple of words.

    The number of words is part of the compiled type. The boards of 6x7 and all others of up to 64 bits are one word,
    which the compiler keeps in a register; larger boards run through the same formulas as longer integers.
    """

    white: tuple[np.uint64, ...]
    """The white pieces, of either shape."""
    round: tuple[np.uint64, ...]
    """The round pieces, of either colour."""
    filled: tuple[np.uint64, ...]
    """All pieces."""
    moves: int
    """Pieces dropped so far; White moves at even numbers."""
    result: int
    """UNDECIDED, WHITE_WON, RED_WON or DRAW."""


@formula
def dropped(
    columns: Columns, white: Bits, round_: Bits, filled: Bits, column: int, by_white: bool, is_round: bool
) -> tuple[Bits, Bits, Bits, bool, bool]:
    """The sets after a drop, and whether the pieces of its shape and those of its colour hold a line.

    Before the drop there was none, so these are lines that it made.
    """
    cell = columns.landings(filled) & Bits.pick(columns.masks, column, filled)
    white, round_, filled = (
        white | Bits.choose(by_white, cell, 0),
        round_ | Bits.choose(is_round, cell, 0),
        filled | cell,
    )
    alike = Bits.choose(is_round, round_, filled ^ round_)
    own = Bits.choose(by_white, white, filled ^ white)
    return white, round_, filled, columns.any_run(alike), columns.any_run(own)


@formula
def rounds_of(columns: Columns, white: Bits, round_: Bits, of_white: bool) -> int:
    """The number of round pieces that a player has dropped."""
    return Bits.size(Bits.choose(of_white, round_ & white, round_ & ~white))


@formula
def winning_drops(
    columns: Columns, white: Bits, round_: Bits, filled: Bits, for_white: bool
) -> tuple[Bits, Bits, bool]:
    """(cells on which a player wins at once with its own shape, with the other one, whether there are any)."""
    cells = _completing_cells(columns, white, round_, filled, for_white)
    own, other = _wins_at(cells, columns.landings(filled))
    return own, other, Bits.nonzero(own | other)


def _completing_cells(columns: Columns, white: Any, round_: Any, filled: Any, for_white: Any) -> list[Any]:
    """The free cells that complete a line of a player's shape, of its colour, of the other's shape and colour."""
    square, red = filled ^ round_, filled ^ white
    shapes = Bits.choose(for_white, round_, square), Bits.choose(for_white, square, round_)
    colours = Bits.choose(for_white, white, red), Bits.choose(for_white, red, white)
    empty = columns.inside & ~filled
    pieces = Bits.side_by_side(shapes[0], colours[0], shapes[1], colours[1])
    return Bits.split(columns.completing(pieces, Bits.side_by_side(empty, empty, empty, empty)))


def _wins_at(cells: list[Any], places: Any) -> tuple[Any, Any]:
    """The places where a player wins with the own shape, and with the other one, from its `_completing_cells`.

    The other shape's line is the opponent's, and counts before the own colour's.
    """
    shape, colour, its_shape, _ = cells
    return (shape | colour) & places, colour & ~its_shape & places


@formula
def sensible_drops(
    columns: Columns, white: Bits, round_: Bits, filled: Bits, for_white: bool, its_own_left: bool
) -> tuple[Bits, Bits]:
    """(cells for drops of the own shape, for the other one) that do not lose by the next move.

    Wins are among them.

    Both are empty where no drop helps. `its_own_left`: whether the opponent has pieces of its own shape. The game must
    not end with this drop alone.
    """
    places, cells = columns.landings(filled), _completing_cells(columns, white, round_, filled, for_white)
    _, _, its_shape, its_colour = cells
    wins = Bits.choose(its_own_left, its_shape | its_colour, 0)
    threats = wins & places
    # One threat has to be met, two cannot be; and a drop must not be the step to a cell above it where the other wins.
    allowed = Bits.choose(
        Bits.nonzero(threats),
        Bits.choose(Bits.nonzero(threats & (threats - 1)), threats ^ threats, threats),
        places,
    )
    allowed = allowed & ~(wins >> 1)
    own, other = _wins_at(cells, places)
    return allowed | own, (allowed & ~its_shape) | other


@formula
def in_column(columns: Columns, cells: Bits, column: int) -> bool:
    """Whether one of the cells is in that column."""
    return Bits.nonzero(cells & Bits.pick(columns.masks, column, cells))


@formula
def keys(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits]:
    """Two sets that differ for different positions: a bit above each column marks its height."""
    return white | (filled + columns.bottoms), round_


@formula
def mirror_image(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits, Bits]:
    """The three sets of the mirror image."""
    return columns.mirrored(white), columns.mirrored(round_), columns.mirrored(filled)


# Positions of Simplexity as text and as pictures.

PIECES = "wWrR"
"""White's round and square pieces, Red's round and square ones."""

_MOVE = re.compile(r"(?P<column>[0-9]+)(?P<shape>[rs])")


def kinds_of(state: State) -> dict[str, int]:
    """The cells of each kind of piece, by its letter, in the order of `PIECES`."""
    white, round_, filled = int_of(state.white), int_of(state.round), int_of(state.filled)
    red, square = filled ^ white, filled ^ round_
    return {"w": white & round_, "W": white & square, "r": red & round_, "R": red & square}


def questions(white: int, round_: int, filled: int) -> list[tuple[int, int]]:
    """Who wins by a line of which pieces, in the order in which it is asked."""
    return [(WHITE_WON, round_), (RED_WON, filled ^ round_), (WHITE_WON, white), (RED_WON, filled ^ white)]


def action_of(word: str) -> int | None:
    """The action of a word like 3r; None for any other word."""
    found = _MOVE.fullmatch(word.strip().lower())
    return 2 * int(found["column"]) + SHAPES.index(found["shape"]) if found else None


def actions_of(moves: str) -> list[int]:
    """The actions of a list like 3r,3s,0r; `-` is the empty list."""
    actions = [] if moves.strip() == "-" else [action_of(word) for word in moves.split(",")]
    known = [action for action in actions if action is not None]
    if len(known) < len(actions):
        raise GameError(f"expected moves like 3r,3s,0r (column, then r or s), or -, not {moves!r}")
    return known


def rows_of(columns: Columns, state: State) -> list[str]:
    """The rows from the bottom, a letter of `PIECES` or `.` for each cell."""
    kinds = kinds_of(state)

    def mark(cell: int) -> str:
        return next((letter for letter, board in kinds.items() if board >> cell & 1), ".")

    return ["".join(mark(columns.cell(y, x)) for x in range(columns.cols)) for y in range(columns.rows)]


KINDS = {
    "w": (WHITE, "disc", "White's round piece"),
    "W": (WHITE, "square", "White's square piece"),
    "r": (RED, "disc", "Red's round piece"),
    "R": (RED, "square", "Red's square piece"),
}
"""Owner, shape and title of a piece, by its letter."""
