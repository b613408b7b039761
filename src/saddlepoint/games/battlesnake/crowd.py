"""Positions with more than two snakes as a game for two: you against up to three rivals, who choose one after the other.

The library's rules and searches know two players. Here player 1 moves all rivals at once. In every round one of them may go where it
wants, if it is near, and the others go where most room is (best-reply search in its form BRS+: Esser, Gras, Winands, Schadd and Lanctot,
"Improving Best-Reply Search", 2013). A search of this game is no more than a model of the real one: the server plays by it as long as more
than two snakes are alive.
"""

import functools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..interface import (
    DIRECTIONS,
    SIMULTANEOUS,
    TERMINAL,
    Component,
    Game,
    board_of,
    board_on,
    empty,
    has_bit,
    hash_of_words,
    int_of,
    jit_inline,
    jit_part,
    kernel,
    kernel_inline,
    pad_clear,
    pad_has,
    pad_of,
    pad_set,
    single,
    words_of,
)
from .game import Battlesnake
from .rules import cause_before_collisions, health_after, next_on_path, row_of, stacked_at, target
from .snake_prospects import SnakeProspects, described
from .state import (
    ALIVE,
    FULL_HEALTH,
    NO_CELL,
    OTHER,
    State,
    cause_of,
    coiled_of,
    head_of,
    health_of,
    length_of,
    snake_word,
    tail_of,
)

CROWD = 4
"""Snakes of such a position; fewer may be alive."""


class CrowdState(NamedTuple):
    """A position of four snakes, you first; what it has in common with `State` is named and laid out as there."""

    bodies: tuple[np.uint64, ...]
    """The cells of each snake, one board after the other; none of a dead one."""
    low: tuple[np.uint64, ...]
    high: tuple[np.uint64, ...]
    food: tuple[np.uint64, ...]
    hazards: tuple[np.uint64, ...]
    stacked: tuple[np.uint64, ...]
    snakes: tuple[np.uint64, ...]
    """Each snake's numbers, packed by `snake_word`."""
    round: int


@jit_inline
def snake_in(state: Any, k: int) -> Any:
    """The numbers of a snake, as one word."""
    return np.int64(state.snakes[k])


@jit_inline
def lives(state, k):
    return cause_of(snake_in(state, k)) == ALIVE


@jit_inline
def rivals_live(state):
    return lives(state, 1) or lives(state, 2) or lives(state, 3)


@jit_part
def taken_in(grid, state):
    """The cells that bodies are on in the next round, but for the heads that come."""
    size = grid.words
    bodies, taken = pad_of(state.bodies), pad_of(state.low)
    for word in range(size):
        taken[word] = bodies[word] | bodies[size + word] | bodies[2 * size + word] | bodies[3 * size + word]
    for k in range(CROWD):
        snake = snake_in(state, k)
        pad_clear(taken, 0, tail_of(snake), np.int64((coiled_of(snake) == 0) & lives(state, k)))
    return board_on(taken, 0, state.low)


@jit_part
def safe_steps(game, state, taken, snake):
    """The directions in which a snake meets neither a wall nor a body, and does not starve, as bits; 0 of a dead one."""
    found = 0
    for direction in range(4):
        there = target(game.grid, head_of(snake), direction, game.wrapped)
        if cause_of(snake) == ALIVE and there != NO_CELL and not has_bit(taken, there):
            fed = has_bit(state.food, there)
            left, _ = health_after(
                health_of(snake), 0 if fed else stacked_at(game.grid, state, there), game.hazard_damage
            )
            found |= np.int64(fed or left > 0) << direction
    return found


@jit_part
def likely_step(game, state, taken, snake, steps):
    """Where a rival goes that is left alone: to food, where most cells around are free, not beside the head of a longer snake."""
    best, most = 0, -100
    mine = snake_in(state, 0)
    for direction in range(4):
        if steps >> direction & 1:
            there = target(game.grid, head_of(snake), direction, game.wrapped)
            worth = 3 * np.int64(has_bit(state.food, there))
            for way in range(4):
                beyond = target(game.grid, there, way, game.wrapped)
                if beyond == head_of(mine):
                    worth -= 8 * np.int64(length_of(mine) >= length_of(snake))
                elif beyond != NO_CELL:
                    worth += 2 * np.int64(not has_bit(taken, beyond))
            if worth > most:
                best, most = direction, worth
    return best


