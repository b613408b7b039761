"""Undercut: a game of one's own, its rules in plain Python; run this file to check and to solve it.

Each round both players name a number from 1 to `top`. The higher number scores its points, but a number exactly one
below the other's undercuts it and scores both. After `rounds` rounds the one with more points wins.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import SIMULTANEOUS, TERMINAL, BackwardInduction, Game, check_game, kernel, search


class State(NamedTuple):
    round: int
    lead: int
    """Player 0's points minus player 1's."""


@dataclass(frozen=True)
class Undercut(Game):
    """Undercut with the numbers 1 to `top`; action a names the number a + 1."""

    top: int = 5
    rounds: int = 3

    name: ClassVar[str] = "undercut"

    @property
    def max_actions(self) -> int:
        return self.top

    @property
    def max_depth(self) -> int:
        return self.rounds

    def initial_state(self) -> State:
        return State(round=0, lead=0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.top):
            out[action] = action
        return self.top

    @kernel
    def next_state(self, state, action0, action1):
        number0, number1 = action0 + 1, action1 + 1
        if number0 == number1:
            gain = 0
        elif abs(number0 - number1) == 1:
            gain = number0 + number1 if number0 < number1 else -(number0 + number1)
        else:
            gain = number0 if number0 > number1 else -number1
        return State(state.round + 1, state.lead + gain)

    @kernel
    def returns(self, state):
        return np.sign(float(state.lead))

    def action_to_string(self, state, player, action):
        return str(action + 1)


if __name__ == "__main__":
    game = Undercut()
    check_game(game)
    result = search(game, game.initial_state(), BackwardInduction())
    print(f"value {result.value:z.6f}, {result.statistics.nodes} positions")
    for action, probability in result.strategy(0).items():
        print(f"  name {game.action_to_string(game.initial_state(), 0, action)} with probability {probability:.4f}")
