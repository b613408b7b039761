"""Who reaches what first, in plain Python: boards are integers, a bit a cell."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .seen import DIRECTIONS, Cell, Seen, SeenSnake


class Body(NamedTuple):
    """A snake on a board of bits: its cells as indices, the head first."""

    cells: tuple[int, ...]
    health: int


class Race(NamedTuple):
    """What came out of a race between two snakes that go everywhere at once."""

    mine: int
    """Cells that we reach first."""
    theirs: int
    food: int | None
    """Rounds to the nearest food that we reach first; None where there is none."""
    free: int
    """The cells that were free in the end."""


class Area:
    """The board of a request."""

    def __init__(self, seen: Seen) -> None:
        width, height = self.width, self.height = seen.width, seen.height
        self.wrapped = seen.wrapped
        self.full = (1 << width * height) - 1
        left = sum(1 << y * width for y in range(height))
        self._not_left, self._not_right = self.full & ~left, self.full & ~(left << width - 1)
        self.targets = [
            {DIRECTIONS.index(name): self.index(there) for name, there in seen.beside((i % width, i // width))}
            for i in range(width * height)
        ]
        """Where each direction leads from each cell."""

    def index(self, cell: Cell) -> int:
        """The number of a cell on the board."""
        return cell[1] * self.width + cell[0]

    def is_inside(self, cell: Cell) -> bool:
        """Whether a cell is on the board."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def bits(self, cells: Iterable[Cell]) -> int:
        """The board of these cells, without those that are off it."""
        found = 0
        for cell in cells:
            if self.is_inside(cell):
                found |= 1 << self.index(cell)
        return found

    def body(self, snake: SeenSnake) -> Body:
        """A snake of a request, without cells off the board."""
        return Body(tuple(self.index(cell) for cell in snake.cells if self.is_inside(cell)), snake.health)

    def spread(self, cells: int) -> int:
        """The neighbours of all these cells."""
        width = self.width
        right, left = (cells & self._not_right) << 1, (cells & self._not_left) >> 1
        found = right | left | cells << width | cells >> width
        if self.wrapped:
            found |= (cells & ~self._not_right & self.full) >> width - 1 | (cells & ~self._not_left & self.full) << width - 1
            found |= cells >> width * (self.height - 1) | cells << width * (self.height - 1)
        return found & self.full


def freed(bodies: Sequence[tuple[int, ...]], stays: bool = False) -> tuple[int, list[int]]:
    """The board of all bodies, and the cells that tails free in rounds 1, 2, ...; none where they stay."""
    taken, leaving = 0, dict[int, int]()
    for cells in bodies:
        length = len(cells)
        for place in range(length - 1, -1, -1):
            taken |= 1 << cells[place]
            leaving[cells[place]] = max(leaving.get(cells[place], 0), length - place)
    rounds = [0] * (0 if stays or not leaving else max(leaving.values()))
    if rounds:
        for cell, when in leaving.items():
            rounds[when - 1] |= 1 << cell
    return taken, rounds


def steps_to(area: Area, start: int, goal: int, free: int) -> int | None:
    """Steps from a cell to the nearest one of a board, over free cells; None where there is no way."""
    found = 1 << start
    for steps in range(1, area.width * area.height):
        new = area.spread(found) & free & ~found
        if new & goal:
            return steps
        if not new:
            return None
        found |= new
    return None


def race(area: Area, me: Body, rival: Body | None, walls: Sequence[tuple[int, ...]], food: int, stays: bool) -> Race:
    """Both go everywhere at once from their heads; what both reach in the same round is the longer snake's."""
    taken, leaving = freed([me.cells, *([rival.cells] if rival else []), *walls], stays)
    free = area.full & ~taken
    mine, theirs, nobodys = 1 << me.cells[0], 1 << rival.cells[0] if rival else 0, 0
    longer = len(me.cells) - len(rival.cells) if rival else 1
    nearest = None
    for round_ in range(2 * (area.width + area.height)):
        if round_ < len(leaving):
            free |= leaving[round_]
        room = free & ~(mine | theirs | nobodys)
        new, new_theirs = area.spread(mine) & room, area.spread(theirs) & room
        both = new & new_theirs
        if longer <= 0:
            new &= ~both
        if longer >= 0:
            new_theirs &= ~both
        if longer == 0:
            nobodys |= both
        mine, theirs = mine | new, theirs | new_theirs
        if nearest is None and new & food:
            nearest = round_ + 1
        if not (new or new_theirs or both) and round_ >= len(leaving):
            break
    return Race(mine.bit_count(), theirs.bit_count(), nearest, free)
