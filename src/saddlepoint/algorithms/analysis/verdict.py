"""Who lost a finished game, and where: made of what its positions were worth, and of nothing else.

The one rule for the command, the page and the terminal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

EVEN = -0.1
"""A fifth of the way from the middle (0) to what the loser got in the end (-0.5): who stands there, or better, stands even."""
LOST = -0.25
"""Half of that way: who stands there, or worse, has as good as lost."""
SERIOUS = 0.1
"""Of the range of results: a smaller loss is no mistake."""
_BETTER = 0.1
"""A fifth of that way: a position that was worth so much more than the end was a chance."""

_ROUNDING = 1e-9


class Kind(StrEnum):
    """How a game was lost."""

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
    """What chance drew did."""
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
        """How much worse the loser stood at the next position: 0 or more, in units of the game."""
        return max(0.0, (self.after - self.before) * (1 if self.loser else -1))


def judge(
    values: Sequence[float | None], result: float | None, low: float, high: float, *,
    chance: frozenset[int] = frozenset(), faults: tuple[bool, bool] = (False, False), slow: bool = False,
    resigned: bool = False,
) -> Verdict:  # fmt: skip
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
    told = [(step, value) for step, value in enumerate(values if resigned else values[:-1]) if value is not None]
    known = [*told, (len(values) - 1, result)]
    standing = [sign * (value - middle) / extent for _, value in known]  # -0.5 is what the loser got
    even = [place for place, one in enumerate(standing) if one >= EVEN - _ROUNDING]
    lost_at = next(place for place in range(len(known)) if all(one <= LOST + _ROUNDING for one in standing[place:]))
    last = len(values) - 1
    if resigned and told and told[-1][0] == last and standing[-2] > LOST + _ROUNDING:
        return Verdict(Kind.RESIGNED, loser, last, last, None, told[-1][1], result)
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
        step for (step, _), one in zip(told, standing, strict=False)
        if known[place][0] < step < last and step not in chance and one >= _BETTER - 0.5
    ]  # fmt: skip
    last_chance = chances[-1] if chances else None
    return Verdict(kind, loser, known[place][0], until, last_chance, known[place][1], known[place + 1][1])
