"""The loss of an action at a stage, the loser of a finished game, and the move that decided it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

_TOLERANCE = 1e-9
"""By how much, of the matrix's range, a strategy may miss the value and still count as one of equilibrium."""
_NOISE = 1e-6
"""Losses below this share of the range come from that tolerance."""


_APART = 1e-3
"""The least singular value, of a system scaled by the range, with which its solution counts as the only one."""


def row_losses(matrix: Any, value: float, strategies: tuple[Any, Any] | None = None) -> list[float]:
    """The loss of every row, as in `row_loss`.

    `strategies` is an equilibrium, the row player's strategy first; with it hardly any linear program has to
    be solved.
    """
    matrix = np.asarray(matrix, np.float64)
    extent = float(np.ptp(matrix)) or 1.0
    own, other = strategies if strategies is not None else (None, None)
    playable = np.ones(matrix.shape[1], bool)
    if own is not None:  # a column that gets less than the value against it is in no strategy of equilibrium
        playable = np.asarray(own) @ matrix <= value + _NOISE * extent
    most = value - (matrix[:, playable].min(axis=1) if playable.any() else matrix.min(axis=1))
    least = np.full(len(matrix), -np.inf) if other is None else value - matrix @ np.asarray(other)
    known = most - least <= _NOISE * extent
    if own is not None and _is_only((matrix[np.asarray(own) > _NOISE][:, playable] - value) / extent):
        known[:] = True
    return [
        0.0
        if most[row] <= _NOISE * extent
        else _without_noise(float(least[row]), extent)
        if known[row]
        else row_loss(matrix, value, row)
        for row in range(len(matrix))
    ]


def column_losses(matrix: Any, value: float, strategies: tuple[Any, Any] | None = None) -> list[float]:
    """The loss of every column, whose player minimises; see `row_losses`."""
    turned = None if strategies is None else (strategies[1], strategies[0])
    return row_losses(-np.asarray(matrix, np.float64).T, -value, turned)


def _is_only(system: Any) -> bool:
    """Whether one strategy alone, of the columns of this system, makes all of its rows 0: then there is one equilibrium strategy."""
    rows, columns = system.shape
    if rows + 1 < columns:
        return False
    whole = np.vstack([system, np.ones((1, columns))])
    return columns > 0 and float(np.linalg.svd(whole, compute_uv=False)[-1]) >= _APART


def _without_noise(lost: float, extent: float) -> float:
    return lost if lost > _NOISE * extent else 0.0


def row_loss(matrix: Any, value: float, row: int) -> float:
    """The loss of a row against the equilibrium strategy of the column player that punishes it most: 0 or
    more.

    `value` is the matrix's, which the row player maximises. A stage may have many equilibria: where the column player loses
    whatever it does, all of its strategies are of equilibrium, and a row that one of them punishes was a mistake. That does
    not depend on the equilibrium that a solver happens to find.
    """
    from scipy.optimize import linprog

    matrix = np.asarray(matrix, np.float64)
    extent = float(np.ptp(matrix)) or 1.0
    rows, columns = matrix.shape
    # A column strategy is of equilibrium if no row gets more than the value against it.
    found = linprog(
        matrix[row],
        A_ub=matrix,
        b_ub=np.full(rows, value + _TOLERANCE * extent),
        A_eq=np.ones((1, columns)),
        b_eq=[1.0],
        bounds=(0.0, None),
    )
    lost = value - float(found.fun) if found.success else 0.0
    return _without_noise(lost, extent)


def column_loss(matrix: Any, value: float, column: int) -> float:
    """The loss of a column, whose player minimises; see `row_loss`."""
    return row_loss(-np.asarray(matrix, np.float64).T, -value, column)


# Who lost a finished game, and where it turned: made of what its positions were worth, and of nothing else.


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


# Who lost a finished game, and where: made of what its positions were worth, and of nothing else.
#
# The one rule for the command, the page and the terminal.

EVEN = -0.1
"""A fifth of the way from the middle (0) to what the loser got in the end (-0.5): a player there, or better, stands even."""
LOST = -0.25
"""Half of that way: a player there, or worse, has as good as lost."""
SERIOUS = 0.1
"""Of the range of results: a smaller loss is no mistake."""
_BETTER = 0.1
"""A fifth of that way: a position that was worth so much more than the end was a chance."""

_ROUNDING = 1e-9


