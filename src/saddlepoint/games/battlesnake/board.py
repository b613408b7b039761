"""The board as people and referees write it: cells (x, y) from the bottom left, snakes as lists of cells."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...boards.grid import DOWN, LEFT, RIGHT, UP, Grid
from .body import cells_of, packed
from .state import Snake, State, due_word


@dataclass(frozen=True)
class Board:
    """`width` x `height` cells; a cell may be in the list of hazards `hazard_stack` times."""

    width: int
    height: int
    wrapped: bool
    hazard_stack: int

    @property
    def grid(self) -> Grid:
        """The geometry; its rows are counted from the top."""
        return Grid(self.width, self.height)

    def cell(self, x: int, y: int) -> int:
        """The grid's index of the cell (x, y), counted from the bottom left."""
        return self.grid.cell(x, self.height - 1 - y)

    def position(self, cell: int) -> tuple[int, int]:
        """(x, y) of a cell's index."""
        x, y = self.grid.position(int(cell))
        return x, self.height - 1 - y

    def is_inside(self, x: int, y: int) -> bool:
        """Whether (x, y) is a cell."""
        return 0 <= x < self.width and 0 <= y < self.height

    def beyond(self, cell: int, direction: int) -> tuple[int, int]:
        """(x, y) of what lies next to a cell in that direction, off the board too."""
        x, y = self.position(cell)
        return x + (direction == RIGHT) - (direction == LEFT), y + (direction == UP) - (direction == DOWN)

    def snake(self, state: State, player: int) -> Snake:
        """A player's snake as the official lists have it."""
        return cells_of(self.grid, self.wrapped, state, player)

    def state_of(
        self, snakes: Sequence[Snake], food: Sequence[int] = (), hazards: Sequence[int] = (), round_: int = 0,
        taken: tuple[int, int, int, int] = (0, 0, 0, 0), food_due: int = 0, sides_due: int = 0,
    ) -> State:  # fmt: skip
        """The position of two snakes, food and hazards, as the grid's cells; raises GameError where there is none.

        `taken`: how many columns at the left and right, rows at the bottom and top royale has taken.
        """
        due = int(due_word(food_due, sides_due))
        return packed(self.grid, self.wrapped, snakes, food, hazards, round_, taken, due, self.hazard_stack)
