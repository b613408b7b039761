"""Biased rock-paper-scissors: one round of rock-paper-scissors whose wins are worth different amounts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from .interface import (
    SIMULTANEOUS,
    TERMINAL,
    Game,
    Mark,
    Move,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    kernel,
)

HANDS = ("rock", "paper", "scissors")
_BEATS = ("blunts scissors", "wraps rock", "cut paper")


class State(NamedTuple):
    """The hands of both players, 0 rock, 1 paper, 2 scissors; -1 before the round."""

    hand0: int
    hand1: int


@dataclass(frozen=True)
class BiasedRPS(Game):
    """Paper wins `paper` from rock, scissors win `scissors` from paper, rock wins `rock` from scissors.

    As published ([[0, -25, 50], [25, 0, -5], [-50, 5, 0]]) its value is 0, and both play (1/16, 10/16, 5/16).

    >>> from saddlepoint import BiasedRPS
    >>> game = BiasedRPS(rock=50, paper=25, scissors=5)
    >>> game.returns(game.next_state(game.initial_state(), 0, 2))
    50.0
    """

    rock: int = 50
    paper: int = 25
    scissors: int = 5

    name: ClassVar[str] = "biased_rps"
    title: ClassVar[str] = "Biased rock-paper-scissors"
    summary: ClassVar[str] = "rock, paper, scissors, once; each win is worth another amount"
    group: ClassVar[str] = "Laboratory"
    how_to_play: ClassVar[Sequence[str]] = (
        "Choose rock, paper or scissors, both at the same time, once.",
        "Paper beats rock, scissors beat paper, rock beats scissors, as always.",
        "But each win is worth another amount: the table shows how much.",
    )
    ranges: ClassVar[Ranges] = {"rock": (1, 1000), "paper": (1, 1000), "scissors": (1, 1000)}
    max_actions: ClassVar[int] = 3
    max_depth: ClassVar[int] = 1

    def __post_init__(self) -> None:
        self.check_parameters(rock=(1, 1_000_000), paper=(1, 1_000_000), scissors=(1, 1_000_000))

    @property
    def max_utility(self) -> float:
        return float(max(self.rock, self.paper, self.scissors))

    @property
    def min_utility(self) -> float:
        return -self.max_utility

    def initial_state(self) -> State:
        return State(-1, -1)

    @kernel
    def current_player(self, state):
        return SIMULTANEOUS if state.hand0 < 0 else TERMINAL

    @kernel
    def legal_actions(self, state, player, out):
        for hand in range(3):
            out[hand] = hand
        return 3

    @kernel
    def next_state(self, state, action0, action1):
        return State(action0, action1)

    @kernel
    def returns(self, state):
        hands = (state.hand0 - state.hand1) % 3
        if hands == 0:
            return 0.0
        winner = state.hand0 if hands == 1 else state.hand1
        worth = float(self.rock if winner == 0 else self.paper if winner == 1 else self.scissors)
        return worth if hands == 1 else -worth

    def why_over(self, state: State) -> str:
        if state.hand0 == state.hand1:
            return f"Both showed {HANDS[state.hand0]}."
        winner = state.hand0 if self.returns(state) > 0 else state.hand1
        return f"{HANDS[winner].capitalize()} {_BEATS[winner]}, worth {abs(self.returns(state)):g}."

    def symmetries(self, state: State) -> list[Symmetry]:
        """The players may change places."""
        return [Symmetry(State(state.hand1, state.hand0), (0, 1, 2), (0, 1, 2), True)]

    def action_to_string(self, state: Any, player: int, action: int) -> str:
        return HANDS[action]

    def from_text(self, text: str) -> State:
        state = super().from_text(text)
        self.refuse(
            (
                state != State(-1, -1) and not (0 <= state.hand0 <= 2 and 0 <= state.hand1 <= 2),
                f"expected (-1, -1), or a hand of 0 to 2 for each, not {text.strip()!r}",
            )
        )
        return state

    def render(self, state: State) -> str:
        shown = [HANDS[hand] if hand >= 0 else "?" for hand in state]
        return f"0: {shown[0]}   1: {shown[1]}"

    def picture(self, state: State) -> Picture:
        """Player 1's hands above player 0's; those that were shown are marked."""
        hands = [(player, hand) for player in (1, 0) for hand in range(3)]
        return Picture(
            3,
            2,
            "table",
            column_names=HANDS,
            row_names=("player 1", "player 0"),
            text=self.render(state),
            pieces=tuple(
                Piece(hand, 1 - player, player, "card", HANDS[hand][0].upper(), HANDS[hand])
                for player, hand in hands
            ),
            marks=tuple(
                Mark(hand, 1 - player, "target", player, title=f"player {player} showed {HANDS[hand]}")
                for player, hand in hands
                if state[player] == hand
            ),
            moves=tuple(
                Move(player, action, HANDS[action], (action, 1 - player))
                for player in self.players_to_act(state)
                for action in self.legal_actions(state, player)
            ),
        )
