"""Goofspiel, the Game of Pure Strategy: both bid a card at once for each prize; equal bids discard it."""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..interface import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Game,
    GameError,
    KaggleGame,
    Mark,
    Move,
    Number,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    count_of,
    jit_inline,
    kernel,
    mix,
    parameter,
    popcount,
    trailing_zeros,
)


class State(NamedTuple):
    """Hands and deck as bit sets of card indices 0 .. cards-1."""

    hand0: int
    hand1: int
    deck: int
    prize: int
    """Index of the prize on the table, -1 before it is drawn."""
    points: int
    """Player 0's points minus player 1's."""


@jit_inline
def members(hand, out):
    """Fill `out` with the indices of the set bits; returns their number."""
    count = 0
    while hand != 0:
        out[count] = trailing_zeros(hand)
        hand &= hand - 1
        count += 1
    return count


@jit_inline
def worth(cards, lowest):
    """The sum of the worths of a set of cards, whose indices are below 16.

    Each bit of all indices is counted at once.
    """
    indices = (
        popcount(cards & 0xAAAA)
        + 2 * popcount(cards & 0xCCCC)
        + 4 * popcount(cards & 0xF0F0)
        + 8 * popcount(cards & 0xFF00)
    )
    return indices + lowest * popcount(cards)


@dataclass(frozen=True)
class Goofspiel(Game):
    """Three suits of `cards` cards worth lowest .. lowest+cards-1; an action is the index of the card bid.

    `order` is "random" (each prize drawn by chance), or known to both: "descending", "ascending", or the worths of all cards as they
    come, such as "3 1 4 2". `utility` is "points" (difference) or "win" (+1, 0, -1).

    >>> from saddlepoint import Goofspiel, solve
    >>> round(abs(solve(Goofspiel(cards=4)).value), 6)
    0.0
    """

    cards: int = 4
    order: str = parameter("random")
    utility: str = parameter("win")
    lowest: int = 1

    name: ClassVar[str] = "goofspiel"
    summary: ClassVar[str] = "both bid a card at once for each prize; the most points win"
    group: ClassVar[str] = "Cards and coins"
    how_to_play: ClassVar[Sequence[str]] = (
        "Both players have the same cards. A prize card is turned up.",
        "Both bid one of their cards at the same time; the higher one wins the prize. Equal bids: nobody gets it.",
        "The cards that were bid are gone. When none are left, who won more points wins.",
        "Option: with points as the result it is the difference in points.",
    )
    ranges: ClassVar[Ranges] = {
        "cards": (1, 13),
        "order": ("random", "descending", "ascending"),
        "utility": ("win", "points"),
        "lowest": (0, 100),
    }
    parameter_titles: ClassVar[Mapping[str, str]] = {
        "utility": "Result",
        "lowest": "Worth of the lowest card",
    }

    def __post_init__(self) -> None:
        self.check_parameters(cards=(1, 13), lowest=(-1000, 1000), utility=("win", "points"))
        worths = [str(worth) for worth in range(self.lowest, self.lowest + self.cards)]
        if self.order not in ("random", "descending", "ascending") and sorted(self.order.split()) != sorted(
            worths
        ):
            raise GameError(
                f"order must be random, descending, ascending, or the cards {' '.join(worths)} in some order, not {self.order!r}"
            )

    @property
    def max_actions(self) -> int:
        return self.cards

    @property
    def max_depth(self) -> int:
        return 2 * self.cards

    @property
    def max_utility(self) -> float:
        return (
            1.0
            if self.utility == "win"
            else float(sum(map(abs, range(self.lowest, self.lowest + self.cards))))
        )

    @property
    def min_utility(self) -> float:
        return -self.max_utility

    @property
    def drawn(self) -> bool:
        """Whether chance draws the prizes."""
        return self.order == "random"

    @property
    def chance_is_told(self) -> bool:
        """The prize on the table was in the deck."""
        return self.drawn

    @property
    def prizes(self) -> NDArray[np.int64]:
        """The indices of the prizes as they come; where chance draws them they are not used."""
        if self.order in ("random", "ascending", "descending"):
            return np.arange(self.cards)[:: -1 if self.order == "descending" else 1].copy()
        return np.array([int(worth) - self.lowest for worth in self.order.split()])

    @property
    def by_points(self) -> bool:
        return self.utility == "points"

    def initial_state(self) -> State:
        full = (1 << self.cards) - 1
        if self.drawn:
            return State(full, full, full, -1, 0)
        first = int(self.prizes[0])
        return State(full, full, full & ~(1 << first), first, 0)

    @kernel
    def current_player(self, state):
        if state.prize < 0:
            return TERMINAL if state.deck == 0 else CHANCE
        return SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        return members(state.hand0 if player == 0 else state.hand1, out)

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        count = members(state.deck, out)
        for k in range(count):
            probabilities[k] = 1.0 / count
        return count

    @kernel
    def next_state(self, state, action0, action1):
        if state.prize < 0:
            return State(state.hand0, state.hand1, state.deck & ~(1 << action0), action0, state.points)
        sign = int(action0 > action1) - int(action0 < action1)
        points = state.points + sign * (state.prize + self.lowest)
        prize, deck = -1, state.deck
        if not self.drawn and deck != 0:
            prize = self.next_prize(deck)
            deck &= ~(1 << prize)
        return State(state.hand0 & ~(1 << action0), state.hand1 & ~(1 << action1), deck, prize, points)

    @kernel
    def next_prize(self, deck):
        """The next prize of a deck whose order is known; -1 if the deck is empty."""
        for card in self.prizes:
            if deck >> card & 1:
                return card
        return -1

    @kernel
    def returns(self, state):
        if self.by_points:
            return float(state.points)
        return float(int(state.points > 0) - int(state.points < 0))

    @kernel
    def bounds(self, state):
        """The lead plus or minus the worths of the prizes that are left.

        Negative ones count against their winner.
        """
        prizes = state.deck | (1 << state.prize if state.prize >= 0 else 0)
        left = worth(prizes, self.lowest)
        if self.lowest < 0:
            left -= 2 * worth(prizes & ((1 << min(-self.lowest, 16)) - 1), self.lowest)
        least, most = state.points - left, state.points + left
        if self.by_points:
            return float(least), float(most)
        return float(int(least > 0) - int(least < 0)), float(int(most > 0) - int(most < 0))

    @kernel
    def hash(self, state):
        sets = (state.hand0 << 26) | (state.hand1 << 13) | state.deck
        return mix(np.uint64(sets) ^ mix(np.uint64((state.points + 512) * 64 + state.prize + 1)))

    def symmetries(self, state: State) -> list[Symmetry]:
        """The players may change places."""
        cards = tuple(range(self.cards))
        return [
            Symmetry(
                State(state.hand1, state.hand0, state.deck, state.prize, -state.points), cards, cards, True
            )
        ]

    @kernel
    def canonical(self, state):
        """The better hand is player 1's, of equal ones the lead."""
        if state.hand0 < state.hand1 or (state.hand0 == state.hand1 and state.points <= 0):
            return state, False
        return State(state.hand1, state.hand0, state.deck, state.prize, -state.points), True

    @kernel
    def without_score(self, state):
        """The points are the score where the result is points; a result of win or loss depends on them."""
        if self.by_points:
            return State(state.hand0, state.hand1, state.deck, state.prize, 0), float(state.points)
        return state, 0.0

    @kernel
    def relabelled(self, state):
        """How the cards of both hands compare is all that counts: they become the lowest with the same order, equal ones stay equal."""
        hand0, hand1 = state.hand0, state.hand1
        held = hand0 | hand1
        gap = ~held & (held + 1)
        while gap <= held:
            below = gap - 1
            width = trailing_zeros(held & ~below) - trailing_zeros(gap)
            hand0 = (hand0 & below) | ((hand0 >> width) & ~below)
            hand1 = (hand1 & below) | ((hand1 >> width) & ~below)
            held = hand0 | hand1
            gap = ~held & (held + 1)
        return State(hand0, hand1, state.deck, state.prize, state.points)

    def why_over(self, state: State) -> str:
        if state.points == 0:
            return "All prizes are won, and the points are equal."
        return f"All prizes are won, with a lead of {count_of(abs(int(state.points)), 'point')}."

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return str(action + self.lowest)

    def outcome_to_string(self, state: Any, outcome: int) -> str:
        """The prize that is turned up: `prize 5`."""
        return f"prize {outcome + self.lowest}"

    def to_text(self, state: State) -> str:
        return "goofspiel " + " ".join(
            f"{name}={value}" for name, value in zip(state._fields, state, strict=True)
        )

    def from_text(self, text: str) -> State:
        words = text.split()
        try:
            if words[0] != "goofspiel":
                raise ValueError
            fields = dict(word.split("=") for word in words[1:])
            state = State(**{name: int(fields.pop(name)) for name in State._fields})
        except (ValueError, KeyError, IndexError, TypeError):
            raise GameError("expected 'goofspiel hand0=.. hand1=.. deck=.. prize=.. points=..'") from None
        full = 1 << self.cards
        sets = (state.hand0, state.hand1, state.deck)
        hand0, hand1, deck = (s.bit_count() for s in sets)
        is_dealt = hand0 == hand1 == deck + (state.prize >= 0)
        order = [int(card) for card in self.prizes]
        left = [card for card in order if card == state.prize or state.deck >> card & 1]
        self.refuse(
            (
                fields
                or any(not 0 <= s < full for s in sets)
                or not -1 <= state.prize < self.cards
                or not is_dealt
                or not (self.drawn or state.prize >= 0 or deck == 0),
                f"no position of Goofspiel with {self.cards} cards: {text.strip()!r}",
            ),
            (
                state.prize >= 0 and state.deck >> state.prize & 1,
                f"the prize {state.prize + self.lowest} is on the table, so it is not in the deck too",
            ),
            (
                not self.drawn and left and (left[0] != state.prize or left != order[-len(left) :]),
                f"the prizes come in the order {self.order}, and these do not come next",
            ),
            (
                state.points not in self._leads(state, [card for card in order if card not in left]),
                f"no bids of the cards that are played give player 0 a lead of {state.points}",
            ),
        )
        return state

    def _leads(self, state: State, prizes: Sequence[int]) -> set[int]:
        """The leads of player 0 that bids of the cards that are played can have won of these prizes."""
        one, other = (
            [card for card in range(self.cards) if not hand >> card & 1]
            for hand in (state.hand0, state.hand1)
        )
        won, lost, tied = _most_won(one, other), _most_won(other, one), len(set(one) & set(other))
        found = {(0, 0, 0)}
        for card in prizes:
            found = {
                (lead + sign * (card + self.lowest), wins + (sign > 0), losses + (sign < 0))
                for lead, wins, losses in found
                for sign in (1, 0, -1)
            }
        return {
            lead
            for lead, wins, losses in found
            if wins <= won and losses <= lost and len(prizes) - wins - losses <= tied
        }

    def render(self, state: State) -> str:
        def cards(hand: int) -> str:
            return " ".join(str(c + self.lowest) for c in range(self.cards) if hand >> c & 1) or "-"

        prize = str(state.prize + self.lowest) if state.prize >= 0 else "-"
        hands = f"0: {cards(state.hand0)}   1: {cards(state.hand1)}"
        return f"prize {prize}   left {cards(state.deck)}   {hands}   points {state.points:+d}"

    def picture(self, state: State) -> Picture:
        """A table of three rows: player 1's hand, the prizes, player 0's hand; a card lies in the column of its worth."""
        rows = {1: (0, state.hand1), 0: (2, state.hand0)}

        def cards(hand: int, row: int, owner: int | None, what: str) -> list[Piece]:
            return [
                Piece(c, row, owner, "card", str(c + self.lowest), f"{what} {c + self.lowest}")
                for c in range(self.cards)
                if hand >> c & 1
            ]

        pieces = [
            one
            for player, (row, hand) in rows.items()
            for one in cards(hand, row, player, f"player {player}'s card")
        ]
        marks: tuple[Mark, ...] = ()
        numbers = [
            Number("lead", abs(int(state.points)), None if state.points == 0 else int(state.points < 0))
        ]
        if state.prize >= 0:
            worth = int(state.prize) + self.lowest
            pieces.append(Piece(int(state.prize), 1, None, "card", str(worth), f"the prize: {worth}"))
            marks = (Mark(int(state.prize), 1, "target", title=f"the prize: {worth}"),)
            numbers.append(Number("prize", worth))
        return Picture(
            self.cards,
            3,
            "table",
            pieces=(*pieces, *cards(state.deck, 1, None, "a prize that is left:")),
            marks=marks,
            numbers=tuple(numbers),
            row_names=("player 1", "prizes", "player 0"),
            text=self.render(state),
            moves=tuple(
                Move(player, action, self.action_to_string(state, player, action), (action, rows[player][0]))
                for player in self.players_to_act(state)
                for action in self.legal_actions(state, player)
            ),
        )


