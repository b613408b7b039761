"""Tic-tac-toe, Connect Four and Othello over sets of cells, as slow and plain as their rules are written.

A cell is (x, y), y down. Each class answers the questions of `helpers.reference_rules`.
"""

from dataclasses import dataclass, replace

from saddlepoint.game.nodes import TERMINAL

AROUND = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
PASS = 64


def marks_in(rows, mark):
    """The cells of rows of text that show a mark."""
    return frozenset((x, y) for y, row in enumerate(rows) for x, shown in enumerate(row) if shown == mark)


def lines_from(cells, length):
    """Every so many of the cells that lie in a row."""
    directions = (1, 0), (0, 1), (1, 1), (1, -1)
    every = ([(x + k * dx, y + k * dy) for k in range(length)] for x, y in cells for dx, dy in directions)
    return filter(cells.issuperset, every)


def lines_of(width, height, length):
    return list(lines_from({(x, y) for x in range(width) for y in range(height)}, length))


def threats_told(wins, places, mover):
    """Of the cells (column, row from below) that complete a line of either player, and those where a piece may fall now.

    Player 0's less player 1's: later ones in the rows that suit their owner, in the others, one above another; whether the mover wins at
    once; whether it cannot hold.
    """

    def later(player, odd):
        return len([cell for cell in wins[player] - places if cell[1] % 2 == odd])

    stacked = [len([(x, y) for x, y in own if (x, y + 1) in own]) for own in wins]
    threats = wins[1 - mover] & places
    return (
        later(0, 0) - later(1, 1),
        later(0, 1) - later(1, 0),
        stacked[0] - stacked[1],
        bool(wins[mover] & places),
        len(threats) > 1 or any((x, y + 1) in wins[1 - mover] for x, y in threats),
    )


@dataclass(frozen=True)
class InARow:
    """Who has `length` marks in a row wins; a full board without such a line is a draw."""

    width: int
    height: int
    length: int
    falls: bool
    """Whether a mark falls to the lowest free cell of its column: an action is a column then, else a cell by rows."""
    marks: tuple

    @classmethod
    def of_tic_tac_toe(cls, game, text):
        rows = text.split("/")
        return cls(3, 3, 3, False, (marks_in(rows, "x"), marks_in(rows, "o")))

    @classmethod
    def of_connect_four(cls, game, text):
        rows = text.split()
        return cls(game.columns, game.rows, game.line, True, (marks_in(rows, "x"), marks_in(rows, "o")))

    def mover(self):
        is_full = len(self.marks[0]) + len(self.marks[1]) == self.width * self.height
        return (
            TERMINAL
            if is_full or any(any(lines_from(cells, self.length)) for cells in self.marks)
            else len(self.marks[0]) - len(self.marks[1])
        )

    def moves(self, player):
        taken = self.marks[0] | self.marks[1]
        if self.falls:
            return [x for x in range(self.width) if (x, 0) not in taken]
        cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        return [number for number, cell in enumerate(cells) if cell not in taken]

    def after(self, action):
        cell = action % self.width, action // self.width
        if self.falls:
            in_column = [x for cells in self.marks for x, _ in cells if x == action]
            cell = action, self.height - 1 - len(in_column)
        marks = list(self.marks)
        marks[self.mover()] |= {cell}
        return replace(self, marks=tuple(marks))

    def result(self):
        return any(lines_from(self.marks[0], self.length)) - any(lines_from(self.marks[1], self.length))


@dataclass(frozen=True)
class Othello:
    """An action is x + 8 y, whatever the size; 64 passes."""

    size: int
    by_discs: bool
    discs: tuple
    turn: int

    @classmethod
    def read(cls, game, text):
        *rows, turn = text.split("/")
        return cls(
            game.size, game.utility == "discs", (marks_in(rows, "x"), marks_in(rows, "o")), "xo".index(turn)
        )

    def enclosed(self, player, cell):
        """The other's discs between a disc placed there and the next own one, in all directions."""
        own, other = self.discs[player], self.discs[1 - player]
        found = set()
        for dx, dy in AROUND:
            line, (x, y) = [], (cell[0] + dx, cell[1] + dy)
            while (x, y) in other:
                line.append((x, y))
                x, y = x + dx, y + dy
            if (x, y) in own:
                found.update(line)
        return found

    def placements(self, player):
        taken = self.discs[0] | self.discs[1]
        cells = [(x, y) for y in range(self.size) for x in range(self.size) if (x, y) not in taken]
        return [x + 8 * y for x, y in cells if self.enclosed(player, (x, y))]

    def mover(self):
        return self.turn if self.placements(0) or self.placements(1) else TERMINAL

    def moves(self, player):
        return self.placements(player) or [PASS]

    def after(self, action):
        discs = list(self.discs)
        if action != PASS:
            cell = action % 8, action // 8
            turned = self.enclosed(self.turn, cell)
            discs[self.turn] |= turned | {cell}
            discs[1 - self.turn] -= turned
        return replace(self, discs=tuple(discs), turn=1 - self.turn)

    def result(self):
        lead = len(self.discs[0]) - len(self.discs[1])
        return lead if self.by_discs else (lead > 0) - (lead < 0)