@jit_part
def after_round(game, state, action0, action1):
    """The position after all snakes have moved, by the rules that `rules.after_round` has for two, but constrictor; no food appears."""
    grid, wrapped, size = game.grid, game.wrapped, game.grid.words
    low, high, food = 4 * size, 5 * size, 6 * size  # where these boards begin on the pad
    pad, snakes = pad_of(state.bodies + state.low + state.high + state.food), pad_of(state.snakes)
    moves, dead = action1 << 2 | action0, 0
    for k in range(CROWD):
        snake, direction = snake_in(state, k), moves >> 2 * k & 3
        if not lives(state, k):
            dead |= 1 << k
            continue
        old, tail, coiled = head_of(snake), tail_of(snake), coiled_of(snake)
        head = target(grid, old, direction, wrapped)
        inside, moving = head != NO_CELL, np.int64(coiled == 0)
        cell = head if inside else 0
        ahead = next_on_path(grid, tail, 2 * pad_has(pad, high, tail) + pad_has(pad, low, tail), wrapped)
        pad_set(pad, low, old, direction & 1)
        pad_set(pad, high, old, direction >> 1)
        pad_clear(pad, low, tail, moving)
        pad_clear(pad, high, tail, moving)
        pad_clear(pad, k * size, tail, moving)
        fed = np.int64(inside and has_bit(state.food, cell))
        harm = stacked_at(grid, state, cell) if inside and not fed else 0
        health, poisoned = health_after(health_of(snake), harm, game.hazard_damage)
        health = FULL_HEALTH if fed else health
        cause = cause_before_collisions(health, inside, poisoned)
        dead |= np.int64(cause != ALIVE) << k
        tail, coiled = ahead if moving else tail, coiled - 1 + moving + fed
        snakes[k] = np.uint64(snake_word(head, tail, health, cause, length_of(snake) + fed, coiled))
    for k in range(CROWD):
        if dead >> k & 1:
            for word in range(size):
                remove(pad, k, size, word)
        else:
            pad_clear(pad, food, head_of(np.int64(snakes[k])), 1)
    crashed = 0
    for k in range(CROWD):
        snake = np.int64(snakes[k])
        for other in range(CROWD):
            if not (dead >> k | dead >> other) & 1:
                rival = np.int64(snakes[other])
                meets = (
                    k != other and head_of(rival) == head_of(snake) and length_of(rival) >= length_of(snake)
                )
                crashed |= (pad_has(pad, other * size, head_of(snake)) | np.int64(meets)) << k
    for k in range(CROWD):
        snake = np.int64(snakes[k])
        if crashed >> k & 1:
            snakes[k] = np.uint64(snake | OTHER << 27)
            for word in range(size):
                remove(pad, k, size, word)
        elif not dead >> k & 1:
            pad_set(pad, k * size, head_of(snake), 1)
    return CrowdState(
        board_on(pad, 0, state.bodies),
        board_on(pad, 4, state.low),
        board_on(pad, 5, state.low),
        board_on(pad, 6, state.low),
        state.hazards,
        state.stacked,
        board_on(snakes, 0, state.snakes),
        state.round + 1,
    )


@jit_inline
def remove(pad, k, size, word):
    """Take one word of a snake's body off the pad."""
    gone = ~pad[k * size + word]
    pad[4 * size + word] &= gone
    pad[5 * size + word] &= gone
    pad[k * size + word] = np.uint64(0)


