"""Positions of matches for these tests."""

from dataclasses import dataclass

from saddlepoint import TERMINAL
from saddlepoint.games.simplexity import csl_players
from saddlepoint.games.simplexity.csl_players import Parameters
from saddlepoint.games.simplexity.state import State


@dataclass(frozen=True)
class Position:
    """A position of a match. A move is a (column, shape) pair, shape 0 round and 1 square; player 0 is White."""

    parameters: Parameters
    state: State

    @property
    def mover(self) -> int:
        return self.state.moves & 1

    def text(self) -> str:
        return self.parameters.to_text(self.state)

    def moves(self) -> list[tuple[int, int]]:
        out = [0] * self.parameters.max_actions
        count = self.parameters.plain.legal_actions(self.state, self.mover, out)
        return [divmod(int(action), 2) for action in out[:count]]

    def after(self, column: int, shape: int) -> "Position":
        return Position(self.parameters, self.parameters.plain.next_state(self.state, 2 * column + shape))

    def over(self) -> bool:
        return self.parameters.plain.current_player(self.state) == TERMINAL

    def quick_move(self, until: float) -> tuple[int, int]:
        return csl_players.quick_move(self.parameters, self.state, until)


def replay(parameters: Parameters, moves: str) -> Position:
    return Position(parameters, csl_players.replay(parameters, moves))


def start(parameters: Parameters) -> Position:
    """The empty board."""
    return replay(parameters, "-")


def winner(position: Position) -> int | None:
    """Who has won; None if nobody has."""
    return {1.0: 0, -1.0: 1}.get(position.parameters.plain.returns(position.state))
