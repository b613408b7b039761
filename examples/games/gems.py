"""Gems: both walk on a grid and pick up what lies there; run this file to check the rules.

Both players step at the same time: up, right, down, left, or stay. Whoever comes to a gem alone takes it; if both come at once it is
gone. They may not exchange places or leave the grid: such a step is no step. When no gem is left, or after `rounds` rounds, the player
with more points wins. The gems in the middle are worth more.

Rules: a two-player form of the grid worlds in which agents collect apples, as in Leibo et al., Multi-agent Reinforcement Learning in
Sequential Social Dilemmas (2017)
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, check_game, kernel, with_item

SIDE = 7
ACROSS, DOWN = (0, 1, 0, -1, 0), (-1, 0, 1, 0, 0)
STEPS = ("up", "right", "down", "left", "stay")
GEMS = tuple(zip((1, 3, 5, 0, 6, 3, 0, 6, 1, 3, 5), (1, 0, 1, 3, 3, 3, 2, 4, 5, 6, 5), strict=True))


def worth(place):
    return 3 if place == (SIDE // 2, SIDE // 2) else 2 if 0 < place[0] < SIDE - 1 and 0 < place[1] < SIDE - 1 else 1


class State(NamedTuple):
    cells: tuple[int, ...]
    """By rows: the points that lie there."""
    place0: int
    place1: int
    lead: int
    left: int
    """Gems."""
    round: int


@dataclass(frozen=True)
class Gems(Game):
    """Both walk at once and collect gems; most points win."""

    rounds: int = 40

    name: ClassVar[str] = "gems"
    max_actions = 5

    @property
    def max_depth(self):
        return self.rounds

    def initial_state(self):
        cells = [0] * (SIDE * SIDE)
        for x, y in GEMS:
            cells[y * SIDE + x] = worth((x, y))
        return State(tuple(cells), SIDE * SIDE // 2 - 2, SIDE * SIDE // 2 + 2, 0, len(GEMS), 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.left == 0 or state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(5):
            out[action] = action
        return 5

    @kernel
    def after(self, place, action):
        x, y = place % SIDE + ACROSS[action], place // SIDE + DOWN[action]
        return y * SIDE + x if 0 <= x < SIDE and 0 <= y < SIDE else place

    @kernel
    def next_state(self, state, action0, action1):
        place0, place1 = self.after(state.place0, action0), self.after(state.place1, action1)
        if place0 == state.place1 and place1 == state.place0:
            place0, place1 = state.place0, state.place1
        lead = state.lead + (state.cells[place0] - state.cells[place1] if place0 != place1 else 0)
        left = state.left - (state.cells[place0] > 0) - (place1 != place0 and state.cells[place1] > 0)
        cells = with_item(with_item(state.cells, place0, 0), place1, 0)
        return State(cells, place0, place1, lead, left, state.round + 1)

    @kernel
    def returns(self, state):
        return np.sign(float(state.lead))

    def action_to_string(self, state, player, action):
        return STEPS[action]

    def render(self, state):
        text = [" 123"[points].replace(" ", ".") for points in state.cells]
        text[state.place0], text[state.place1] = "x", "o"
        if state.place0 == state.place1:
            text[state.place0] = "*"
        rows = [" ".join(text[y * SIDE : (y + 1) * SIDE]) for y in range(SIDE)]
        return "\n".join(rows) + f"\nlead of player 0: {state.lead}, round {state.round}"


if __name__ == "__main__":
    check_game(Gems())
    print("the rules hold")
