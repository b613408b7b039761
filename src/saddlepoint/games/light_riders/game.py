"""Light Riders, the simultaneous-move Tron of riddles.io: two riders, trails, the last one alive wins."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..interface import (
    DIRECTIONS,
    SIMULTANEOUS,
    TERMINAL,
    Ending,
    GameError,
    Number,
    Picture,
    Ranges,
    Riders,
    constant,
    count_of,
    has_bit,
    image_of_cell,
    image_of_cells,
    image_of_direction,
    int_of,
    kernel,
    mix,
    neighbour,
    with_bit,
    without_unreachable,
    words_of,
)

RIGHT, LEFT = DIRECTIONS.index("right"), DIRECTIONS.index("left")
PASS = "pass"
_HEADER = re.compile(
    r"light_riders (?P<width>\d+)x(?P<height>\d+) round (?P<round>\d+) facing (?P<first>\w+) (?P<second>\w+)"
    r" alive (?P<alive>01|0|1|none)"
)
_ALIVE = {"none": 0, "0": 1, "1": 2, "01": 3}


class State(NamedTuple):
    """A position; cells are indices of the game's grid."""

    walls: tuple[np.uint64, ...]
    """Blocked cells: trails, both heads, and every bit outside the field."""
    head0: int
    head1: int
    direction0: int
    direction1: int
    round: int
    """Rounds played so far."""
    alive: int
    """Bit 0: player 0 is alive; bit 1: player 1."""


