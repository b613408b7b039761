"""Positions as text: a line of what the board does not show, and the board as the course's code prints it."""

import re
from collections.abc import Sequence
from typing import Any

from ...boards.grid import Grid, int_of, words_of
from ...game import GameError
from .layout import (
    ARMOR,
    BARRIER,
    BOMB,
    EMPTY,
    MARKS,
    PLAYERS,
    POWERUPS,
    SPEED,
    TRAP,
    WALL,
    Layout,
    check_rows,
    clean_rows,
)
from .rules import FAST_MOVES
from .state import State

HEADER = re.compile(r"tron41 turn (?P<turn>[12]) armor (?P<armor>[01] [01]) speed (?P<speed>\d \d) trap (?P<trap>[12]|none)")
EXPECTED = "tron41 turn 1|2 armor 0|1 0|1 speed 0..4 0..4 trap none|1|2"


def board_rows(grid: Grid, state: State) -> list[str]:
    """The board with its border, one string a row."""
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
    ]  # fmt: skip
    return [border, *inner, border]


def header_line(state: State) -> str:
    """What the board does not show."""
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
        raise GameError(f"expected a first line such as {EXPECTED!r}, not {rows[0][:80]!r}")
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
    if (len(rows), len(rows[0])) != (len(layout.rows), len(layout.rows[0])):
        size = f"{len(layout.rows)} rows of {len(layout.rows[0])}"
        raise GameError(f"the position has {len(rows)} rows of {len(rows[0])} cells, the map {size}")
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
        "blocked": blocked, "barriers": cells[BARRIER], "traps": cells[TRAP], "speeds": cells[SPEED],
        "bombs": cells[BOMB], "armors": cells[ARMOR],
    }  # fmt: skip
    words = {name: words_of(bits, grid.words) for name, bits in boards.items()}
    return {**words, "head0": heads[0], "head1": heads[1]}


def check_status(turn: int, armor: Sequence[int], speed: Sequence[int], trapped: int) -> None:
    """Raise GameError unless the numbers are ones a position can have."""
    if turn not in (0, 1) or trapped not in (-1, 0, 1):
        raise GameError(f"the player to move is 0 or 1 and a trap is set around -1 (nobody), 0 or 1, not {turn}, {trapped}")
    if len(armor) != 2 or any(number not in (0, 1) for number in armor):
        raise GameError(f"armor is 0 or 1 for each player, not {armor!r}")
    if len(speed) != 2 or any(number not in range(FAST_MOVES + 1) for number in speed):
        raise GameError(f"the speed counters are 0 to {FAST_MOVES}, not {speed!r}")
