"""The ledgers of the command line, and the games in them that are being played, read while tournaments may be writing them."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from ..arena.conditions import in_words
from ..arena.ledger import Filter, Ledger, LedgerError, Tournament
from ..arena.ledger.running import RunningGame
from ..arena.replaying import export_json, turn_count
from ..arena.report import gather, heading_of as report_heading, title_in
from ..arena.report.page import section_html
from ..arena.schedule import game_of
from ..game.base import Game
from ..game.picture import Picture, shown_from
from ..game.steps import Names
from ..play.record import Turns, player_words
from ..play.replay import steps_of
from ..play.viewer import heading_of
from . import limits
from .files import NamedFile, stamp_of
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
        return {
            "number": self.number,
            "turn": self.turn,
            "picture": self.picture.to_json() | {"moves": []},
            "names": list(self.names),
        }


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
            first,
            last,
            lambda number: self.game.picture(steps[number - after].after) if number else self._start,
            known.get,
        )
        for number, step in enumerate(steps, after):
            turn += step.chance is None
            if number < first:
                continue
            names = (
                step.names
                if step.chance is None
                else (self.game.outcome_to_string(step.before, step.chance), None)
            )
            self._last.append(_Position(number, turn, names, shown[number - first]))
        self._state = steps[-1].after
        self.actions = actions

    def positions(self) -> list[dict[str, Any]]:
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

    def to_json(self, one: RunningGame, tournament: Tournament, drawn: bool) -> dict[str, Any]:
        """A game as plain data; without positions where it shall not be `drawn`, or its rules are not at hand or do not fit."""
        data: dict[str, Any] = {
            "tournament": one.tournament,
            "number": one.number,
            "players": list(one.players),
            "titles": list(one.players),
            "event": event_of(tournament, one.number),
            "limits": "",
            "title": "",
            "turn_word": "",
            "positions": [],
        }
        rules = self.rules(tournament)
        with suppress(LedgerError, AttributeError, *UNREADABLE):
            data |= {
                "titles": [player_words(spec) for spec in one.players],
                "limits": in_words(tournament.conditions),
            }
        with suppress(*UNREADABLE):
            if rules is not None:
                data["title"] = heading_of(rules)
                if drawn:
                    followed = self._follow(one, rules)
                    data |= {"turn_word": followed.turn_word, "positions": followed.positions()}
        return data

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
    return min(len(one.actions), limits.MOVES)


def event_of(tournament: Tournament, number: int) -> str:
    """Which game of which tournament it is, in words: people count from 1."""
    return f"{tournament.kind} {tournament.id}, game {number + 1}".capitalize()


# The ledgers of the command line, read while tournaments may be writing them.

_LISTED = 50
"""Games in one answer."""
_TIMES_AS_LONG = 5.0
"""Figures are made anew when this many times as long has passed as they took: a large ledger does not occupy the server."""


class LedgerView(NamedFile):
    """One ledger; may be asked from several threads."""

    def __init__(self, number: int, path: str) -> None:
        super().__init__(number, path)
        self._lock = threading.Lock()
        self._figures: dict[str, Any] | None = None
        self._stamp = ""
        self._made = self._took = 0.0
        self._file = ""
        self._running_lock = threading.Lock()
        self._running_file, self._entered = "", ""
        self._begun: list[tuple[RunningGame, Tournament]] = []
        self._boards = RunningBoards()

    def summary(self, since: str | None) -> dict[str, Any] | None:
        """Tournaments, ratings, cross tables and counts; None where nothing has changed `since` that stamp."""
        with self._lock:  # whoever comes meanwhile gets the same figures
            now = time.monotonic()
            file = self._changed()
            if self._figures is None or (
                file != self._file and now - self._made >= _TIMES_AS_LONG * self._took
            ):
                with self._open() as book:
                    stamp = (
                        book.stamp()
                    )  # a game that runs is written into the file too, and changes no figure
                    if self._figures is None or stamp != self._stamp:
                        self._figures = self._gathered(book)
                        self._stamp, self._made = stamp, time.monotonic()
                        self._took = self._made - now
                self._file = file
            return None if since == self._stamp else {"changed": self._stamp, **self._figures}

    def running(
        self, since: str | None, watched: list[tuple[int, int]], is_compiled: Callable[[Game], bool]
    ) -> dict[str, Any] | None:
        """The newest games that are being played, and the ids of those of the `watched` that are finished; None as in `summary`.

        `entered` is the stamp that the figures have now, or soon. A game has no positions until `is_compiled` says that its rules
        are: nobody waits for that here, where others would have to wait too.
        """
        with self._running_lock:
            file = self._changed()
            if file != self._running_file:
                with self._open() as book:
                    self._entered, begun = book.stamp(), book.begun()
                    tournaments = {one.id: one for one in book.tournaments()} if begun else {}
                self._begun = [
                    (one, tournaments[one.tournament]) for one in begun if one.tournament in tournaments
                ]
                self._running_file = file
            games = [(one, tournament) for one, tournament in self._begun if one.is_under_way()]
            shown = [
                (
                    one,
                    tournament,
                    (rules := self._boards.rules(tournament)) is not None and is_compiled(rules),
                )
                for one, tournament in games[:SHOWN]
            ]
            parts = [
                f"{one.tournament}.{one.number}.{moves_shown(one) if drawn else ''}"
                for one, _, drawn in shown
            ]
            stamp = "-".join([self._entered, str(len(games)), *parts])
            if since == stamp:
                return None
            finished: dict[tuple[int, int], int] = {}
            if watched:
                with self._open() as book:
                    finished = book.finished_ids(watched)
            return {
                "changed": stamp,
                "entered": self._entered,
                "running": len(games),
                "games": [self._boards.to_json(*one) for one in shown],
                "finished": [
                    {"tournament": t, "number": n, "id": found} for (t, n), found in finished.items()
                ],
            }

    def games(self, which: Filter, offset: int, order: str) -> dict[str, Any]:
        """Games that a filter lets through, in an order of the ledger's, from `offset` on."""
        with self._open() as book:
            entries = book.page(which, offset, _LISTED, order)
            return {
                "games": [
                    {
                        "id": entry.id,
                        "tournament": entry.tournament,
                        "players": list(entry.played.job.players),
                        "points": entry.played.points,
                        "reason": entry.played.reason,
                        "turns": turn_count(book, entry),
                    }
                    for entry in entries
                ],
                "total": book.count(which),
            }

    def game(self, number: int) -> tuple[Game, dict[str, Any], dict[str, str]]:
        """The rules and the line of one game, and what a scoreboard says of it besides."""
        with self._open() as book:
            entry = book.game(number)
            tournament = book.tournament(entry.tournament)
        rules = game_of(tournament)
        return (
            rules,
            export_json(rules, entry),
            {
                "event": event_of(tournament, entry.played.job.number),
                "limits": in_words(tournament.conditions),
            },
        )

    def _gathered(self, book: Ledger) -> dict[str, Any]:
        tournaments = [
            {
                "id": one.id,
                "kind": one.kind,
                "players": list(one.players),
                "games": one.games,
                "planned": one.planned,
                "created": one.created,
                "finished": one.finished,
                "game": one.described_game[0],
                "title": title_in(one),
            }
            for one in book.tournaments()
        ]
        games = (
            [one.summary(book) | {"heading": report_heading(one)} for one in gather(book)]
            if book.count()
            else []
        )
        for number, one in enumerate(games, 1):
            one["drawn"] = _drawn(f"g{number}", one)
        return {"name": self.path.name, "tournaments": tournaments, "games": games}

    def _open(self) -> Ledger:
        return Ledger(self.path, create=False)

    def _changed(self) -> str:
        """A text that changes when the file, or the log of what is not in it yet, does."""
        return stamp_of(self.path, self.path.with_name(f"{self.path.name}-wal"))


def _drawn(key: str, figures: dict[str, Any]) -> list[str]:
    """A game's figures as HTML, drawn as `saddlepoint report` draws them."""
    return [
        section_html(part, key, figures)
        for part in ("ratings", "cross", "losses", "lengths")
        if part != "cross" or figures["ratings"]
    ]