def _most_won(own: Sequence[int], other: Sequence[int]) -> int:
    """The most bids that cards win against others: the highest that are beaten by as many of the own from the top."""
    return max(
        count
        for count in range(len(own) + 1)
        if all(card > beaten for card, beaten in zip(own[len(own) - count :], other, strict=False))
    )


# Files of `kaggle_environments`: OpenSpiel's Goofspiel there.

_UTILITIES = {"win_loss": "win", "point_difference": "points", "total_points": "points"}
"""By what each player gets there: its points, or how far they are above the mean of both, and the difference of both is our result."""


def _game_of(environment: str, told: Mapping[str, Any]) -> Goofspiel:
    cards = KaggleGame.whole(told, "num_cards", 13)
    Game.refuse(
        (told.get("imp_info", False), "imp_info=True hides the bids, and games here hide nothing"),
        (told.get("players", 2) != 2, f"{told.get('players')} players, and games here have two"),
        (
            told.get("num_turns", -1) not in (-1, cards),
            f"num_turns={told.get('num_turns')} ends the game before all cards are played",
        ),
    )
    return Goofspiel(
        cards, str(told.get("points_order", "random")), _UTILITIES[told.get("returns_type", "win_loss")]
    )


EPISODE = KaggleGame(
    ("open_spiel_goofspiel",),
    _game_of,
    ("num_cards", "imp_info", "players", "num_turns", "points_order", "returns_type", "egocentric"),
    by_difference=operator.attrgetter("by_points"),
)
