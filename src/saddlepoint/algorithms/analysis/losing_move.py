"""The move that lost a game, by the same rule as on the page (`web/static/views/analysis/review.js`)."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .review import ReviewedTurn

_SERIOUS = 0.1
"""Of the range of results: a smaller loss is no mistake."""
_LOST = -0.5
"""Of the way from even to a loss: behind it a game is as good as lost."""


class LosingMove(NamedTuple):
    """A move, and who made it."""

    player: int
    turn: ReviewedTurn

    @property
    def loss(self) -> float:
        """What it gave away, in units of the game."""
        return self.turn.loss[self.player]


def losing_move(turns: Iterable[ReviewedTurn], result: float, low: float, high: float) -> LosingMove | None:
    """Of the loser's mistakes the last one made while the game was not lost yet, else the worst one; None without any, or in a draw.

    `result` is player 0's, `low` and `high` the game's range of results. Mistakes before that were made good by the other. A move
    after which the loser stood no worse than before is none: the next position's search, which saw more of the game, says so.
    """
    if not high > low:
        raise ValueError(f"the range must be above 0, not {low} to {high}")
    middle = (low + high) / 2
    if result == middle:
        return None
    loser = 0 if result < middle else 1
    sign = -1.0 if loser else 1.0
    mistakes = [
        LosingMove(loser, turn) for turn, after in _with_values_after(turns, result)
        if turn.loss[loser] >= _SERIOUS * (high - low) and sign * (after - turn.value) < 0
    ]  # fmt: skip
    open_ = [one for one in mistakes if sign * (one.turn.value - middle) / (high - middle) > _LOST]
    if open_:
        return max(open_, key=lambda one: one.turn.step)
    return max(mistakes, key=lambda one: one.loss, default=None)


def _with_values_after(turns: Iterable[ReviewedTurn], result: float) -> Iterator[tuple[ReviewedTurn, float]]:
    """Each turn, and what the next position that is known was worth."""
    ordered = sorted(turns, key=lambda turn: turn.step)
    return zip(ordered, [*(turn.value for turn in ordered[1:]), result], strict=False)  # of no turns there is nothing
