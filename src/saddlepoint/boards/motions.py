"""The reflections and turns of a grid: where they put cells, and what they make of directions."""

from dataclasses import dataclass

from .grid import DOWN, LEFT, RIGHT, UP, Grid, int_of


@dataclass(frozen=True)
class Motion:
    """The field transposed first, then flipped."""

    grid: Grid
    transpose: bool
    flip_x: bool
    flip_y: bool

    @property
    def is_identity(self) -> bool:
        """Whether everything stays where it is."""
        return not (self.transpose or self.flip_x or self.flip_y)

    @property
    def directions(self) -> tuple[int, ...]:
        """What becomes of up, right, down and left."""
        return tuple(self._turned(direction) for direction in range(4))

    def _turned(self, direction: int) -> int:
        if self.transpose:
            direction = {UP: LEFT, LEFT: UP, DOWN: RIGHT, RIGHT: DOWN}[direction]
        return direction ^ 2 if (self.flip_x if direction in (LEFT, RIGHT) else self.flip_y) else direction

    def cell(self, cell: int) -> int:
        """The image of a cell's index; -1, no cell, stays."""
        if cell < 0:
            return cell
        x, y = self.grid.position(cell)
        if self.transpose:
            x, y = y, x
        return self.grid.cell(self.grid.width - 1 - x if self.flip_x else x, self.grid.height - 1 - y if self.flip_y else y)

    def cells(self, bits: int) -> int:
        """The image of a set of cells; bits outside the field stay."""
        outside = int_of(self.grid.outside)
        image, left = bits & outside, bits & ~outside
        while left:
            image |= 1 << self.cell((left & -left).bit_length() - 1)
            left &= left - 1
        return image


def motions(grid: Grid) -> list[Motion]:
    """All motions of a field, the identity first: eight where it is square, else four."""
    transposes = (False, True) if grid.width == grid.height else (False,)
    return [Motion(grid, t, x, y) for t in transposes for x in (False, True) for y in (False, True)]
