"""Kalah: sow seeds around the board into your store; run this file to check the rules.

Each player has six houses and a store. In turn a player empties one of the own houses and sows its seeds one by one counter-clockwise:
into the following houses, the own store and the other's houses, not into the other's store. A last seed in the own store gives another
turn. A last seed in an empty house of one's own, opposite to seeds, captures both into the store. When a player to move has no seeds
in the houses, the other one puts what is left into its own store. Who has more seeds wins.

Rules: William Julius Champion (1940), https://en.wikipedia.org/wiki/Kalah
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import TERMINAL, Game, check_game, kernel, with_item

HOUSES = 6
PITS = 2 * HOUSES + 2


class State(NamedTuple):
    seeds: tuple[int, ...]
    """Player 0's houses and store, then player 1's: the order in which seeds are sown."""
    mover: int


@dataclass(frozen=True)
class Kalah(Game):
    """Sow the seeds of a house; a last seed in your store is another turn, in an empty house a capture."""

    seeds: int = 4

    name: ClassVar[str] = "kalah"
    max_actions = HOUSES

    @property
    def max_depth(self):
        # Between two moves that bring a seed to a store there are few; this is far more than any game has.
        return 500

    def initial_state(self):
        return State(((self.seeds,) * HOUSES + (0,)) * 2, 0)

    @kernel
    def current_player(self, state):
        begin = state.mover * (HOUSES + 1)
        for house in range(HOUSES):
            if state.seeds[begin + house]:
                return state.mover
        return TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for house in range(HOUSES):
            if state.seeds[player * (HOUSES + 1) + house]:
                out[count] = house
                count += 1
        return count

    @kernel
    def next_state(self, state, action):
        begin, other = state.mover * (HOUSES + 1), (1 - state.mover) * (HOUSES + 1)
        place, store = begin + action, begin + HOUSES
        hand = state.seeds[place]
        seeds = with_item(state.seeds, place, 0)
        while hand:
            place = (place + 1) % PITS
            if place != other + HOUSES:
                seeds = with_item(seeds, place, seeds[place] + 1)
                hand -= 1
        if begin <= place < store and seeds[place] == 1:
            opposite = 2 * HOUSES - place
            if seeds[opposite]:
                seeds = with_item(seeds, store, seeds[store] + seeds[opposite] + 1)
                seeds = with_item(with_item(seeds, opposite, 0), place, 0)
        return State(seeds, state.mover if place == store else 1 - state.mover)

    @kernel
    def returns(self, state):
        lead = 0
        for pit in range(PITS):
            lead += state.seeds[pit] if pit <= HOUSES else -state.seeds[pit]
        return np.sign(float(lead))

    def action_to_string(self, state, player, action):
        return "abcdef"[action]

    def render(self, state):
        above = " ".join(f"{seeds:2}" for seeds in state.seeds[HOUSES + 1 : -1][::-1])
        below = " ".join(f"{seeds:2}" for seeds in state.seeds[:HOUSES])
        stores = f"{state.seeds[-1]:2} {' ' * (3 * HOUSES - 1)} {state.seeds[HOUSES]:2}"
        return f"   {above}   f to a of player 1\n{stores}\n   {below}   a to f of player 0"


if __name__ == "__main__":
    check_game(Kalah())
    print("the rules hold")
