"""What a drop does, and which drops win: formulas over sets of cells."""

from typing import Any

from ...boards.columns import Columns, any_run, completing, landings, mirrored
from ...boards.formula import Bits, choose, formula, nonzero, pick, side_by_side, size, split


@formula
def dropped(
    columns: Columns, white: Bits, round_: Bits, filled: Bits, column: int, by_white: bool, is_round: bool
) -> tuple[Bits, Bits, Bits, bool, bool]:
    """The sets after a drop, and whether the pieces of its shape and those of its colour hold a line.

    Before the drop there was none, so these are lines that it made.
    """
    cell = landings(columns, filled) & pick(columns.masks, column, filled)
    white, round_, filled = white | choose(by_white, cell, 0), round_ | choose(is_round, cell, 0), filled | cell
    alike = choose(is_round, round_, filled ^ round_)
    own = choose(by_white, white, filled ^ white)
    return white, round_, filled, any_run(columns, alike), any_run(columns, own)


@formula
def rounds_of(columns: Columns, white: Bits, round_: Bits, of_white: bool) -> int:
    """How many round pieces a player has dropped."""
    return size(choose(of_white, round_ & white, round_ & ~white))


@formula
def winning_drops(
    columns: Columns, white: Bits, round_: Bits, filled: Bits, for_white: bool
) -> tuple[Bits, Bits, bool]:
    """Where a player wins at once with the own shape, where with the other one, and whether anywhere."""
    cells = _completing_cells(columns, white, round_, filled, for_white)
    own, other = _wins_at(cells, landings(columns, filled))
    return own, other, nonzero(own | other)


def _completing_cells(columns: Columns, white: Any, round_: Any, filled: Any, for_white: Any) -> list[Any]:
    """The free cells that complete a line of a player's shape, of its colour, of the other's shape and colour."""
    square, red = filled ^ round_, filled ^ white
    shapes = choose(for_white, round_, square), choose(for_white, square, round_)
    colours = choose(for_white, white, red), choose(for_white, red, white)
    empty = columns.inside & ~filled
    pieces = side_by_side(shapes[0], colours[0], shapes[1], colours[1])
    return split(completing(columns, pieces, side_by_side(empty, empty, empty, empty)))


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
    """Where a player drops the own shape, and where the other one, without losing by the next move; wins are among them.

    Both are empty where no drop helps. `its_own_left`: whether the opponent has pieces of its own shape. The game must
    not end with this drop alone.
    """
    places, cells = landings(columns, filled), _completing_cells(columns, white, round_, filled, for_white)
    _, _, its_shape, its_colour = cells
    wins = choose(its_own_left, its_shape | its_colour, 0)
    threats = wins & places
    # One threat has to be met, two cannot be; and a drop must not be the step to a cell above it where the other wins.
    allowed = choose(nonzero(threats), choose(nonzero(threats & (threats - 1)), threats ^ threats, threats), places)
    allowed = allowed & ~(wins >> 1)
    own, other = _wins_at(cells, places)
    return allowed | own, (allowed & ~its_shape) | other


@formula
def in_column(columns: Columns, cells: Bits, column: int) -> bool:
    """Whether one of the cells is in that column."""
    return nonzero(cells & pick(columns.masks, column, cells))


@formula
def keys(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits]:
    """Two sets that differ for different positions: a bit above each column tells how far it is filled."""
    return white | (filled + columns.bottoms), round_


@formula
def mirror_image(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits, Bits]:
    """The three sets of the mirror image."""
    return mirrored(columns, white), mirrored(columns, round_), mirrored(columns, filled)


@formula
def mirror_keys(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits]:
    """The `keys` of the mirror image."""
    image = mirrored(columns, filled)
    return mirrored(columns, white) | (image + columns.bottoms), mirrored(columns, round_)
