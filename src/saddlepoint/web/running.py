"""The games of a ledger that are being played, as the page draws them."""

from collections import OrderedDict, deque
from contextlib import suppress
from typing import Any, NamedTuple

from ..arena.conditions import in_words
from ..arena.ledger import LedgerError, Tournament
from ..arena.ledger.running import RunningGame
from ..arena.settings import game_of
from ..game import Game
from ..naming import Names
from ..picture import Picture, shown_from
from ..play.player_words import player_words
from ..play.replay import steps_of
from ..play.turns import Turns
from ..play.viewer.data import heading_of
from . import limits
from .positions import UNREADABLE

SHOWN = 4
"""Games in one answer."""
_POSITIONS = 8
"""Positions of each: the page shows what was played since it asked last."""
_KEPT = 16


class _Position(NamedTuple):
    number: int
    turn: int
    names: Names
    picture: Picture

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "turn": self.turn, "picture": self.picture.to_json() | {"moves": []}, "names": list(self.names)}


class _Followed:
    """A game as far as it was seen; it goes on from there. Only its last positions are kept."""

    def __init__(self, game: Game, opening: str) -> None:
        self.game = game
        self.actions: tuple[tuple[int, int], ...] = ()
        self._state = game.from_text(opening)
        begun = Turns(game, [self._state])
        self.turn_word = begun.word
        self._start = game.picture(self._state)
        self._last = deque([_Position(0, begun.count, (None, None), self._start)], _POSITIONS)

    def go_on(self, actions: tuple[tuple[int, int], ...]) -> None:
        """Play the moves that are new. Pictures are made of the last positions only, and of those that these go on from."""
        steps = list(steps_of(self.game, self._state, actions[len(self.actions) :]))
        if not steps:
            return
        begun, known = self._last[-1], {one.number: one.picture for one in self._last}
        after, turn = begun.number + 1, begun.turn
        last = begun.number + len(steps)
        first = max(after, last - _POSITIONS + 1)
        shown = shown_from(
            first, last, lambda number: self.game.picture(steps[number - after].after) if number else self._start, known.get
        )
        for number, step in enumerate(steps, after):
            turn += step.chance is None
            if number < first:
                continue
            names = step.names if step.chance is None else (self.game.outcome_to_string(step.before, step.chance), None)
            self._last.append(_Position(number, turn, names, shown[number - first]))
        self._state = steps[-1].after
        self.actions = actions

    def positions(self) -> list[dict[str, Any]]:
        """The last positions."""
        return [one.to_json() for one in self._last]


class RunningBoards:
    """The boards of games that are being played; what was seen of a game is kept, so that it is not played again. For one thread."""

    def __init__(self) -> None:
        self._followed: OrderedDict[tuple[Any, ...], _Followed] = OrderedDict()
        self._rules: OrderedDict[tuple[int, str], Game | None] = OrderedDict()

    def rules(self, tournament: Tournament) -> Game | None:
        """The game that a tournament is about; None where its rules are not at hand."""
        key = (tournament.id, tournament.created)
        if key not in self._rules:
            self._rules[key] = None
            with suppress(LedgerError, *UNREADABLE):
                self._rules[key] = game_of(tournament)
            if len(self._rules) > _KEPT:
                self._rules.popitem(last=False)
        return self._rules[key]

    def told(self, one: RunningGame, tournament: Tournament, drawn: bool) -> dict[str, Any]:
        """A game as plain data; without positions where it shall not be `drawn`, or its rules are not at hand or do not fit."""
        told: dict[str, Any] = {
            "tournament": one.tournament, "number": one.number, "players": list(one.players), "titles": list(one.players),
            "event": event_of(tournament, one.number), "limits": "", "title": "", "turn_word": "", "positions": [],
        }  # fmt: skip
        rules = self.rules(tournament)
        with suppress(LedgerError, AttributeError, *UNREADABLE):
            told |= {"titles": [player_words(spec) for spec in one.players], "limits": in_words(tournament.conditions)}
        with suppress(*UNREADABLE):
            if rules is not None:
                told["title"] = heading_of(rules)
                if drawn:
                    followed = self._follow(one, rules)
                    told |= {"turn_word": followed.turn_word, "positions": followed.positions()}
        return told

    def _follow(self, one: RunningGame, rules: Game) -> _Followed:
        key = (one.tournament, one.number, one.began, one.players, one.opening)
        followed = self._followed.pop(key, None)  # one whose moves fit no longer is begun anew
        actions = one.actions[: moves_shown(one)]
        if followed is None or actions[: len(followed.actions)] != followed.actions:
            followed = _Followed(rules, one.opening)
        followed.go_on(actions)
        self._followed[key] = followed
        while len(self._followed) > _KEPT:
            self._followed.popitem(last=False)
        return followed


def moves_shown(one: RunningGame) -> int:
    """How far a game is followed."""
    return min(len(one.actions), limits.MOVES)


def event_of(tournament: Tournament, number: int) -> str:
    """Which game of which tournament it is, in words: people count from 1."""
    return f"{tournament.kind} {tournament.id}, game {number + 1}".capitalize()
