"""The strengths of an opponent that a game offers."""

from ..game import Game
from ..players.levels import STRONGEST, Level
from .games import GAMES


def levels_of(game: Game) -> tuple[Level, ...]:
    """The levels of a game, weakest first: its own, or searches without an evaluator to a small depth; the last one is `best`."""
    entry = GAMES.get(game.name)
    own = () if entry is None else tuple(entry.description.levels)
    search, mixed = ("pvs", "") if game.turn_based else ("saddle", ", choice=mixture")
    usual = (
        Level("gentle", "random", nodes=100), Level("club", f"{search}(depth=2{mixed})", nodes=10_000),
        Level("strong", f"{search}(depth=4{mixed})", nodes=200_000),
    )  # fmt: skip
    return (*(own or usual), STRONGEST)
