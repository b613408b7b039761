"""Where half of a fit's games begin, if it is said: positions that random moves from the game's starts hardly ever reach."""

import hashlib
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..arena.openings import make_openings
from ..game import Game

_RANDOM = 200
"""Positions of `random:PLIES`, fewer where a game has not so many; to find that out takes seconds."""


@dataclass(frozen=True)
class Openings:
    """Positions in the game's text form, as an option named them."""

    asked: str
    """The option; of a file its name alone."""
    positions: tuple[str, ...]

    @property
    def identity(self) -> dict[str, Any]:
        """What a run keeps of them, and what must be the same for it to be taken up again."""
        digest = hashlib.blake2b("\n\n".join(self.positions).encode(), digest_size=8).hexdigest()
        return {"asked": self.asked, "positions": len(self.positions), "digest": digest}

    def drawn(self, games: int, draw: random.Random) -> tuple[str | None, ...]:
        """Where so many games begin: half of them in a position, which ones is drawn too. None: as the game begins."""
        chosen = set(draw.sample(range(games), games // 2))
        return tuple(draw.choice(self.positions) if number in chosen else None for number in range(games))


def openings_of(game: Game, asked: str, seed: int) -> Openings:
    """The openings that an option names, of the kinds that a match takes. Raises GameError, in one sentence."""
    found = make_openings(game, asked, _RANDOM, seed)
    return Openings(Path(asked).name if Path(asked).is_file() else asked, tuple(found))
