"""What solutions and checkpoints are made of, however it was found: by threads of this process, or by other machines."""

from typing import Any, Protocol

from ...game import Game
from .positions import PositionTable


class Work(Protocol):
    """A game and a start, and the table of what is solved so far."""

    game: Game
    root: Any
    is_folded: bool
    positions: PositionTable
    seconds: float

    def counted(self) -> dict[str, int]:
        """What was counted on the way (`solve.COUNTED`)."""
        ...
