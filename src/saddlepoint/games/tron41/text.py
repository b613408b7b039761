"""Maps and positions of Tron-41 as text, and pictures of positions. Files of maps are not trusted."""

import functools
import os
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from ..interface import (
    DIRECTIONS,
    Cell,
    Game,
    GameError,
    Grid,
    Mark,
    Move,
    Number,
    Picture,
    Piece,
    Trail,
    int_of,
    neighbour,
    read_text,
    words_of,
)
from .rules import FAST_MOVES, State

WALL, BARRIER, EMPTY, DRAWN = "#", "x", " ", "?"
TRAP, SPEED, BOMB, ARMOR = "*", "^", "!", "@"
POWERUPS = TRAP + SPEED + BOMB + ARMOR
PLAYERS = "12"
MARKS = WALL + BARRIER + EMPTY + POWERUPS + PLAYERS

MAPS = (
    "empty_room",
    "divider",
    "joust",
    "hunger_games",
    "empty_room_13",
    "small_room",
    "center_block",
    "diagonal_blocks",
)
"""The course's maps; the first four are its 17x17 ones, the others came with the rules of 2020."""

_LARGEST_SIDE = 34  # with the border: a grid has 32 cells
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
        return sum(mark in marks for row in self.rows for mark in row)

    @property
    def powerups(self) -> int:
        """Number of power-ups, those still to be drawn included."""
        return self.count(POWERUPS + DRAWN)

    def start_cells(self) -> list[tuple[int, int]]:
        """The cells on which chance may put player 1: cells (row, column) that are empty or a player's, and
        their images too.

        The centre is its own image under the half turn, so both players cannot start from it.
        """
        free = {
            (r, c) for r, row in enumerate(self.rows) for c, mark in enumerate(row) if mark in EMPTY + PLAYERS
        }
        return sorted(cell for cell in free if (image := self.half_turn(cell)) in free and image != cell)

    def half_turn(self, cell: tuple[int, int]) -> tuple[int, int]:
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
    Game.refuse(
        (
            not (3 <= width <= _LARGEST_SIDE and 3 <= height <= _LARGEST_SIDE),
            f"{what}: sides must be 3 to {_LARGEST_SIDE} cells, not {height} rows of {width}",
        ),
        (
            {*rows[0], *rows[-1], *(row[0] for row in rows), *(row[-1] for row in rows)} != {WALL},
            f"{what}: the border must be walls, '#', all around",
        ),
    )


def parse_layout(text: str, what: str = "the map") -> Layout:
    """The map that a text shows; raises GameError in one sentence that begins with `what`."""
    Game.refuse(
        (len(text) > _LARGEST_FILE, f"{what} is longer than {_LARGEST_FILE} characters, which no map is")
    )
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
    except ValueError as error:  # it is no text
        raise GameError(f"the map {error}") from None
    return parse_layout(text, f"the map {source!r}")


# Positions as text, a line of what the board does not show and the board as the course's code prints it, and as pictures.

HEADER = re.compile(
    r"tron41 turn (?P<turn>[12]) armor (?P<armor>[01] [01]) speed (?P<speed>\d \d) trap (?P<trap>[12]|none)"
)


def board_rows(grid: Grid, state: State) -> list[str]:
    barriers, blocked = int_of(state.barriers), int_of(state.blocked)
    powerups = [
        (mark, int_of(words))
        for mark, words in zip(
            (TRAP, SPEED, BOMB, ARMOR), (state.traps, state.speeds, state.bombs, state.armors), strict=True
        )
    ]

    def mark_of(cell: int) -> str:
        if cell in (state.head0, state.head1):
            return PLAYERS[0] if cell == state.head0 else PLAYERS[1]
        if blocked >> cell & 1:
            return BARRIER if barriers >> cell & 1 else WALL
        return next((mark for mark, cells in powerups if cells >> cell & 1), EMPTY)

    border = WALL * (grid.width + 2)
    inner = [
        WALL + "".join(mark_of(grid.cell(x, y)) for x in range(grid.width)) + WALL for y in range(grid.height)
    ]
    return [border, *inner, border]


def header_line(state: State) -> str:
    """The facts of a state that the board does not show."""
    trap = PLAYERS[state.trapped] if state.trapped >= 0 else "none"
    return (
        f"tron41 turn {PLAYERS[state.turn]} armor {state.armor0} {state.armor1} "
        f"speed {state.speed0} {state.speed1} trap {trap}"
    )


def read_position(text: str) -> tuple[list[str], dict[str, Any]]:
    """The rows of a position's text, and what its first line says (nothing where there is only a board)."""
    rows = clean_rows(text.strip("\r\n"))
    if not rows or rows[0].startswith(WALL):
        return rows, {}
    header = HEADER.fullmatch(rows[0])
    if header is None:
        raise GameError(
            "expected a first line such as 'tron41 turn 1|2 armor 0|1 0|1 speed 0..4 0..4 trap none|1|2', "
            f"not {rows[0][:80]!r}"
        )
    return rows[1:], {
        "turn": int(header["turn"]) - 1,
        "armor": tuple(map(int, header["armor"].split())),
        "speed": tuple(map(int, header["speed"].split())),
        "trapped": int(header["trap"]) - 1 if header["trap"] != "none" else -1,
    }


