"""What a player's lines are worth: which cells win at once, and numbers that a fit learns from."""

from ...boards.columns import Columns, landings
from ...boards.formula import Bits, formula, size
from ...evaluators.lines.open_lines import prospects


@formula
def winning_cells(columns: Columns, own: Bits, other: Bits) -> Bits:
    """The cells on which a disc of one's own comes to rest and completes a line."""
    _, _, wins = prospects(columns, own, columns.inside & ~(own | other))
    return wins & landings(columns, own | other)


@formula
def line_features(columns: Columns, own: Bits, other: Bits) -> tuple[int, int, int, int, int, int, Bits]:
    """Lines still open, those that lack two discs, and the empty cells that complete one: those that can be reached now, later ones in
    even rows, later ones in odd rows, pairs above each other; and which cells they are."""
    empty = columns.inside & ~(own | other)
    open_, pairs, wins = prospects(columns, own, empty)
    later = wins & ~landings(columns, own | other)
    now = size(wins) - size(later)
    return open_, pairs, now, size(later & columns.even_rows), size(later & ~columns.even_rows), size(wins & (wins >> 1)), wins
