"""What a drop does, and which drops win: formulas over sets of cells."""

from ...boards.columns import Columns, any_run, completing, landings, mirrored
from ...boards.formula import Bits, choose, formula, nonzero, pick, size


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
    places = landings(columns, filled)
    own_shape = choose(for_white, round_, filled ^ round_)
    colour_line = completing(columns, choose(for_white, white, filled ^ white), places)
    own = completing(columns, own_shape, places) | colour_line
    # The other shape's line is the opponent's, and counts before the own colour's.
    other = colour_line & ~completing(columns, filled ^ own_shape, places)
    return own, other, nonzero(own | other)


@formula
def in_column(columns: Columns, cells: Bits, column: int) -> bool:
    """Whether one of the cells is in that column."""
    return nonzero(cells & pick(columns.masks, column, cells))


@formula
def keys(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits]:
    """Two sets that differ for different positions: a bit above each column tells how far it is filled."""
    return white | (filled + columns.bottoms), round_


@formula
def mirror_keys(columns: Columns, white: Bits, round_: Bits, filled: Bits) -> tuple[Bits, Bits]:
    """The `keys` of the mirror image."""
    image = mirrored(columns, filled)
    return mirrored(columns, white) | (image + columns.bottoms), mirrored(columns, round_)