@dataclass(frozen=True)
class Crowd(Battlesnake):
    """You, player 0, against up to three rivals, whom player 1 moves: its action has two bits for the direction of each.

    `near`: how many steps a rival's head may be away that chooses where it goes.
    """

    near: int = 8

    max_actions = 4 ** (CROWD - 1)
    to_text, from_text = Game.to_text, Game.from_text

    @kernel
    def current_player(self, state):
        goes_on = lives(state, 0) and rivals_live(state) and state.round < self.max_rounds
        return SIMULTANEOUS if goes_on else TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        count = 4 if player == 0 else self.max_actions
        for action in range(count):
            out[action] = action
        return count

    @kernel
    def search_actions(self, state, player, out):
        """Yours that are safe, or any one; the rivals' likely moves, then those in which one that is near makes another safe one."""
        taken, found = taken_in(self.grid, state), 0
        if player == 0:
            steps = safe_steps(self, state, taken, snake_in(state, 0))
            for direction in range(4):
                out[found] = direction
                found += steps >> direction & 1
            return max(found, 1)
        usual, every, column = 0, 0, self.grid.stride - 1
        mine = head_of(snake_in(state, 0))
        for k in range(1, CROWD):
            snake = snake_in(state, k)
            steps, head = safe_steps(self, state, taken, snake), head_of(snake)
            usual |= likely_step(self, state, taken, snake, steps) << 2 * (k - 1)
            apart = abs((head & column) - (mine & column)) + abs(
                row_of(self.grid, head) - row_of(self.grid, mine)
            )
            every |= (steps if apart <= self.near else 0) << 4 * (k - 1)
        out[0], found = usual, 1
        for k in range(CROWD - 1):
            for direction in range(4):
                if every >> 4 * k + direction & 1 and direction != usual >> 2 * k & 3:
                    out[found] = usual & ~(3 << 2 * k) | direction << 2 * k
                    found += 1
        return found

    @kernel_inline
    def next_state(self, state, action0, action1):
        return after_round(self, state, action0, action1)

    @kernel
    def returns(self, state):
        return float(np.int64(lives(state, 0)) - np.int64(rivals_live(state)))

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        """None: no food appears."""
        return 0

    @kernel
    def hash(self, state):
        return hash_of_words(state)

    def initial_state(self, seed: int | None = None, swapped: bool = False) -> Any:
        """Two of the four snakes, as they begin: there is no such start."""
        return crowd_of([super().initial_state(seed, swapped)])

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return " ".join(DIRECTIONS[action >> 2 * k & 3] for k in range(1 if player == 0 else CROWD - 1))


def crowd_of(pairs: Sequence[State]) -> CrowdState:
    """The position in which player 0 meets all the rivals, three at most, that it meets in these positions one by one."""
    first, size = pairs[0], len(pairs[0].body0)
    missing = CROWD - 1 - len(pairs)
    bodies, snakes = [pair.body1 for pair in pairs], [pair.snake1 for pair in pairs]

    def joint(boards: list[Any]) -> Any:  # words become np.uint64 where compiled code sees them
        return words_of(functools.reduce(operator.or_, map(int_of, boards)), size)

    every: Any = (first.snake0, *snakes, *[int(snake_word(0, 0, 0, OTHER, 0, 0))] * missing)
    return CrowdState(
        sum([first.body0, *bodies], ()) + (np.uint64(0),) * size * missing,
        joint([pair.low for pair in pairs]),
        joint([pair.high for pair in pairs]),
        first.food,
        first.hazards,
        first.stacked,
        every,
        first.round,
    )


@dataclass(frozen=True)
class CrowdProspects(Component):
    """Your chance to be the last one, from the odds of `snake_prospects` against each rival.

    In each of these races all other snakes are in the way, and take what they reach first.
    """

    duel: SnakeProspects = field(default_factory=SnakeProspects)

    @kernel
    def evaluate(self, game, state):
        grid, pad = game.grid, pad_of(state.bodies)
        against = 1.0
        for k in range(1, CROWD):
            rival = snake_in(state, k)
            if not lives(state, k):
                continue
            bodies, tails, heads = empty(grid), empty(grid), empty(grid)
            for third in range(1, CROWD):
                snake = snake_in(state, third)
                if third != k and lives(state, third):
                    bodies = bodies | board_of(grid, board_on(pad, third, state.low))
                    tails, heads = tails | single(grid, tail_of(snake)), heads | single(grid, head_of(snake))
            pair = State(
                board_on(pad, 0, state.low),
                board_on(pad, k, state.low),
                state.low,
                state.high,
                state.food,
                state.hazards,
                state.stacked,
                snake_in(state, 0),
                rival,
                state.round,
                0,
                0,
            )
            features = described(game, pair, self.duel.count_nodes, (bodies, tails, heads))
            against += math.exp(-2.0 * self.duel.compared(game, state, *features))
        return 2.0 / against - 1.0
