"""Where a game turned."""

from collections.abc import Sequence
from typing import NamedTuple


class TurningPoint(NamedTuple):
    """A step after which a game was worth much more to one player."""

    step: int
    """The index of the value before."""
    change: float
    """Of player 0's value, in units of the game."""


def turning_points(
    values: Sequence[float | None], low: float, high: float, *, threshold: float = 0.15, most: int = 5
) -> list[TurningPoint]:
    """The largest changes between two neighbouring values of a game, the largest first; of equals the earlier.

    `low` and `high` are the game's range of results; changes below the share `threshold` of it are noise. Where a value is
    not known (None) the next known one is compared with the last known one, and the step is that of the latter.
    """
    if not high > low:
        raise ValueError(f"the range must be above 0, not {low} to {high}")
    if not 0.0 < threshold <= 1.0 or most < 0:
        raise ValueError("threshold must be above 0 and at most 1, most 0 or more")
    found: list[TurningPoint] = []
    last: tuple[int, float] | None = None
    for step, value in enumerate(values):
        if value is None:
            continue
        if last is not None and abs(value - last[1]) >= threshold * (high - low):
            found.append(TurningPoint(last[0], value - last[1]))
        last = step, value
    return sorted(found, key=lambda point: -abs(point.change))[:most]
