"""The games that a client may name: this library's with parameters in bounds, and those of the command line word for word."""

import inspect
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..game import Game, GameError
from ..own_games import parameters_of
from ..roster.games import GAMES, find_game, make_game
from ..spec import SpecError, name_of, parse_spec, spec_of
from . import limits
from .errors import Refused, first_line
from .parameters import check_parameters

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
        self.own_files = frozenset(filter(None, (inspect.getsourcefile(type(game)) for game in self.own.values())))
        """The files of own games: what goes wrong there is their mistake."""
        self._lock = threading.Lock()
        self._made: OrderedDict[str, KnownGame] = OrderedDict()
        self._compiled: set[str] = set()

    def find(self, text: str) -> KnownGame:
        """The game that a client names."""
        if text in self.own:
            return KnownGame(text, self.own[text])
        if len(text) > limits.SPEC:
            raise Refused(f"the game's spec is longer than {limits.SPEC} characters")
        with self._lock:
            if text in self._made:
                self._made.move_to_end(text)
                return self._made[text]
        _refuse_files(text, self.own)
        try:
            spec = parse_spec(text)
        except SpecError as error:
            raise Refused(first_line(error)) from None
        return self._keep(text, self.make(spec.name, dict(spec.options)))

    def make(self, name: str, parameters: dict[str, Any]) -> KnownGame:
        """This library's game of that name, with checked parameters; own games are found by name too."""
        if name not in GAMES:
            for text, game in self.own.items():
                if name == name_of(game) and parameters == parameters_of(game):
                    return KnownGame(text, game)
        entry = find_game(name)
        if entry is None:
            known = ", ".join([*GAMES, *self.own])
            raise Refused(f"no game here is called {name[:100]!r}; known: {known}")
        check_parameters(entry.name, parameters)
        try:
            game = make_game(entry.name, **parameters)
        except (GameError, TypeError, OverflowError) as error:
            raise Refused(first_line(error)) from None
        if game != make_game(entry.name):  # the first page shows all usual boards
            self._bound(game)
        return KnownGame(str(spec_of(game)), game)

    def _bound(self, game: Game) -> None:
        """Raise Refused where rules were compiled for too many unusual boards already: what is compiled stays in memory."""
        kind = game.type_name
        with self._lock:
            if kind not in self._compiled and len(self._compiled) >= limits.BOARDS:
                raise Refused(f"the server has {limits.BOARDS} sizes of boards already; choose one of these, or start it again", 422)
            self._compiled.add(kind)

    def _keep(self, text: str, known: KnownGame) -> KnownGame:
        with self._lock:
            for key in {text, known.spec}:
                self._made[key] = known
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
            return self._made[known.spec]


def _refuse_files(text: str, own: Mapping[str, Game]) -> None:
    """Raise Refused for what names no game but a file, a program or a server; none of them is touched."""
    if not _OUTSIDE.search(text):
        return
    given = f"; it was started with {', '.join(own)}" if own else ""
    raise Refused(
        f"{text[:100]!r} is refused: the page opens no files, programs or servers that a browser names; a game of your own is given "
        f"when it is started, saddlepoint serve --game ./FILE.py:CLASS{given}"
    )
