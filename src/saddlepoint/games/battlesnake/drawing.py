"""What a position looks like, as lines for a terminal and as a picture; and of what a snake died, in words."""

from collections.abc import Sequence
from itertools import pairwise

from ..interface import Ending, Mark, Move, Number, Picture, Trail
from .board import Board, cells_in, stacks_of
from .requests import DIRECTIONS
from .rules import target
from .state import CAUSES, FULL_HEALTH, HAZARD, HEADS, NO_CELL, OTHER, SELF, STARVED, WALL, State, coiled_of

_ARROWS = ("^", ">", "v", "<")
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
        status = f"{player}: health {snake.health}, length {len(cells)}" + (
            f" ({coiled} to unfold)" if coiled else ""
        )
        lines.append(status + (f", dead: {CAUSES[snake.cause]}" if snake.cause else ""))
        heads.append(cells[0])
    for player, head in enumerate(heads):
        if head >= 0:
            marks[head] = _HEADS_MET if heads[0] == heads[1] else f"{player}@"
    rows = [
        " ".join(marks.get(grid.cell(x, y), _EMPTY) for x in range(grid.width)) for y in range(grid.height)
    ]
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
        Mark(
            *grid.position(cell),
            "hazard",
            label=str(hazards.count(cell)) if hazards.count(cell) > 1 else "",
            title="hazard",
        )
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
        grid.width,
        grid.height,
        marks=tuple(marks),
        trails=tuple(trails),
        numbers=tuple(numbers),
        moves=_moves(board, state, choosing),
        wraps=board.wrapped,
        text=rendered(board, state),
    )


def _moves(board: Board, state: State, choosing: Sequence[int]) -> tuple[Move, ...]:
    moves: list[Move] = []
    for player in choosing:
        head = board.snake(state, player).cells[0]
        for action, name in enumerate(DIRECTIONS):
            there = int(target(board.grid, head, action, board.wrapped))
            moves.append(
                Move(
                    player, action, name, None if there == NO_CELL else board.grid.position(there), arrow=name
                )
            )
    return tuple(moves)


_WORDS = {
    HAZARD: "died in a hazard",
    WALL: "left the board",
    SELF: "ran into its own body",
    OTHER: "ran into the other snake",
}
assert {HAZARD, STARVED, WALL, SELF, OTHER, HEADS} == set(range(1, len(CAUSES)))


def ending_of(board: Board, states: Sequence[State], player: int) -> Ending | None:
    """What became of a player's snake at the end of these positions; None while it is alive."""
    dead = board.snake(states[-1], player)
    if not dead.cause:
        return None
    round_ = states[-1].round - 1
    last = next(
        (state for state in reversed(states) if state.round == round_), None
    )  # in which the snakes moved for the last time
    if dead.cause == STARVED:
        return _starved(board, states, states[-1] if last is None else last, player)
    if dead.cause == HEADS:
        is_shorter = len(dead.cells) < len(board.snake(states[-1], 1 - player).cells)
        return Ending(
            f"met the other snake head to head, {'which was longer' if is_shorter else 'and neither was longer'}"
        )
    if dead.cause in (WALL, SELF, OTHER) and last is not None and _is_shut_in(board, last, player):
        return Ending("was shut in: no way on was left")
    return Ending(_WORDS[dead.cause])


def _starved(board: Board, states: Sequence[State], last: State, player: int) -> Ending:
    count = len(cells_in(board.grid, last.food))
    food = f"with {count} {'piece' if count == 1 else 'pieces'} of food on the board"
    lengths = [(step, len(board.snake(state, player).cells)) for step, state in enumerate(states)]
    ate = next(
        (step for (_, before), (step, after) in reversed([*pairwise(lengths)]) if after > before), None
    )
    if ate is not None:
        return Ending(f"starved {food}: it had not eaten since turn {states[ate].round}", ate)
    began = board.snake(states[0], player).health == FULL_HEALTH and states[0].round == 0
    return Ending(f"starved {food}" + (": it never ate" if began else ""), 0)


def _is_shut_in(board: Board, state: State, player: int) -> bool:
    """Whether every way on led off the board or into a body; a tail that moves on is none."""
    grid = board.grid
    bodies: set[int] = set()
    for one in (0, 1):
        cells = board.snake(state, one).cells
        bodies |= set(cells[:-1])  # a tail that stays is listed twice
    head = board.snake(state, player).cells[0]
    ways = [int(target(grid, head, direction, board.wrapped)) for direction in range(4)]
    return all(way == NO_CELL or way in bodies for way in ways)
