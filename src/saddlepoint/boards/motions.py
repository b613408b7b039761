"""The reflections and turns of a grid: where they put cells, and what they make of directions."""

from dataclasses import dataclass

from .grid import Grid, int_of
from .images import FLIP_X, FLIP_Y, TRANSPOSE, image_of_cell, image_of_direction


@dataclass(frozen=True)
class Motion:
    """A motion of a field, with its number in `images`."""

    grid: Grid
    number: int

    @property
    def is_identity(self) -> bool:
        """Whether everything stays where it is."""
        return self.number == 0

    @property
    def directions(self) -> tuple[int, ...]:
        """What becomes of up, right, down and left."""
        return tuple(image_of_direction(direction, self.number) for direction in range(4))

    def cell(self, cell: int) -> int:
        """The image of a cell's index; -1, no cell, stays."""
        return image_of_cell(self.grid, cell, self.number)

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
    transposes = (0, TRANSPOSE) if grid.width == grid.height else (0,)
    return [Motion(grid, t | x | y) for t in transposes for x in (0, FLIP_X) for y in (0, FLIP_Y)]
