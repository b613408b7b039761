"""Positions of Simplexity in plain Python, for when nothing compiled is there yet: read, checked, and a quick move.

Boards are sets of cells in Python's integers, of any size: column after column, each with an empty bit on top.
"""

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_PIECES = "wWrR"
_SHAPES = "rs"
_MOVE = re.compile(r"([0-9]{1,6})([rs])")
_LARGEST = 64
_SAFE, _ANSWERED, _LOST = 2, 1, 0
"""What a move is worth to `quick_move`: nothing comes of it, the opponent wins next, it loses by itself."""


@dataclass(frozen=True)
class Parameters:
    """A match's parameters; raises ValueError, in one sentence, where no game can be played with them."""

    rows: int = 6
    cols: int = 7
    win: int = 4
    round: int = 10
    square: int = 11

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= _LARGEST and 1 <= self.cols <= _LARGEST):
            raise ValueError(f"the board must have 1 to {_LARGEST} rows and columns, not {self.rows}x{self.cols}")
        if self.win < 1:
            raise ValueError(f"win must be 1 or more in a row, not {self.win}")
        if self.rows < self.win and self.cols < self.win:
            raise ValueError(f"no line of {self.win} fits on a board of {self.rows}x{self.cols}")
        if self.round < 0 or self.square < 0:
            raise ValueError(f"piece counts must be 0 or more, not {self.round} round and {self.square} square")

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}, {self.win} in a row, {self.round} round and {self.square} square"


@dataclass(frozen=True)
class Position:
    """Pieces on a board. A move is a (column, shape) pair, shape 0 round and 1 square; player 0 is White."""

    parameters: Parameters
    white: int = 0
    round: int = 0
    filled: int = 0

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self.filled.bit_count() & 1

    @property
    def height(self) -> int:
        """Bits of a column."""
        return self.parameters.rows + 1

    def text(self) -> str:
        """The rows as `read_board` reads them."""
        columns = range(self.parameters.cols)
        return "/".join(
            "".join(self._mark(column * self.height + row) for column in columns) for row in range(self.parameters.rows)
        )

    def _mark(self, cell: int) -> str:
        if not self.filled >> cell & 1:
            return "."
        return _PIECES[2 * (1 - (self.white >> cell & 1)) + 1 - (self.round >> cell & 1)]

    def left(self, player: int) -> tuple[int, int]:
        """A player's remaining round and square pieces."""
        own = self.filled ^ self.white if player else self.white
        rounds = (own & self.round).bit_count()
        return self.parameters.round - rounds, self.parameters.square - (own.bit_count() - rounds)

    def free_columns(self) -> Iterator[int]:
        """The columns with a free cell, from the middle outwards."""
        middle, cols = self.parameters.cols // 2, self.parameters.cols
        for column in sorted(range(cols), key=lambda col: (abs(col - middle), col)):
            if not self.filled >> (column * self.height + self.parameters.rows - 1) & 1:
                yield column

    def moves(self) -> list[tuple[int, int]]:
        """The legal moves unless the game is over: middle columns first, in each the own winning shape."""
        left = self.left(self.mover)
        shapes = [shape for shape in (self.mover, 1 - self.mover) if left[shape] > 0]
        return [(column, shape) for column in self.free_columns() for shape in shapes]

    def after(self, column: int, shape: int) -> "Position":
        """The position after a legal move."""
        cells = ((1 << self.parameters.rows) - 1) << column * self.height
        cell = ((self.filled & cells) + (1 << column * self.height)) & cells
        white, round_ = 0 if self.mover else cell, 0 if shape else cell
        return Position(self.parameters, self.white | white, self.round | round_, self.filled | cell)

    def winner(self) -> int | None:
        """Who has won; None if nobody has."""
        for player, pieces in (
            (0, self.round), (1, self.filled ^ self.round), (0, self.white), (1, self.filled ^ self.white)
        ):  # fmt: skip
            if self._has_line(pieces):
                return player
        return None

    def over(self) -> bool:
        """Whether nobody can move any more, or somebody has won."""
        return not self.moves() or self.winner() is not None

    def _has_line(self, pieces: int) -> bool:
        for step in (1, self.height, self.height + 1, self.height - 1):
            run, length = pieces, 1
            while length < self.parameters.win and run:
                more = min(length, self.parameters.win - length)
                run &= run >> more * step
                length += more
            if run:
                return True
        return False


