"""Snakes as lists of cells, and the words that hold them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...boards.grid import Grid, has_bit, words_of
from ...game import GameError
from .rules import direction_at, target
from .state import CAUSES, FULL_HEALTH, MOST_STACKED, OFF_BOARD, Snake, State

MOST_CELLS = 100_000


def cells_of(grid: Grid, wrapped: bool, state: State, player: int) -> Snake:
    """A player's snake: the path from its tail to its head, turned round, and the tail's cell as often as it counts."""
    mine = player == 0
    head, cell = (state.head0, state.tail0) if mine else (state.head1, state.tail1)
    length, coiled = (state.length0, state.coiled0) if mine else (state.length1, state.coiled1)
    path = [int(cell)] * (int(coiled) + 1)
    for _ in range(int(length) - len(path)):
        path.append(int(target(grid, path[-1], int(direction_at(state, path[-1])), wrapped)))
    if head < 0:
        path[-1] = OFF_BOARD - int(direction_at(state, path[-2]))
    return Snake(tuple(reversed(path)), int(state.health0 if mine else state.health1), int(state.cause0 if mine else state.cause1))


def packed(
    grid: Grid, wrapped: bool, snakes: Sequence[Snake], food: Sequence[int], hazards: Sequence[int], round_: int,
    taken: Sequence[int], food_due: int, sides_due: int,
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
    if stacks and max(stacks.values()) > MOST_STACKED:
        raise GameError(f"a cell may be in the list of hazards {MOST_STACKED} times, not {max(stacks.values())}")
    further: Any = [words_of(_bits(c for c, n in stacks.items() if (n - 1) >> bit & 1), grid.words) for bit in (0, 1)]

    def words(bits: int) -> Any:  # they become np.uint64 where compiled code sees them
        return words_of(bits, grid.words)

    first, second = snakes
    return State(
        words(bodies[0]), words(bodies[1]), words(low), words(high), words(_bits(food)), words(_bits(stacks)),
        (*further[0], *further[1]), max(first.cells[0], -1), max(second.cells[0], -1), first.cells[-1], second.cells[-1],
        first.health, second.health, len(first.cells), len(second.cells), coils[0], coils[1], first.cause, second.cause,
        round_, food_due, sides_due, sum(margin << 8 * k for k, margin in enumerate(taken)),
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
    for here, there in zip(path, path[1:], strict=False):
        ways = [direction for direction in range(4) if _leads_to(grid, wrapped, here, direction, there)]
        if not ways:
            raise GameError(f"snake {player} goes from {_told(grid, here)} to {_told(grid, there)}, which is no step")
        directions.append(ways[0])
    return path, coiled, directions


def _leads_to(grid: Grid, wrapped: bool, here: int, direction: int, there: int) -> bool:
    found = int(target(grid, here, direction, wrapped))
    return (OFF_BOARD - direction if found < 0 else found) == there


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
                more = has_bit(state.stacked, cell) + 2 * has_bit(state.stacked, cell + 64 * grid.words)
                found += [cell] * (1 + more)
    return found


def cells_in(grid: Grid, words: Any) -> list[int]:
    """The cells whose bits are set, in the order of the grid."""
    cells = (grid.cell(x, y) for y in range(grid.height) for x in range(grid.width))
    return [cell for cell in cells if has_bit(words, cell)]
