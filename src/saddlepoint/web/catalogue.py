"""The catalogue of the page, and the names a client may use: games and their parameters, players, levels, weights, searches."""

import inspect
import json
import re
import threading
import traceback
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ..algorithms import ALGORITHMS, UnsupportedGameError
from ..arena.report import clipped
from ..compiled import Component
from ..evaluators.network.features import FeatureNetwork, described_evaluator
from ..evaluators.network.file import WeightsFileError, load_weights
from ..evaluators.overlays import overlay_names
from ..game.base import Game, GameError
from ..game.own_games import parameters_of, split_file
from ..game.spec import COMMAND, HUMAN, SNAKE, Spec, SpecError, name_of, parse_spec, spec_of
from ..game.words import title_of
from ..games.catalogue.games import GAMES, find_game, make_game, shown_game, usable_games
from ..games.catalogue.make import levels_of, make_player
from ..games.catalogue.players import players_of
from ..games.catalogue.searches import EVALUATORS, make_evaluator
from ..players.named import STRONGEST, Level
from ..system.foreign import path_of
from . import limits
from .limits import Refused, blamed, refusing


def check_parameters(game: str, given: dict[str, Any]) -> None:
    """Raise Refused, in one sentence, unless all values are within the ranges of the game of that name (`Game.ranges`)."""
    known, ranges = GAMES[game].parameters, GAMES[game].game_class.ranges
    for key, value in given.items():
        if key not in known:
            raise Refused(f"{game} has no parameter {key[:100]!r}; it has: {', '.join(known) or 'none'}")
        if value == known[key] and type(value) is type(known[key]):
            continue
        allowed = ranges.get(key)
        if allowed is None or type(value) is not type(known[key]) or not _is_within(allowed, value):
            raise Refused(f"{game}: {key} must be {_said(allowed, known[key])}, not {str(value)[:100]!r}")


def _is_within(allowed: tuple[Any, ...], value: Any) -> bool:
    return value in allowed if _are_words(allowed) else allowed[0] <= value <= allowed[1]


def _are_words(allowed: tuple[Any, ...]) -> bool:
    return isinstance(allowed[0], str)


def _said(allowed: tuple[Any, ...] | None, default: Any) -> str:
    return (
        repr(default)
        if allowed is None
        else f"one of {', '.join(allowed)}"
        if _are_words(allowed)
        else f"{allowed[0]} to {allowed[1]}"
    )


def described(game: Game) -> list[dict[str, Any]]:
    """The parameters of a game, as the page offers them: a parameter without a range keeps its default."""
    return [
        {"name": field.name, "default": field.default}
        | ({"title": title} if (title := game.parameter_titles.get(field.name)) else {})
        | (
            {"kind": "choice", "choices": list(allowed)}
            if _are_words(allowed)
            else {"kind": "int", "low": allowed[0], "high": allowed[1]}
        )
        for field in fields(game)  # type: ignore[arg-type]
        if (allowed := game.ranges.get(field.name)) is not None and field.default is not MISSING
    ]


# The games that a client may name: this library's with parameters in bounds, and those of the command line word for word.

_KEPT = 256
_OUTSIDE = re.compile(r"^[\s\"']*(?:cmd|snake|https?)\s*:|^[^(]*(?:[/\\]|\.\w)")
"""A program, a server, or a path: before any parameters there is a slash or the ending of a file's name."""


class KnownGame(NamedTuple):
    """A game and the one spec by which it is known here."""

    spec: str
    game: Game


