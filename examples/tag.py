"""Tag: a chaser and a runner on a small square; both step at the same time. docs/game-to-link.md makes it, line by line."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import SIMULTANEOUS, TERMINAL, Game, kernel
from saddlepoint.games.interface import Move, Number, Picture, Piece

STEPS = ("stay", "up", "right", "down", "left")
ACROSS, DOWN = (0, 0, 1, 0, -1), (0, -1, 0, 1, 0)


class State(NamedTuple):
    chaser: int
    runner: int
    round: int


@dataclass(frozen=True)
class Tag(Game):
    """The chaser wins on the runner's cell or beside it, the runner by not being caught. Who would leave the square stays."""

    side: int = 4
    rounds: int = 6

    name: ClassVar[str] = "tag"
    max_actions: ClassVar[int] = 5

    @property
    def max_depth(self) -> int:
        return self.rounds

    def initial_state(self) -> State:
        return State(0, self.side * self.side - 1, 0)

    @kernel
    def is_caught(self, state):
        across = abs(state.chaser % self.side - state.runner % self.side)
        down = abs(state.chaser // self.side - state.runner // self.side)
        return across + down <= 1

    @kernel
    def current_player(self, state):
        return TERMINAL if self.is_caught(state) or state.round == self.rounds else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for action in range(5):
            out[action] = action
        return 5

    @kernel
    def after(self, cell, action):
        x, y = cell % self.side + ACROSS[action], cell // self.side + DOWN[action]
        return y * self.side + x if 0 <= x < self.side and 0 <= y < self.side else cell

    @kernel
    def next_state(self, state, action0, action1):
        return State(self.after(state.chaser, action0), self.after(state.runner, action1), state.round + 1)

    @kernel
    def returns(self, state):
        return 1.0 if self.is_caught(state) else -1.0

    def action_to_string(self, state, player, action):
        return STEPS[action]

    def picture(self, state):
        def place(cell):
            return cell % self.side, cell // self.side

        standing = state.chaser, state.runner
        return Picture(
            self.side, self.side, text=f"round {state.round}",
            pieces=(Piece(*place(state.chaser), 0, id="chaser"), Piece(*place(state.runner), 1, "ring", id="runner")),
            numbers=(Number("round", state.round, most=self.rounds),),
            moves=tuple(
                Move(player, action, STEPS[action], place(self.after(standing[player], action)), arrow=STEPS[action] if action else "")
                for player in self.players_to_act(state)
                for action in self.legal_actions(state, player)
            ),
        )  # fmt: skip


if __name__ == "__main__":
    from saddlepoint import check_game

    check_game(Tag())
    print("the rules hold")
