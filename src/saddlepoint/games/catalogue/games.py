"""The games by name: those of this library, as `games/__init__.pyi` lists them, and those that installed packages bring.

And what they bring together: protocols, puzzles, files of replays.
"""

import functools
import unicodedata
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ...game.nodes import GameError
from ...game.spec import Spec, parse_spec, suggestion
from ...game.words import title_of
from ...players.protocols.protocol import LINES, Protocol
from ...system.lazy import homes_of
from ..description import Description
from ..listed import FACTS, Facts

if TYPE_CHECKING:  # a list of games is there before NumPy and Numba are
    from ...game.base import Game
    from ...play.puzzles import Puzzle
    from ...play.reading import ReplayFormat
    from ...play.replay import Replay

ENTRY_POINTS = "saddlepoint.games"
"""The group of entry points by which installed packages bring games: a game's name, and where its `Description` is."""
_GAMES = Path(__file__).parents[1]
_PACKAGE = __name__.rsplit(".", 2)[0]


@dataclass(frozen=True)
class GameEntry:
    """A game's name, and where it is; its class is imported when it is asked for."""

    name: str
    package: str
    """What has all of it."""
    class_name: str
    """Empty where the description says it."""
    point: EntryPoint | None = None
    """Of a game that an installed package brings."""

    @property
    def game_class(self) -> "type[Game]":
        """The game's class; raises GameError in one sentence where that of an installed package is none."""
        if self.class_name:
            return getattr(import_module(self.package), self.class_name)
        return _checked_rules(self, self.load(self.description.rules))

    @functools.cached_property
    def description(self) -> Description:
        """The description of the game's parts besides its rules; an empty one for a game without any."""
        if self.point is not None:
            return _brought(self.point)
        # A game in one file brings nothing else, and loading it loads its rules.
        return import_module(self.package).GAME if (_GAMES / self.name).is_dir() else Description()

    def load(self, place: str) -> Any:
        """The object at a place `module:name` of the description.

        Raises GameError where an installed package fails.
        """
        module, _, name = place.partition(":")
        try:
            return getattr(import_module(f"{self.package}.{module}"), name)
        except (Exception, SystemExit) as error:  # somebody else's code, where the game is brought
            if self.point is None:
                raise
            raise _unusable(self.name, f"{place} cannot be loaded: {_told(error)}") from error

    @property
    def title(self) -> str:
        """The game's title for headings."""
        return self._facts.title

    @property
    def summary(self) -> str:
        """A line about the game."""
        return self._facts.summary

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters' names and default values."""
        return self._facts.parameters

    @functools.cached_property
    def _facts(self) -> Facts:
        if self.point is None and self.name in FACTS:
            return FACTS[self.name]
        cls = self.game_class
        return Facts(title_of(cls), cls.summary, {field.name: field.default for field in fields(cls)})  # type: ignore[arg-type]


def _brought(point: EntryPoint) -> Description:
    """The description that an installed package brings; raises GameError in one sentence."""
    try:
        found = point.load()
    except (Exception, SystemExit) as error:  # somebody else's code
        raise _unusable(point.name, f"{point.value} cannot be loaded: {_told(error)}") from error
    if not isinstance(found, Description) or not found.rules:
        raise _unusable(point.name, f"{point.value} is no Description that names its rules")
    return found


def _checked_rules(entry: GameEntry, found: Any) -> "type[Game]":
    from ...game.base import Game

    place = entry.description.rules
    if not (isinstance(found, type) and issubclass(found, Game) and is_dataclass(found)):
        raise _unusable(entry.name, f"{place} is no frozen dataclass made of Game")
    if found.name != entry.name:
        raise _unusable(
            entry.name, f"{place} has the name {found.name!r}, which must be that of its entry point"
        )
    return found


def _unusable(name: str, why: str) -> GameError:
    return GameError(f"the game {name} of an installed package: {why}")


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}".removesuffix(": ")


@contextmanager
def left_out_if_broken() -> Generator[None]:
    """A context that reports an error of an installed package in a sentence, once, and leaves the rest of the
    block out.
    """
    try:
        yield
    except ValueError as error:
        from ...compiled.directory import warn_once

        if not isinstance(error, GameError):
            raise
        _SAID.add(str(error))
        warn_once(f"{error}; it is left out")


_SAID: set[str] = set()


def is_told(error: Exception) -> bool:
    """Whether what an error says was said before, of something that was left out."""
    return str(error) in _SAID