class KnownGames:
    """Finds games by their specs; `own` are those of the command line, by the texts that name them there."""

    def __init__(self, own: Mapping[str, Game] | None = None) -> None:
        self.own = dict(own or {})
        self.own_files = frozenset(
            filter(None, (inspect.getsourcefile(type(game)) for game in self.own.values()))
        )
        """The files of own games: what goes wrong there is their mistake."""
        self._named = lru_cache(_KEPT)(self._read)
        self._lock = threading.Lock()
        self._compiled: set[str] = set()

    def find(self, text: str) -> KnownGame:
        return KnownGame(text, self.own[text]) if text in self.own else self._named(text)

    def _read(self, text: str) -> KnownGame:
        if _OUTSIDE.search(text):  # none of them is touched
            given = f"; it was started with {', '.join(self.own)}" if self.own else ""
            raise Refused(
                f"{text[:100]!r} is refused: the page opens no files, programs or servers that a browser names; a game of your own is "
                f"given when it is started, saddlepoint serve --game ./FILE.py:CLASS{given}"
            )
        spec = parsed(text)
        known = self.make(spec.name, dict(spec.options))
        return (
            known if known.spec == text else self.find(known.spec)
        )  # which is one game, however it is written

    def make(self, name: str, parameters: dict[str, Any]) -> KnownGame:
        """This library's game of that name, with checked parameters; own games are found by name too."""
        if name not in GAMES:
            for text, game in self.own.items():
                if name == name_of(game) and parameters == parameters_of(game):
                    return KnownGame(text, game)
        entry = find_game(name)
        if entry is None:
            raise Refused(f"no game here is called {name[:100]!r}; known: {', '.join([*GAMES, *self.own])}")
        check_parameters(entry.name, parameters)
        with refusing(GameError, TypeError, OverflowError):
            game = make_game(entry.name, **parameters)
        if game != make_game(entry.name):  # the first page shows all usual boards
            self._bound(game)
        return KnownGame(str(spec_of(game)), game)

    def _bound(self, game: Game) -> None:
        """Raise Refused where rules were compiled for too many unusual boards already: what is compiled stays in memory."""
        kind = game.type_name
        with self._lock:
            if kind not in self._compiled and len(self._compiled) >= limits.BOARDS:
                raise Refused(
                    f"the server has {limits.BOARDS} sizes of boards already; choose one of these, or start it again",
                    422,
                )
            self._compiled.add(kind)


# The players that a client may name: those of the catalogue and searches with harmless options, and those of the command line.

_MOST = {"depth": 64, "nodes": limits.NODES}
_WORDS = {"choice": ("best", "mixture")}
_EVALUATOR = "evaluator"


def check_player(text: str, game: Game, own: Collection[str]) -> str:
    """The spec of a player, as it is written here; raises Refused in one sentence for what a client may not name."""
    if text in own:
        return text
    spec = parsed(text)
    if spec.name in (COMMAND, HUMAN):
        raise Refused(
            "a client may name no program and no person; programs are given on the command line with --player"
        )
    if spec.name == SNAKE:
        raise Refused(
            "a client may name no server: snakes by their address play in `saddlepoint play` and `match`"
        )
    named = {entry.name: entry for entry in players_of(game.name)}
    entry = named.get(spec.name)
    if entry is None and spec.name not in ALGORITHMS:
        raise Refused(
            f"no player of {title_of(type(game))} is called {spec.name[:100]!r}; known: {', '.join(named)}"
        )
    if entry is not None and not entry.is_complete:
        raise Refused(f"{spec.name} needs a file; it is given on the command line with --player")
    check_options(spec, game)
    with refusing(SpecError):
        make_player(spec, game).close()
    return str(spec)


def check_search(text: str, game: Game, known: Collection[str], what: str) -> str:
    """The spec of an algorithm or evaluator, likewise."""
    spec = parsed(text)
    if spec.name not in known:
        raise Refused(f"no {what} is called {spec.name[:100]!r}; known: {', '.join(known)}")
    check_options(spec, game)
    return str(spec)


def parsed(text: str) -> Spec:
    if len(text) > limits.SPEC:
        raise Refused(f"the spec is longer than {limits.SPEC} characters")
    with refusing(SpecError):
        return parse_spec(text)


