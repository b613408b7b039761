"""What there is to know of a protocol: which game it is for, and its two sides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TextIO

if TYPE_CHECKING:  # a bot answers before the searches are loaded
    from pathlib import Path

    from ..game import Game
    from ..players.base import MakePlayer, Player
    from ..programs.isolation import Isolation


@dataclass(frozen=True)
class Protocol:
    """A protocol, described by the folder that speaks it. Its functions import what they need when they are called."""

    name: str
    game: str = ""
    """The only game it is for; empty: every game."""
    player: "Callable[[str, Game, Isolation | None], Player] | None" = None
    """Their program, a command, as a player of ours."""
    claims: "Callable[[str, Path | None], bool] | None" = None
    """Whether a command is taken to speak it where the user does not say; the second is the Python file that it consists of."""
    bot: "Callable[[str, Callable[[], MakePlayer], BinaryIO, TextIO], bool] | None" = None
    """Our player as a bot of theirs: plays until the input ends; True if all threads have ended as well."""
    serve: "Callable[[str, Callable[[], MakePlayer], int], NoReturn] | None" = None
    """The same for programs that connect to a port of this machine."""
    quiet: bool = False
    """Whether the bot itself says what it compiles."""
