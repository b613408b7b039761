"""What is shown of one position of a game that was played."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..game import Game


class Page(NamedTuple):
    """A position, with what is said of it."""

    said: str
    """A line on how it came about."""
    state: Any
    after: str = ""
    """Lines that follow the position."""

    def text(self, game: "Game") -> str:
        """All of it."""
        return "\n".join([self.said, game.render(self.state), *([self.after] if self.after else [])])
