"""What the page can offer: games and their parameters, players, strengths, searches, and the files of the command line."""

import inspect
import json
import traceback
from typing import Any

from ..algorithms import ALGORITHMS, UnsupportedGameError
from ..evaluators.overlays import overlay_names
from ..game import Game
from ..own_games import split_file
from ..roster.catalogue import players_of
from ..roster.evaluators import EVALUATORS
from ..roster.games import shown_game, usable_games
from ..spec import name_of
from ..titles import title_of
from . import limits
from .errors import blamed
from .games import KnownGames
from .own_weights import OwnWeights
from .parameters import described

_LAST = {"best": -1, "random": 1}
"""`best` is listed first, the one that chooses at random last."""


def catalogue_json(
    games: KnownGames, players: tuple[str, ...], weights: OwnWeights, files: dict[str, list[dict[str, Any]]]
) -> dict[str, Any]:
    """The whole catalogue as plain data; `players`, `weights` and `files` (ledgers, replays, fits) are those of the command line."""
    rows = [_own_row(text, game, players, weights) for text, game in games.own.items()]
    rows += [_row(entry.name, games.find(entry.name).game, False, players, weights) for entry in usable_games()]
    return {"games": rows, **files, "limits": limits.told(), "shown": shown_game()}


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


def _bare_row(spec: str, game: Game, said: str) -> dict[str, Any]:
    """A row with a game's name alone, and a sentence in the place of its summary."""
    name = type(game).__name__
    return {
        "spec": spec, "name": name, "title": name, "summary": said, "own": True, "rules": [], "group": OWN_GROUP,
        "turn_based": False, "has_chance": False, "parameters": [], "players": [], "levels": [], "algorithms": [], "evaluators": [],
        "overlays": [],
    }  # fmt: skip


def _row(spec: str, game: Game, own: bool, players: tuple[str, ...], weights: OwnWeights) -> dict[str, Any]:
    named = sorted((entry for entry in players_of(game.name) if entry.is_complete), key=lambda entry: _LAST.get(entry.name, 0))
    return {
        "spec": spec, "name": name_of(game), "title": title_of(type(game)), "summary": _line(game.summary), "own": own,
        "rules": _rules(game), "group": OWN_GROUP if own else game.group or OTHER_GROUP,
        "turn_based": game.turn_based, "has_chance": game.has_chance, "parameters": [] if own else described(game),
        "players": [
            *({"spec": text, "name": text, "summary": "given on the command line"} for text in players),
            *({"spec": entry.name, "name": entry.name, "summary": entry.summary} for entry in named),
        ],
        "levels": [level.to_json() for level in weights.levels(game)],
        "algorithms": [{"spec": name, "name": f"{kind.title} ({name})"} for name, kind in ALGORITHMS.items() if _plays(name, game)],
        "evaluators": [
            *({"spec": name, "name": name} for name in EVALUATORS.made_for(game)),
            *({"spec": one.spec, "name": one.name} for one in weights.evaluators(game)),
        ],
        "overlays": list(overlay_names(game)),
    }  # fmt: skip


def _rules(game: Game) -> list[str]:
    """How the game is played, line by line; of a game that does not say, the paragraphs of its class's own docstring."""
    told, kind = game.how_to_play, type(game)
    if told:
        return [_line(line) for line in (told if isinstance(told, (list, tuple)) else [told])][:_MOST_LINES]
    text = inspect.cleandoc(vars(kind).get("__doc__") or "")
    if not text or text.startswith(f"{kind.__name__}("):  # which `dataclass` writes where there is none
        return []
    return [_line(" ".join(paragraph.split())) for paragraph in text.split("\n\n")][:_MOST_PARAGRAPHS]


def _line(text: Any) -> str:
    """A text of a game, which may be anything, not longer than a page takes."""
    said = str(text)
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"


def _plays(algorithm: str, game: Game) -> bool:
    try:
        ALGORITHMS[algorithm]().check(game)
    except UnsupportedGameError:
        return False
    return True