def check_options(spec: Spec, game: Game) -> None:
    """Raise Refused for an option that names a file, takes memory or is not known to be harmless."""
    for key, value in spec.options.items():
        if key in _MOST:
            if type(value) is not int or not 1 <= value <= _MOST[key]:
                raise Refused(f"{spec.name}: {key} must be 1 to {_MOST[key]}")
        elif key in _WORDS:
            if value not in _WORDS[key]:
                raise Refused(f"{spec.name}: {key} must be one of {', '.join(_WORDS[key])}")
        elif key == _EVALUATOR:
            name: Any = value.name if isinstance(value, Spec) and not value.options else value
            known = EVALUATORS.made_for(game)
            if not isinstance(name, str) or name not in known:
                raise Refused(f"{spec.name}: evaluator must be the name of one; known: {', '.join(known)}")
        else:
            raise Refused(
                f"{spec.name}: a client may not set {key!r}; such players are given on the command line with --player"
            )


# Weights from the command line (`saddlepoint fit` writes them): of their game they make a level, and an evaluator for the analysis.


class OwnEvaluator(NamedTuple):
    """A file, with the evaluator that reads it."""

    file: Path
    game: str
    """The game that it was fitted to."""
    made: Component
    spec: str
    kind: str
    """The evaluator's name in specs."""
    name: str = ""
    """Under which the page offers it."""

    def refusal(self, game: Game) -> str:
        """The reason why it does not fit the game with its parameters and rules; empty where it does."""
        try:
            EVALUATORS.check(self.made, game)
        except SpecError as error:
            return str(error)
        return ""


class OwnWeights:
    """The files; raises WeightsFileError, in one sentence, for what holds none. A player or an analysis reads its file when it is made."""

    def __init__(self, files: Sequence[str]) -> None:
        read = [_weights_in(path) for path in dict.fromkeys(path_of(file).resolve() for file in files)]
        names = [one.file.name for one in read]
        self._evaluators = [
            one._replace(
                name=f"{one.kind} ({name if names.count(name) == 1 else Path(*one.file.parts[-2:])})"
            )
            for one, name in zip(read, names, strict=True)
        ]

    def evaluators(self, game: Game) -> list[OwnEvaluator]:
        """The weights for the game of this name; those for other parameters are refused when they are used."""
        return [one for one in self._evaluators if one.game == name_of(game)]

    def levels(self, game: Game) -> tuple[Level, ...]:
        """The game's levels; before the last one, `best`, one for each of the evaluators: a search to the same time."""
        *lower, best = levels_of(game)
        search, mixed = ("pvs", "") if game.turn_based else ("saddle", ", choice=mixture")
        own = [
            Level(one.name, f"{search}(evaluator={one.spec}{mixed})", seconds=STRONGEST.seconds)
            for one in self.evaluators(game)
        ]
        return (*lower, *own, best)

    def refusal(self, name: str, game: Game) -> str:
        """The reason why the evaluator or level of this name does not fit the game.

        Empty where it does, or is not known.
        """
        return next((one.refusal(game) for one in self.evaluators(game) if name in (one.name, one.spec)), "")


def _weights_in(file: Path) -> OwnEvaluator:
    weights = load_weights(file)
    spec = Spec("fitted", {"file": str(file)})
    if weights.evaluator is not None:
        name = next(
            (
                name
                for name, kind in EVALUATORS.items()
                if issubclass(kind, FeatureNetwork) and described_evaluator(kind) == weights.evaluator
            ),
            None,
        )
        if name is None:
            raise WeightsFileError(
                f"{str(file)!r} is fitted to features of {weights.evaluator['class']}, which the page does not have"
            )
        spec = Spec(name, {"weights": str(file)})
    return OwnEvaluator(file, weights.game["name"], make_evaluator(spec), str(spec), spec.name)


# What the page can offer: games and their parameters, players, strengths, searches, and the files of the command line.

_LAST = {"best": -1, "random": 1}
"""`best` is listed first, the one that chooses at random last."""


def catalogue_json(
    games: KnownGames, players: tuple[str, ...], weights: OwnWeights, files: dict[str, list[dict[str, Any]]]
) -> dict[str, Any]:
    """The whole catalogue as plain data; `players`, `weights` and `files` (ledgers, replays, fits) are those of the command line."""
    rows = [
        *(_own_row(text, game, players, weights) for text, game in games.own.items()),
        *(_row(entry.name, games.find(entry.name).game, False, players, weights) for entry in usable_games()),
    ]
    return {"games": rows, **files, "limits": limits.to_json(), "shown": shown_game()}


