"""The description of a protocol: a folder with its two sides, and its opening."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class Opening:
    """The lines that begin a game, and the answers to them."""

    lines: tuple[str, ...]
    answers: Callable[[str], bool]
    """Whether a line that the program wrote is the answer to it, which no other protocol has."""
    expected: str
    """The answer in words, for a message."""
    refuses: Callable[[str], bool] = lambda line: False
    """Whether a line says, in this protocol, that the program cannot play."""


# What a protocol is: a folder, and where in it the two sides are.


@dataclass(frozen=True)
class Protocol:
    """A protocol, with the places of both sides in its folder as `module:name`; empty for a missing side."""

    name: str
    package: str
    """The Python package, for example that of a game."""
    game: str = ""
    """The only game it is for; empty: every game."""
    title: str = ""
    """Its title in sentences."""
    player: str = ""
    """Their program as a player of ours: called with the command, the game and the Isolation."""
    bot: str = ""
    """Our player as a bot of theirs: called with its spec, what loads the maker of players, and the streams in and out (bytes);
    where the protocol is for every game, with the game too. Plays until the input ends; True if all threads have ended as well."""
    serve: str = ""
    """The same for programs that connect to a port of this machine."""
    http: str = ""
    """The same for referees that ask over HTTP: called with its spec, what loads the maker of players, the address and the port to
    listen on, the Looks, the version, and what gives the command that compiles a player for a game; True if all threads have ended
    as well."""
    looks: str = ""
    """How our bot looks in such a contest: called with what the command line says of it."""
    client: str = ""
    """Their server as a player of ours: called with the game, the Isolation, and its `url` or the `command` that starts it."""
    version: str = ""
    """The version of such a server: called with its address."""
    claims: str = ""
    """Whether a command that is said to speak no protocol speaks this: called with its words, the Python file it consists of (None:
    no such file), and whether that is a player of this library or reads its input. If empty, all do that are no such player."""
    opening: str = ""
    """How a game begins, as an `Opening`: called with the game. Where it is empty nobody finds out whether it is spoken."""
    quiet: bool = False
    """Whether the bot itself says what it compiles."""
    words: tuple[str, ...] = ()
    """The first words of the lines that a program writes, where it may write others, which are ignored."""
    stays: bool = False
    """Whether a program stays for the next game, which begins with a seed."""
    goes_on: bool = False
    """Whether a game goes on with the action that a warning is about; else that is an error of the program."""
    ending: str = ""
    """The line that ends a program, for messages; empty where it may stay."""

    def load(self, side: str) -> Callable[..., Any]:
        """One of the above, imported now."""
        module, _, name = side.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), name)


LINES = Protocol(
    "lines",
    __package__ or "",
    title="the library's line protocol",
    player="lines_player:lines_player",
    bot="lines_bot:run_bot",
    opening="lines_player:opening",
    words=("ready", "move", "info", "error", "wants"),
    stays=True,
    ending="`quit`",
)
"""The library's own protocol, which every game has."""
