"""Positions and moves of Simplexity as text, in the letters of the line protocol `csl 1`."""

import re
from collections.abc import Sequence
from typing import Any

from ...boards.columns import Columns, any_run
from ...boards.grid import int_of, words_of
from ...game import GameError
from .state import DRAW, RED_WON, SHAPES, UNDECIDED, WHITE_WON, State

PIECES = "wWrR"
"""White's round and square pieces, Red's round and square ones."""

_MOVE = re.compile(r"(?P<column>[0-9]+)(?P<shape>[rs])")
_NAMES = ("white round", "white square", "red round", "red square")
_RESULTS = {WHITE_WON: "White won", RED_WON: "Red won", DRAW: "a draw"}


def kinds_of(state: State) -> dict[str, int]:
    """The cells of each kind of piece, by its letter, in the order of `PIECES`."""
    white, round_, filled = int_of(state.white), int_of(state.round), int_of(state.filled)
    red, square = filled ^ white, filled ^ round_
    return {"w": white & round_, "W": white & square, "r": red & round_, "R": red & square}


def questions(white: int, round_: int, filled: int) -> list[tuple[int, int]]:
    """Who wins by a line of which pieces, in the order in which it is asked."""
    return [(WHITE_WON, round_), (RED_WON, filled ^ round_), (WHITE_WON, white), (RED_WON, filled ^ white)]


def action_of(word: str) -> int | None:
    """The action of a word such as 3r; None for any other word."""
    found = _MOVE.fullmatch(word.strip().lower())
    return 2 * int(found["column"]) + SHAPES.index(found["shape"]) if found else None


def actions_of(moves: str) -> list[int]:
    """The actions of a list such as 3r,3s,0r; `-` is the empty list."""
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


def state_of(columns: Columns, supply: Sequence[int], rows: list[str]) -> State:
    """The position of such rows; raises GameError where there is none.

    `supply`: how many pieces of each kind there are, in the order of `PIECES`.
    """
    if len(rows) != columns.rows or any(len(row) != columns.cols for row in rows):
        raise GameError(f"expected {columns.rows} rows of {columns.cols} cells, bottom row first, joined by '/'")
    kinds = dict.fromkeys(PIECES, 0)
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark not in "." + PIECES:
                raise GameError(f"{mark!r} in row {y}, column {x} is no cell: expected '.', 'w', 'W', 'r' or 'R'")
            if mark != ".":
                if y > 0 and rows[y - 1][x] == ".":
                    raise GameError(f"the piece in row {y}, column {x} hangs in the air")
                kinds[mark] |= 1 << columns.cell(y, x)
    white, red, round_ = kinds["w"] | kinds["W"], kinds["r"] | kinds["R"], kinds["w"] | kinds["r"]
    ahead = white.bit_count() - red.bit_count()
    if ahead not in (0, 1):
        raise GameError(f"White must have as many pieces on the board as Red or one more, not {ahead} more")
    filled = white | red
    moves = filled.bit_count()
    won = (winner for winner, pieces in questions(white, round_, filled) if any_run(columns, pieces))
    result = next(won, DRAW if moves == min(columns.rows * columns.cols, sum(supply)) else UNDECIDED)
    for name, pieces, most in zip(_NAMES, kinds.values(), supply, strict=True):
        if pieces.bit_count() > most:
            raise GameError(f"there are {pieces.bit_count() - most} more {name} pieces on the board than there are")
    boards: list[Any] = [words_of(board, columns.words) for board in (white, round_, filled)]
    return State(boards[0], boards[1], boards[2], moves, result)


def picture(columns: Columns, left: Sequence[int], state: State) -> str:
    """Top row first, column numbers below, then who moves or has won, and what each player has left."""
    width = len(str(columns.cols - 1))
    status = ("White to move", "Red to move")[state.moves & 1] if state.result == UNDECIDED else _RESULTS[state.result]
    rows = [" ".join(mark.rjust(width) for mark in row) for row in reversed(rows_of(columns, state))]
    numbers = " ".join(str(col).rjust(width) for col in range(columns.cols))
    pieces = "White {} round (w), {} square (W), Red {} round (r), {} square (R)".format(*left)
    return "\n".join([*rows, numbers, f"{status}; left: {pieces}"])
