"""The value of a position under perfect play."""

from typing import NamedTuple

_LONGER_THAN_ANY = 64


class Outcome(NamedTuple):
    """For the side to move: 1 a win, 0 a draw, -1 a loss; the shortest win or the longest loss in plies."""

    result: int
    plies: int | None
    """Plies to the end; None for a draw."""

    def __str__(self) -> str:
        return "D" if self.plies is None else f"{'W' if self.result > 0 else 'L'}{self.plies}"

    @property
    def value(self) -> int:
        """Larger is better: shorter wins, longer losses."""
        return 0 if self.plies is None else self.result * (_LONGER_THAN_ANY - self.plies)

    def before(self) -> "Outcome":
        """The outcome of a turn that leads here, for the side that plays it."""
        return Outcome(-self.result, None if self.plies is None else self.plies + 1)
