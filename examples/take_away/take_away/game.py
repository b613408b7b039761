"""Take-away: in turn both take one to `most` stones from a heap; whoever takes the last one wins."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint.games.interface import TERMINAL, Game, kernel


class State(NamedTuple):
    stones: int
    turn: int
    """Who takes next: 0 or 1."""


@dataclass(frozen=True)
class TakeAway(Game):
    """Take-away with a heap of `stones`; action a takes a + 1 of them."""

    stones: int = 21
    most: int = 3

    name: ClassVar[str] = "take_away"
    summary: ClassVar[str] = "in turn both take one to three stones; who takes the last one wins"
    ranges: ClassVar[dict[str, tuple[int, int]]] = {"stones": (1, 100), "most": (1, 10)}

    @property
    def max_actions(self) -> int:
        return self.most

    @property
    def max_depth(self) -> int:
        return self.stones

    def initial_state(self) -> State:
        return State(self.stones, 0)

    @kernel
    def current_player(self, state):
        return TERMINAL if state.stones == 0 else state.turn

    @kernel
    def legal_actions(self, state, player, out):
        count = min(self.most, state.stones)
        for action in range(count):
            out[action] = action
        return count

    @kernel
    def next_state(self, state, action):
        return State(state.stones - action - 1, 1 - state.turn)

    @kernel
    def returns(self, state):
        return 1.0 if state.turn == 1 else -1.0  # whoever would take next did not take the last one

    def action_to_string(self, state, player, action):
        return f"take_{action + 1}"
