"""Rock, paper, scissors, lizard, Spock with cards: what is played is gone; run this file to check the rules.

Both players have the same cards, some of each of five kinds, and see what is left of both hands. In each round both play a card at the
same time. Rock beats scissors and lizard, paper beats rock and Spock, scissors beat paper and lizard, lizard beats Spock and paper, Spock
beats scissors and rock. After the last card the player who won more rounds wins.

Rules: Sam Kass and Karen Bryla, http://www.samkass.com/theories/RPSSL.html, with hands as in Nobuyuki Fukumoto, Kaiji (1996)
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, check_game, kernel, with_item

# Each kind beats the first and the third one after it, by twos round the ring.
KINDS = ("rock", "lizard", "Spock", "scissors", "paper")


class State(NamedTuple):
    hand0: tuple[int, ...]
    """How many of each kind are left."""
    hand1: tuple[int, ...]
    lead: int
    left: int
    """Rounds."""


@dataclass(frozen=True)
class RpsCards(Game):
    """Rock, paper, scissors, lizard, Spock with hands of cards; most rounds win."""

    each: int = 3

    name: ClassVar[str] = "rps_cards"
    max_actions = 5

    @property
    def max_depth(self):
        return 5 * self.each

    def initial_state(self):
        return State((self.each,) * 5, (self.each,) * 5, 0, 5 * self.each)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.left == 0 or abs(state.lead) > state.left else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        hand, count = state.hand1 if player else state.hand0, 0
        for kind in range(5):
            if hand[kind]:
                out[count] = kind
                count += 1
        return count

    @kernel
    def next_state(self, state, action0, action1):
        hand0 = with_item(state.hand0, action0, state.hand0[action0] - 1)
        hand1 = with_item(state.hand1, action1, state.hand1[action1] - 1)
        after = (action1 - action0) % 5
        gain = 1 if after == 1 or after == 3 else 0 if after == 0 else -1
        return State(hand0, hand1, state.lead + gain, state.left - 1)

    @kernel
    def returns(self, state):
        return np.sign(float(state.lead))

    def action_to_string(self, state, player, action):
        return KINDS[action]

    def render(self, state):
        hands = ", ".join(f"{kind} {a} and {b}" for kind, a, b in zip(KINDS, state.hand0, state.hand1, strict=True))
        return f"{hands}\nlead of player 0: {state.lead}"


if __name__ == "__main__":
    check_game(RpsCards())
    print("the rules hold")
