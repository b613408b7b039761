"""The ledgers of the command line, and the games in them that are being played, read while tournaments may be writing them."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..arena.conditions import in_words
from ..arena.ledger import Filter, Ledger, LedgerError, Tournament
from ..arena.ledger.running import RunningGame
from ..arena.replaying import export_json, turn_count
from ..arena.report import gather, heading_of as report_heading, rules_of, title_in
from ..arena.report.page import section_html
from ..arena.schedule import game_of
from ..game.base import Game
from ..play.record import Turns, player_words
from ..play.viewer import heading_of
from . import limits
from .files import NamedFile, stamp_of
from .limits import Refused
from .positions import UNREADABLE, ReferencedPositions

SHOWN = 4
"""Games in one answer."""
_POSITIONS = 8
"""Positions of each: the page shows what was played since it asked last."""


def running_json(
    one: RunningGame, tournament: Tournament, rules: Game | None, drawn: bool, kept: ReferencedPositions
) -> dict[str, Any]:
    """A game as plain data; without positions where it shall not be `drawn`, or its rules are not at hand or do not fit.

    `kept` has what was seen of it before, so that it is not played again.
    """
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
    with suppress(LedgerError, AttributeError, *UNREADABLE):
        data |= {
            "titles": [player_words(spec) for spec in one.players],
            "limits": in_words(tournament.conditions),
        }
    with suppress(Refused, *UNREADABLE):
        if rules is not None:
            data["title"] = heading_of(rules)
            if drawn:
                data |= _last_positions(one, rules, kept)
    return data


def _last_positions(one: RunningGame, rules: Game, kept: ReferencedPositions) -> dict[str, Any]:
    places = kept.places(rules, one.opening, one.actions[: moves_shown(one)])
    turns = Turns(rules, [place.state for place in places])
    first = max(0, len(places) - _POSITIONS)
    pictures = kept.pictures(rules, places, first)
    return {
        "turn_word": turns.word,
        "positions": [
            {
                "number": number,
                "turn": turns.done(number),
                "picture": picture.to_json() | {"moves": []},
                "names": list(places[number].names or (None, None)),
            }
            for number, picture in enumerate(pictures, first)
        ],
    }


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

    def __init__(self, number: int, path: str, positions: ReferencedPositions) -> None:
        super().__init__(number, path)
        self._positions = positions
        self._lock = threading.Lock()
        self._figures: dict[str, Any] | None = None
        self._stamp = ""
        self._made = self._took = 0.0
        self._file = ""
        self._running_lock = threading.Lock()
        self._running_file, self._entered = "", ""
        self._begun: list[tuple[RunningGame, Tournament, Game | None]] = []

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
                    numbers = {one.tournament for one in begun}
                    known = {one.id: (one, rules_of(one)) for one in book.tournaments() if one.id in numbers}
                self._begun = [(one, *known[one.tournament]) for one in begun if one.tournament in known]
                self._running_file = file
            games = [one for one in self._begun if one[0].is_under_way()]
            shown = [
                (one, tournament, rules, rules is not None and is_compiled(rules))
                for one, tournament, rules in games[:SHOWN]
            ]
            parts = [
                f"{one.tournament}.{one.number}.{moves_shown(one) if drawn else ''}"
                for one, _, _, drawn in shown
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
                "games": [running_json(*one, self._positions) for one in shown],
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
            parts = (
                ("ratings", "cross", "losses", "lengths")
                if one["ratings"]
                else ("ratings", "losses", "lengths")
            )
            one["drawn"] = [section_html(part, f"g{number}", one) for part in parts]
        return {"name": self.path.name, "tournaments": tournaments, "games": games}

    def _open(self) -> Ledger:
        return Ledger(self.path, create=False)

    def _changed(self) -> str:
        """A text that changes when the file, or the log of what is not in it yet, does."""
        return stamp_of(self.path, self.path.with_name(f"{self.path.name}-wal"))