def read_board(parameters: Parameters, text: str) -> Position:
    """The position of rows joined by `/`, bottom row first; raises ValueError where there is none."""
    rows = text.split("/")
    if len(rows) != parameters.rows or any(len(row) != parameters.cols for row in rows):
        raise ValueError(f"expected {parameters.rows} rows of {parameters.cols} cells joined by '/', bottom row first")
    cells = dict.fromkeys(_PIECES, 0)
    height, below = parameters.rows + 1, "w" * parameters.cols
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark == ".":
                continue
            if mark not in cells:
                raise ValueError(f"{mark!r} in row {y}, column {x} is no cell: expected '.', 'w', 'W', 'r' or 'R'")
            if below[x] == ".":
                raise ValueError(f"the piece in row {y}, column {x} hangs in the air")
            cells[mark] |= 1 << x * height + y
        below = row
    white, red = cells["w"] | cells["W"], cells["r"] | cells["R"]
    if white.bit_count() - red.bit_count() not in (0, 1):
        raise ValueError("White must have as many pieces on the board as Red or one more")
    position = Position(parameters, white, cells["w"] | cells["r"], white | red)
    if min(*position.left(0), *position.left(1)) < 0:
        raise ValueError("there are more pieces of a kind on the board than there are")
    return position


def replay(parameters: Parameters, moves: str) -> Position:
    """The position after moves such as `3r,3s,0r`, `-` for none; raises ValueError where one of them is illegal."""
    position = Position(parameters)
    for number, word in enumerate(() if moves == "-" else moves.split(",")):
        found = _MOVE.fullmatch(word)
        if found is None:
            raise ValueError(f"move {number}, {word[:12]!r}, is none: expected a column, then r or s")
        column, shape = int(found[1]), _SHAPES.index(found[2])
        if column >= parameters.cols:
            raise ValueError(f"move {number}, {word}: there is no such column")
        if position.filled >> (column * position.height + parameters.rows - 1) & 1:
            raise ValueError(f"move {number}, {word}: the column is full")
        if position.left(position.mover)[shape] == 0:
            raise ValueError(f"move {number}, {word}: no such piece is left")
        position = position.after(column, shape)
    return position


def quick_move(position: Position, until: float) -> tuple[int, int]:
    """A legal move: one that wins at once, else one that loses neither at once nor to the next move, if it is found.

    `until` (time.monotonic()) bounds the looking; there must be a move.
    """
    own, best, worth = position.mover, position.moves()[0], -1
    threats: set[int] | None = None
    for column, shape in position.moves():
        after = position.after(column, shape)
        winner = after.winner()
        if winner == own:
            return column, shape
        if winner is not None:
            found = _LOST
        elif worth == _SAFE:
            continue  # all that is looked for now is a win
        else:
            if threats is None:
                threats = set(_wins(position, 1 - own))
            if shape == own:
                # It adds to no line of the opponent: what threatened before does, and the cell above.
                lost = bool(threats - {column}) or next(_wins(after, 1 - own, [column]), None) is not None
            else:
                lost = next(_wins(after, 1 - own), None) is not None
            found = _ANSWERED if lost else _SAFE
        if found > worth:
            best, worth = (column, shape), found
        if time.monotonic() >= until:
            break
    return best


def _wins(position: Position, player: int, columns: Iterable[int] | None = None) -> Iterator[int]:
    """The columns in which the player, were it to move, would win at once."""
    left = position.left(player)
    free = set(position.free_columns())
    for column in free if columns is None else free.intersection(columns):
        for shape in (0, 1):
            if left[shape] > 0 and _dropped(position, player, column, shape).winner() == player:
                yield column
                break


def _dropped(position: Position, player: int, column: int, shape: int) -> Position:
    """The position with a piece of that player's, whoever is to move."""
    after = position.after(column, shape)
    if player == position.mover:
        return after
    cell = after.filled ^ position.filled
    return Position(position.parameters, position.white | (0 if player else cell), after.round, after.filled)
