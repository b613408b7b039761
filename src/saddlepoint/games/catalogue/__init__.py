"""The games by name, as `games/__init__.pyi` lists them."""

import functools
import importlib
import unicodedata
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...lazy import homes_of
from ...titles import title_of, title_of_class
from .described import Description, describe

if TYPE_CHECKING:  # a list of games is there before NumPy and Numba are
    from ...game import Game
    from ...spec import Spec

_GAMES = Path(__file__).parents[1]


@dataclass(frozen=True)
class GameEntry:
    """A game's name, and that of its class, which is imported when it is asked for; its source tells the rest."""

    name: str
    class_name: str

    @property
    def game_class(self) -> "type[Game]":
        """The game's class."""
        return getattr(importlib.import_module(f"..{self.name}", __name__), self.class_name)

    @property
    def title(self) -> str:
        """What it is called in headings."""
        return self._description.attributes.get("title") or title_of_class(self.class_name)

    @property
    def summary(self) -> str:
        """A line about the game."""
        return self._description.attributes.get("summary", "")

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters' names and default values."""
        return self._description.parameters

    @property
    def _description(self) -> Description:
        return _description(self)


@functools.cache
def _description(entry: GameEntry) -> Description:
    told = describe(_GAMES, entry.class_name)
    if told is not None:
        return told
    cls = entry.game_class
    parameters = {field.name: field.default for field in fields(cls)}  # type: ignore[arg-type]
    return Description({"title": title_of(cls), "summary": cls.summary}, parameters)


GAMES: dict[str, GameEntry] = {name: GameEntry(name, class_name) for class_name, name in homes_of(_GAMES).items()}


def find_game(name: str) -> GameEntry | None:
    """The game of this name; else the one whose name or title it is but for case, marks, blanks and a plural's s."""
    return GAMES.get(name) or _only_one(name, _letters) or _only_one(name, _singular)


def _only_one(name: str, spelled: Callable[[str], str]) -> GameEntry | None:
    """The game that is called so in this spelling, where it is the only one."""
    wanted = spelled(name)
    found = [entry for entry in GAMES.values() if wanted in map(spelled, (entry.name, entry.title))]
    return found[0] if len(found) == 1 else None


def _letters(name: str) -> str:
    """A name without case, accents, marks and blanks."""
    return "".join(one for one in unicodedata.normalize("NFKD", name).casefold() if one.isalnum())


def _singular(name: str) -> str:
    return _letters(name).removesuffix("s")


def game_spec(text: str) -> "Spec":
    """The spec that a text describes, with the game's own name in it: `Light Riders(width=20)`.

    Raises GameError where no game is called so, and SpecError for the rest.
    """
    from ...spec import parse_spec

    name, bracket, options = text.partition("(")
    return parse_spec(_entry(name.strip()).name + bracket + options)


def make_game(name: str, /, **parameters: Any) -> "Game":
    """This library's game of this name with these parameters; raises GameError for what there is not."""
    entry = _entry(name)
    return entry.game_class(**checked_parameters(entry.name, entry.parameters, parameters))


def _entry(name: str) -> GameEntry:
    entry = find_game(name)
    if entry is None:
        from ...game import GameError
        from ...spec import suggestion

        raise GameError(f"no game is called {name!r}{suggestion(name, GAMES)}; one of your own is ./FILE.py:CLASS")
    return entry


def checked_parameters(name: str, known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Parameters whose names are known and whose values are of the kinds of the defaults; raises GameError.

    A parameter without a default takes any value.
    """
    from ...game import GameError

    for key, value in given.items():
        if key not in known:
            raise GameError(f"{name} has no parameter {key!r}; it has: {', '.join(known) or 'none'}")
        if known[key] is not MISSING and type(value) is not type(known[key]):
            raise GameError(f"{name}: {key} must be of the kind of {known[key]!r}, not {value!r}")
    return given
