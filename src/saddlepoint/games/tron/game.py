"""Tron as in the literature: both move at once, cells left become walls, a player that cannot move loses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..interface import (
    SIMULTANEOUS,
    TERMINAL,
    Ending,
    GameError,
    Picture,
    Ranges,
    Riders,
    constant,
    free_cells,
    image_of_cell,
    image_of_cells,
    int_of,
    is_empty,
    kernel,
    neighbour,
    neighbours,
    parameter,
    read_places,
    single,
    with_bit,
    without_unreachable,
    words_of,
)


class State(NamedTuple):
    """A position; cells are indices of the game's grid."""

    walls: tuple[np.uint64, ...]
    """Blocked cells: obstacles, trails, both heads, and every bit outside the field."""
    head0: int
    head1: int


@dataclass(frozen=True)
class Tron(Riders):
    """Tron on `width` x `height` cells; an action is 0 up, 1 right, 2 down or 3 left, and leads to a free cell.

    It ends as soon as either player has no free neighbour, and is a draw if neither has, or if both move to one cell.
    `start` is "corners" (opposite ones) or both heads' cells, such as "0,0 4,3"; `obstacles` lists blocked cells in the same way.

    >>> from saddlepoint import Tron, solve
    >>> solve(Tron(3, 3)).value
    0.0
    """

    width: int = constant(6)
    height: int = constant(6)
    start: str = parameter("corners")
    obstacles: str = parameter("")

    name: ClassVar[str] = "tron"
    summary: ClassVar[str] = "both leave trails and move at once; who cannot move loses"
    group: ClassVar[str] = "Duels"
    how_to_play: ClassVar[Sequence[str]] = (
        "Both players choose a direction at the same time; then both move one cell.",
        "The cell that you leave stays a wall.",
        "Who has no free cell to move to loses; if neither has one, or both move to the same cell, it is a draw.",
        "In a position that you draw yourself, walls may stand anywhere.",
    )
    ranges: ClassVar[Ranges] = {"width": (1, 32), "height": (1, 32)}
    max_actions: ClassVar[int] = 4

    def __post_init__(self) -> None:
        self.refuse(
            (
                not (1 <= self.width <= 32 and 1 <= self.height <= 32 and self.width * self.height > 1),
                f"the field must have sides of 1 to 32 cells and two cells at least, not {self.width}x{self.height}",
            )
        )
        self.initial_state()

    @property
    def max_depth(self) -> int:
        return max(self.width * self.height - 1, 2) // 2

    def initial_state(self, heads: tuple[tuple[int, int], tuple[int, int]] | None = None) -> State:
        """The start, or the position with both heads at these cells, as ((x0, y0), (x1, y1)), and no trails yet."""
        corners = (0, 0), (self.width - 1, self.height - 1)
        places = heads or (
            corners if self.start == "corners" else read_places(self.start, self.width, self.height, "start")
        )
        blocked = read_places(self.obstacles, self.width, self.height, "obstacles")
        for x, y in places:
            if not (0 <= x < self.width and 0 <= y < self.height):
                raise GameError(f"the head {x},{y} is outside the {self.width}x{self.height} field")
            if (x, y) in blocked:
                raise GameError(f"the start {x},{y} is an obstacle")
        cells = [self.grid.cell(*place) for place in (*places, *blocked)]
        self.refuse(
            (
                len(places) != 2,
                f"the start must be corners or two cells such as '0,0 4,3', not {self.start!r}",
            )
        )
        if cells[0] == cells[1]:
            raise GameError("both heads cannot be on {},{}".format(*places[0]))
        walls: Any = words_of(
            int_of(self.grid.outside) | sum(1 << cell for cell in set(cells)), self.grid.words
        )
        return State(walls, cells[0], cells[1])

    # -- the rules -----------------------------------------------------------------------------------------------

    @kernel
    def is_stuck(self, walls, head):
        return is_empty(neighbours(self.grid, single(self.grid, head)) & free_cells(self.grid, walls))

    @kernel
    def current_player(self, state):
        if (
            state.head0 == state.head1
            or self.is_stuck(state.walls, state.head0)
            or self.is_stuck(state.walls, state.head1)
        ):
            return TERMINAL
        return SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        return self.free_steps(state, player, out)

    @kernel
    def next_state(self, state, action0, action1):
        head0, head1 = neighbour(self.grid, state.head0, action0), neighbour(self.grid, state.head1, action1)
        return State(with_bit(with_bit(state.walls, head0), head1), head0, head1)

    @kernel
    def returns(self, state):
        if state.head0 == state.head1:
            return 0.0
        return float(
            int(self.is_stuck(state.walls, state.head1)) - int(self.is_stuck(state.walls, state.head0))
        )

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        end = states[-1]
        if end.head0 == end.head1:
            met = Ending("met the other head to head")
            return met, met
        a, b = (
            Ending("was shut in") if self.is_stuck(end.walls, head) else None
            for head in (end.head0, end.head1)
        )
        return a, b

    @kernel
    def moved(self, state, motion, swapped):
        walls = image_of_cells(self.grid, state.walls, motion)
        head0, head1 = (
            image_of_cell(self.grid, state.head0, motion),
            image_of_cell(self.grid, state.head1, motion),
        )
        return State(walls, head1, head0) if swapped else State(walls, head0, head1)

    @kernel
    def comes_before(self, one, two):
        """Whether of two images with the heads on the same cells the first one has the lesser walls."""
        return one.walls < two.walls

    @kernel
    def without_score(self, state):
        """Cells that nobody can reach any more are blocked: nothing else in the game depends on them. There is no score."""
        return State(
            without_unreachable(self.grid, state.walls, state.head0, state.head1), state.head0, state.head1
        ), 0.0

    # -- text and picture --------------------------------------------------------------------------------------------

    def to_text(self, state: State) -> str:
        return "\n".join(self.field(state))

    def from_text(self, text: str) -> State:
        """The position of rows of marks; a first line as Light Riders writes it is left out."""
        lines = text.replace(",", "").strip().splitlines()
        rows = lines[1:] if lines and lines[0].startswith("light_riders ") else lines
        walls, head0, head1 = self.read_field(" ".join(rows).split())
        words: Any = words_of(walls, self.grid.words)
        gone = [
            f"{x},{y}"
            for x, y in read_places(self.obstacles, self.width, self.height, "obstacles")
            if not walls >> self.grid.cell(x, y) & 1
        ]
        self.refuse((gone, f"the obstacle on {', '.join(gone)} is missing"))
        return State(words, head0, head1)

    def picture(self, state: State) -> Picture:
        met = state.head0 == state.head1
        ends = [
            "cannot move" if met or self.is_stuck(state.walls, head) else None
            for head in (state.head0, state.head1)
        ]
        return self.pictured(state, ends)
