"""The record of all games: one SQLite file, one transaction a finished game.

The file is in WAL mode, so several tournaments may write it while others read. A process that is killed loses at most
the games it had not finished.
"""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...play.ledger_file import LedgerError, LedgerFile
from ..conditions import PlayedGame, VoidGame
from . import rows as kept
from .rows import Entry, Tournament, VoidEntry
from .running import RunningGame, running_games
from .versions import Labels

ORDERS = {
    "latest": "g.id DESC",
    "first": "g.id",
    "longest": "g.steps DESC, g.id",
    "shortest": "g.steps, g.id",
}
"""The orders of games, by name, as SQL has them."""


@dataclass(frozen=True)
class Filter:
    """Which games; None is any."""

    tournament: int | None = None
    player: str | None = None
    """A spec, exactly, on either side."""
    game: str | None = None
    """A game's name."""
    cause: str | None = None
    """`rules`, `late`, `illegal move`, `memory`, `flood`, `crash`, `error`, or `fault` for any but the first."""
    reason: str | None = None
    """A part of the reason."""
    since: str | None = None
    """ISO date or date and time, UTC: not before."""
    until: str | None = None
    lost_by: str | None = None
    """The spec of the player who lost."""
    won_by: str | None = None
    """The spec of the player who won."""
    drawn: bool | None = None
    """True: only draws."""
    result: float | None = None
    """Player 0's result, by the rules of the game."""

    def where(self) -> tuple[str, list[Any]]:
        """The SQL condition and its values."""
        parts, values = ["1"], list[Any]()
        for condition, value in (
            ("g.tournament = ?", self.tournament),
            ("(a.spec = ? OR b.spec = ?)", self.player),
            ("(a.spec = ? AND g.points = 0 OR b.spec = ? AND g.points = 1)", self.lost_by),
            ("(a.spec = ? AND g.points = 1 OR b.spec = ? AND g.points = 0)", self.won_by),
            ("(g.points = 0.5) = ?", self.drawn),
            ("abs(g.result - ?) < 1e-9", self.result),
            (
                "g.tournament IN (SELECT id FROM tournaments WHERE json_extract(settings, '$.terms.game.name') = ?)",
                self.game,
            ),
            (
                "g.cause <> ?" if self.cause == "fault" else "g.cause = ?",
                "rules" if self.cause == "fault" else self.cause,
            ),
            ("instr(g.reason, ?) > 0", self.reason),
            ("g.started >= ?", self.since),
            ("g.started < ?", self.until),
        ):
            if value is not None:
                parts.append(condition)
                values += [value] * condition.count("?")
        return " AND ".join(parts), values


