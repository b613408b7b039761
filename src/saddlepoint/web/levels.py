"""Named strengths of an opponent, from one that a beginner beats to the strongest that this library has of the game."""

from typing import Any, NamedTuple

from ..game import Game
from ..roster.catalogue import entries_of


class Level(NamedTuple):
    """A strength: a player, and what it may think for a move."""

    name: str
    spec: str
    nodes: int | None = None
    seconds: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The level as the page offers it."""
        bound = {"seconds": self.seconds} if self.nodes is None else {"nodes": self.nodes}
        return {"name": self.name, "spec": self.spec, **bound}


_SAMPLING = (Level("gentle", "mcts", nodes=30), Level("club", "mcts", nodes=300), Level("strong", "mcts", nodes=5_000))
"""Where a search without an evaluator sees nothing but draws for most of the game, and playing on at random tells more."""

_LEVELS: dict[str, tuple[Level, ...]] = {
    "light_riders": (
        Level("gentle", "riders_smab", nodes=10), Level("club", "best", nodes=300),
        Level("strong", "best", nodes=10_000), Level("best", "best", seconds=1.0),
    ),
    "simplexity": (
        Level("gentle", "minimax(depth=1)", nodes=10_000), Level("club", "minimax", nodes=10_000),
        Level("strong", "best", nodes=10_000), Level("best", "best", seconds=2.0),
    ),
    "tron41": (
        Level("gentle", "wall", nodes=100), Level("club", "tron_own_fill", nodes=10_000),
        Level("strong", "best", nodes=10_000), Level("best", "best", seconds=2.0),
    ),
    "rubiks_flip": (
        Level("gentle", "ace(depth=1)", nodes=10_000), Level("club", "bob", nodes=100_000),
        Level("strong", "pvs(depth=4)", nodes=200_000), Level("best", "best", seconds=2.0),
    ),
    "goofspiel": (
        Level("gentle", "random", nodes=100), Level("club", "saddle(depth=2, choice=mixture)", nodes=10_000),
        Level("strong", "saddle(depth=6, choice=mixture)", nodes=100_000), Level("best", "best", seconds=2.0),
    ),
    "battlesnake": (
        Level("gentle", "snake_space", nodes=100), Level("club", "snake_voronoi", nodes=300),
        Level("strong", "best", nodes=10_000), Level("best", "best", seconds=1.0),
    ),
    **{game: (*_SAMPLING, Level("best", "best", seconds=2.0)) for game in ("othello", "connect_four")},
}  # fmt: skip


def levels_of(game: Game) -> tuple[Level, ...]:
    """The levels of a game; any game has a player that chooses at random, and searches. The last one is `best`, where there is one."""
    known = _LEVELS.get(game.name)
    if known is not None:
        return known
    search = "pvs" if game.turn_based else "saddle"
    mixed = "" if game.turn_based else ", choice=mixture"
    unnamed = search if game.turn_based else f"{search}(choice=mixture)"
    has_best = any(entry.game == game.name for entry in entries_of("best"))
    return (
        Level("gentle", "random", nodes=100), Level("club", f"{search}(depth=2{mixed})", nodes=10_000),
        Level("strong", f"{search}(depth=4{mixed})", nodes=200_000),
        Level("best", "best" if has_best else unnamed, seconds=2.0),
    )  # fmt: skip
