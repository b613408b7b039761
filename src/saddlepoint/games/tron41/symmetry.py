"""The reflections and turns of a map, and what they make of a position."""

from typing import TYPE_CHECKING, Any

from ...boards.grid import DOWN, LEFT, RIGHT, UP, Grid, int_of, words_of
from ...game import CHANCE, Symmetry

if TYPE_CHECKING:
    from .game import State, Tron41

_BOARDS = ("blocked", "barriers", "traps", "speeds", "bombs", "armors")


class Motion:
    """The field transposed first, then flipped."""

    def __init__(self, grid: Grid, transpose: bool, flip_x: bool, flip_y: bool) -> None:
        self.grid = grid
        self.transpose, self.flip_x, self.flip_y = transpose, flip_x, flip_y
        self.actions = tuple(self._turned(direction) for direction in range(4))

    def _turned(self, direction: int) -> int:
        if self.transpose:
            direction = {UP: LEFT, LEFT: UP, DOWN: RIGHT, RIGHT: DOWN}[direction]
        return direction ^ 2 if (self.flip_x if direction in (LEFT, RIGHT) else self.flip_y) else direction

    def cell(self, cell: int) -> int:
        """The image of a cell's index; -1, a crashed player's, stays."""
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

    def state(self, state: "State") -> "State":
        """The position with every cell moved."""
        boards: Any = {
            name: words_of(self.cells(int_of(getattr(state, name))), self.grid.words) for name in _BOARDS
        }
        return state._replace(**boards, head0=self.cell(int(state.head0)), head1=self.cell(int(state.head1)))


def exchanged(state: "State") -> "State":
    """The position with the players' places, turns and possessions exchanged."""
    return state._replace(
        head0=state.head1, head1=state.head0, turn=1 - state.turn, armor0=state.armor1, armor1=state.armor0,
        speed0=state.speed1, speed1=state.speed0, trapped=1 - state.trapped if state.trapped >= 0 else -1,
    )  # fmt: skip


def symmetries(game: "Tron41", state: "State") -> list[Symmetry]:
    """All motions that leave the walls where they are, with and without an exchange of the players."""
    grid = game.grid
    heads = sum(1 << int(head) for head in (state.head0, state.head1) if head >= 0)
    walls = int_of(state.blocked) & ~int_of(state.barriers) & ~heads
    found: list[Symmetry] = []
    for transpose in (False, True) if grid.width == grid.height else (False,):
        for flip_x in (False, True):
            for flip_y in (False, True):
                motion = Motion(grid, transpose, flip_x, flip_y)
                if motion.cells(walls) != walls:
                    continue
                image = motion.state(state)
                actions = _outcomes(game, state, image, motion) if game.current_player(state) == CHANCE else motion.actions
                if any((transpose, flip_x, flip_y)):
                    found.append(Symmetry(image, actions, actions, False))
                found.append(Symmetry(exchanged(image), actions, actions, True))
    return found


def _outcomes(game: "Tron41", state: "State", image: "State", motion: Motion) -> tuple[int, ...]:
    """What becomes of each outcome of the pending trap."""
    count = int(game.trap_choices(state))
    there = {int_of(game.trap_board(image, outcome)): outcome for outcome in range(count)}
    return tuple(there[motion.cells(int_of(game.trap_board(state, outcome)))] for outcome in range(count))
