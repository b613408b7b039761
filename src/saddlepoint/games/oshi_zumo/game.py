"""Oshi-Zumo: both bid coins at once to push a wrestler.

The player in whose half, or off whose end, he ends loses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..interface import (
    SIMULTANEOUS,
    TERMINAL,
    Game,
    GameError,
    KaggleGame,
    Mark,
    Number,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    count_of,
    hash_of_words,
    kernel,
    mix,
    parameter,
)

_MOST_DRAWN = 12
"""Of a longer line of fields, only this many to each side are drawn: beyond, their width would make them unreadable."""


class State(NamedTuple):
    """Both players' coins, how many fields the wrestler stands from the centre, towards player 1 above 0, and the rounds so far."""

    coins0: int
    coins1: int
    field: int
    round: int = 0
    """Counted only where there is a horizon; else 0."""


@dataclass(frozen=True)
class OshiZumo(Game):
    """2 * size + 1 fields, `coins` for each player; an action is the number of coins bid, at least `min_bid` while a player has as many.

    The higher bid pushes the wrestler one field; both bids are spent. `utility` is "win" (+1, 0, -1) or "field" (how far from the
    centre the wrestler ends, up to size + 1). After `horizon` rounds, if it is not 0, the game ends where the wrestler stands, as without
    coins; with `min_bid` 0 there must be a horizon.

    >>> from saddlepoint import OshiZumo, solve
    >>> round(abs(solve(OshiZumo(coins=6)).value), 6)
    0.0
    """

    coins: int = 10
    size: int = 3
    min_bid: int = 1
    utility: str = parameter("win")
    horizon: int = 0

    name: ClassVar[str] = "oshi_zumo"
    title: ClassVar[str] = "Oshi-Zumo"
    summary: ClassVar[str] = "both bid coins at once to push a wrestler off the other's end of the board"
    group: ClassVar[str] = "Cards and coins"
    ranges: ClassVar[Ranges] = {
        "coins": (1, 100),
        "size": (1, 20),
        "min_bid": (1, 100),
        "utility": ("win", "field"),
        "horizon": (0, 1000),
    }
    parameter_titles: ClassVar[Mapping[str, str]] = {
        "size": "Fields on each side",
        "min_bid": "Lowest bid",
        "utility": "Result",
        "horizon": "Most rounds",
    }

    def __post_init__(self) -> None:
        self.check_parameters(
            coins=(1, 1000), size=(1, 1000), horizon=(0, 1_000_000), utility=("win", "field")
        )
        self.refuse(
            (
                not int(self.horizon == 0) <= self.min_bid <= self.coins,
                f"min_bid must be 1 to coins = {self.coins}, or 0 with a horizon such as 1000, or the game need not end; "
                f"not {self.min_bid}",
            )
        )

    @property
    def how_to_play(self) -> Sequence[str]:  # type: ignore[override]
        limit = f", or after {count_of(self.horizon, 'round')}" if self.horizon else ""
        end = f"no coins are left before that{limit}"
        return (
            "A wrestler stands in the middle of a row. Both players have the same number of coins.",
            f"Both bid some coins{'' if self.min_bid else ', or none,'} at the same time; all of them are spent.",
            "The higher bid pushes the wrestler one field towards the other player.",
            f"Who pushes him off the other's end wins. If {end}, he loses in whose half the wrestler stands.",
            "Option: with field as the result it is how far from the middle he stands.",
        )

    @property
    def max_actions(self) -> int:
        return self.coins - self.min_bid + 1

    @property
    def distinct_actions(self) -> int:
        return self.coins + 1

    @property
    def max_depth(self) -> int:
        if self.min_bid == 0:
            return self.horizon
        most = -(-self.coins // self.min_bid)
        return min(most, self.horizon) if self.horizon else most

    @property
    def max_utility(self) -> float:
        return 1.0 if self.utility == "win" else self.size + 1.0

    @property
    def min_utility(self) -> float:
        return -self.max_utility

    @property
    def by_field(self) -> bool:
        return self.utility == "field"

    def initial_state(self) -> State:
        return State(self.coins, self.coins, 0)

    @kernel
    def current_player(self, state):
        off = state.field > self.size or state.field < -self.size
        late = self.horizon > 0 and state.round >= self.horizon
        return TERMINAL if off or late or state.coins0 + state.coins1 == 0 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        coins = state.coins0 if player == 0 else state.coins1
        if coins < self.min_bid:
            out[0] = coins
            return 1
        for bid in range(self.min_bid, coins + 1):
            out[bid - self.min_bid] = bid
        return coins - self.min_bid + 1

    @kernel
    def next_state(self, state, action0, action1):
        push = int(action0 > action1) - int(action0 < action1)
        return State(
            state.coins0 - action0,
            state.coins1 - action1,
            state.field + push,
            state.round + int(self.horizon > 0),
        )

    @kernel
    def returns(self, state):
        if self.by_field:
            return float(state.field)
        return float(int(state.field > 0) - int(state.field < 0))

    @kernel
    def bounds(self, state):
        """Bounds by the pushes left: at most the bids left, each of a coin at least, and the rounds."""
        bid = max(self.min_bid, 1)
        rounds0, rounds1 = state.coins0, state.coins1
        if bid > 1:  # to divide takes longer than all the rest
            rounds0, rounds1 = (rounds0 + bid - 1) // bid, (rounds1 + bid - 1) // bid
        if self.horizon > 0:
            rounds0, rounds1 = (
                min(rounds0, self.horizon - state.round),
                min(rounds1, self.horizon - state.round),
            )
        least, most = max(state.field - rounds1, -self.size - 1), min(state.field + rounds0, self.size + 1)
        if self.by_field:
            return float(least), float(most)
        return float(int(least > 0) - int(least < 0)), float(int(most > 0) - int(most < 0))

    @kernel
    def hash(self, state):
        """A hash of the state; without a horizon the round is left out."""
        found = hash_of_words((state.coins0, state.coins1, state.field))
        return found if self.horizon == 0 else mix(found ^ np.uint64(state.round))

    def symmetries(self, state: State) -> list[Symmetry]:
        """The players may change places."""
        bids = tuple(range(self.coins + 1))
        return [Symmetry(State(state.coins1, state.coins0, -state.field, state.round), bids, bids, True)]

    def why_over(self, state: State) -> str:
        field = int(state.field)
        if abs(field) > self.size:
            return f"The wrestler was pushed off player {int(field > 0)}'s end of the board."
        why = (
            "No coins are left"
            if state.coins0 + state.coins1 == 0
            else f"All {self.horizon} rounds are played"
        )
        if field == 0:
            return f"{why}, and the wrestler stands in the centre."
        return f"{why}, and the wrestler stands in player {int(field > 0)}'s half."

    @kernel
    def canonical(self, state):
        """Player 0 has the fewer coins, with as many the wrestler in the own half."""
        if state.coins0 < state.coins1 or (state.coins0 == state.coins1 and state.field <= 0):
            return state, False
        return State(state.coins1, state.coins0, -state.field, state.round), True

    def to_text(self, state: State) -> str:
        """The numbers of the state; the rounds only where they count."""
        rounds = f", {state.round}" if self.horizon else ""
        return f"({state.coins0}, {state.coins1}, {state.field}{rounds})"

    def from_text(self, text: str) -> State:
        numbers = text.strip()
        if not self.horizon and numbers.endswith(")"):
            numbers = f"{numbers[:-1].rstrip(' ,')}, 0)"
        try:
            state = super().from_text(numbers)
        except GameError:
            rounds = ", round" if self.horizon else ""
            raise GameError(
                f"expected a position of OshiZumo as (coins0, coins1, field{rounds}), not {text!r}"
            ) from None
        self.refuse(
            (
                not (
                    0 <= state.coins0 <= self.coins
                    and 0 <= state.coins1 <= self.coins
                    and abs(state.field) <= self.size + 1
                    and 0 <= state.round <= self.horizon
                ),
                f"no position of Oshi-Zumo with {self.coins} coins and {2 * self.size + 1} fields: {text.strip()!r}",
            )
        )
        for player, ahead in ((0, int(state.field)), (1, -int(state.field))):
            other = state[1 - player]
            spent, of_other = self.coins - state[player], self.coins - other
            least = ahead * (1 + (self.min_bid if other else 0))
            least += int(of_other > 0 and (ahead == 0 or not self.min_bid))
            self.refuse(
                (
                    ahead >= 0 and (spent < least or (self.min_bid and spent and not of_other)),
                    f"player {player} has spent {count_of(spent, 'coin')} and player {1 - player} {of_other}, "
                    f"which does not bring the wrestler to the field {state.field}",
                ),
                (
                    self.horizon
                    and (
                        ahead > state.round
                        or (spent and not state.round)
                        or (state[player] and spent < self.min_bid * state.round)
                    ),
                    f"in {count_of(state.round, 'round')} nobody comes to {self.to_text(state)}",
                ),
            )
        return state

    def render(self, state: State) -> str:
        board = "".join("W" if field == state.field else "." for field in range(-self.size, self.size + 1))
        ends = ("W" if state.field < -self.size else "#", "W" if state.field > self.size else "#")
        rounds = f"   round {state.round} of {self.horizon}" if self.horizon else ""
        return f"{ends[0]}{board}{ends[1]}   coins 0: {state.coins0}   1: {state.coins1}{rounds}"

    def picture(self, state: State) -> Picture:
        """The fields, with the place beyond each end, where the wrestler is pushed off; a player's number is the coins it has left."""
        field, reach = int(state.field), self.size + 1
        purses = tuple(
            Number("coins", int(coins), player, most=self.coins)
            for player, coins in enumerate((state.coins0, state.coins1))
        )
        if self.horizon:
            purses = (*purses, Number("round", int(state.round), most=self.horizon))
        moves, text = self.pictured_moves(state), self.render(state)
        if self.size > _MOST_DRAWN:
            return Picture(numbers=(*purses, Number("wrestler's field", field)), moves=moves, text=text)
        ends = (
            Mark(0, 0, "target", 1, title="player 1 wins here"),
            Mark(2 * reach, 0, "target", 0, title="player 0 wins here"),
        )
        wrestler = Piece(field + reach, 0, None, "disc", "W", "the wrestler", id="wrestler")
        names = ("off", *(str(abs(place)) for place in range(-self.size, reach)), "off")
        return Picture(
            2 * reach + 1,
            1,
            marks=ends,
            pieces=(wrestler,),
            numbers=purses,
            moves=moves,
            column_names=names,
            text=text,
        )


# Files of `kaggle_environments`: OpenSpiel's Oshi-Zumo there.


def _game_of(environment: str, told: Mapping[str, Any]) -> OshiZumo:
    Game.refuse((told.get("alesia", False), "with alesia=True the wrestler's half does not count at the end"))
    usual = {"coins": 50, "size": 3, "min_bid": 0, "horizon": 1000}
    coins, size, least, horizon = (KaggleGame.whole(told, name, value) for name, value in usual.items())
    ends_before = least > 0 and horizon >= OshiZumo(coins, 1, least).max_depth
    return OshiZumo(coins, size, least, horizon=0 if ends_before else horizon)


EPISODE = KaggleGame(("open_spiel_oshi_zumo",), _game_of, ("alesia", "coins", "min_bid", "horizon", "size"))