class Ledger(LedgerFile, AbstractContextManager["Ledger"]):
    """An open ledger; use it in a `with` statement, or call `close`. Not shared between threads.

    With `create` false a file without write permission, for itself or its folder, is opened to be read.
    Raises LedgerError where the file is no ledger, or is missing and `create` is false; and in every method
    where SQLite fails.
    """

    def __init__(self, path: str | Path, create: bool = True) -> None:
        super().__init__(Path(path), create)
        self._player_ids: dict[tuple[str, str], int] = {}

    def __exit__(self, *error: object) -> None:
        self.close()

    def begin(
        self, kind: str, players: tuple[str, ...], settings: dict[str, Any], planned: int | None
    ) -> int:
        """Enter a tournament; its number."""
        row = (kind, json.dumps(players), kept.json_text(settings), planned, _now(), secrets.token_hex(16))
        sql = "INSERT INTO tournaments (kind, players, settings, planned, created, uid) VALUES (?, ?, ?, ?, ?, ?)"
        number = self._write(sql, row).lastrowid
        assert number is not None
        return number

    def finish(self, tournament: int) -> None:
        """Note that a tournament is over."""
        self._write("UPDATE tournaments SET finished = ? WHERE id = ?", (_now(), tournament))

    def extend(
        self, tournament: int, players: tuple[str, ...], settings: dict[str, Any], planned: int | None
    ) -> None:
        """Give a tournament other players and settings; it is not over then."""
        sql = "UPDATE tournaments SET players = ?, settings = ?, planned = ?, finished = NULL WHERE id = ?"
        self._write(sql, (json.dumps(players), kept.json_text(settings), planned, tournament))

    def tournaments(self) -> list[Tournament]:
        """All tournaments, the oldest first."""
        rows = self._all(
            "SELECT id, kind, players, settings, planned, created, finished, "
            "(SELECT count(*) FROM games WHERE tournament = t.id) FROM tournaments t ORDER BY id"
        )
        return [kept.tournament_of(row) for row in rows]

    def tournament(self, number: int) -> Tournament:
        """The tournament of this number; raises LedgerError."""
        found = next((one for one in self.tournaments() if one.id == number), None)
        if found is None:
            raise LedgerError(f"{str(self.path)!r} has no tournament {number}")
        return found

    def add(self, tournament: int, played: PlayedGame, versions: tuple[str, str] = ("", "")) -> bool:
        """Enter a finished game; False if its number is there already (then nothing changes)."""
        row = kept.game_row(played) | {"tournament": tournament}
        with self.writing() as connection:
            try:
                for side in (0, 1):
                    row[f"player{side}"] = self._player_id(played.job.players[side], versions[side])
                return kept.insert(connection, "games", row, "INSERT OR IGNORE").rowcount == 1
            except BaseException:
                self._player_ids.clear()
                raise

    def add_void(self, tournament: int, void: VoidGame) -> None:
        """Enter a game without a result, beside the games that count."""
        with self.writing() as connection:
            kept.insert(connection, "void_games", {"tournament": tournament, **kept.void_row(void)})

    def voids(self, tournament: int | None = None) -> list[VoidEntry]:
        """Games without a result, the oldest first; only a tournament's if given."""
        where, values = ("", ()) if tournament is None else (" WHERE tournament = ?", (tournament,))
        return [
            kept.void_of(row)
            for row in self._all(f"SELECT {kept.VOID_COLUMNS} FROM void_games{where} ORDER BY id", values)
        ]

    def take_number(self, tournament: int, count: int = 1) -> int:
        """Reserve the next `count` numbers of a tournament without an end; the first of them."""
        sql = "UPDATE tournaments SET next_number = next_number + ? WHERE id = ? RETURNING next_number"
        with self.writing() as connection:
            row = connection.execute(sql, (count, tournament)).fetchone()
        if row is None:
            raise LedgerError(f"{str(self.path)!r} has no tournament {tournament}")
        return row[0] - count

    def games(self, which: Filter | None = None, last: int | None = None) -> Iterator[Entry]:
        """The games that a filter lets through, the oldest first; only the `last` ones if given."""
        where, values = (which or Filter()).where()
        if last is not None:
            where += f" AND g.id IN (SELECT g.id {kept.GAMES} WHERE {where} ORDER BY g.id DESC LIMIT ?)"
            values = [*values, *values, last]
        with self.reading() as connection:
            for row in connection.execute(
                f"SELECT {kept.GAME_COLUMNS} {kept.GAMES} WHERE {where} ORDER BY g.id", values
            ):
                yield kept.entry_of(row)

    def page(self, which: Filter, offset: int, count: int, order: str = "latest") -> list[Entry]:
        """At most `count` of the games that a filter lets through, in an order of `ORDERS`, without the first `offset` of them."""
        where, values = which.where()
        sql = (
            f"SELECT {kept.GAME_COLUMNS} {kept.GAMES} WHERE {where} ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?"
        )
        return [kept.entry_of(row) for row in self._all(sql, (*values, count, offset))]

    def game(self, number: int) -> Entry:
        """The game of this id; raises LedgerError."""
        rows = self._all(f"SELECT {kept.GAME_COLUMNS} {kept.GAMES} WHERE g.id = ?", (number,))
        if not rows:
            raise LedgerError(f"{str(self.path)!r} has no game {number}")
        return kept.entry_of(rows[0])

    def count(self, which: Filter | None = None) -> int:
        """The number of games that a filter lets through."""
        where, values = (which or Filter()).where()
        return self._all(f"SELECT count(*) {kept.GAMES} WHERE {where}", values)[0][0]

    def shared_seeds(self) -> set[int]:
        """The seeds of more than one game between the same players from the same opening."""
        sql = f"SELECT DISTINCT g.seed {kept.GAMES} GROUP BY g.seed, g.opening, a.spec, b.spec HAVING count(*) > 1"
        return {int(row[0]) for row in self._all(sql)}

    def begun(self) -> list[RunningGame]:
        """The games that were begun and did not end, the newest first; the process that plays one may be gone: `is_under_way` says."""
        with self.reading() as connection:
            return running_games(connection)

    def finished_ids(self, keys: Sequence[tuple[int, int]]) -> dict[tuple[int, int], int]:
        """The ids of those games, given by tournament and number, that are finished."""
        sql = "SELECT id FROM games WHERE tournament = ? AND number = ?"
        found = {key: self._all(sql, key) for key in keys}
        return {key: rows[0][0] for key, rows in found.items() if rows}

    def stamp(self) -> str:
        """A text that is another one when a tournament, a finished game, a void game or a player was entered or changed.

        Games that run do not change it.
        """
        rows = self._all(
            "SELECT (SELECT max(id) FROM games), (SELECT max(id) FROM void_games), (SELECT group_concat("
            "uid || ' ' || coalesce(planned, '') || ' ' || coalesce(finished, '') || ' ' || players) FROM tournaments), "
            "(SELECT group_concat(id || ' ' || coalesce(same_as, '')) FROM players), "
            "(SELECT group_concat(spec || ' ' || coalesce(removed, '')) FROM league_players)"
        )
        return hashlib.blake2b(repr(rows[0]).encode(), digest_size=12).hexdigest()

    def labels(self) -> Labels:
        """The labels of its players, one for each version."""
        return Labels(self._all("SELECT spec, version, coalesce(same_as, id) FROM players ORDER BY id"))

    def versions(self, tournament: int) -> set[tuple[str, str]]:
        """The players of a tournament's games, as specs and versions."""
        of_it = f"{kept.GAMES} WHERE g.tournament = ?"
        sql = f"SELECT a.spec, a.version {of_it} UNION SELECT b.spec, b.version {of_it}"
        return {(row[0], row[1]) for row in self._all(sql, (tournament, tournament))}

    def specs(self) -> list[str]:
        """The players that it has games of, or knows otherwise."""
        return [row[0] for row in self._all("SELECT DISTINCT spec FROM players ORDER BY spec")]

    def know(self, spec: str, version: str) -> None:
        """Enter a player, if it is not there."""
        with self.writing():
            self._player_id(spec, version)

    def declare_same(self, spec: str) -> int:
        """All versions of a player that the ledger knows count as one player from now on; how many there are."""
        sql = "UPDATE players SET same_as = (SELECT min(id) FROM players WHERE spec = ?) WHERE spec = ?"
        return self._write(sql, (spec, spec)).rowcount

    def declare_apart(self, spec: str) -> int:
        """Every version of a player counts as a player of its own again; how many there are."""
        return self._write("UPDATE players SET same_as = NULL WHERE spec = ?", (spec,)).rowcount

    def openings(
        self, tournaments: Sequence[int], last_id: int, most: int
    ) -> tuple[list[tuple[Any, ...]], int]:
        """(the results of each opening in these tournaments' games up to the game `last_id`, the number of
        openings).

        Rows are (opening, games, won, drawn and lost by player 0, mean steps), the most played first, then the most
        one-sided; not more than `most` of them.
        """
        where = "FROM games WHERE tournament IN (SELECT value FROM json_each(?)) AND id <= ?"
        values = (kept.json_text(list(tournaments)), last_id)
        rows = self._all(
            f"SELECT opening, count(*), sum(points = 1), sum(points = 0.5), sum(points = 0), avg(steps) {where} GROUP BY opening "
            "ORDER BY count(*) DESC, abs(avg(points) - 0.5) DESC, min(id) LIMIT ?",
            (*values, most),
        )
        return rows, self._all(f"SELECT count(DISTINCT opening) {where}", values)[0][0]

    def add_league_player(self, tournament: int, spec: str) -> bool:
        """Let a player into a league; False if it is in it."""
        sql = (
            "INSERT INTO league_players VALUES (?, ?, ?, NULL) ON CONFLICT DO UPDATE SET removed = NULL, added = excluded.added "
            "WHERE removed IS NOT NULL"
        )
        return self._write(sql, (tournament, spec, _now())).rowcount == 1

    def remove_league_player(self, tournament: int, spec: str) -> bool:
        """Take a player out of a league, not its games; False if it is not in it."""
        sql = "UPDATE league_players SET removed = ? WHERE tournament = ? AND spec = ? AND removed IS NULL"
        return self._write(sql, (_now(), tournament, spec)).rowcount == 1

    def league_players(self, tournament: int) -> list[str]:
        """The players in a league, in the order of their coming."""
        sql = "SELECT spec FROM league_players WHERE tournament = ? AND removed IS NULL ORDER BY added, rowid"
        return [kept.spec_of(row) for row in self._all(sql, (tournament,))]

    def removed_players(self) -> set[str]:
        """Players that left a league, did not come back, and play in no other tournament."""
        sql = (
            "SELECT spec FROM league_players WHERE removed IS NOT NULL EXCEPT SELECT spec FROM league_players WHERE removed IS NULL "
            "EXCEPT SELECT value FROM tournaments t, json_each(t.players) WHERE t.kind <> 'league'"
        )
        return {kept.spec_of(row) for row in self._all(sql)}

    def _player_id(self, spec: str, version: str) -> int:
        key = (spec, version)
        if key not in self._player_ids:
            self._player_ids[key] = kept.player_id(self.connection, *key)
        return self._player_ids[key]

    def _write(self, sql: str, values: Sequence[Any]) -> sqlite3.Cursor:
        """One statement, in a transaction of its own."""
        with self.writing() as connection:
            return connection.execute(sql, values)

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self.reading() as connection:
            return connection.execute(sql, values).fetchall()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
