"""Battlesnake as a game: parameters, kernels, positions for people."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..interface import (
    CHANCE,
    DIRECTIONS,
    SIMULTANEOUS,
    TERMINAL,
    Ranges,
    board_of,
    constant,
    count,
    count_of,
    fold,
    is_empty,
    kernel,
    kernel_inline,
    mix,
    parameter,
)
from .rules import (
    NOTHING,
    SIDES,
    after_chance,
    after_round,
    drawn_place,
    list_places,
    outcome_of,
    places,
    steps_into_room,
    worth_of_step,
)
from .state import (
    ALIVE,
    DEAD,
    FULL_HEALTH,
    MAYBE,
    MOST_STACKED,
    PLANES,
    State,
    cause_of,
    food_due,
    head_of,
    health_of,
    put_planes,
)
from .text import WrittenBoard, parameters_in

MODES = ("standard", "wrapped", "constrictor", "wrapped_constrictor", "royale")
MAPS = ("standard", "empty", "royale")
SMALLEST, LARGEST = 3, 25
_HASH, _OTHER_HASH = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03
_ROUNDS_SEEN = 256
_NEVER = 10**6


@dataclass(frozen=True)
class Battlesnake(WrittenBoard):
    """Battlesnake for two snakes on `width` x `height` cells; a draw after `max_rounds` rounds with both alive.

    `mode` is standard, wrapped, constrictor, wrapped_constrictor or royale, `map` is standard, empty or royale. The numbers are the
    official settings: `food_spawn_chance` 15 brings a piece of food in 14 of 100 rounds. `hazard_stack` says how often a cell may be in
    the list of hazards, 1 to 4: it hurts as often.

    Actions are 0 up, 1 right, 2 down, 3 left; all four may always be played. Chance places food, a piece a node, and in royale draws a
    side. Cells are written (x, y), from (0, 0) at the bottom left.

    >>> from saddlepoint import Battlesnake
    >>> game = Battlesnake(width=7, height=7)
    >>> state = game.initial_state(seed=1)
    >>> [game.action_to_string(state, 0, action) for action in game.legal_actions(state, 0)]
    ['up', 'right', 'down', 'left']
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
    hazard_stack: int = constant(1)

    name: ClassVar[str] = "battlesnake"
    starts_are_paired: ClassVar[bool] = True
    summary: ClassVar[str] = "two snakes move at once, eat and grow; the last one alive wins"
    group: ClassVar[str] = "Duels"
    how_to_play: ClassVar[Sequence[str]] = (
        "Both snakes choose a direction at the same time; then both move one cell.",
        "Food makes you one cell longer and full again. Every move costs one point of health; at 0 you starve.",
        "Who leaves the board or runs into a body loses.",
        "If both heads meet, the shorter snake loses; of equal length, both do.",
    )
    ranges: ClassVar[Ranges] = {
        "width": (3, 25),
        "height": (3, 25),
        "mode": MODES,
        "map": MAPS,
        "food_spawn_chance": (0, 101),
        "minimum_food": (0, 20),
        "hazard_damage": (-100, 100),
        "shrink_every": (1, 1000),
        "max_rounds": (1, 2000),
        "hazard_stack": (1, 4),
    }
    max_actions: ClassVar[int] = 4
    turn_word: ClassVar[str] = "turn"
    first_turn: ClassVar[int] = 0

    def __post_init__(self) -> None:
        self.check_parameters(
            mode=MODES,
            map=MAPS,
            width=(SMALLEST, LARGEST),
            height=(SMALLEST, LARGEST),
            food_spawn_chance=(0, 101),
            minimum_food=(0, LARGEST**2),
            hazard_damage=(-FULL_HEALTH, FULL_HEALTH),
            shrink_every=(1, 10**6),
            max_rounds=(1, 10**6),
            hazard_stack=(1, MOST_STACKED),
        )

    @property
    def outside(self) -> tuple[np.uint64, ...]:
        """The words of what is no cell."""
        return tuple(np.uint64(word) for word in self.grid.outside)

    @property
    def wrapped(self) -> bool:
        """Whether the edges are joined: a snake that leaves over one enters at the opposite one."""
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
    def chance_may_follow(self) -> bool:
        """Whether anything is left to chance after a round, as far as these settings go."""
        return self.max_chance_plies > 0

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
        return self.max_rounds * (1 + self.max_chance_plies)

    @property
    def max_chance_plies(self) -> int:
        """The pieces of food that may come after a round, and a side."""
        pieces = max(self.minimum_food, 1 if self.food_probability > 0.0 else 0) if self.has_food else 0
        return pieces + int(self.royale and self.shrink_every <= self.max_rounds)

    # -- the rules -----------------------------------------------------------------------------------------------

    @property
    def plane_shape(self) -> tuple[int, int, int]:
        return PLANES, self.height, self.width

    @kernel
    def planes(self, state, player, out):
        """Each snake's cells, head, tail and health, the player's own first; food; hazards."""
        put_planes(self.grid, state, player, out)

    @kernel
    def current_player(self, state):
        if (state.snake0 | state.snake1) & DEAD or state.round >= self.max_rounds:
            return TERMINAL
        return CHANCE if state.due != 0 else SIMULTANEOUS

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
        grid, wrapped, damage = self.grid, self.wrapped, self.hazard_damage
        mine = state.snake0 if player == 0 else state.snake1
        rooms = steps_into_room(grid, state, head_of(mine), wrapped)
        found = 0
        if health_of(mine) > 1 and is_empty(board_of(self.grid, state.hazards)):
            # Without a branch a move: they would be guessed wrongly.
            for direction, room in enumerate(rooms):
                out[found] = direction
                found += room
        else:
            for direction, room in enumerate(rooms):
                if room and worth_of_step(grid, state, player, direction, wrapped, damage) == 3:
                    out[found] = direction
                    found += 1
        if found == 0:
            best = -1
            for direction in range(4):
                worth = worth_of_step(grid, state, player, direction, wrapped, damage)
                if worth > best:
                    best, out[0] = worth, direction
            found = 1
        return found

    @kernel_inline
    def next_state(self, state, action0, action1):
        return (
            after_chance(self, state, action0)
            if state.due != 0
            else after_round(self, state, action0, action1)
        )

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        if food_due(state.due) == 0:
            for side in range(4):
                out[side] = 1 + side
                probabilities[side] = 0.25
            return 4
        room = places(self.grid, self.outside, state)
        share = self.food_probability if food_due(state.due) == MAYBE else 1.0
        share = share if count(room) > 0 else 0.0
        found = 0
        if share < 1.0:
            out[0], probabilities[0] = NOTHING, 1.0 - share
            found = 1
        if share > 0.0:
            found = list_places(self.grid, room, share, out, probabilities, found)
        return found

    @kernel
    def drawn_outcome(self, state, random):
        """An outcome drawn by a random word, without a list of all."""
        pieces = food_due(state.due)
        if pieces == 0:
            return 1 + np.int64(random >> np.uint64(62))
        if pieces == MAYBE and (random & np.uint64(0xFFFFFFFF)) >= np.uint64(self.food_share):
            return NOTHING
        room = places(self.grid, self.outside, state)
        if is_empty(room):
            return NOTHING
        return outcome_of(self.grid, drawn_place(self.grid, room, mix(random)))

    @kernel
    def quiet_outcome(self, state):
        """Nothing new: for searches that leave chance out."""
        return NOTHING

    @kernel
    def returns(self, state):
        alive0 = 1.0 if cause_of(state.snake0) == ALIVE else 0.0
        return alive0 - (1.0 if cause_of(state.snake1) == ALIVE else 0.0)

    @kernel
    def hash(self, state):
        """A hash of all that the rest of the game depends on.

        Of the round only where a draw or the last round is near.
        """
        salt = np.uint64(_HASH)
        key = fold(
            np.uint64(state.snake0) ^ np.uint64(_HASH), np.uint64(state.snake1) ^ np.uint64(_OTHER_HASH)
        )
        for k in range(self.grid.words):
            salt += np.uint64(_HASH)
            other = salt ^ np.uint64(_OTHER_HASH)
            key ^= fold(state.body0[k] ^ salt, state.low[k] ^ other)
            key ^= fold(state.body1[k] ^ other, state.high[k] ^ ~salt)
            key ^= fold(state.food[k] ^ ~other, salt)
        if not is_empty(board_of(self.grid, state.hazards)):
            for word in state.hazards + state.stacked:
                salt += np.uint64(_HASH)
                key ^= mix(word ^ salt)
        left = min(self.max_rounds - state.round, _ROUNDS_SEEN)
        since_draw = state.round % self.shrink_every if self.royale else 0
        return mix(key ^ np.uint64((since_draw << 9 | left) << 32 | state.due))

    # -- what evaluators need --------------------------------------------------------------------------------------

    @kernel
    def head(self, state, player):
        """The cell of a player's head."""
        return head_of(state.snake0 if player == 0 else state.snake1)

    # -- for Python ------------------------------------------------------------------------------------------------

    def quiet(self) -> "Battlesnake":
        """The same rules without new food and new hazards, for searches that leave chance out: the same positions and compiled code."""
        return replace(self, food_spawn_chance=0, minimum_food=0, shrink_every=_NEVER)

    def turns_played(self, state: State) -> int:
        """The official number of the turn."""
        return int(state.round)

    def why_over(self, state: State) -> str:
        alive = cause_of(state.snake0) == ALIVE and cause_of(state.snake1) == ALIVE
        return f"The limit of {count_of(self.max_rounds, 'round')} is reached." if alive else ""

    # -- text ----------------------------------------------------------------------------------------------------

    def action_to_string(self, state: State, player: int, action: int) -> str:
        return DIRECTIONS[action]

    def outcome_to_string(self, state: State, outcome: int) -> str:
        """The name of an outcome of chance: `food 5,5`, `nothing`, `hazards left`."""
        if outcome == NOTHING:
            return "nothing"
        if food_due(state.due) == 0:
            return f"hazards {SIDES[outcome - 1]}"
        return f"food {(outcome - 1) % self.width},{(outcome - 1) // self.width}"

    def fitted_to(self, text: str) -> "Battlesnake":
        return replace(self, **parameters_in(text))