@dataclass(frozen=True)
class LightRiders(Riders):
    """Light Riders on `width` x `height` cells; a draw after `max_rounds` rounds with both alive (0: no limit).

    Actions are 0 up, 1 right, 2 down, 3 left; all four may always be played. The opposite of the current direction
    is ignored (the rider goes straight on), except in the first round.

    >>> from saddlepoint import LightRiders
    >>> game = LightRiders(8, 8)
    >>> state = game.initial_state()
    >>> [game.action_to_string(state, 0, action) for action in game.legal_actions(state, 0)]
    ['up', 'right', 'down', 'left']
    """

    width: int = constant(16)
    height: int = constant(16)
    max_rounds: int = 0

    name: ClassVar[str] = "light_riders"
    summary: ClassVar[str] = "two riders leave trails and move at once; the last one alive wins"
    group: ClassVar[str] = "Duels"
    how_to_play: ClassVar[Sequence[str]] = (
        "Both riders choose a direction at the same time; then both move one cell.",
        "The cell that you leave becomes a wall for the rest of the game.",
        "Who drives into a wall, a trail or out of the field loses; if both do at once, it is a draw.",
        "You cannot turn back on the spot: such a choice means straight on.",
        "In a position that you draw yourself, walls may stand anywhere.",
    )
    ranges: ClassVar[Ranges] = {"width": (4, 32), "height": (3, 32), "max_rounds": (0, 1000)}
    max_actions: ClassVar[int] = 4
    turn_word: ClassVar[str] = "round"
    first_turn: ClassVar[int] = 0

    def __post_init__(self) -> None:
        self.refuse(
            (
                not (4 <= self.width <= 32 and 3 <= self.height <= 32),
                f"the field must be 4 to 32 cells wide and 3 to 32 high, not {self.width}x{self.height}",
            ),
            (self.max_rounds < 0, f"max_rounds must be 0 (no limit) or more, not {self.max_rounds}"),
        )

    @property
    def max_depth(self) -> int:
        longest = (self.width * self.height - 2) // 2 + 1
        return min(longest, self.max_rounds) if self.max_rounds else longest

    # -- the start -----------------------------------------------------------------------------------------------

    def initial_state(
        self,
        x: int | None = None,
        y: int | None = None,
        seed: int | None = None,
        heads: tuple[tuple[int, int], tuple[int, int]] | None = None,
    ) -> State:
        """The start with player 0 at (x, y) and player 1 mirrored; drawn by the contest's rule from `seed`.

        Without any argument it is the middle row's standard position. `heads` places both heads freely, as
        ((x0, y0), (x1, y1)).
        """
        if heads is None:
            if seed is not None:
                draw = np.random.default_rng(seed)
                x = int(draw.integers(1, max(2, self.width // 2 - 1))) if x is None else x
                y = int(draw.integers(1, max(2, self.height - 1))) if y is None else y
            x = min((self.width - 1) // 4 + 1, self.width // 2 - 1) if x is None else x
            y = (self.height - 1) // 2 if y is None else y
            heads = ((x, y), (self.width - 1 - x, y))
        for hx, hy in heads:
            if not (0 <= hx < self.width and 0 <= hy < self.height):
                raise GameError(f"the start ({hx}, {hy}) is outside the {self.width}x{self.height} field")
        self.refuse((heads[0] == heads[1], f"both players cannot start on {heads[0]}"))
        cells = [self.grid.cell(*head) for head in heads]
        walls = int_of(self.grid.outside) | 1 << cells[0] | 1 << cells[1]
        words: Any = words_of(walls, self.grid.words)  # become np.uint64 where compiled code sees them
        return State(words, cells[0], cells[1], RIGHT, LEFT, 0, 3)

    def starts(self) -> list[State]:
        """All starts that the contest draws from: 84 on 16x16."""
        return [
            self.initial_state(x, y)
            for x in range(1, max(2, self.width // 2 - 1))
            for y in range(1, max(2, self.height - 1))
        ]

    # -- the rules -----------------------------------------------------------------------------------------------

    @kernel
    def current_player(self, state):
        if state.alive != 3 or (self.max_rounds > 0 and state.round >= self.max_rounds):
            return TERMINAL
        return SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for direction in range(4):
            out[direction] = direction
        return 4

    @kernel
    def search_actions(self, state, player, out):
        """Moves to free cells; straight on where there is none.

        A move into an obstacle is weakly dominated by any move to a free cell: it loses, or draws if the opponent
        dies in the same round, when the free move would win or draw.
        """
        count = self.free_steps(state, player, out)
        if count == 0:
            out[0] = state.direction0 if player == 0 else state.direction1
            count = 1
        return count

    @kernel
    def next_state(self, state, action0, action1):
        direction0 = self.obeyed(state.round, state.direction0, action0)
        direction1 = self.obeyed(state.round, state.direction1, action1)
        cell0 = neighbour(self.grid, state.head0, direction0)
        cell1 = neighbour(self.grid, state.head1, direction1)
        walls = state.walls
        alive = 0
        if cell0 >= 0 and not has_bit(state.walls, cell0) and cell0 != cell1:
            alive |= 1
        if cell1 >= 0 and not has_bit(state.walls, cell1) and cell0 != cell1:
            alive |= 2
        if cell0 >= 0:
            walls = with_bit(walls, cell0)
        if cell1 >= 0:
            walls = with_bit(walls, cell1)
        # A rider that left the field keeps its last cell.
        head0 = cell0 if cell0 >= 0 else state.head0
        head1 = cell1 if cell1 >= 0 else state.head1
        return State(walls, head0, head1, direction0, direction1, state.round + 1, alive)

    @kernel
    def obeyed(self, round_, direction, action):
        """The direction taken: the opposite of the current one is ignored after the first round."""
        return direction if round_ > 0 and action == (direction ^ 2) else action

    @kernel
    def returns(self, state):
        return float((state.alive & 1) - (state.alive >> 1)) if state.alive != 3 else 0.0

    @kernel
    def hash(self, state):
        """Trails, heads and (through the trails' length) the round; directions do not matter to search actions."""
        key = mix(np.uint64(state.head0 * 1024 + state.head1 + 1) * np.uint64(0x9E3779B97F4A7C15))
        for word in state.walls:
            key = mix(key ^ word)
        return key

    @kernel
    def without_score(self, state):
        """Cells that nobody can reach any more are blocked: nothing else in the game depends on them. There is no score."""
        return State(
            without_unreachable(self.grid, state.walls, state.head0, state.head1),
            state.head0,
            state.head1,
            state.direction0,
            state.direction1,
            state.round,
            state.alive,
        ), 0.0

    @kernel
    def comes_before(self, one, two):
        """Whether of two images with the heads on the same cells the first one has the lesser walls and directions."""
        if one.walls != two.walls:
            return one.walls < two.walls
        return (one.direction0, one.direction1) < (two.direction0, two.direction1)

    @kernel
    def moved(self, state, motion, swapped):
        walls = image_of_cells(self.grid, state.walls, motion)
        head0, head1 = (
            image_of_cell(self.grid, state.head0, motion),
            image_of_cell(self.grid, state.head1, motion),
        )
        direction0, direction1 = (
            image_of_direction(state.direction0, motion),
            image_of_direction(state.direction1, motion),
        )
        if swapped:
            alive = state.alive >> 1 | (state.alive & 1) << 1
            return State(walls, head1, head0, direction1, direction0, state.round, alive)
        return State(walls, head0, head1, direction0, direction1, state.round, state.alive)

    # -- for people ----------------------------------------------------------------------------------------------

    def turns_played(self, state: State) -> int:
        return int(state.round)

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        """The cause of each crash; the owner of the trail is known if the game is known from its start."""
        end = states[-1]
        if end.alive == 3 or len(states) < 2:
            return None, None
        a, b = (None if end.alive >> player & 1 else Ending(self._fate(states, player)) for player in (0, 1))
        return a, b

    def why_over(self, state: State) -> str:
        return f"The limit of {count_of(self.max_rounds, 'round')} is reached." if state.alive == 3 else ""

    def _fate(self, states: Sequence[State], player: int) -> str:
        before, end = states[-2:]
        grid: Any = self.grid
        heads, directions = (before.head0, before.head1), (end.direction0, end.direction1)
        cell = neighbour(grid, heads[player], directions[player])
        beside = [neighbour(grid, heads[player], direction) for direction in range(4)]
        shut_in = all(there < 0 or has_bit(before.walls, there) for there in beside)
        if cell < 0:
            fate = "left the field"
        elif has_bit(before.walls, cell):
            owners = [
                one for one in (0, 1) if cell in ((state.head0, state.head1)[one] for state in states[:-1])
            ]
            whose = "a" if len(owners) != 1 else "its own" if owners == [player] else "the other rider's"
            fate = f"ran into {whose} trail"
        else:
            fate = "met the other rider"
        return f"was shut in and {fate}" if shut_in else fate

    # -- text ----------------------------------------------------------------------------------------------------

    def string_to_action(self, state: State, player: int, text: str) -> int:
        word = text.strip().lower()
        if word in DIRECTIONS:
            return DIRECTIONS.index(word)
        if word == PASS:
            return state.direction0 if player == 0 else state.direction1
        raise self.illegal(state, player, text)

    def to_text(self, state: State) -> str:
        alive = next(word for word, bits in _ALIVE.items() if bits == state.alive)
        header = (
            f"light_riders {self.width}x{self.height} round {state.round} "
            f"facing {DIRECTIONS[state.direction0]} {DIRECTIONS[state.direction1]} alive {alive}"
        )
        return "\n".join([header, *self.field(state)])

    def from_text(self, text: str) -> State:
        lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
        header = _HEADER.fullmatch(lines[0]) if lines else None
        rows = lines[1:] if header else lines
        if header and (int(header["width"]), int(header["height"])) != (self.width, self.height):
            size = f"{header['width']}x{header['height']}"
            raise GameError(f"the position is {size}, the game {self.width}x{self.height}")
        rows = [row.replace(",", "") for row in rows]
        if header is None:
            return self.from_field(rows)
        try:
            facing = DIRECTIONS.index(header["first"]), DIRECTIONS.index(header["second"])
        except ValueError:
            raise GameError(f"facing takes two of {', '.join(DIRECTIONS)}") from None
        state = self.from_field(rows, int(header["round"]), facing)._replace(alive=_ALIVE[header["alive"]])
        # Walls may be anywhere: whoever draws a position wall by wall asks what would be. Each round takes a cell for
        # everybody who rides on.
        taken = (int_of(state.walls) & ~int_of(self.grid.outside)).bit_count()
        fewest = 2 * state.round + state.alive.bit_count()
        self.refuse(
            (
                state.alive == 3 and state.head0 == state.head1,
                f"both heads are on one cell, {self.grid.position(state.head0)}, so both have crashed",
            ),
            (
                taken < fewest,
                f"after {count_of(state.round, 'round')} trails and heads take {fewest} cells at least, and here {taken} are taken; "
                "write an earlier round in the first line",
            ),
            (state.alive != 3 and state.round == 0, "before the first round nobody has crashed"),
            (
                0 < self.max_rounds < state.round,
                f"a game has {count_of(self.max_rounds, 'round')}, and this is after {state.round}",
            ),
        )
        return state

    def from_field(
        self, rows: list[str], round_: int | None = None, facing: tuple[int, int] | None = None
    ) -> State:
        """The position of a field as the contest writes it; without a round it follows from the number of blocked cells.

        Directions that are not given are guessed from the trail; they only matter for `pass` and for reversing.
        """
        walls, head0, head1 = self.read_field(rows)
        round_ = (sum(row.count("x") for row in rows) + 1) // 2 if round_ is None else round_
        words: Any = words_of(walls, self.grid.words)
        if facing is None:
            facing = RIGHT, LEFT
            if round_ > 0:
                facing = (
                    self._guessed_direction(walls, head0, RIGHT),
                    self._guessed_direction(walls, head1, LEFT),
                )
        return State(words, head0, head1, facing[0], facing[1], round_, 3)

    def _guessed_direction(self, walls: int, head: int, default: int) -> int:
        """A direction whose reverse is blocked, the default if it is one of them."""
        behind = [
            d for d in range(4) if (cell := neighbour(self.grid, head, d ^ 2)) >= 0 and walls >> cell & 1
        ]
        return default if default in behind or not behind else behind[0]

    def target(self, state: State, player: int, action: int) -> int:
        """Turning back, which is ignored, leads to no cell."""
        direction = state.direction0 if player == 0 else state.direction1
        turns_back = state.round > 0 and action == direction ^ 2
        return -1 if turns_back else super().target(state, player, action)

    def picture(self, state: State) -> Picture:
        ends = [None if state.alive >> player & 1 else "crashed" for player in (0, 1)]
        return self.pictured(state, ends, (Number("round", int(state.round), most=self.max_rounds or None),))
