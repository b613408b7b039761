"""Battlesnake as a game: parameters, kernels, positions for people."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...boards.bitboard import board_of, contains, count, empty, single, words_of_board
from ...boards.grid import DOWN, LEFT, RIGHT, UP, Grid, with_bit
from ...compiled import constant, kernel, mix, parameter
from ...game import CHANCE, SIMULTANEOUS, TERMINAL, Game, GameError, Symmetry
from ...picture import Picture
from . import drawing, starts, text
from .body import cells_of, packed
from .chance import NOTHING, SIDES, cell_of, drawn_place, list_places, outcome_of, places, with_side
from .rules import (
    cause_before_collisions,
    cause_of_collision,
    direction_at,
    health_after,
    spot,
    target,
    worth_of_step,
)  # fmt: skip
from .state import ALIVE, FULL_HEALTH, MAYBE, Snake, State
from .symmetry import symmetries

DIRECTIONS = ("up", "right", "down", "left")
MODES = ("standard", "wrapped", "constrictor", "wrapped_constrictor", "royale")
MAPS = ("standard", "empty", "royale")
SMALLEST, LARGEST = 3, 25
_HASH = 0x9E3779B97F4A7C15
_ROUNDS_SEEN = 256


@dataclass(frozen=True)
class Battlesnake(Game):
    """Battlesnake for two snakes on `width` x `height` cells; a draw after `max_rounds` rounds with both alive.

    `mode` is standard, wrapped, constrictor, wrapped_constrictor or royale, `map` is standard, empty or royale. The numbers are the
    official settings: `food_spawn_chance` 15 brings a piece of food in 14 of 100 rounds.

    Actions are 0 up, 1 right, 2 down, 3 left; all four may always be played. Chance places food, a piece a node, and in royale draws a
    side. Cells are written (x, y), from (0, 0) at the bottom left.
    """

    width: int = constant(11)
    height: int = constant(11)
    mode: str = parameter("standard")
    map: str = parameter("standard")
    food_spawn_chance: int = 15
    minimum_food: int = 1
    hazard_damage: int = 14
    shrink_every: int = 25
    max_rounds: int = 2000

    name: ClassVar[str] = "battlesnake"
    summary: ClassVar[str] = "two snakes move at once, eat and grow; the last one alive wins"
    max_actions: ClassVar[int] = 4

    def __post_init__(self) -> None:
        if not (SMALLEST <= self.width <= LARGEST and SMALLEST <= self.height <= LARGEST):
            raise GameError(f"the board's sides must be {SMALLEST} to {LARGEST} cells, not {self.width}x{self.height}")
        if self.mode not in MODES:
            raise GameError(f"mode must be one of {', '.join(MODES)}, not {self.mode!r}")
        if self.map not in MAPS:
            raise GameError(f"map must be one of {', '.join(MAPS)}, not {self.map!r}")
        for name, least, most in (
            ("food_spawn_chance", 0, 101), ("minimum_food", 0, LARGEST**2), ("hazard_damage", -FULL_HEALTH, FULL_HEALTH),
            ("shrink_every", 1, 10**6), ("max_rounds", 1, 10**6),
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise GameError(f"{name} must be {least} to {most}, not {getattr(self, name)}")

    @property
    def grid(self) -> Grid:
        """The board's geometry; its rows are counted from the top."""
        return Grid(self.width, self.height)

    @property
    def outside(self) -> tuple[np.uint64, ...]:
        """The words of what is no cell."""
        return tuple(np.uint64(word) for word in self.grid.outside)

    @property
    def wrapped(self) -> bool:
        """Whether who leaves over an edge comes in at the opposite one."""
        return self.mode.startswith("wrapped")

    @property
    def constrictor(self) -> bool:
        """Whether both grow in every round and nobody is hungry."""
        return self.mode.endswith("constrictor")

    @property
    def has_food(self) -> bool:
        """Whether food appears."""
        return self.map != "empty"

    @property
    def royale(self) -> bool:
        """Whether chance takes a side of the board from time to time."""
        return self.mode == "royale" or self.map == "royale"

    @property
    def food_probability(self) -> float:
        """The probability of a piece of food after a round, where there are as many as there must be."""
        return min(max(self.food_spawn_chance - 1, 0), 100) / 100

    @property
    def food_share(self) -> int:
        """The same as a share of 2**32."""
        return round(self.food_probability * 2**32)

    @property
    def max_outcomes(self) -> int:
        """No food, or food on one of the cells."""
        return self.width * self.height + 1

    @property
    def max_depth(self) -> int:
        """The most plies: rounds, and what chance does after each."""
        return self.max_rounds * (2 + max(1, self.minimum_food))

    # -- the start -----------------------------------------------------------------------------------------------

    def initial_state(self, seed: int | None = None, swapped: bool = False) -> State:
        """A start by the official rules, drawn from `seed`; `swapped`: the snakes exchange their places.

        Without a seed it is always the same one.
        """
        return starts.drawn(self, random.Random(f"battlesnake {seed}"), swapped)

    def starts(self) -> list[State]:
        """The starts on all ordered pairs of spots, 24 on an official board; the same food for both orders of a pair."""
        return starts.all_starts(self)

    def state_of(
        self, snakes: Sequence[Snake], food: Sequence[int] = (), hazards: Sequence[int] = (), round_: int = 0,
        taken: tuple[int, int, int, int] = (0, 0, 0, 0), food_due: int = 0, sides_due: int = 0,
    ) -> State:
        """The position of two snakes, food and hazards, as the grid's cells; raises GameError where there is none.

        `taken`: how many columns at the left and right, rows at the bottom and top royale has taken.
        """
        return packed(self.grid, self.wrapped, snakes, food, hazards, round_, taken, food_due, sides_due)

    def snake(self, state: State, player: int) -> Snake:
        """A player's snake as the official lists have it."""
        return cells_of(self.grid, self.wrapped, state, player)

    # -- the rules -----------------------------------------------------------------------------------------------

    @kernel
    def current_player(self, state):
        if state.cause0 > 0 or state.cause1 > 0 or state.round >= self.max_rounds:
            return TERMINAL
        return CHANCE if state.food_due != 0 or state.sides_due > 0 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for direction in range(4):
            out[direction] = direction
        return 4

    @kernel
    def search_actions(self, state, player, out):
        """The moves that only a meeting of heads can make deadly; one of the best where there is none.

        Any other move kills by itself, or lets live only if the other snake dies before collisions, when any of these wins too. Where
        every move kills, one is best that does so last, for the own body stays in the other's way that long.
        """
        best, found = -1, 0
        for direction in range(4):
            worth = worth_of_step(self.grid, state, player, direction, self.wrapped, self.hazard_damage)
            if worth > best:
                best, found = worth, 0
            if worth == best and (worth == 3 or found == 0):
                out[found] = direction
                found += 1
        return found

    @kernel
    def next_state(self, state, action0, action1):
        if state.food_due != 0 or state.sides_due > 0:
            return self.after_chance(state, action0)
        return self.after_round(state, action0, action1)

    @kernel
    def after_round(self, state, action0, action1):
        """The position after both moves, before chance."""
        grid, wrapped = self.grid, self.wrapped
        head0, head1 = target(grid, state.head0, action0, wrapped), target(grid, state.head1, action1, wrapped)
        low, high = board_of(grid, state.low), board_of(grid, state.high)
        here0, here1, nowhere = single(grid, state.head0), single(grid, state.head1), empty(grid)
        low = low | (here0 if action0 & 1 else nowhere) | (here1 if action1 & 1 else nowhere)
        high = high | (here0 if action0 & 2 else nowhere) | (here1 if action1 & 2 else nowhere)
        # The lists from the second cell on, which collisions are about.
        own0, own1 = board_of(grid, state.body0), board_of(grid, state.body1)
        tail0, tail1, coiled0, coiled1 = state.tail0, state.tail1, state.coiled0 - 1, state.coiled1 - 1
        if coiled0 < 0:
            coiled0, gone = 0, single(grid, tail0)
            tail0 = target(grid, tail0, direction_at(state, tail0), wrapped)
            own0, low, high = own0 & ~gone, low & ~gone, high & ~gone
        if coiled1 < 0:
            coiled1, gone = 0, single(grid, tail1)
            tail1 = target(grid, tail1, direction_at(state, tail1), wrapped)
            own1, low, high = own1 & ~gone, low & ~gone, high & ~gone
        new0, new1 = spot(grid, head0), spot(grid, head1)
        food = board_of(grid, state.food)
        on_food0, on_food1 = head0 >= 0 and contains(grid, food, head0), head1 >= 0 and contains(grid, food, head1)
        health0, poisoned0 = health_after(grid, state, state.health0, head0, on_food0, self.hazard_damage)
        health1, poisoned1 = health_after(grid, state, state.health1, head1, on_food1, self.hazard_damage)
        length0, length1 = state.length0, state.length1
        if on_food0:
            health0, length0, coiled0, food = FULL_HEALTH, length0 + 1, coiled0 + 1, food & ~new0
        if on_food1:
            health1, length1, coiled1, food = FULL_HEALTH, length1 + 1, coiled1 + 1, food & ~new1
        cause0 = cause_before_collisions(health0, head0, poisoned0)
        cause1 = cause_before_collisions(health1, head1, poisoned1)
        there0, there1 = cause0 == ALIVE, cause1 == ALIVE
        if there0:
            cause0 = cause_of_collision(grid, head0, own0, own1, there1, head1, length0, length1)
        if there1:
            cause1 = cause_of_collision(grid, head1, own1, own0, there0, head0, length1, length0)
        if self.constrictor:
            food, health0, health1 = nowhere, FULL_HEALTH, FULL_HEALTH
            if coiled0 == 0:
                coiled0, length0 = 1, length0 + 1
            if coiled1 == 0:
                coiled1, length1 = 1, length1 + 1
        food_due, sides_due = 0, 0
        if cause0 == ALIVE and cause1 == ALIVE:
            if self.has_food:
                food_due = max(0, self.minimum_food - count(food))
                if food_due == 0 and self.food_probability > 0.0:
                    food_due = MAYBE
            if self.royale and (state.round + 1) % self.shrink_every == 0:
                sides_due = 1
        return State(
            words_of_board(grid, own0 | new0), words_of_board(grid, own1 | new1), words_of_board(grid, low),
            words_of_board(grid, high), words_of_board(grid, food), state.hazards, state.stacked, head0, head1, tail0, tail1,
            health0, health1, length0, length1, coiled0, coiled1, cause0, cause1, state.round + 1, food_due, sides_due, state.taken,
        )  # fmt: skip

    @kernel
    def after_chance(self, state, outcome):
        """The position after a piece of food or none, or after a side was drawn; where more is due, chance goes on."""
        food, hazards, taken = state.food, state.hazards, state.taken
        food_due, sides_due = state.food_due, state.sides_due
        if food_due != 0:
            food_due = food_due - 1 if food_due > 0 and outcome > NOTHING else 0
            if outcome > NOTHING:
                food = with_bit(food, cell_of(self.grid, outcome))
        else:
            sides_due -= 1
            if outcome > NOTHING:
                hazards, taken = with_side(self.grid, hazards, taken, outcome)
        return State(
            state.body0, state.body1, state.low, state.high, food, hazards, state.stacked, state.head0, state.head1, state.tail0,
            state.tail1, state.health0, state.health1, state.length0, state.length1, state.coiled0, state.coiled1, state.cause0,
            state.cause1, state.round, food_due, sides_due, taken,
        )  # fmt: skip

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        if state.food_due == 0:
            for side in range(4):
                out[side] = 1 + side
                probabilities[side] = 0.25
            return 4
        room = places(self.grid, self.outside, state)
        some = count(room) > 0
        share = (self.food_probability if state.food_due == MAYBE else 1.0) if some else 0.0
        found = 0
        if share < 1.0:
            out[0], probabilities[0] = NOTHING, 1.0 - share
            found = 1
        if share > 0.0:
            found = list_places(self.grid, room, share, out, probabilities, found)
        return found

    @kernel
    def drawn_outcome(self, state, random):
        """An outcome drawn by two random words, without a list of all."""
        if state.food_due == 0:
            return 1 + np.int64(random >> np.uint64(62))
        if state.food_due == MAYBE and (random & np.uint64(0xFFFFFFFF)) >= np.uint64(self.food_share):
            return NOTHING
        room = places(self.grid, self.outside, state)
        if count(room) == 0:
            return NOTHING
        return outcome_of(self.grid, drawn_place(self.grid, room, mix(random)))

    @kernel
    def quiet_outcome(self, state):
        """Nothing new: for searches that leave chance out."""
        return NOTHING

    @kernel
    def returns(self, state):
        return float(state.cause0 == ALIVE) - float(state.cause1 == ALIVE)

    @kernel
    def hash(self, state):
        """All that the rest of the game depends on; of the round, where the next draw or the last round is near."""
        salt = np.uint64(_HASH)
        key = mix(np.uint64(self.numbers(state.head0, state.tail0, state.health0, state.length0, state.coiled0)) ^ salt)
        salt += np.uint64(_HASH)
        key ^= mix(np.uint64(self.numbers(state.head1, state.tail1, state.health1, state.length1, state.coiled1)) ^ salt)
        for words in (state.body0, state.body1, state.low, state.high, state.food):
            for word in words:
                salt += np.uint64(_HASH)
                key ^= mix(word ^ salt)
        hazardous = np.uint64(0)
        for word in state.hazards:
            hazardous |= word
        if hazardous != np.uint64(0):
            for word in state.hazards:
                salt += np.uint64(_HASH)
                key ^= mix(word ^ salt)
            for word in state.stacked:
                salt += np.uint64(_HASH)
                key ^= mix(word ^ salt)
        left = min(self.max_rounds - state.round, _ROUNDS_SEEN)
        until_draw = state.round % self.shrink_every if self.royale else 0
        late = ((until_draw << 20 | left) << 12 | (state.food_due + 1)) << 2 | state.sides_due
        return mix(key ^ np.uint64(late))

    @kernel
    def numbers(self, head, tail, health, length, coiled):
        """A snake's numbers in one word."""
        return ((((head << 10 | tail) << 8 | health) << 17) | length) << 17 | coiled

    # -- what evaluators need --------------------------------------------------------------------------------------

    @kernel
    def occupied(self, state):
        """The words of the cells of both snakes."""
        grid = self.grid
        return words_of_board(grid, board_of(grid, state.body0) | board_of(grid, state.body1))

    @kernel
    def head(self, state, player):
        """The cell of a player's head."""
        return state.head0 if player == 0 else state.head1

    # -- cells, as people and referees write them -------------------------------------------------------------------

    def cell(self, x: int, y: int) -> int:
        """The grid's index of the cell (x, y), counted from the bottom left."""
        return self.grid.cell(x, self.height - 1 - y)

    def position(self, cell: int) -> tuple[int, int]:
        """(x, y) of a cell's index."""
        x, y = self.grid.position(int(cell))
        return x, self.height - 1 - y

    def is_inside(self, x: int, y: int) -> bool:
        """Whether (x, y) is a cell."""
        return 0 <= x < self.width and 0 <= y < self.height

    def beyond(self, cell: int, direction: int) -> tuple[int, int]:
        """(x, y) of what lies next to a cell in that direction, off the board too."""
        x, y = self.position(cell)
        return x + (direction == RIGHT) - (direction == LEFT), y + (direction == UP) - (direction == DOWN)

    # -- for Python ------------------------------------------------------------------------------------------------

    def straight_on(self, state: State, player: int) -> int:
        """The action of a snake that is given none: away from its neck; up where it is coiled on one cell."""
        cells = self.snake(state, player).cells
        if cells[0] == cells[1]:
            return UP
        return next(d for d in range(4) if target(self.grid, cells[1], d, self.wrapped) == cells[0])

    def symmetries(self, state: State) -> list[Symmetry]:
        """Reflections and turns of the board, all eight of a square one, also with the snakes exchanged."""
        return symmetries(self, state)

    # -- text ----------------------------------------------------------------------------------------------------

    def action_to_string(self, state: State, player: int, action: int) -> str:
        return DIRECTIONS[action]

    def outcome_to_string(self, state: State, outcome: int) -> str:
        """What chance does, in words: `food 5,5`, `nothing`, `left`."""
        if outcome == NOTHING:
            return "nothing"
        if state.food_due == 0:
            return SIDES[outcome - 1]
        return f"food {(outcome - 1) % self.width},{(outcome - 1) // self.width}"

    def to_text(self, state: State) -> str:
        return text.written(self, state)

    def from_text(self, text_: str) -> State:
        return text.read(self, text_)

    def render(self, state: State) -> str:
        return drawing.rendered(self, state)

    def picture(self, state: State) -> Picture:
        return drawing.pictured(self, state)
