"""Laser tag: walk, turn and shoot on a small field with walls; run this file to check the rules.

Both players act at the same time: step forward or back, step to a side, turn left or right, or shoot straight ahead. A step into a wall,
onto the other's cell, or by both onto one cell is no step. The beam goes on to the next wall, after the steps. Whoever is hit goes back
to its start, and the other has a point; both may be hit at once. The first with `points`, or with more after `rounds` rounds, wins.

Rules: after the game in Lanctot et al., A Unified Game-Theoretic Approach to Multiagent Reinforcement Learning (2017)
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, check_game, kernel

MAP = ("......", ".#..#.", "......", "......", ".#..#.", "......")
SIDE = len(MAP)
WALLS = tuple(mark == "#" for row in MAP for mark in row)
ACROSS, DOWN = (0, 1, 0, -1), (-1, 0, 1, 0)
ACTIONS = ("forward", "right", "back", "left", "turn left", "turn right", "shoot")
SHOOT = 6
START0, START1 = SIDE * (SIDE - 1), SIDE - 1


class State(NamedTuple):
    cell0: int
    cell1: int
    facing0: int
    """0 up, 1 right, 2 down, 3 left."""
    facing1: int
    points0: int
    points1: int
    round: int


@dataclass(frozen=True)
class LaserTag(Game):
    """Step, turn and shoot at the same time; most hits win."""

    points: int = 3
    rounds: int = 60

    name: ClassVar[str] = "laser_tag"
    max_actions = 7

    @property
    def max_depth(self):
        return self.rounds

    def initial_state(self):
        return State(START0, START1, 0, 2, 0, 0, 0)

    @kernel
    def current_player(self, state):
        is_over = max(state.points0, state.points1) >= self.points or state.round == self.rounds
        return TERMINAL if is_over else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(7):
            out[action] = action
        return 7

    @kernel
    def ahead(self, cell, way):
        """The next cell; the same one before a wall."""
        x, y = cell % SIDE + ACROSS[way], cell // SIDE + DOWN[way]
        if 0 <= x < SIDE and 0 <= y < SIDE and not WALLS[y * SIDE + x]:
            return y * SIDE + x
        return cell

    @kernel
    def hits(self, cell, facing, target):
        while self.ahead(cell, facing) != cell:
            cell = self.ahead(cell, facing)
            if cell == target:
                return True
        return False

    @kernel
    def next_state(self, state, action0, action1):
        cell0, cell1 = state.cell0, state.cell1
        if action0 < 4:
            cell0 = self.ahead(cell0, (state.facing0 + action0) % 4)
        if action1 < 4:
            cell1 = self.ahead(cell1, (state.facing1 + action1) % 4)
        if cell0 == cell1 or (cell0 == state.cell1 and cell1 == state.cell0):
            cell0, cell1 = state.cell0, state.cell1
        facing0 = (state.facing0 + (3 if action0 == 4 else action0 == 5)) % 4
        facing1 = (state.facing1 + (3 if action1 == 4 else action1 == 5)) % 4
        hit1 = action0 == SHOOT and self.hits(cell0, facing0, cell1)
        hit0 = action1 == SHOOT and self.hits(cell1, facing1, cell0)
        # Where the other stands on the start, the cell beside it is the start.
        if hit0:
            cell0, facing0 = (START0 if cell1 != START0 or hit1 else START0 + 1), 0
        if hit1:
            cell1, facing1 = (START1 if cell0 != START1 else START1 - 1), 2
        return State(cell0, cell1, facing0, facing1, state.points0 + hit1, state.points1 + hit0, state.round + 1)

    @kernel
    def returns(self, state):
        return np.sign(float(state.points0 - state.points1))

    def action_to_string(self, state, player, action):
        return ACTIONS[action]

    def render(self, state):
        text = [mark for row in MAP for mark in row]
        text[state.cell0], text[state.cell1] = "^>v<"[state.facing0], "ARVL"[state.facing1]
        rows = [" ".join(text[y * SIDE : (y + 1) * SIDE]) for y in range(SIDE)]
        return "\n".join(rows) + f"\n{state.points0} : {state.points1} in round {state.round} (player 1 is a letter)"


if __name__ == "__main__":
    check_game(LaserTag())
    print("the rules hold")
