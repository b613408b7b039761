"""Harvest: a fruit grows somewhere, and both run for it; run this file to check the rules.

On a small grid a fruit falls on a random free cell. Both players step at the same time: up, right, down or left. A step off the grid or
onto each other's cell is no step; if both want the same cell, neither moves. Whoever steps onto the fruit has a point, and the next one
falls. The first with `points`, or with more after `rounds` rounds, wins.

Rules: the fruit of the computer game Snake (Gremlin, Blockade, 1976), for walkers without tails, https://en.wikipedia.org/wiki/Snake_(video_game_genre)
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import CHANCE, SIMULTANEOUS, TERMINAL, Game, check_game, kernel

SIDE = 5
ACROSS, DOWN = (0, 1, 0, -1), (-1, 0, 1, 0)
STEPS = ("up", "right", "down", "left")


class State(NamedTuple):
    place0: int
    place1: int
    fruit: int
    """Its cell; -1 before it has fallen."""
    points0: int
    points1: int
    round: int


@dataclass(frozen=True)
class Harvest(Game):
    """Both run for a fruit that falls anywhere; the first with five wins."""

    points: int = 5
    rounds: int = 80

    name: ClassVar[str] = "harvest"
    max_actions = 4
    max_outcomes = SIDE * SIDE

    @property
    def max_depth(self):
        return self.rounds + 2 * self.points

    def initial_state(self):
        return State(SIDE * SIDE - SIDE, SIDE - 1, -1, 0, 0, 0)

    @kernel
    def current_player(self, state):
        if max(state.points0, state.points1) == self.points or state.round == self.rounds:
            return TERMINAL
        return CHANCE if state.fruit < 0 else SIMULTANEOUS

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        count = 0
        for cell in range(SIDE * SIDE):
            if cell != state.place0 and cell != state.place1:
                out[count] = cell
                probabilities[count] = 1 / (SIDE * SIDE - 2)
                count += 1
        return count

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(4):
            out[action] = action
        return 4

    @kernel
    def after(self, place, action):
        x, y = place % SIDE + ACROSS[action], place // SIDE + DOWN[action]
        return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else place

    @kernel
    def next_state(self, state, action0, action1):
        if state.fruit < 0:
            return State(state.place0, state.place1, action0, state.points0, state.points1, state.round)
        place0, place1 = self.after(state.place0, action0), self.after(state.place1, action1)
        if place0 == place1 or place0 == state.place1 or place1 == state.place0:
            place0, place1 = state.place0, state.place1
        ate0, ate1 = place0 == state.fruit, place1 == state.fruit
        fruit = -1 if ate0 or ate1 else state.fruit
        return State(place0, place1, fruit, state.points0 + ate0, state.points1 + ate1, state.round + 1)

    @kernel
    def returns(self, state):
        return np.sign(float(state.points0 - state.points1))

    def action_to_string(self, state, player, action):
        return STEPS[action]

    def outcome_to_string(self, state, outcome):
        return "abcde"[outcome % SIDE] + str(outcome // SIDE + 1)

    def render(self, state):
        text = ["."] * (SIDE * SIDE)
        if state.fruit >= 0:
            text[state.fruit] = "@"
        text[state.place0], text[state.place1] = "x", "o"
        rows = [" ".join(text[y * SIDE : (y + 1) * SIDE]) for y in range(SIDE)]
        return "\n".join(rows) + f"\n{state.points0} : {state.points1}"


if __name__ == "__main__":
    check_game(Harvest())
    print("the rules hold")
