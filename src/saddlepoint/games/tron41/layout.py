"""Maps: the course's own by name, or a file in the same format, which is not trusted."""

import functools
import os
import random
from dataclasses import dataclass
from importlib import resources

from ...boards.grid import MAX_SIDE
from ...foreign_files import ForeignFileError, read_text
from ...game import GameError

WALL, BARRIER, EMPTY, DRAWN = "#", "x", " ", "?"
TRAP, SPEED, BOMB, ARMOR = "*", "^", "!", "@"
POWERUPS = TRAP + SPEED + BOMB + ARMOR
PLAYERS = "12"
MARKS = WALL + BARRIER + EMPTY + POWERUPS + PLAYERS

MAPS = (
    "empty_room", "divider", "joust", "hunger_games", "empty_room_13", "small_room", "center_block", "diagonal_blocks",
)  # fmt: skip
"""The course's maps; the first four are its 17x17 ones, the others came with the rules of 2020."""

_LARGEST_FILE = 10_000  # characters; a map of the largest size has some 1,200


@dataclass(frozen=True)
class Layout:
    """A map with its border of walls, `?` where a power-up is drawn for each game."""

    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        """Columns inside the border."""
        return len(self.rows[0]) - 2

    @property
    def height(self) -> int:
        """Rows inside the border."""
        return len(self.rows) - 2

    def count(self, marks: str) -> int:
        """Number of cells that carry one of the marks."""
        return sum(mark in marks for row in self.rows for mark in row)

    @property
    def powerups(self) -> int:
        """Number of power-ups, those still to be drawn included."""
        return self.count(POWERUPS + DRAWN)

    def start_cells(self) -> list[tuple[int, int]]:
        """Where player 1 may be put by chance: cells (row, column) that are empty or a player's, and their images too.

        The centre is its own image under the half turn, so both players cannot start from it.
        """
        free = {
            (r, c) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark in EMPTY + PLAYERS
        }  # fmt: skip
        return sorted(cell for cell in free if (image := self.half_turn(cell)) in free and image != cell)

    def half_turn(self, cell: tuple[int, int]) -> tuple[int, int]:
        """The image of a cell under the half turn."""
        return len(self.rows) - 1 - cell[0], len(self.rows[0]) - 1 - cell[1]

    def drawn(self, draw: random.Random, random_start: bool) -> tuple[str, ...]:
        """The rows of one game: power-ups drawn for each `?`, and the players' cells if they are drawn too."""
        rows = [[draw.choice(POWERUPS) if mark == DRAWN else mark for mark in row] for row in self.rows]
        if random_start:
            first = draw.choice(self.start_cells())
            rows = [[EMPTY if mark in PLAYERS else mark for mark in row] for row in rows]
            for mark, (r, c) in zip(PLAYERS, (first, self.half_turn(first)), strict=True):
                rows[r][c] = mark
        return tuple("".join(row) for row in rows)


def clean_rows(text: str) -> list[str]:
    """The rows of a map or position: ends of lines in any form and blanks after the border are no part of them."""
    rows = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def check_rows(rows: list[str], marks: str, what: str) -> None:
    """Raise GameError, in one sentence, unless the rows are a closed rectangle of known marks."""
    if not rows:
        raise GameError(f"{what} is empty: expected rows of cells, '#' all around")
    width, height = len(rows[0]), len(rows)
    for number, row in enumerate(rows):
        if len(row) != width:
            raise GameError(f"{what}: row {number} has {len(row)} cells, the first row {width}")
        for column, mark in enumerate(row):
            if mark not in marks:
                raise GameError(f"{what}: {mark!r} at ({number}, {column}) is no cell; cells are {marks!r}")
    if not (3 <= width <= MAX_SIDE + 2 and 3 <= height <= MAX_SIDE + 2):
        raise GameError(f"{what}: sides must be 3 to {MAX_SIDE + 2} cells, not {height} rows of {width}")
    if {*rows[0], *rows[-1], *(row[0] for row in rows), *(row[-1] for row in rows)} != {WALL}:
        raise GameError(f"{what}: the border must be walls, '#', all around")


def parse_layout(text: str, what: str = "the map") -> Layout:
    """The map that a text shows; raises GameError in one sentence that begins with `what`."""
    if len(text) > _LARGEST_FILE:
        raise GameError(f"{what} is longer than {_LARGEST_FILE} characters, which no map is")
    rows = clean_rows(text)
    check_rows(rows, MARKS + DRAWN, what)
    layout = Layout(tuple(rows))
    for mark in PLAYERS:
        if layout.count(mark) != 1:
            raise GameError(f"{what}: player {mark} must be there once, not {layout.count(mark)} times")
    return layout


@functools.cache
def _own_layout(name: str) -> Layout:
    text = (resources.files(__name__.rpartition(".")[0]) / "maps" / f"{name}.txt").read_text(encoding="ascii")
    return parse_layout(text, f"map {name}")


def read_layout(source: str) -> Layout:
    """The map of that name, in that file, or written out in the text itself (where it has several lines).

    Raises GameError in one sentence.
    """
    if source in MAPS:
        return _own_layout(source)
    if "\n" in source:
        return parse_layout(source)
    if not os.path.isfile(source):  # a pipe or a device may never end
        raise GameError(f"no map is called {source!r} and no file either; maps: {', '.join(MAPS)}")
    try:
        text = read_text(source, _LARGEST_FILE)
    except OSError as error:
        raise GameError(f"the map {source!r} cannot be read: {error.strerror or error}") from None
    except ForeignFileError as error:
        raise GameError(f"the map {error}") from None
    return parse_layout(text, f"the map {source!r}")
