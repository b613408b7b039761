"""The base class of games with two riders on a rectangular field, whose trails become walls."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ..compiled import kernel, trailing_zeros
from ..game.base import Game, GameError, Symmetry
from ..game.picture import Move, Number, Picture, Piece, Trail
from .grid import Grid, has_bit, int_of, neighbour
from .images import grid_symmetries, least_heads

DIRECTIONS = ("up", "right", "down", "left")
MARKS = frozenset(".x01*")
"""A free cell, a blocked one, the heads, both heads on one cell."""
_HEADS = (("0", "0"), ("1", "1"), ("*", "01"))  # a cell's mark, and whose head it is
_FROM_BITS = str.maketrans("01", ".x")
_TO_BITS = str.maketrans(".x01*", "01111")


@functools.cache
def _outside(grid: Grid) -> int:
    return int_of(grid.outside)


class Riders(Game):
    """Two riders on `width` x `height` cells, whose actions are 0 up, 1 right, 2 down, 3 left.

    A state has `walls` (the words of blocked cells: trails, both heads, and every bit outside the field), `head0` and `head1`.
    """

    width: int
    height: int
    moved: ClassVar[Any]
    """A kernel of the game, `(state, motion, swapped)`: the image under a motion, with the riders exchanged or not."""
    comes_before: ClassVar[Any]
    """A kernel of the game, `(one, two)`: which of two images with the heads on the same cells is kept."""

    @property
    def grid(self) -> Grid:
        """The field's geometry."""
        return Grid(self.width, self.height)

    def fitted_to(self, text: str) -> "Riders":
        rows = [
            row
            for line in text.splitlines()
            if (row := line.strip().replace(",", "")) and MARKS.issuperset(row)
        ]
        game: Any = self  # a dataclass, as every game on such a field is
        return replace(game, width=len(rows[0]), height=len(rows)) if rows else game

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        return 3, self.height, self.width

    @kernel
    def planes(self, state, player, out):
        """Blocked cells, the player's own head, the other's head."""
        stride = self.grid.stride
        for y in range(self.height):
            for x in range(self.width):
                out[0, y, x] = has_bit(state.walls, stride * y + x)
                out[1, y, x] = stride * y + x == (state.head0 if player == 0 else state.head1)
                out[2, y, x] = stride * y + x == (state.head1 if player == 0 else state.head0)

    @kernel
    def walls(self, state):
        """The words of blocked cells, heads and outside included."""
        return state.walls

    @kernel
    def head(self, state, player):
        """The cell of a player's head."""
        return state.head0 if player == 0 else state.head1

    @kernel
    def free_steps(self, state, player, out):
        """Write the directions in which a free cell lies beside a player's head; how many there are."""
        head = state.head0 if player == 0 else state.head1
        count = 0
        for direction in range(4):
            there = neighbour(self.grid, head, direction)
            if there >= 0 and not has_bit(state.walls, there):
                out[count] = direction
                count += 1
        return count

    @kernel
    def canonical(self, state):
        """(the canonical image, whether the heads are exchanged): heads on the least cells, of these the
        least walls.
        """
        images = least_heads(self.grid, state.head0, state.head1)
        best, images = np.int64(trailing_zeros(np.uint64(images))), images & (images - 1)
        kept = self.moved(state, best >> 1, best & 1 == 1)
        while images != 0:
            other, images = np.int64(trailing_zeros(np.uint64(images))), images & (images - 1)
            image = self.moved(state, other >> 1, other & 1 == 1)
            if self.comes_before(image, kept):
                best, kept = other, image
        return kept, best & 1 == 1

    def symmetries(self, state: Any) -> list[Symmetry]:
        """Reflections and half turn of the field (all eight of a square one), also with the riders exchanged."""
        found: list[Symmetry] = []
        for motion in grid_symmetries(self.grid):
            turned = motion.directions
            if not motion.is_identity:
                found.append(Symmetry(self.moved(state, motion.number, False), turned, turned, False))
            found.append(Symmetry(self.moved(state, motion.number, True), turned, turned, True))
        return found

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return DIRECTIONS[action]

    def field(self, state: Any) -> list[str]:
        """The rows from the top: `.` free, `x` blocked, `0` and `1` the heads, `*` both on one cell."""
        stride, width = self.grid.stride, self.width
        # The lowest bit is the first row's leftmost cell.
        cells = f"{int_of(state.walls):0{stride * self.height}b}"[::-1].translate(_FROM_BITS)
        rows = [cells[start : start + width] for start in range(0, stride * self.height, stride)]
        for mark, head in enumerate((state.head0, state.head1)):
            x, y = self.grid.position(head)
            rows[y] = f"{rows[y][:x]}{'*' if state.head0 == state.head1 else mark}{rows[y][x + 1 :]}"
        return rows

    def read_field(self, rows: Sequence[str]) -> tuple[int, int, int]:
        """The bits of the blocked cells, heads and outside included, and the cells of both heads; raises GameError."""
        for y, row in enumerate(rows):
            if not MARKS.issuperset(row):
                x = next(x for x, mark in enumerate(row) if mark not in MARKS)
                raise GameError(f"{row[x]!r} at ({x}, {y}) is no cell: expected '.', 'x', '0', '1' or '*'")
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise GameError(f"expected {self.height} rows of {self.width} cells")
        cells = ("." * (self.grid.stride - self.width)).join(rows)
        heads: dict[str, int] = {}
        for mark, owners in _HEADS:
            for owner in owners * cells.count(mark):
                if owner in heads:
                    places = [
                        self.grid.position(cell) for cell, one in enumerate(cells) if one in (owner, "*")
                    ]
                    raise GameError(f"player {owner} has two heads, at {places[0]} and {places[-1]}")
                heads[owner] = cells.index(mark)
        if len(heads) != 2:
            raise GameError("the position needs both heads, '0' and '1', or '*' for both on one cell")
        # The last cell is the highest bit.
        return _outside(self.grid) | int(cells[::-1].translate(_TO_BITS), 2), heads["0"], heads["1"]

    def render(self, state: Any) -> str:
        return "\n".join(" ".join(row) for row in self.field(state))

    def target(self, state: Any, player: int, action: int) -> int:
        """The cell to which an action leads; -1 where it leads to none."""
        return neighbour(self.grid, int(self.head(state, player)), action)

    def pictured(self, state: Any, ends: Sequence[str | None], numbers: tuple[Number, ...] = ()) -> Picture:
        """The picture; `ends` are the titles of the riders' crosses, None for one that rides on.

        Heads are trails of one cell: a position does not say whose trail a wall is, or in what order it was
        left (see `continued`).
        """
        heads = [self.grid.position(int(head)) for head in (state.head0, state.head1)]
        riding = [player for player in (0, 1) if ends[player] is None]
        free = {heads[player] for player in riding}
        pieces = [
            Piece(*heads[p], p, "cross", title=f"player {p} {title}") for p, title in enumerate(ends) if title
        ]
        if len(pieces) == 2 and heads[0] == heads[1]:
            pieces = [Piece(*heads[0], None, "cross", title="both crashed")]
        moves: list[Move] = []
        for player in self.players_to_act(state):
            for action in self.legal_actions(state, player):
                there, name = self.target(state, player, action), DIRECTIONS[action]
                cell = self.grid.position(there) if there >= 0 else None
                moves.append(Move(player, action, name, cell, arrow=name))
        return Picture(
            self.width,
            self.height,
            walls=tuple(
                (x, y)
                for y, row in enumerate(self.field(state))
                for x, mark in enumerate(row)
                if mark != "." and (x, y) not in free
            ),
            pieces=tuple(pieces),
            trails=tuple(Trail(player, (heads[player],)) for player in riding),
            numbers=numbers,
            moves=tuple(moves),
            text=self.render(state),
        )