def read_field(grid: Grid, layout: Layout, rows: Sequence[str]) -> dict[str, Any]:
    """The boards and heads of a position of this map, as fields of a state; a crashed player is not on the board."""
    rows = [row.rstrip() for row in rows]
    check_rows(rows, MARKS, "the position")
    high, wide = len(layout.rows), len(layout.rows[0])
    Game.refuse(
        (
            (len(rows), len(rows[0])) != (high, wide),
            f"the position has {len(rows)} rows of {len(rows[0])} cells, the map {high} rows of {wide}",
        )
    )
    cells: dict[str, int] = dict.fromkeys(MARKS, 0)
    heads = [-1, -1]
    for y, row in enumerate(rows[1:-1]):
        for x, mark in enumerate(row[1:-1]):
            cell = grid.cell(x, y)
            cells[mark] |= 1 << cell
            if (mark == WALL) != (layout.rows[y + 1][x + 1] == WALL):
                raise GameError(f"the walls of the position are not the map's at ({y + 1}, {x + 1})")
            if mark in PLAYERS:
                if heads[PLAYERS.index(mark)] >= 0:
                    raise GameError(f"player {mark} is on two cells of the position")
                heads[PLAYERS.index(mark)] = cell
    if sum(cells[mark].bit_count() for mark in POWERUPS) > layout.powerups:
        raise GameError(f"the map has only {layout.powerups} power-ups, the position more")
    blocked = int_of(grid.outside) | cells[WALL] | cells[BARRIER] | cells["1"] | cells["2"]
    boards = {
        "blocked": blocked,
        "barriers": cells[BARRIER],
        "traps": cells[TRAP],
        "speeds": cells[SPEED],
        "bombs": cells[BOMB],
        "armors": cells[ARMOR],
    }
    words = {name: words_of(bits, grid.words) for name, bits in boards.items()}
    return {**words, "head0": heads[0], "head1": heads[1]}


def check_status(turn: int, armor: Sequence[int], speed: Sequence[int], trapped: int) -> None:
    """Raise GameError unless the numbers are ones a position can have."""
    Game.refuse(
        (
            turn not in (0, 1) or trapped not in (-1, 0, 1),
            f"the player to move is 0 or 1 and a trap is set around -1 (nobody), 0 or 1, not {turn}, {trapped}",
        ),
        (
            len(armor) != 2 or any(number not in (0, 1) for number in armor),
            f"armor is 0 or 1 for each player, not {armor!r}",
        ),
        (
            len(speed) != 2 or any(number not in range(FAST_MOVES + 1) for number in speed),
            f"the speed counters are 0 to {FAST_MOVES}, not {speed!r}",
        ),
    )


_POWERUPS = {
    TRAP: ("T", "trap: three barriers around the opponent"),
    SPEED: ("S", "speed: four moves that keep the turn"),
    BOMB: ("B", "bomb: clears the barriers around it"),
    ARMOR: ("A", "armor: enters one barrier unharmed"),
}


def picture_of(
    grid: Grid, state: State, names: Mapping[int, tuple[int, str]], pending: Iterable[Cell], text: str
) -> Picture:
    """The picture: `names` are player and name of the legal actions, `pending` the (row, column) cells on the map that a
    trap may take.
    """
    rows = enumerate(board_rows(grid, state)[1:-1])
    cells = [(x, y, mark) for y, row in rows for x, mark in enumerate(row[1:-1])]
    marks = [Mark(x, y, "bonus", None, *_POWERUPS[mark]) for x, y, mark in cells if mark in _POWERUPS]
    marks += [Mark(column - 1, row - 1, "hazard", title="a trap may fall here") for row, column in pending]
    heads = (int(state.head0), int(state.head1))
    beside = {action: neighbour(grid, heads[player], action) for action, (player, _) in names.items()}
    moves = [
        Move(
            player,
            action,
            name,
            None if beside[action] < 0 else grid.position(beside[action]),
            arrow=DIRECTIONS[action],
        )
        for action, (player, name) in names.items()
    ]
    armor, speed = (state.armor0, state.armor1), (state.speed0, state.speed1)
    return Picture(
        grid.width,
        grid.height,
        walls=tuple((x, y) for x, y, mark in cells if mark == WALL),
        pieces=tuple(Piece(x, y, None, "square", title="barrier") for x, y, mark in cells if mark == BARRIER),
        marks=tuple(marks),
        moves=tuple(moves),
        text=text,
        trails=tuple(Trail(player, (grid.position(head),)) for player, head in enumerate(heads) if head >= 0),
        numbers=tuple(
            number
            for player in (0, 1)
            for number in (
                Number("armor", int(armor[player]), player, 1),
                Number("fast moves", int(speed[player]), player, FAST_MOVES),
            )
        ),
        column_names=tuple(str(x + 1) for x in range(grid.width)),
        row_names=tuple(str(y + 1) for y in range(grid.height)),
    )
