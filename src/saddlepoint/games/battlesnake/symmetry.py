"""What the reflections and turns of the board make of a position."""


from ...boards.motions import Motion, motions
from ...game import Symmetry
from .board import Board
from .body import cells_in, stacks_of
from .chance import BOTTOM_SIDE, LEFT_SIDE, NOTHING, RIGHT_SIDE, TOP_SIDE, cell_of, outcome_of
from .state import OFF_BOARD, Snake, State, food_due, sides_due

_SIDES = (TOP_SIDE, RIGHT_SIDE, BOTTOM_SIDE, LEFT_SIDE)
"""The side in each direction."""


def symmetries(board: Board, state: State) -> list[Symmetry]:
    """All motions of the board, with and without an exchange of the snakes."""
    chance = state.due != 0
    found: list[Symmetry] = []
    for motion in motions(board.grid):
        actions = motion.directions
        outcomes = _outcomes(board, motion, state) if chance else actions
        for exchanged in (False, True):
            if exchanged or not motion.is_identity:
                found.append(Symmetry(_moved(board, motion, state, exchanged), outcomes, outcomes, exchanged))
    return found


def _outcomes(board: Board, motion: Motion, state: State) -> tuple[int, ...]:
    """What becomes of each outcome of chance."""
    if food_due(state.due) == 0:
        return NOTHING, *(_side(motion, side) for side in (LEFT_SIDE, RIGHT_SIDE, BOTTOM_SIDE, TOP_SIDE))
    grid = board.grid
    return NOTHING, *(
        int(outcome_of(grid, motion.cell(int(cell_of(grid, outcome))))) for outcome in range(1, board.width * board.height + 1)
    )


def _side(motion: Motion, side: int) -> int:
    return _SIDES[motion.directions[_SIDES.index(side)]]


def _moved(board: Board, motion: Motion, state: State, exchanged: bool) -> State:
    def moved(cell: int) -> int:
        return motion.cell(cell) if cell >= 0 else OFF_BOARD - motion.directions[OFF_BOARD - cell]

    snakes = [board.snake(state, player) for player in ((1, 0) if exchanged else (0, 1))]
    images = [Snake(tuple(map(moved, snake.cells)), snake.health, snake.cause) for snake in snakes]
    taken = [0, 0, 0, 0]
    for side in range(1, 5):
        taken[_side(motion, side) - 1] = int(state.taken) >> 8 * (side - 1) & 255
    grid = board.grid
    return board.state_of(
        images, [*map(moved, cells_in(grid, state.food))], [*map(moved, stacks_of(grid, state))], int(state.round),
        (taken[0], taken[1], taken[2], taken[3]), int(food_due(state.due)), int(sides_due(state.due)),
    )  # fmt: skip
