"""A position of Tron: a field, its blocked cells and both heads; nothing else matters to its value."""

from itertools import permutations
from typing import NamedTuple

from ....boards.grid import Grid
from ....boards.motions import motions

_FREE, _BLOCKED = ".", "x"
_HEADER = "light_riders "


class Field(NamedTuple):
    """Cells are indices of `grid`, blocked ones bits of `walls`; whether heads and what is outside are among them does not matter."""

    grid: Grid
    walls: int
    heads: tuple[int, int]

    def mirrored(self) -> "list[Field]":
        """The images under the symmetries of the grid, itself first."""
        return [
            Field(self.grid, motion.cells(self.walls), (motion.cell(self.heads[0]), motion.cell(self.heads[1])))
            for motion in motions(self.grid)
        ]


def open_field(width: int, height: int, heads: tuple[tuple[int, int], tuple[int, int]] | None = None) -> Field:
    """A field without walls; the heads, as ((x0, y0), (x1, y1)), stand in opposite corners by default.

    Raises ValueError for heads that are outside or on one cell, and for sides that are not 1 to 32.
    """
    grid = Grid(width, height)
    first, second = heads if heads is not None else ((0, 0), (width - 1, height - 1))
    for x, y in (first, second):
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(f"the head {x},{y} is outside the {width}x{height} field")
    if first == second:
        raise ValueError(f"both heads cannot be on {first[0]},{first[1]}")
    return Field(grid, 0, (grid.cell(*first), grid.cell(*second)))


def read_field(text: str) -> Field:
    """A field as rows of marks from the top: `.` free, `x` blocked, `0` and `1` the heads; commas between them do not matter.

    A first line as Light Riders writes it is left out. Raises ValueError for anything else.
    """
    rows = [line.strip().replace(",", "") for line in text.strip().splitlines() if line.strip()]
    if rows and rows[0].startswith(_HEADER):
        rows = rows[1:]
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError("a position is rows of equally many marks: '.', 'x', '0' and '1'")
    marks = "".join(rows)
    for mark in sorted(set(marks) - {_FREE, _BLOCKED, "0", "1"}):
        raise ValueError(f"{mark!r} is no mark of a position: expected '.', 'x', '0' or '1'")
    if marks.count("0") != 1 or marks.count("1") != 1:
        raise ValueError("a position has both heads once, '0' and '1'")
    grid = Grid(len(rows[0]), len(rows))
    cells = {grid.cell(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    heads = {mark: cell for cell, mark in cells.items() if mark in "01"}
    return Field(grid, sum(1 << cell for cell, mark in cells.items() if mark == _BLOCKED), (heads["0"], heads["1"]))


def text_of(field: Field) -> str:
    """The rows that `read_field` reads."""
    grid, heads = field.grid, field.heads

    def mark(cell: int) -> str:
        if cell in heads:
            return str(heads.index(cell))
        return _BLOCKED if field.walls >> cell & 1 else _FREE

    return "\n".join("".join(mark(grid.cell(x, y)) for x in range(grid.width)) for y in range(grid.height))


class Start(NamedTuple):
    """A start without walls, and how many ordered pairs of cells are it or its image under a symmetry of the grid."""

    field: Field
    pairs: int
    exchanged: int
    """As `pairs`, of those whose images are it with the riders exchanged (0 where these are among `pairs` already)."""


def every_start(width: int, height: int) -> list[Start]:
    """All pairs of cells to start from, those that are the same by symmetry or by exchange together."""
    grid = Grid(width, height)
    cells = [grid.cell(x, y) for y in range(height) for x in range(width)]
    seen: set[tuple[int, int]] = set()
    found: list[Start] = []
    for heads in permutations(cells, 2):
        if heads in seen:
            continue
        field = Field(grid, 0, heads)
        images = {image.heads for image in field.mirrored()}
        exchanged = {(second, first) for first, second in images} - images
        seen |= images | exchanged
        found.append(Start(field, len(images), len(exchanged)))
    return found
