"""What a position of Simplexity looks like."""

from collections.abc import Mapping, Sequence

from ...boards.columns import Columns
from ...picture import Mark, Move, Number, Picture, Piece
from .state import RED, WHITE, State
from .text import rows_of

_KINDS = {
    "w": (WHITE, "disc", "White's round piece"),
    "W": (WHITE, "square", "White's square piece"),
    "r": (RED, "disc", "Red's round piece"),
    "R": (RED, "square", "Red's square piece"),
}
"""Owner, shape and title of a piece, by its letter."""


def picture_of(
    columns: Columns, state: State, names: Mapping[int, str], line: Sequence[tuple[int, int]],
    left: Sequence[int], most: Sequence[int], text: str,
) -> Picture:
    """The picture: `names` are those of the legal actions, `line` the (row, column) cells of the line that won.

    `left` and `most`: pieces left and at the start, White's round and square ones, Red's round and square ones.
    """
    rows, top = rows_of(columns, state), columns.rows - 1
    pieces: list[Piece] = []
    heights = [0] * columns.cols
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark in _KINDS:
                owner, shape, title = _KINDS[mark]
                pieces.append(Piece(x, top - y, owner, shape, title=title))
                heights[x] = y + 1
    player = int(state.moves) & 1
    moves: list[Move] = []
    for action, name in names.items():
        x, kind = action >> 1, _KINDS[("wW", "rR")[player][action & 1]]
        y = top - heights[x]
        moves.append(Move(player, action, name, (x, y), piece=Piece(x, y, kind[0], kind[1], title=kind[2])))
    return Picture(
        columns.cols, columns.rows, "frame", pieces=tuple(pieces), moves=tuple(moves), text=text,
        marks=tuple(Mark(x, top - y, "winning") for y, x in line),
        numbers=tuple(
            Number("square left" if shape == "square" else "round left", here, owner, all_)
            for (owner, shape, _), here, all_ in zip(_KINDS.values(), left, most, strict=True)
        ),
        column_names=tuple(map(str, range(columns.cols))),
    )  # fmt: skip
