"""The games by name."""

import importlib
from dataclasses import MISSING, dataclass, fields
from typing import Any

from ..game import Game, GameError


@dataclass(frozen=True)
class GameEntry:
    """A game's name, where its class is (imported when asked for) and a line about it."""

    name: str
    class_name: str
    summary: str
    aliases: tuple[str, ...] = ()
    """Other names under which `make_game` finds it."""

    @property
    def game_class(self) -> type[Game]:
        """The game's class."""
        return getattr(importlib.import_module(f".{self.name}", __package__), self.class_name)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters' names and default values."""
        return {field.name: field.default for field in fields(self.game_class)}  # type: ignore[arg-type]


GAMES: dict[str, GameEntry] = {
    entry.name: entry
    for entry in (
        GameEntry("light_riders", "LightRiders", "two riders leave trails and move at once; the last one alive wins"),
        GameEntry("simplexity", "Simplexity", "pieces with colour and shape fall into columns; four of either in a row"),
        GameEntry("tron41", "Tron41", "trails on a walled map, in turn, with traps, speed, bombs and armor; who crashes loses"),
        GameEntry("goofspiel", "Goofspiel", "both bid a card at once for each prize; the most points win"),
        GameEntry(
            "rubiks_flip", "RubiksFlip", "tumble an opponent's tile, place an own one; three locked in a row win",
            ("rubiks_tile",),
        ),
    )
}


def make_game(name: str, **parameters: Any) -> Game:
    """This library's game of this name with these parameters; raises GameError for what there is not."""
    entry = GAMES.get(name) or next((other for other in GAMES.values() if name in other.aliases), None)
    if entry is None:
        known = ", ".join(sorted(GAMES))
        raise GameError(f"no game is called {name!r}; known: {known}; one of your own is ./FILE.py:CLASS")
    return entry.game_class(**checked_parameters(name, entry.parameters, parameters))


def checked_parameters(name: str, known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Parameters whose names are known and whose values are of the kinds of the defaults; raises GameError.

    A parameter without a default takes any value.
    """
    for key, value in given.items():
        if key not in known:
            raise GameError(f"{name} has no parameter {key!r}; it has: {', '.join(known) or 'none'}")
        if known[key] is not MISSING and type(value) is not type(known[key]):
            raise GameError(f"{name}: {key} must be of the kind of {known[key]!r}, not {value!r}")
    return given
