"""The move that lost a game."""

from collections.abc import Iterable
from typing import NamedTuple

from .review import ReviewedTurn

_NOISE = 0.05
"""Losses below this share of the range of results are noise."""


class LosingMove(NamedTuple):
    """A move, and who made it."""

    player: int
    turn: ReviewedTurn

    @property
    def loss(self) -> float:
        """What it gave away, in units of the game."""
        return self.turn.loss[self.player]


def losing_move(turns: Iterable[ReviewedTurn], result: float, low: float, high: float) -> LosingMove | None:
    """The last move of the loser that gave away at least half as much as its worst one; None where none gave anything away, or nobody lost.

    `result` is player 0's, `low` and `high` the game's range of results. A worse move earlier was made good by the other since.
    """
    if not high > low:
        raise ValueError(f"the range must be above 0, not {low} to {high}")
    middle = (low + high) / 2
    if result == middle:
        return None
    loser = 0 if result < middle else 1
    found = [turn for turn in turns if turn.loss[loser] >= _NOISE * (high - low)]
    if not found:
        return None
    worst = max(turn.loss[loser] for turn in found)
    return LosingMove(loser, max((turn for turn in found if turn.loss[loser] >= worst / 2), key=lambda turn: turn.step))
