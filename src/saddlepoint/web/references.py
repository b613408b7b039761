"""The game that a request is about, which it tells whole: what is played, from where, and every move."""

from typing import Any, NamedTuple

from . import limits
from .bodies import BodyFields
from .errors import Refused

Joint = tuple[int, int]


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
