"""What a position looks like: lines for a terminal, and a picture."""

from collections.abc import Sequence
from itertools import pairwise

from ...picture import Mark, Move, Number, Picture, Trail
from .board import Board
from .body import cells_in, stacks_of
from .rules import target
from .state import CAUSES, FULL_HEALTH, NO_CELL, State, coiled_of

_ARROWS = ("^", ">", "v", "<")
_NAMES = ("up", "right", "down", "left")
_EMPTY, _FOOD, _HAZARD, _HAZARD_WITH_FOOD = " .", " *", " :", ":*"
_HEADS_MET = "@@"


def rendered(board: Board, state: State) -> str:
    """Two characters a cell: whose it is and where the next one towards the head lies, `@` the head; `*` food, `:` a hazard."""
    grid = board.grid
    marks = dict.fromkeys(cells_in(grid, state.food), _FOOD)
    for cell in stacks_of(grid, state):
        marks[cell] = _HAZARD if marks.get(cell, _HAZARD) == _HAZARD else _HAZARD_WITH_FOOD
    heads: list[int] = []
    lines: list[str] = []
    for player in (0, 1):
        snake = board.snake(state, player)
        cells = snake.cells
        for ahead, cell in reversed(list(pairwise(cells))):
            if cell != ahead:
                marks[cell] = f"{player}{_ARROWS[_direction(board, cell, ahead)]}"
        coiled = int(coiled_of(state.snake1 if player else state.snake0))
        told = f"{player}: health {snake.health}, length {len(cells)}" + (f" ({coiled} to unfold)" if coiled else "")
        lines.append(told + (f", dead: {CAUSES[snake.cause]}" if snake.cause else ""))
        heads.append(cells[0])
    for player, head in enumerate(heads):
        if head >= 0:
            marks[head] = _HEADS_MET if heads[0] == heads[1] else f"{player}@"
    rows = [" ".join(marks.get(grid.cell(x, y), _EMPTY) for x in range(grid.width)) for y in range(grid.height)]
    return "\n".join([f"round {state.round}", *lines, *rows])


def _direction(board: Board, cell: int, ahead: int) -> int:
    """The direction from a cell to the next one of a snake."""
    if ahead < 0:
        return -1 - ahead
    return next(d for d in range(4) if target(board.grid, cell, d, board.wrapped) == ahead)


def pictured(board: Board, state: State, constrictor: bool, choosing: Sequence[int]) -> Picture:
    """The picture: snakes from tail to head, food, hazards with how often they count, health and length, moves to cells.

    `choosing`: the players who are to move.
    """
    grid = board.grid
    hazards = stacks_of(grid, state)
    marks = [
        Mark(*grid.position(cell), "hazard", label=str(hazards.count(cell)) if hazards.count(cell) > 1 else "", title="hazard")
        for cell in dict.fromkeys(hazards)
    ]
    marks += [Mark(*grid.position(cell), "food", title="food") for cell in cells_in(grid, state.food)]
    trails: list[Trail] = []
    numbers: list[Number] = []
    for player in (0, 1):
        snake = board.snake(state, player)
        cells = tuple(grid.position(cell) for cell in dict.fromkeys(reversed(snake.cells)) if cell >= 0)
        trails.append(Trail(player, cells, head=not snake.cause, moves_on=not constrictor))
        numbers.append(Number("health", snake.health, player, FULL_HEALTH))
        numbers.append(Number("length", len(snake.cells), player))
    return Picture(
        grid.width, grid.height, marks=tuple(marks), trails=tuple(trails), numbers=tuple(numbers),
        moves=_moves(board, state, choosing), wraps=board.wrapped, text=rendered(board, state),
    )  # fmt: skip


def _moves(board: Board, state: State, choosing: Sequence[int]) -> tuple[Move, ...]:
    moves: list[Move] = []
    for player in choosing:
        head = board.snake(state, player).cells[0]
        for action, name in enumerate(_NAMES):
            there = int(target(board.grid, head, action, board.wrapped))
            moves.append(Move(player, action, name, None if there == NO_CELL else board.grid.position(there), arrow=name))
    return tuple(moves)
