"""The ledgers of the command line, read while tournaments may be writing them."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..arena.conditions import in_words
from ..arena.ledger import Filter, Ledger, LedgerError, Tournament
from ..arena.ledger.running import RunningGame
from ..arena.replaying import export_json, turn_count
from ..arena.report import sections
from ..arena.report.data import gather
from ..arena.report.headings import heading_of, title_in
from ..arena.settings import game_of
from ..game import Game
from .errors import Refused, first_line
from .running import SHOWN, RunningBoards, event_of, moves_shown

_LISTED = 50
"""Games in one answer."""
_PATIENCE = 5.0
"""Figures are made anew when this many times as long has passed as they took: a large ledger does not occupy the server."""


class LedgerView:
    """One ledger; may be asked from several threads."""

    def __init__(self, number: int, path: str) -> None:
        self.id, self.path = str(number), Path(path)
        self._lock = threading.Lock()
        self._figures: dict[str, Any] | None = None
        self._stamp = ""
        self._made = self._took = 0.0
        self._file = ""
        self._running_lock = threading.Lock()
        self._running_file, self._entered = "", ""
        self._begun: list[tuple[RunningGame, Tournament]] = []
        self._boards = RunningBoards()

    def to_json(self) -> dict[str, Any]:
        """What the catalogue says of it."""
        return {"id": self.id, "name": self.path.name}

    def summary(self, since: str | None) -> dict[str, Any] | None:
        """Tournaments, ratings, cross tables and counts; None where nothing has changed `since` that stamp."""
        with self._lock:  # whoever comes meanwhile gets the same figures
            now = time.monotonic()
            file = self._changed()
            if self._figures is None or (file != self._file and now - self._made >= _PATIENCE * self._took):
                with self._open() as book:
                    stamp = book.stamp()  # a game that runs is written into the file too, and changes no figure
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
                self._begun = [(one, tournaments[one.tournament]) for one in begun if one.tournament in tournaments]
                self._running_file = file
            games = [(one, tournament) for one, tournament in self._begun if one.is_under_way()]
            shown: list[tuple[RunningGame, Tournament, bool]] = []
            for one, tournament in games[:SHOWN]:
                rules = self._boards.rules(tournament)
                shown.append((one, tournament, rules is not None and is_compiled(rules)))
            parts = [f"{one.tournament}.{one.number}.{moves_shown(one) if drawn else ''}" for one, _, drawn in shown]
            stamp = "-".join([self._entered, str(len(games)), *parts])
            if since == stamp:
                return None
            finished: dict[tuple[int, int], int] = {}
            if watched:
                with self._open() as book:
                    finished = book.finished_ids(watched)
            return {
                "changed": stamp, "entered": self._entered, "running": len(games), "games": [self._boards.told(*one) for one in shown],
                "finished": [{"tournament": t, "number": n, "id": found} for (t, n), found in finished.items()],
            }  # fmt: skip

    def games(self, which: Filter, offset: int) -> dict[str, Any]:
        """The latest games that a filter lets through, from `offset` on."""
        with self._open() as book:
            entries = book.page(which, offset, _LISTED)
            return {
                "games": [
                    {
                        "id": entry.id, "tournament": entry.tournament, "players": list(entry.played.job.players),
                        "points": entry.played.points, "reason": entry.played.reason, "turns": turn_count(book, entry),
                    }
                    for entry in entries
                ],
                "total": book.count(which),
            }  # fmt: skip

    def game(self, number: int) -> tuple[Game, dict[str, Any], dict[str, str]]:
        """The rules and the line of one game, and what a scoreboard says of it besides."""
        with self._open() as book:
            entry = book.game(number)
            tournament = book.tournament(entry.tournament)
        rules = game_of(tournament)
        more = {"event": event_of(tournament, entry.played.job.number), "limits": in_words(tournament.conditions)}
        return rules, export_json(rules, entry), more

    def _gathered(self, book: Ledger) -> dict[str, Any]:
        tournaments = [
            {"id": one.id, "kind": one.kind, "players": list(one.players), "games": one.games, "planned": one.planned,
             "created": one.created, "finished": one.finished, "game": one.described_game[0],
             "title": title_in(one)}
            for one in book.tournaments()
        ]  # fmt: skip
        games = [one.summary(book) | {"heading": heading_of(one)} for one in gather(book)] if book.count() else []
        for number, one in enumerate(games, 1):
            one["drawn"] = _drawn(f"g{number}", one)
        return {"name": self.path.name, "tournaments": tournaments, "games": games}

    def _open(self) -> Ledger:
        return Ledger(self.path, create=False)

    def _changed(self) -> str:
        """A text that changes when the file, or the log of what is not in it yet, does."""
        parts: list[str] = []
        for path in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            try:
                status = path.stat()
                parts.append(f"{status.st_mtime_ns:x}.{status.st_size:x}")
            except OSError:
                parts.append("0")
        return "-".join(parts)


def _drawn(key: str, figures: dict[str, Any]) -> list[str]:
    """A game's figures as HTML, drawn as `saddlepoint report` draws them."""
    parts = [sections.ratings(key, figures)]
    if figures["ratings"]:
        parts.append(sections.cross_table(key, figures))
    return [*parts, sections.losses(key, figures), sections.lengths(key, figures)]


def view_of(ledgers: dict[str, LedgerView], name: str) -> LedgerView:
    """The ledger of that id."""
    if name not in ledgers:
        raise Refused("no such ledger was named on the command line", 404)
    return ledgers[name]


def told(error: LedgerError) -> Refused:
    """What a ledger that cannot be read says."""
    return Refused(first_line(error), 404 if " has no game" in str(error) else 422)
