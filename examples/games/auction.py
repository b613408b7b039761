"""Sealed bids: buy lots from one purse; run this file to check the rules.

Some lots are sold one after another. For each both players bid at the same time, from the coins they have left. The higher bid pays
what it says and gets the lot, which is worth its points; equal bids get nothing and pay nothing. Whoever has more points at the end
wins. Coins that are left count for nothing.

Rules: a sequence of first-price sealed-bid auctions, https://en.wikipedia.org/wiki/First-price_sealed-bid_auction
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, check_game, kernel


class State(NamedTuple):
    lot: int
    coins0: int
    coins1: int
    lead: int
    """Player 0's points minus player 1's."""


@dataclass(frozen=True)
class Auction(Game):
    """Bid for lots from your purse; the higher bid pays and gets the points."""

    coins: int = 40
    lots: tuple[int, ...] = (3, 6, 2, 8, 5, 1, 9, 4, 7, 5)

    name: ClassVar[str] = "auction"

    @property
    def max_actions(self):
        return self.coins + 1

    @property
    def max_depth(self):
        return len(self.lots)

    def initial_state(self):
        return State(0, self.coins, self.coins, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.lot == len(self.lots) else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        coins = state.coins1 if player else state.coins0
        for bid in range(coins + 1):
            out[bid] = bid
        return coins + 1

    @kernel
    def next_state(self, state, action0, action1):
        points = self.lots[state.lot]
        if action0 > action1:
            return State(state.lot + 1, state.coins0 - action0, state.coins1, state.lead + points)
        if action1 > action0:
            return State(state.lot + 1, state.coins0, state.coins1 - action1, state.lead - points)
        return State(state.lot + 1, state.coins0, state.coins1, state.lead)

    @kernel
    def returns(self, state):
        return np.sign(float(state.lead))

    def action_to_string(self, state, player, action):
        return str(action)

    def render(self, state):
        lots = ", ".join(str(points) for points in self.lots[state.lot :]) or "none"
        return f"lots: {lots}\ncoins: {state.coins0} and {state.coins1}\nlead of player 0: {state.lead}"


if __name__ == "__main__":
    check_game(Auction())
    print("the rules hold")
