"""The game that a request is about, which it tells whole: what is played, from where, and every move."""

from typing import Any, NamedTuple

from . import limits
from .bodies import BodyFields
from .errors import Refused

Joint = tuple[int, int]
Branch = tuple[int, int, int]
"""A move that was tried: the number of the position before it, and the joint action."""


class Reference(NamedTuple):
    """A game in progress, as the page knows it."""

    game: str
    start: str | None
    moves: tuple[Joint, ...]


def reference_of(data: BodyFields) -> Reference:
    """The reference in a request's fields: game, start, moves."""
    raw: Any = data.items("moves", limits.MOVES, [])
    for joint in raw:
        if not (isinstance(joint, list) and len(joint) == 2 and all(type(one) is int and -1 <= one < 2**31 for one in joint)):  # pyright: ignore[reportUnknownArgumentType]
            raise Refused("moves must be pairs of whole numbers, -1 for who has no choice")
    return Reference(data.text("game", limits.SPEC), data.text("start", limits.TEXT, None), tuple((a, b) for a, b in raw))


def branches_of(data: BodyFields) -> tuple[Branch, ...]:
    """The moves that were tried beside a game, in a request's field `branches`."""
    raw: Any = data.items("branches", limits.BRANCHES)
    for one in raw:
        if not (isinstance(one, list) and len(one) == 3 and all(type(part) is int and -1 <= part < 2**31 for part in one) and one[0] >= 0):  # pyright: ignore[reportUnknownArgumentType]
            raise Refused("branches must be triples of whole numbers: the position before, and a move's two actions")
    return tuple((before, a, b) for before, a, b in raw)
