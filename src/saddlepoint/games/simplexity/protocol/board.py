"""The positions of matches by the rules of `Simplexity`, uncompiled: read, checked, and looked ahead in."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ....nodes import TERMINAL
from ....players.plain_search import PlainSearch
from .. import Simplexity
from ..text import action_of

if TYPE_CHECKING:
    from ..state import State


class Parameters(Simplexity):
    """A match's parameters: the game, on boards too that are too large for its players.

    Raises ValueError, in one sentence, where no game can be played with them.
    """

    max_side: ClassVar[int] = 64

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}, {self.win} in a row, {self.round} round and {self.square} square"


@dataclass(frozen=True)
class Position:
    """A position of a match. A move is a (column, shape) pair, shape 0 round and 1 square; player 0 is White."""

    parameters: Parameters
    state: "State"

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self.state.moves & 1

    def text(self) -> str:
        """The rows as `read_board` reads them."""
        return self.parameters.to_text(self.state)

    def moves(self) -> list[tuple[int, int]]:
        """The legal moves unless the game is over."""
        out = [0] * self.parameters.max_actions
        return [divmod(int(action), 2) for action in out[: self.parameters.plain.legal_actions(self.state, self.mover, out)]]

    def after(self, column: int, shape: int) -> "Position":
        """The position after a legal move."""
        return Position(self.parameters, self.parameters.plain.next_state(self.state, 2 * column + shape))

    def over(self) -> bool:
        """Whether nobody can move any more, or somebody has won."""
        return self.parameters.plain.current_player(self.state) == TERMINAL

    def looked_ahead(self, plies: int, until: float) -> Iterator[tuple[int, int]]:
        """Better and better moves, by what is won or lost by force within so many plies, until that moment (time.monotonic()).

        The first one is there at once: no reply wins against it, if there is such a move. It must not be over.
        """
        for action in PlainSearch(self.parameters, self.mover, until, choosing=3).moves(self.state, plies):
            yield divmod(action, 2)


def read_board(parameters: Parameters, text: str) -> Position:
    """The position of rows joined by `/`, bottom row first; raises ValueError where there is none."""
    return Position(parameters, parameters.of_rows(text))


def replay(parameters: Parameters, moves: str) -> Position:
    """The position after moves such as `3r,3s,0r`, `-` for none; raises ValueError where one of them is illegal."""
    position = Position(parameters, parameters.initial_state())
    for number, word in enumerate(() if moves == "-" else moves.split(",")):
        action = action_of(word)
        if action is None:
            raise ValueError(f"move {number}, {word[:12]!r}, is none: expected a column, then r or s")
        if why := parameters.why_illegal(position.state, *divmod(action, 2)):
            raise ValueError(f"move {number}, {word[:12]}: {why}")
        position = position.after(*divmod(action, 2))
    return position
