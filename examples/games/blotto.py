"""Colonel Blotto: spread soldiers over three fields, round by round; run this file to check the rules.

In each round both players spread their soldiers over three fields at the same time. Who has more soldiers on more fields wins the round.
After all rounds the player with more won rounds wins.

Rules: Emile Borel (1921), https://en.wikipedia.org/wiki/Blotto_game
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, check_game, kernel


class State(NamedTuple):
    round: int
    lead: int
    """Rounds won by player 0 minus those won by player 1."""


@dataclass(frozen=True)
class Blotto(Game):
    """Both spread their soldiers over three fields; more of the fields win the round."""

    soldiers: int = 12
    rounds: int = 9

    name: ClassVar[str] = "blotto"

    @property
    def max_actions(self):
        return (self.soldiers + 1) * (self.soldiers + 2) // 2

    @property
    def max_depth(self):
        return self.rounds

    def initial_state(self):
        return State(0, 0)

    @kernel
    def current_player(self, state):
        is_decided = abs(state.lead) > self.rounds - state.round
        return TERMINAL if is_decided or state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(self.max_actions):
            out[action] = action
        return self.max_actions

    @kernel
    def spread(self, action):
        """The soldiers on each field: actions are ordered by those on the first one."""
        first, left = 0, action
        while left > self.soldiers - first:
            left -= self.soldiers - first + 1
            first += 1
        return first, left, self.soldiers - first - left

    @kernel
    def next_state(self, state, action0, action1):
        own, other, fields = self.spread(action0), self.spread(action1), 0
        for k in range(3):
            fields += np.sign(own[k] - other[k])
        return State(state.round + 1, state.lead + np.sign(fields))

    @kernel
    def returns(self, state):
        return np.sign(float(state.lead))

    def action_to_string(self, state, player, action):
        return "+".join(str(count) for count in self.spread(action))

    def render(self, state):
        return f"round {state.round + 1} of {self.rounds}, lead of player 0: {state.lead}"


if __name__ == "__main__":
    check_game(Blotto())
    print("the rules hold")
