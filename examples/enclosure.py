"""Enclosure: two walkers on a grid make cells their own, one by one or a whole area at once; run this file to check the rules.

Both step at once to a neighbouring cell, whosever it is. A free cell then belongs for good to who stepped onto it; where both step
onto the same one it stays free. Free cells that a player's own cells shut in belong to that player too: those from which no way over
free cells, diagonal steps included, leads to the edge of the grid or beside a cell of the other. Who has more than half of all cells
wins at once; after the last round, or when no cell is free, who has more.

The rules are those of the contest Back to the Code (www.codingame.com/multiplayer/bot-programming/back-to-the-code) for two players on
a small grid, without standing still and going back in time, and with an end as soon as it is decided.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, GameError, Symmetry, check_game, kernel
from saddlepoint.games.interface import (
    Grid,
    Number,
    Picture,
    Piece,
    Ranges,
    bit,
    grid_symmetries,
    jit_inline,
    neighbour,
    popcount,
)

DIRECTIONS = ("up", "right", "down", "left")


class State(NamedTuple):
    """A position; cell (x, y) has the number 8 * y + x and is this bit of the cells, whatever the size."""

    cells0: np.uint64
    """What player 0 owns."""
    cells1: np.uint64
    place0: int
    place1: int
    round: int
    """Rounds played."""


# Both take in bits outside of the grid, or at its opposite edge: the edge's cells are never enclosed, so it makes no difference.
@jit_inline
def across(cells):
    """The cells and their neighbours to the left and right."""
    return cells | cells << np.uint64(1) | cells >> np.uint64(1)


@jit_inline
def down(cells):
    """The cells and their neighbours above and below."""
    return cells | cells << np.uint64(8) | cells >> np.uint64(8)


@dataclass(frozen=True)
class Enclosure(Game):
    """Enclosure on `size` x `size` cells, at most `rounds` rounds; an action is a direction, 0 up, 1 right, 2 down, 3 left."""

    size: int = 7
    rounds: int = 60

    name: ClassVar[str] = "enclosure"
    summary: ClassVar[str] = "both walk at once and own what they step on or enclose; more than half of the cells win"
    ranges: ClassVar[Ranges] = {"size": (4, 8), "rounds": (1, 100)}
    max_actions = 4

    def __post_init__(self) -> None:
        for name, (low, high) in self.ranges.items():
            if not low <= getattr(self, name) <= high:
                raise GameError(f"{name} must be {low} to {high}, not {getattr(self, name)}")

    @property
    def max_depth(self) -> int:
        return self.rounds

    @property
    def grid(self) -> Grid:
        return Grid(self.size, self.size)

    @property
    def board(self) -> np.uint64:
        """All cells."""
        return np.uint64(sum(((1 << self.size) - 1) << 8 * y for y in range(self.size)))

    @property
    def edge(self) -> np.uint64:
        """The outermost cells."""
        inner = sum(((1 << self.size - 2) - 1) << 8 * y + 1 for y in range(1, self.size - 1))
        return np.uint64(int(self.board) & ~inner)

    def initial_state(self) -> State:
        """Each owns the cell it stands on, one step from two opposite corners: so both may come to any cell at the same time."""
        first, last = self.grid.cell(1, 1), self.grid.cell(self.size - 2, self.size - 2)
        return State(np.uint64(1 << first), np.uint64(1 << last), first, last, 0)

    @kernel
    def current_player(self, state):
        count0, count1, cells = popcount(state.cells0), popcount(state.cells1), self.size * self.size
        is_over = 2 * count0 > cells or 2 * count1 > cells or count0 + count1 == cells or state.round >= self.rounds
        return TERMINAL if is_over else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        place, count = state.place0 if player == 0 else state.place1, 0
        for direction in range(4):
            if neighbour(self.grid, place, direction) >= 0:
                out[count] = direction
                count += 1
        return count

    @kernel
    def next_state(self, state, action0, action1):
        place0, place1 = neighbour(self.grid, state.place0, action0), neighbour(self.grid, state.place1, action1)
        new0, new1 = np.uint64(0), np.uint64(0)
        if place0 != place1:
            taken = state.cells0 | state.cells1
            new0, new1 = bit(place0) & ~taken, bit(place1) & ~taken
        cells0, cells1 = state.cells0 | new0, state.cells1 | new1
        enclosed0, enclosed1 = self.enclosed(cells0, cells1, new0), self.enclosed(cells1, cells0, new1)
        return State(cells0 | enclosed0, cells1 | enclosed1, place0, place1, state.round + 1)

    @kernel
    def enclosed(self, own, other, new):
        """The free cells that a player's new cell shuts in, if there is one."""
        # What diagonal steps do not leave has a closed ring of cells around it, of which each has two beside it.
        if popcount((across(new) | down(new)) & own & ~new) < 2:
            return np.uint64(0)
        free = self.board & ~(own | other)
        open_cells = free & (self.edge | down(across(other)))
        while True:
            grown = down(across(open_cells)) & free
            if grown == open_cells:
                return free & ~open_cells
            open_cells = grown

    @kernel
    def returns(self, state):
        return np.sign(float(popcount(state.cells0) - popcount(state.cells1)))

    def symmetries(self, state: State) -> list[Symmetry]:
        """The eight motions of the square, and the players' changing places."""
        found: list[Symmetry] = []
        for motion in grid_symmetries(self.grid):
            turned = motion.directions
            cells0, cells1 = (np.uint64(motion.cells(int(owned))) for owned in (state.cells0, state.cells1))
            place0, place1 = (motion.cell(int(place)) for place in (state.place0, state.place1))
            if not motion.is_identity:
                found.append(Symmetry(State(cells0, cells1, place0, place1, state.round), turned, turned, False))
            found.append(Symmetry(State(cells1, cells0, place1, place0, state.round), turned, turned, True))
        return found

    def why_over(self, state: State) -> str:
        owned0, owned1 = (int(owned).bit_count() for owned in (state.cells0, state.cells1))
        return f"Of {self.size**2} cells player 0 owns {owned0} and player 1 owns {owned1}."

    def turns_played(self, state: State) -> int:
        return int(state.round)

    # -- words and picture ---------------------------------------------------------------------------------------------

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return DIRECTIONS[action]

    def rows(self, state: State) -> list[str]:
        """Whose the cells are, by rows from the top: `a` player 0's, `b` player 1's, `.` free."""
        owned0, owned1 = int(state.cells0), int(state.cells1)
        cells = ["a" if owned0 >> cell & 1 else "b" if owned1 >> cell & 1 else "." for cell in range(64)]
        return ["".join(cells[8 * y : 8 * y + self.size]) for y in range(self.size)]

    def render(self, state: State) -> str:
        """The rows; `A` and `B` before a cell are the players who stand on it, `*` both."""
        rows = [[f" {mark}" for mark in row] for row in self.rows(state)]
        for place, mark in ((state.place0, "A"), (state.place1, "B")):
            x, y = self.grid.position(int(place))
            rows[y][x] = ("*" if state.place0 == state.place1 else mark) + rows[y][x][1]
        return "\n".join([*("".join(row) for row in rows), f"round {state.round} of {self.rounds}"])

    def picture(self, state: State) -> Picture:
        """A square for each cell that is somebody's, but where a player stands."""
        places = [self.grid.position(int(place)) for place in (state.place0, state.place1)]
        walkers = [Piece(*place, player, "disc", "AB"[player], f"player {player}", id=str(player)) for player, place in enumerate(places)]
        owned = [(x, y, "ab".index(mark)) for y, row in enumerate(self.rows(state)) for x, mark in enumerate(row) if mark != "."]
        squares = [Piece(x, y, owner, "square", title=f"player {owner}'s cell") for x, y, owner in owned if (x, y) not in places]
        counts = tuple(Number("cells", int(owned).bit_count(), player) for player, owned in enumerate((state.cells0, state.cells1)))
        moves, text = self.pictured_moves(state), self.render(state)
        return Picture(self.size, self.size, pieces=(*squares, *walkers), numbers=counts, moves=moves, text=text)


if __name__ == "__main__":
    check_game(Enclosure())
    print(Enclosure().render(Enclosure().initial_state()))