class _Games(Mapping[str, GameEntry]):
    """The games of this library, in the order of its list, then those of installed packages, which are looked for when needed.

    A package whose description cannot be loaded is left out, which is reported once.
    """

    def __init__(self) -> None:
        self.left_out: dict[str, GameError] = {}
        """The errors of packages that cannot be used, by the games' names."""
        self._own = {
            name: GameEntry(name, f"{_PACKAGE}.{name}", class_name)
            for class_name, name in homes_of(_GAMES).items()
        }

    @functools.cached_property
    def _installed(self) -> dict[str, GameEntry]:
        found: dict[str, GameEntry] = {}
        for point in entry_points(group=ENTRY_POINTS):
            entry = GameEntry(point.name, point.module.rpartition(".")[0] or point.module, "", point)
            with left_out_if_broken():
                if point.name in self._own:
                    raise _unusable(point.name, "a game of this library has that name")
                try:
                    _ = entry.description
                except ValueError as error:
                    self.left_out[point.name] = cast(GameError, error)
                    raise
                found[point.name] = entry
        return found

    def __getitem__(self, name: str) -> GameEntry:
        return self._own[name] if name in self._own else self._installed[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from self._installed

    def __len__(self) -> int:
        return len(self._own) + len(self._installed)


GAMES = _Games()


def usable_games() -> list[GameEntry]:
    """The games whose rules can be loaded; an installed package that fails is reported once."""
    found: list[GameEntry] = []
    for entry in GAMES.values():
        with left_out_if_broken():
            if entry.point is not None:
                _ = entry.game_class
            found.append(entry)
    return found


def find_game(name: str) -> GameEntry | None:
    """The game of this name, else the only one that matches it without case, accents, marks and blanks.

    Else None.
    """
    if name in GAMES:
        return GAMES[name]
    wanted = _letters(name)
    found = [entry for entry in usable_games() if wanted in map(_letters, (entry.name, entry.title))]
    return found[0] if len(found) == 1 else None


_MARKS = "_'`\u2019"
"""Marks that people leave out or put in; dashes of every kind are left out, too."""


def _letters(name: str) -> str:
    """A name without case, accents, marks and blanks. Brackets and other punctuation stay: they are in no name but by mistake."""
    return "".join(
        one
        for one in unicodedata.normalize("NFKD", name).casefold()
        if not (one in _MARKS or one.isspace() or unicodedata.category(one) in ("Mn", "Pd"))
    )


def game_spec(text: str) -> Spec:
    """The spec that a text describes, with the game's own name in it: `My Game(width=20)`.

    Raises GameError where no game is called so, and SpecError for the rest.
    """
    name, bracket, options = text.partition("(")
    return parse_spec(_entry(name.strip()).name + bracket + options)


def make_game(name: str, /, **parameters: Any) -> "Game":
    """This library's game of this name with these parameters; raises GameError for what there is not."""
    from ...game.own_games import checked_parameters

    entry = _entry(name)
    return entry.game_class(**checked_parameters(entry.name, entry.parameters, parameters))


def read_game(text: str, *, is_tried: bool = True, **more: Any) -> "Game":
    """The game that a text names, with parameters if wanted: this library's, `name(width=8)`, or one in a file, `./FILE.py:CLASS`.

    `more` are parameters besides. The file is code, and it is run; with `is_tried` its game plays some random games in plain Python first.
    Raises GameError or SpecError for what there is not, KernelError for a rule that cannot be right.
    """
    from ...game.checker import look_at
    from ...game.own_games import class_missing, load_game, split_file

    own = split_file(text)
    if own is None:
        if text.strip().endswith(".py"):
            raise class_missing(text)
        spec = game_spec(text)
        return make_game(spec.name, **{**spec.options, **more})
    spec = parse_spec(own[1])
    game = load_game(own[0], spec.name, {**spec.options, **more})
    return look_at(game) if is_tried else game


def _entry(name: str) -> GameEntry:
    entry = find_game(name)
    if entry is None:
        if name in GAMES.left_out:
            raise GAMES.left_out[name]
        raise GameError(
            f"no game is called {name!r}{suggestion(name, GAMES)}; one of your own is ./FILE.py:CLASS"
        )
    return entry


@functools.cache
def default_game() -> str:
    """The game of commands that name none."""
    return next(name for name, entry in GAMES.items() if entry.description.is_default)


@functools.cache
def shown_game() -> str:
    """The spec of the game that the page's first screen plays by itself."""
    return next(entry.description.shown for entry in GAMES.values() if entry.description.shown)


# What the games bring: protocols, puzzles, and formats of replays.


@functools.cache
def protocols() -> tuple[Protocol, ...]:
    """Every protocol, the library's own first."""
    return (LINES, *(one for entry in GAMES.values() for one in entry.description.protocols))


def protocols_of(game: str) -> tuple[Protocol, ...]:
    """The protocols of a game: the library's own, then those of its contest."""
    entry = GAMES.get(game)
    return (LINES, *(() if entry is None else entry.description.protocols))


def names_of_sets() -> list[str]:
    """The games that bring puzzles."""
    return sorted(name for name, entry in GAMES.items() if entry.description.puzzles)


def read_set(game: str) -> "list[Puzzle]":
    """The puzzles that a game brings; raises PuzzleError where there are none."""
    from importlib.resources import files

    from ...play.puzzles import PuzzleError

    if game not in names_of_sets():
        raise PuzzleError(
            f"there are no puzzles of {game}; there are of {', '.join(names_of_sets())}; your own: --set FILE"
        )
    entry = GAMES[game]
    return read_own(Path(str(files(entry.package).joinpath(entry.description.puzzles))))


def read_own(path: str | Path) -> "list[Puzzle]":
    """The puzzles in a file, each checked against the rules; raises PuzzleError in one sentence."""
    from ...play.puzzles import read_puzzles

    return read_puzzles(path, make_game)


def read_replay(path: str | Path, number: int = 1) -> "Replay":
    """The game of that number in a file, checked against the rules; raises ReplayError in one sentence."""
    from ...play import reading

    return reading.read(path, number, make_game, tuple(one for _, one in replay_formats()))


def game_recognised(first: bytes) -> str | None:
    """The game whose own replay format begins with this first line; None where there is none."""
    return next((name for name, one in replay_formats() if one.recognises(first)), None)


def replay_of(data: dict[str, Any], where: str = "line 1") -> "Replay":
    """The game of a line's data, each field checked, its moves not yet; raises ReplayError in one sentence."""
    from ...play import reading

    return reading.replay_of(data, make_game, where)


@functools.cache
def replay_formats() -> "tuple[tuple[str, ReplayFormat], ...]":
    """The formats of files of games that games bring, each with the game's name."""
    from ...play.kaggle import KaggleGame, format_of

    found: list[tuple[str, ReplayFormat]] = []
    for entry in GAMES.values():
        with left_out_if_broken():
            found += [
                (entry.name, format_of(one) if isinstance(one, KaggleGame) else one)
                for one in map(entry.load, entry.description.replay_formats)
            ]
    return tuple(found)
