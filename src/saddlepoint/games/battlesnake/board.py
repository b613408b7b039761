"""The board as people and referees write it, cells (x, y) from the bottom left, snakes as lists of cells; symmetries; how games begin."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from typing import Any

from ..interface import (
    Game,
    GameError,
    Grid,
    GridSymmetry,
    Symmetry,
    grid_symmetries,
    has_bit,
    words_of,
)
from .rules import (
    BOTTOM_SIDE,
    LEFT_SIDE,
    NOTHING,
    RIGHT_SIDE,
    TOP_SIDE,
    cell_of,
    direction_at,
    outcome_of,
    stacked_at,
    target,
)
from .state import (
    CAUSES,
    DOWN,
    FULL_HEALTH,
    LEFT,
    NO_CELL,
    OFF_BOARD,
    RIGHT,
    UP,
    Snake,
    State,
    cause_of,
    coiled_of,
    due_word,
    food_due,
    head_of,
    health_of,
    length_of,
    sides_due,
    snake_word,
    tail_of,
)

Cell = tuple[int, int]
"""(x, y) from the bottom left."""

MOST_CELLS = 60_000

_SIDES = (TOP_SIDE, RIGHT_SIDE, BOTTOM_SIDE, LEFT_SIDE)
"""The side in each direction."""

_LENGTH = 3
_OFFICIAL_SIDE = 7
_DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_OTHER_STARTS = 12


def _path(grid: Grid, wrapped: bool, player: int, snake: Snake) -> tuple[list[int], int, list[int]]:
    """(the different cells from the tail to the head, how often more than once the tail is listed, the directions between them)."""
    cells = list(snake.cells)
    Game.refuse(
        (not 2 <= len(cells) <= MOST_CELLS, f"a snake has 2 cells or more, snake {player} has {len(cells)}"),
        (
            not 0 <= snake.health <= FULL_HEALTH,
            f"health is 0 to {FULL_HEALTH}, that of snake {player} is {snake.health}",
        ),
        (
            not 0 <= snake.cause < len(CAUSES),
            f"snake {player} died of {snake.cause}, which is nothing that snakes die of",
        ),
        (snake.health == 0 and not snake.cause, f"snake {player} is alive without health"),
    )
    _check_cells(grid, cells[1:] if snake.cause else cells, f"snake {player}")
    path = cells[::-1]
    coiled = 0
    while len(path) > 1 and path[1] == path[0]:
        path, coiled = path[1:], coiled + 1
    directions: list[int] = []
    for here, there in pairwise(path):
        around = [int(target(grid, here, direction, wrapped)) for direction in range(4)]
        ways = [
            way for way, cell in enumerate(around) if (OFF_BOARD - way if cell == NO_CELL else cell) == there
        ]
        if not ways:
            raise GameError(
                f"snake {player} goes from {_cell_name(grid, here)} to {_cell_name(grid, there)}, which is no step"
            )
        directions.append(ways[0])
    return path, coiled, directions


def _check_cells(grid: Grid, cells: Iterable[int], what: str) -> None:
    for cell in cells:
        x, y = grid.position(cell)
        if not (cell >= 0 and x < grid.width and y < grid.height):
            raise GameError(f"{what} is off the board")


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in set(cells) if cell >= 0)


def _cell_name(grid: Grid, cell: int) -> str:
    if cell < 0:
        return "a cell off the board"
    x, y = grid.position(cell)
    return f"{x},{grid.height - 1 - y}"


def stacks_of(grid: Grid, state: State) -> list[int]:
    return [cell for cell in cells_in(grid, state.hazards) for _ in range(stacked_at(grid, state, cell))]


def cells_in(grid: Grid, words: Any) -> list[int]:
    """The cells whose bits are set, in the order of the grid."""
    cells = (grid.cell(x, y) for y in range(grid.height) for x in range(grid.width))
    return [cell for cell in cells if has_bit(words, cell)]


class Board(Game):
    """A game's board as people and referees write it; a cell may be in the list of hazards `hazard_stack` times."""

    width: int
    height: int
    wrapped: bool
    constrictor: bool
    royale: bool
    has_food: bool
    hazard_stack: int

    @property
    def grid(self) -> Grid:
        """The board's geometry; its rows are counted from the top."""
        return Grid(self.width, self.height)

    def cell(self, x: int, y: int) -> int:
        """The grid's index of the cell (x, y), counted from the bottom left."""
        return self.grid.cell(x, self.height - 1 - y)

    def position(self, cell: int) -> Cell:
        """(x, y) of a cell's index."""
        x, y = self.grid.position(int(cell))
        return x, self.height - 1 - y

    def is_inside(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def beyond(self, cell: int, direction: int) -> Cell:
        """(x, y) of what lies next to a cell in that direction, off the board too."""
        x, y = self.position(cell)
        return x + (direction == RIGHT) - (direction == LEFT), y + (direction == UP) - (direction == DOWN)

    def snake(self, state: State, player: int) -> Snake:
        """A player's snake: the path from its tail to its head, turned round, and the tail's cell as often as it counts."""
        word = int(state.snake1 if player else state.snake0)
        coiled, length, cell = coiled_of(word), length_of(word), tail_of(word)
        path = [int(cell)] * (int(coiled) + 1)
        for _ in range(int(length) - len(path)):
            way = int(direction_at(state, path[-1]))
            path.append(int(target(self.grid, path[-1], way, self.wrapped)))
        if head_of(word) == NO_CELL:
            path[-1] = OFF_BOARD - int(direction_at(state, path[-2]))
        return Snake(tuple(reversed(path)), int(health_of(word)), int(cause_of(word)))

    def state_of(
        self,
        snakes: Sequence[Snake],
        food: Sequence[int] = (),
        hazards: Sequence[int] = (),
        round_: int = 0,
        taken: tuple[int, int, int, int] = (0, 0, 0, 0),
        food_due: int = 0,
        sides_due: int = 0,
    ) -> State:
        """The position of two snakes, food and hazards, as the grid's cells; raises GameError where there is none.

        `taken`: how many columns at the left and right, rows at the bottom and top royale has taken.
        """
        grid = self.grid
        self.refuse((len(snakes) != 2, f"two snakes are needed, not {len(snakes)}"))
        low = high = 0
        bodies: list[int] = []
        numbers: list[int] = []
        seen = set[int]()
        for player, snake in enumerate(snakes):
            path, coiled, directions = _path(grid, self.wrapped, player, snake)
            # Where somebody has died, a head may be where somebody else's body is.
            own = path[:-1] if snakes[0].cause or snakes[1].cause else path
            if len(set(own)) != len(own) or not seen.isdisjoint(own):
                raise GameError(
                    f"snake {player} crosses a snake on {_cell_name(grid, next(c for c in own if own.count(c) > 1 or c in seen))}"
                )
            seen.update(own)
            for cell, direction in zip(path, directions, strict=False):
                low |= (direction & 1) << cell
                high |= (direction >> 1) << cell
            bodies.append(_bits(path))
            head = path[-1] if path[-1] >= 0 else NO_CELL
            numbers.append(
                int(snake_word(head, path[0], snake.health, snake.cause, len(snake.cells), coiled))
            )
        self.refuse(
            (
                any(not 0 <= margin <= 255 for margin in taken) or len(taken) != 4,
                f"royale takes 0 to 255 rows or columns on each of four sides, not {taken}",
            )
        )
        _check_cells(grid, food, "food")
        _check_cells(grid, hazards, "a hazard")
        stacks = Counter(hazards)
        if stacks and max(stacks.values()) > self.hazard_stack:
            raise GameError(
                f"a cell may be in the list of hazards {self.hazard_stack} times, not {max(stacks.values())}: see hazard_stack"
            )
        further: Any = (0,)
        if self.hazard_stack > 1:
            planes = [_bits(c for c, n in stacks.items() if (n - 1) >> bit & 1) for bit in (0, 1)]
            further = (*words_of(planes[0], grid.words), *words_of(planes[1], grid.words))

        def words(bits: int) -> Any:  # they become np.uint64 where compiled code sees them
            return words_of(bits, grid.words)

        return State(
            words(bodies[0]),
            words(bodies[1]),
            words(low),
            words(high),
            words(_bits(food)),
            words(_bits(stacks)),
            further,
            numbers[0],
            numbers[1],
            round_,
            int(due_word(food_due, sides_due)),
            sum(margin << 8 * k for k, margin in enumerate(taken)),
        )

    def symmetries(self, state: State) -> list[Symmetry]:
        """Reflections and turns of the board, all eight of a square one, also with the snakes exchanged."""
        images = [(motion, self._actions(motion, state)) for motion in grid_symmetries(self.grid)]
        return [
            Symmetry(self._moved(motion, state, exchanged), actions, actions, exchanged)
            for motion, actions in images
            for exchanged in (False, True)
            if exchanged or not motion.is_identity
        ]

    def _actions(self, motion: GridSymmetry, state: State) -> tuple[int, ...]:
        if state.due == 0:
            return motion.directions
        if food_due(state.due) == 0:
            return NOTHING, *(_side(motion, side) for side in (LEFT_SIDE, RIGHT_SIDE, BOTTOM_SIDE, TOP_SIDE))
        grid = self.grid
        places = range(1, self.width * self.height + 1)
        return NOTHING, *(int(outcome_of(grid, motion.cell(int(cell_of(grid, place))))) for place in places)

    def _moved(self, motion: GridSymmetry, state: State, exchanged: bool) -> State:
        def moved(cell: int) -> int:
            return motion.cell(cell) if cell >= 0 else OFF_BOARD - motion.directions[OFF_BOARD - cell]

        snakes = [self.snake(state, player) for player in ((1, 0) if exchanged else (0, 1))]
        images = [Snake(tuple(map(moved, snake.cells)), snake.health, snake.cause) for snake in snakes]
        taken = [0, 0, 0, 0]
        for side in range(1, 5):
            taken[_side(motion, side) - 1] = int(state.taken) >> 8 * (side - 1) & 255
        return self.state_of(
            images,
            [*map(moved, cells_in(self.grid, state.food))],
            [*map(moved, stacks_of(self.grid, state))],
            int(state.round),
            (taken[0], taken[1], taken[2], taken[3]),
            int(food_due(state.due)),
            int(sides_due(state.due)),
        )

    # -- how games begin -----------------------------------------------------------------------------------------

    def initial_state(self, seed: int | None = None, swapped: bool = False) -> State:
        """A start by the official rules, drawn from `seed`; `swapped`: the snakes exchange their places.

        Without a seed it is always the same one.
        """
        draw = random.Random(f"battlesnake {seed}")
        pairs = self._spots()
        pair = draw.choice(pairs) if pairs else None
        if pair and draw.random() < 0.5:
            pair = pair[1], pair[0]
        return self._start(draw, pair, swapped)

    def starts(self) -> list[State]:
        """The starts on all ordered pairs of spots, 24 on an official board; the same food for both orders of a pair.

        Of other boards twelve pairs, always the same.
        """
        return [
            self._start(random.Random(f"battlesnake start {number}"), pair, swapped)
            for number, pair in enumerate(self._spots() or [None] * _OTHER_STARTS)
            for swapped in (False, True)
        ]

    def _spots(self) -> list[tuple[Cell, Cell]]:
        """The pairs of spots on which two snakes may begin, each pair once: two corners or two sides; none on other boards."""
        if self.width != self.height or self.width < _OFFICIAL_SIDE:
            return []
        low, middle, high = 1, (self.width - 1) // 2, self.width - 2
        corners = [(x, y) for x in (low, high) for y in (low, high)]
        sides = [(low, middle), (middle, low), (middle, high), (high, middle)]
        return [*combinations(corners, 2), *combinations(sides, 2)]

    def _start(self, draw: random.Random, pair: tuple[Cell, Cell] | None, swapped: bool) -> State:
        """The start on two spots: a piece of food beside each, away from the middle, and one on it; without spots all is drawn."""
        middle = (self.width - 1) // 2, (self.height - 1) // 2
        food: list[Cell] = []
        if pair is None:
            cells = [(x, y) for x in range(self.width) for y in range(self.height)]
            first, second = draw.sample(
                [(x, y) for x, y in cells if (x + y) % 2 == 0 and (x, y) != middle], 2
            )
            pair = first, second
            if self.has_food:
                food = draw.sample([cell for cell in cells if cell not in pair], 2)
        elif self.has_food:
            corners = [(x, y) for x in (0, self.width - 1) for y in (0, self.height - 1)]
            for head in pair:
                around = [(head[0] + dx, head[1] + dy) for dx, dy in _DIAGONALS]
                taken = [*pair, *food, middle, *corners]
                food.append(
                    draw.choice([c for c in around if c not in taken and _is_farther(c, head, middle)])
                )
            food.append(middle)
        snakes = [Snake((self.cell(*head),) * _LENGTH) for head in (pair[::-1] if swapped else pair)]
        return self.state_of(snakes, [self.cell(*cell) for cell in food])


def _side(motion: GridSymmetry, side: int) -> int:
    return _SIDES[motion.directions[_SIDES.index(side)]]


def _is_farther(cell: Cell, head: Cell, middle: Cell) -> bool:
    """Whether the cell is farther from the middle than the head, on its side, in a column or a row."""
    return any(c < h < m or m < h < c for c, h, m in zip(cell, head, middle, strict=True))
