"""Tron-41 over lists of characters, as slow and plain as the rules are written."""

from dataclasses import dataclass

STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


@dataclass(frozen=True)
class Position:
    rows: tuple[str, ...]
    turn: int
    armor: tuple[int, int] = (0, 0)
    speed: tuple[int, int] = (0, 0)
    trap: tuple[tuple[int, int], ...] = ()
    """The cells from which chance chooses three."""

    def place(self, player):
        mark = "12"[player]
        return next(((r, row.index(mark)) for r, row in enumerate(self.rows) if mark in row), None)

    @property
    def over(self):
        return None in (self.place(0), self.place(1))


def put(rows, cell, mark):
    r, c = cell
    return (*rows[:r], rows[r][:c] + mark + rows[r][c + 1 :], *rows[r + 1 :])


def replaced(pair, player, value):
    return (value, pair[1]) if player == 0 else (pair[0], value)


def after(position, letter):
    """The position after a move; where chance has something to choose, with `trap` set."""
    rows, player = position.rows, position.turn
    (r, c), (dr, dc) = position.place(player), STEPS[letter]
    there = (r + dr, c + dc)
    held = rows[there[0]][there[1]]
    armor, speed = position.armor, position.speed
    rows = put(rows, (r, c), "x")
    trap = ()
    if held in " *^!@" or (held == "x" and armor[player]):
        rows = put(rows, there, "12"[player])
        if held == "x":
            armor = replaced(armor, player, 0)
        elif held == "@":
            armor = replaced(armor, player, 1)
        elif held == "^":
            speed = replaced(speed, player, 4)
        elif held == "!":
            for rr, row in enumerate(rows):
                for cc, mark in enumerate(row):
                    if mark == "x" and abs(rr - there[0]) <= 4 and abs(cc - there[1]) <= 4:
                        rows = put(rows, (rr, cc), " ")
        elif held == "*":
            orow, ocolumn = Position(rows, 0).place(1 - player)
            trap = tuple(
                (rr, cc)
                for rr, row in enumerate(rows)
                for cc, mark in enumerate(row)
                if mark == " " and max(abs(rr - orow), abs(cc - ocolumn)) == 2
            )
    turn = 1 - player
    if position.speed[player] > 0:
        speed, turn = replaced(speed, player, speed[player] - 1), player
    if len(trap) <= 3:
        for cell in trap:
            rows = put(rows, cell, "x")
        trap = ()
    return Position(rows, turn, armor, speed, trap)


def sprung(position, cells):
    rows = position.rows
    for cell in cells:
        rows = put(rows, cell, "x")
    return Position(rows, position.turn, position.armor, position.speed)
