"""Snakes as lists of cells, and the words that hold them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from ...boards.grid import Grid, has_bit, words_of
from ...game import GameError
from .rules import direction_at, stacked_at, target
from .state import (
    CAUSES,
    FULL_HEALTH,
    NO_CELL,
    OFF_BOARD,
    Snake,
    State,
    cause_of,
    coiled_of,
    head_of,
    health_of,
    length_of,
    snake_word,
    tail_of,
)  # fmt: skip

MOST_CELLS = 60_000


def cells_of(grid: Grid, wrapped: bool, state: State, player: int) -> Snake:
    """A player's snake: the path from its tail to its head, turned round, and the tail's cell as often as it counts."""
    word = int(state.snake1 if player else state.snake0)
    coiled, length, cell = coiled_of(word), length_of(word), tail_of(word)
    path = [int(cell)] * (int(coiled) + 1)
    for _ in range(int(length) - len(path)):
        path.append(int(target(grid, path[-1], int(direction_at(state, path[-1])), wrapped)))
    if head_of(word) == NO_CELL:
        path[-1] = OFF_BOARD - int(direction_at(state, path[-2]))
    return Snake(tuple(reversed(path)), int(health_of(word)), int(cause_of(word)))


def packed(
    grid: Grid, wrapped: bool, snakes: Sequence[Snake], food: Sequence[int], hazards: Sequence[int], round_: int,
    taken: Sequence[int], due: int, stack: int,
) -> State:  # fmt: skip
    """The position that these make; raises GameError in one sentence where there is none such."""
    if len(snakes) != 2:
        raise GameError(f"two snakes are needed, not {len(snakes)}")
    low = high = 0
    bodies: list[int] = []
    coils: list[int] = []
    seen = set[int]()
    for player, snake in enumerate(snakes):
        path, coiled, directions = _path(grid, wrapped, player, snake)
        # Where somebody has died, a head may be where somebody else's body is.
        own = path[:-1] if snakes[0].cause or snakes[1].cause else path
        if len(set(own)) != len(own) or not seen.isdisjoint(own):
            raise GameError(f"snake {player} crosses a snake on {_told(grid, next(c for c in own if own.count(c) > 1 or c in seen))}")
        seen.update(own)
        for cell, direction in zip(path, directions, strict=False):
            low |= (direction & 1) << cell
            high |= (direction >> 1) << cell
        bodies.append(_bits(path))
        coils.append(coiled)
    if any(not 0 <= margin <= 255 for margin in taken) or len(taken) != 4:
        raise GameError(f"royale takes 0 to 255 rows or columns on each of four sides, not {taken}")
    _check_cells(grid, food, "food")
    _check_cells(grid, hazards, "a hazard")
    stacks = Counter(hazards)
    if stacks and max(stacks.values()) > stack:
        raise GameError(f"a cell may be in the list of hazards {stack} times, not {max(stacks.values())}: see hazard_stack")
    further: Any = (0,)
    if stack > 1:
        planes = [_bits(c for c, n in stacks.items() if (n - 1) >> bit & 1) for bit in (0, 1)]
        further = (*words_of(planes[0], grid.words), *words_of(planes[1], grid.words))

    def words(bits: int) -> Any:  # they become np.uint64 where compiled code sees them
        return words_of(bits, grid.words)

    numbers = [
        int(snake_word(one.cells[0] if one.cells[0] >= 0 else NO_CELL, one.cells[-1], one.health, one.cause, len(one.cells), coiled))
        for one, coiled in zip(snakes, coils, strict=True)
    ]
    return State(
        words(bodies[0]), words(bodies[1]), words(low), words(high), words(_bits(food)), words(_bits(stacks)), further,
        numbers[0], numbers[1], round_, due, sum(margin << 8 * k for k, margin in enumerate(taken)),
    )  # fmt: skip


def _path(grid: Grid, wrapped: bool, player: int, snake: Snake) -> tuple[list[int], int, list[int]]:
    """(the different cells from the tail to the head, how often more than once the tail is listed, the directions between them)."""
    cells = list(snake.cells)
    if not 2 <= len(cells) <= MOST_CELLS:
        raise GameError(f"a snake has 2 cells or more, snake {player} has {len(cells)}")
    if not 0 <= snake.health <= FULL_HEALTH:
        raise GameError(f"health is 0 to {FULL_HEALTH}, that of snake {player} is {snake.health}")
    if not 0 <= snake.cause < len(CAUSES):
        raise GameError(f"snake {player} died of {snake.cause}, which is nothing that snakes die of")
    if snake.health == 0 and not snake.cause:
        raise GameError(f"snake {player} is alive without health")
    _check_cells(grid, cells[1:] if snake.cause else cells, f"snake {player}")
    path = cells[::-1]
    coiled = 0
    while len(path) > 1 and path[1] == path[0]:
        path, coiled = path[1:], coiled + 1
    directions: list[int] = []
    for here, there in pairwise(path):
        ways = [direction for direction in range(4) if _leads_to(grid, wrapped, here, direction, there)]
        if not ways:
            raise GameError(f"snake {player} goes from {_told(grid, here)} to {_told(grid, there)}, which is no step")
        directions.append(ways[0])
    return path, coiled, directions


def _leads_to(grid: Grid, wrapped: bool, here: int, direction: int, there: int) -> bool:
    found = int(target(grid, here, direction, wrapped))
    return (OFF_BOARD - direction if found == NO_CELL else found) == there


def _check_cells(grid: Grid, cells: Iterable[int], what: str) -> None:
    for cell in cells:
        x, y = grid.position(cell)
        if not (cell >= 0 and x < grid.width and y < grid.height):
            raise GameError(f"{what} is off the board")


def _bits(cells: Iterable[int]) -> int:
    bits = 0
    for cell in cells:
        bits |= 1 << cell if cell >= 0 else 0
    return bits


def _told(grid: Grid, cell: int) -> str:
    if cell < 0:
        return "a cell off the board"
    x, y = grid.position(cell)
    return f"{x},{grid.height - 1 - y}"


def stacks_of(grid: Grid, state: State) -> list[int]:
    """The list of hazards, each cell as often as it is in it."""
    found: list[int] = []
    for y in range(grid.height):
        for x in range(grid.width):
            cell = grid.cell(x, y)
            if has_bit(state.hazards, cell):
                found += [cell] * stacked_at(grid, state, cell)
    return found


def cells_in(grid: Grid, words: Any) -> list[int]:
    """The cells whose bits are set, in the order of the grid."""
    cells = (grid.cell(x, y) for y in range(grid.height) for x in range(grid.width))
    return [cell for cell in cells if has_bit(words, cell)]
