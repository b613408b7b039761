"""Of what a snake died, in words."""

from collections.abc import Sequence
from itertools import pairwise

from ...game import Ending
from .board import Board
from .body import cells_in
from .rules import target
from .state import CAUSES, FULL_HEALTH, HAZARD, HEADS, NO_CELL, OTHER, SELF, STARVED, WALL, State

_WORDS = {
    HAZARD: "died in a hazard", WALL: "left the board", SELF: "ran into its own body", OTHER: "ran into the other snake",
}  # fmt: skip
assert {HAZARD, STARVED, WALL, SELF, OTHER, HEADS} == set(range(1, len(CAUSES)))


def ending_of(board: Board, states: Sequence[State], player: int) -> Ending | None:
    """What became of a player's snake at the end of these positions; None while it is alive."""
    dead = board.snake(states[-1], player)
    if not dead.cause:
        return None
    round_ = states[-1].round - 1
    last = next((state for state in reversed(states) if state.round == round_), None)  # in which the snakes moved for the last time
    if dead.cause == STARVED:
        return _starved(board, states, states[-1] if last is None else last, player)
    if dead.cause == HEADS:
        is_shorter = len(dead.cells) < len(board.snake(states[-1], 1 - player).cells)
        return Ending(f"met the other snake head to head, {'which was longer' if is_shorter else 'and neither was longer'}")
    if dead.cause in (WALL, SELF, OTHER) and last is not None and _is_shut_in(board, last, player):
        return Ending("was shut in: no way on was left")
    return Ending(_WORDS[dead.cause])


def _starved(board: Board, states: Sequence[State], last: State, player: int) -> Ending:
    count = len(cells_in(board.grid, last.food))
    food = f"with {count} {'piece' if count == 1 else 'pieces'} of food on the board"
    lengths = [(step, len(board.snake(state, player).cells)) for step, state in enumerate(states)]
    ate = next((step for (_, before), (step, after) in reversed([*pairwise(lengths)]) if after > before), None)
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
