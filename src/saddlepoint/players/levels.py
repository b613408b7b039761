"""Named strengths of an opponent: from one that a beginner beats to the strongest that this library has of a game."""

from typing import Any, NamedTuple


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


STRONGEST = Level("best", "best", seconds=2.0)
"""The last level of every game."""
SAMPLING = (Level("gentle", "mcts", nodes=30), Level("club", "mcts", nodes=300), Level("strong", "mcts", nodes=5_000))
"""For games in which a search without an evaluator sees nothing but draws for most of the game, and playing on at random tells more."""