_MOST_PARAGRAPHS, _MOST_LINES = 8, 24
_LONGEST = 1000
"""Characters of a line of the rules, and of a summary."""
OWN_GROUP, OTHER_GROUP = "Your own", "More games"
"""Where games of the command line stand on the first page, and those of installed packages that name no group."""


def row_of(spec: str, game: Game) -> dict[str, Any]:
    """The row of one game, for a page that has no more than this."""
    return _row(spec, game, split_file(spec) is not None, (), OwnWeights(()))


def _own_row(spec: str, game: Game, players: tuple[str, ...], weights: OwnWeights) -> dict[str, Any]:
    """The row of a game of the command line; of one that cannot be described, what is wrong with it."""
    try:
        row = _row(spec, game, True, players, weights)
        json.dumps(row, allow_nan=False)
    except Exception as error:  # it is somebody's own code, and the other games are there all the same
        traceback.print_exception(error)
        return _bare_row(spec, game, f"This game cannot be described: {blamed(error)}")
    return row


def _bare_row(spec: str, game: Game, summary: str) -> dict[str, Any]:
    """A row with a game's name alone, and a sentence in the place of its summary."""
    name = type(game).__name__
    return {
        "spec": spec,
        "name": name,
        "title": name,
        "summary": summary,
        "own": True,
        "rules": [],
        "group": OWN_GROUP,
        "turn_based": False,
        "has_chance": False,
        "parameters": [],
        "players": [],
        "levels": [],
        "algorithms": [],
        "evaluators": [],
        "overlays": [],
    }


def _row(spec: str, game: Game, own: bool, players: tuple[str, ...], weights: OwnWeights) -> dict[str, Any]:
    named = sorted(
        (entry for entry in players_of(game.name) if entry.is_complete),
        key=lambda entry: _LAST.get(entry.name, 0),
    )
    return {
        "spec": spec,
        "name": name_of(game),
        "title": title_of(type(game)),
        "summary": clipped(game.summary, _LONGEST),
        "own": own,
        "rules": _rules(game),
        "group": OWN_GROUP if own else game.group or OTHER_GROUP,
        "turn_based": game.turn_based,
        "has_chance": game.has_chance,
        "parameters": [] if own else described(game),
        "players": [
            *({"spec": text, "name": text, "summary": "given on the command line"} for text in players),
            *({"spec": entry.name, "name": entry.name, "summary": entry.summary} for entry in named),
        ],
        "levels": [level.to_json() for level in weights.levels(game)],
        "algorithms": [
            {"spec": name, "name": f"{kind.title} ({name})"}
            for name, kind in ALGORITHMS.items()
            if _plays(name, game)
        ],
        "evaluators": [
            *({"spec": name, "name": name} for name in EVALUATORS.made_for(game)),
            *({"spec": one.spec, "name": one.name} for one in weights.evaluators(game)),
        ],
        "overlays": list(overlay_names(game)),
    }


def _rules(game: Game) -> list[str]:
    """The game's rules, line by line; of a game without them, the paragraphs of its class's own docstring."""
    rules, kind = game.how_to_play, type(game)
    if rules:
        return [clipped(line, _LONGEST) for line in (rules if isinstance(rules, (list, tuple)) else [rules])][
            :_MOST_LINES
        ]
    text = inspect.cleandoc(vars(kind).get("__doc__") or "")
    if not text or text.startswith(f"{kind.__name__}("):  # which `dataclass` writes where there is none
        return []
    return [clipped(" ".join(paragraph.split()), _LONGEST) for paragraph in text.split("\n\n")][
        :_MOST_PARAGRAPHS
    ]


def _plays(algorithm: str, game: Game) -> bool:
    try:
        ALGORITHMS[algorithm]().check(game)
    except UnsupportedGameError:
        return False
    return True
