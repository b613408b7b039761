"""What the reflections and turns of a map make of a position."""

from collections.abc import Callable
from typing import Any

from ...boards.grid import Grid, int_of, words_of
from ...boards.motions import Motion, motions
from ...game import Symmetry
from .state import State

_BOARDS = ("blocked", "barriers", "traps", "speeds", "bombs", "armors")


def moved(motion: Motion, state: State) -> State:
    """The position with every cell moved."""
    words = motion.grid.words
    boards: Any = {name: words_of(motion.cells(int_of(getattr(state, name))), words) for name in _BOARDS}
    return state._replace(**boards, head0=motion.cell(int(state.head0)), head1=motion.cell(int(state.head1)))


def exchanged(state: State) -> State:
    """The position with the players' places, turns and possessions exchanged."""
    return state._replace(
        head0=state.head1, head1=state.head0, turn=1 - state.turn, armor0=state.armor1, armor1=state.armor0,
        speed0=state.speed1, speed1=state.speed0, trapped=1 - state.trapped if state.trapped >= 0 else -1,
    )  # fmt: skip


def symmetries(grid: Grid, state: State, trap_boards: Callable[[State], list[int]]) -> list[Symmetry]:
    """All motions that leave the walls where they are, with and without an exchange of the players.

    `trap_boards` gives the cells that each outcome of the pending trap blocks; none where no trap is pending.
    """
    heads = sum(1 << int(head) for head in (state.head0, state.head1) if head >= 0)
    walls = int_of(state.blocked) & ~int_of(state.barriers) & ~heads
    traps = trap_boards(state)
    found: list[Symmetry] = []
    for motion in motions(grid):
        if motion.cells(walls) != walls:
            continue
        image, actions = moved(motion, state), motion.directions
        if traps:
            outcome_of = {cells: outcome for outcome, cells in enumerate(trap_boards(image))}
            actions = tuple(outcome_of[motion.cells(cells)] for cells in traps)
        if not motion.is_identity:
            found.append(Symmetry(image, actions, actions, False))
        found.append(Symmetry(exchanged(image), actions, actions, True))
    return found
