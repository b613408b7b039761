"""All protocols: the library's own, and those of the games' contests."""

import functools

from ...players.protocols.protocol import LINES, Protocol
from .games import GAMES


@functools.cache
def protocols() -> tuple[Protocol, ...]:
    """Every protocol, the library's own first."""
    return (LINES, *(one for entry in GAMES.values() for one in entry.description.protocols))


def protocols_of(game: str) -> tuple[Protocol, ...]:
    """The protocols of a game: the library's own, then those of its contest."""
    entry = GAMES.get(game)
    return (LINES, *(() if entry is None else entry.description.protocols))
