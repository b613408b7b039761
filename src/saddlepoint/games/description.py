"""The description of a game's parts besides its rules: `GAME` in the `__init__.py` of the game's folder.

Everything here may be left out. A place is written `module:name`, within the game's package; nothing is imported before it is used,
so that naming a game loads its rules alone. An installed package brings the same description (docs/game-to-link.md).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..players.named import Level, NamedPlayer
from ..players.protocols.protocol import Protocol

if TYPE_CHECKING:
    from ..players.base import Player


@dataclass(frozen=True)
class Referee:
    """Games of programs by the rules of a contest, with its clock and its error handling."""

    player: "Callable[..., Player]"
    """Called with a command, the game and the Isolation: the program as a player, which may have a trial start."""
    rules: Callable[..., Any]
    """The contest's rules: called with the bank and the time added after each move, in seconds, and the errors that are forgiven."""
    play: Callable[..., dict[str, Any]]
    """Called with the game, both commands, the start, the rules, a seed and `isolation`: the data of the game's replay."""


@dataclass(frozen=True)
class Solver:
    """A solver that is made for one game alone."""

    command: Callable[..., None]
    """`saddlepoint solve NAME`, as a command of typer's."""
    solve: Callable[..., None] | None = None
    """`saddlepoint solve 'GAME(...)' --method own`: called with the game and a position, or None, and by keyword with `output`, `memory`,
    `threads`, `seconds` and `as_json`; raises ValueError for what it does not take."""
    is_usual: bool = False
    """Whether the game is too large for the other methods."""


@dataclass(frozen=True)
class Description:
    """The description of one game."""

    rules: str = ""
    """The game's class. The games of this library leave it out: it stands in the list, `games/__init__.pyi`."""
    players: Sequence[NamedPlayer] = ()
    """Its named players; `best` is what plays best. Without one it is the solved game, or a search without an evaluator."""
    levels: Sequence[Level] = ()
    """Strengths of an opponent, weakest first, below the last one, which is always `best`."""
    evaluators: Sequence[str] = ()
    """Evaluators that are made for this game alone. Others are offered where the game has what their class names in `needs`."""
    protocols: Sequence[Protocol] = ()
    """Protocols that programs speak in this game's contests."""
    commands: Mapping[str, str] = field(default_factory=dict[str, str])
    """Commands of the program, by name: places of functions that are called with what loads the maker of players, and give a command."""
    solve: str = ""
    """The solver that is made for this game alone: the place of a `Solver`."""
    referee: str = ""
    """The referee of its contest: the place of a `Referee`."""
    replay_formats: Sequence[str] = ()
    """Files of games in formats of its own: places of `ReplayFormat`s (play/reading.py), or of a `KaggleGame`."""
    puzzles: str = ""
    """A file of puzzles in the game's folder (puzzles/puzzle.py)."""
    is_default: bool = False
    """Whether it is the game of commands that name none. One game is."""
    shown: str = ""
    """The spec of the game that the page's first screen plays by itself. One game has it."""

    def __post_init__(self) -> None:
        """Raise TypeError, in one sentence, for a field that holds something else: the sentence says what to write."""
        for name, (fits, expected) in _FIELDS.items():
            value = getattr(self, name)
            if not fits(value):
                raise TypeError(f"{name} of a Description must be {expected}, not {value!r:.60}")


def _is_place(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[\w.]+:\w+", value) is not None


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, (list, tuple)) and all(map(fits, value))  # pyright: ignore[reportUnknownArgumentType]


def _are_commands(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and _is_place(place) for name, place in value.items()
    )  # pyright: ignore[reportUnknownVariableType]


_PLACE = (lambda value: value == "" or _is_place(value), "a place such as 'game:Mine'")
_PLACES = (_list_of(_is_place), "a tuple of places such as ('heaps:Heaps',)")
_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "rules": _PLACE, "solve": _PLACE, "referee": _PLACE, "evaluators": _PLACES, "replay_formats": _PLACES,
    "players": (_list_of(lambda one: isinstance(one, NamedPlayer)), "a list of named players, Players('mine')"),
    "levels": (_list_of(lambda one: isinstance(one, Level)), "a tuple of levels such as (Level('gentle', 'random', nodes=100),)"),
    "protocols": (_list_of(lambda one: isinstance(one, Protocol)), "a tuple of protocols such as (Protocol(...),)"),
    "commands": (_are_commands, "names and their places such as {'mine': 'command:mine'}"),
    "puzzles": (lambda value: isinstance(value, str), "the name of a file such as 'puzzles.jsonl'"),
    "is_default": (lambda value: isinstance(value, bool), "True or False"),
    "shown": (lambda value: isinstance(value, str), "a spec such as 'mine(width=8)'"),
}  # fmt: skip
"""The type of each field, as a check and in words."""