class Kind(StrEnum):
    """The way in which a game was lost."""

    OPEN = "open"
    """The game is not over."""
    DRAWN = "drawn"
    RESIGNED = "resigned"
    """The loser resigned in a position that was not as good as lost."""
    FAULT = "fault"
    """The loser was late, made an illegal move, crashed: its moves are not to blame."""
    MOVE = "move"
    """One turn took the game from even to as good as lost."""
    CHANCE = "chance"
    """An outcome of chance did."""
    SLIDE = "slide"
    """It took more than one turn."""
    NEVER_EVEN = "never even"
    """The loser stood worse from the first position on."""


@dataclass(frozen=True)
class Verdict:
    """Steps are indices of positions. Values are player 0's, in units of the game."""

    kind: Kind
    loser: int | None = None
    """0 or 1; None of a game that is drawn or not over."""
    step: int | None = None
    """The last position in which the loser stood even; of one who never did, the one before its largest fall. None without blame."""
    until: int | None = None
    """The first position from which on the loser had as good as lost: the next one, or of a slide a later one."""
    last_chance: int | None = None
    """The last position after `step` in which a player moved and the loser stood clearly better than in the end; None where there was
    none."""
    before: float = 0.0
    """The value at `step`."""
    after: float = 0.0
    """The value at the next position that is known."""

    @property
    def fall(self) -> float:
        """The loser's loss of value to the next position: 0 or more, in units of the game."""
        return max(0.0, (self.after - self.before) * (1 if self.loser else -1))


def judge(
    values: Sequence[float | None],
    result: float | None,
    low: float,
    high: float,
    *,
    chance: frozenset[int] = frozenset(),
    faults: tuple[bool, bool] = (False, False),
    slow: bool = False,
    resigned: bool = False,
) -> Verdict:
    """The verdict on a game by the values of its positions, player 0's; None where a value is not known.

    The losing move is the last one after which the loser never stood even again. `values` has one entry for each position; the
    last one's is taken to be the result (None: the game is not over). `low` and `high` are the range of results, `chance` the
    positions in which chance moves. `faults` says who lost by a fault of its own; `slow` that what the loser died of takes many
    moves, hunger for one: no single move is blamed then. Where the loser has `resigned`, the last value is that of the position in
    which it did. Of a game lost by a few points, even and lost are measured by those few.
    Raises ValueError where the range is empty or there is no position.
    """
    if not high > low:
        raise ValueError(f"the range must be above 0, not {low} to {high}")
    if not values:
        raise ValueError("a game has one position at least")
    middle = (low + high) / 2
    if result is None:
        return Verdict(Kind.OPEN)
    if result == middle:
        return Verdict(Kind.DRAWN)
    loser = 0 if result < middle else 1
    if faults[loser]:
        return Verdict(Kind.FAULT, loser)
    sign, extent = -1.0 if loser else 1.0, 2 * abs(result - middle)
    searched = [
        (step, value) for step, value in enumerate(values if resigned else values[:-1]) if value is not None
    ]
    known = [*searched, (len(values) - 1, result)]
    standing = [sign * (value - middle) / extent for _, value in known]  # -0.5 is what the loser got
    even = [place for place, one in enumerate(standing) if one >= EVEN - _ROUNDING]
    lost_at = next(
        place for place in range(len(known)) if all(one <= LOST + _ROUNDING for one in standing[place:])
    )
    last = len(values) - 1
    if resigned and searched and searched[-1][0] == last and standing[-2] > LOST + _ROUNDING:
        return Verdict(Kind.RESIGNED, loser, last, last, None, searched[-1][1], result)
    if len(known) == 1:
        return Verdict(Kind.NEVER_EVEN, loser)
    if not even:
        falls = [standing[place] - standing[place + 1] for place in range(len(known) - 1)]
        place, kind = max(range(len(falls)), key=lambda one: (falls[one], -one)), Kind.NEVER_EVEN
    else:
        place = even[-1]
        at_once = lost_at == place + 1 and not slow
        kind = Kind.SLIDE if not at_once else Kind.CHANCE if known[place][0] in chance else Kind.MOVE
    until = known[lost_at][0] if not slow else last
    chances = [
        step
        for (step, _), one in zip(searched, standing, strict=False)
        if known[place][0] < step < last and step not in chance and one >= _BETTER - 0.5
    ]
    last_chance = chances[-1] if chances else None
    return Verdict(kind, loser, known[place][0], until, last_chance, known[place][1], known[place + 1][1])
