"""The record of all games: one SQLite file, one transaction a finished game.

The file is in WAL mode, so several tournaments may write it while others read. A process that is killed loses at most
the games it had not finished.
"""

import json
import math
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..players.base import MoveStatistics
from .schema import LedgerError, prepare
from .terms import Job, PlayedGame

__all__ = ["Entry", "Filter", "Ledger", "LedgerError", "Tournament"]

_PATIENCE = 60.0  # seconds to wait for another writer
_GAME_COLUMNS = (
    "g.id, g.tournament, g.number, g.pair, a.spec, b.spec, g.opening, g.seed, g.result, g.points, g.reason, g.fault0, "
    "g.fault1, g.late0, g.late1, g.actions, g.times, g.searches, g.started, g.seconds, a.version, b.version"
)
_GAMES = "FROM games g JOIN players a ON a.id = g.player0 JOIN players b ON b.id = g.player1"


@dataclass(frozen=True)
class Tournament:
    """A tournament as the ledger knows it."""

    id: int
    kind: str
    players: tuple[str, ...]
    settings: dict[str, Any]
    planned: int | None
    created: str
    finished: str | None
    games: int
    """Finished games."""


@dataclass(frozen=True)
class Entry:
    """One game of the ledger."""

    id: int
    tournament: int
    played: PlayedGame
    versions: tuple[str, str]


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

    def where(self) -> tuple[str, list[Any]]:
        """The SQL condition and its values."""
        parts, values = ["1"], list[Any]()
        for condition, value in (
            ("g.tournament = ?", self.tournament),
            ("(a.spec = ? OR b.spec = ?)", self.player),
            ("g.tournament IN (SELECT id FROM tournaments WHERE json_extract(settings, '$.terms.game.name') = ?)", self.game),
            ("g.cause <> ?" if self.cause == "fault" else "g.cause = ?", "rules" if self.cause == "fault" else self.cause),
            ("instr(g.reason, ?) > 0", self.reason),
            ("g.started >= ?", self.since),
            ("g.started < ?", self.until),
        ):
            if value is not None:
                parts.append(condition)
                values += [value] * condition.count("?")
        return " AND ".join(parts), values


class Ledger:
    """An open ledger; use it in a `with` statement, or call `close`. Not shared between threads.

    Raises LedgerError where the file is no ledger, or is missing and `create` is false.
    """

    def __init__(self, path: str | Path, create: bool = True) -> None:
        self.path = Path(path)
        if not create and not self.path.is_file():
            raise LedgerError(f"there is no ledger {str(path)!r}; `--ledger FILE` of match and tournament writes one")
        if create and not self.path.parent.is_dir():
            raise LedgerError(f"the folder of {str(path)!r} does not exist")
        try:
            self._connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
            self._connection.execute("PRAGMA foreign_keys = ON")
            prepare(self._connection, str(path))
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")  # a crash of the process loses nothing
        except sqlite3.Error as error:
            raise LedgerError(f"{str(path)!r} cannot be used as a ledger: {error}") from error
        self._player_ids: dict[tuple[str, str], int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def begin(self, kind: str, players: tuple[str, ...], settings: dict[str, Any], planned: int | None) -> int:
        """Enter a tournament; its number."""
        row = (kind, json.dumps(players), _json(settings), planned, _now())
        sql = "INSERT INTO tournaments (kind, players, settings, planned, created) VALUES (?, ?, ?, ?, ?)"
        number = self._connection.execute(sql, row).lastrowid
        assert number is not None
        return number

    def finish(self, tournament: int) -> None:
        """Note that a tournament is over."""
        self._connection.execute("UPDATE tournaments SET finished = ? WHERE id = ?", (_now(), tournament))

    def tournaments(self) -> list[Tournament]:
        """All tournaments, the oldest first."""
        rows = self._connection.execute(
            "SELECT id, kind, players, settings, planned, created, finished, "
            "(SELECT count(*) FROM games WHERE tournament = t.id) FROM tournaments t ORDER BY id"
        ).fetchall()
        return [_tournament(row) for row in rows]

    def tournament(self, number: int) -> Tournament:
        """The tournament of this number; raises LedgerError."""
        found = next((one for one in self.tournaments() if one.id == number), None)
        if found is None:
            raise LedgerError(f"{str(self.path)!r} has no tournament {number}")
        return found

    def unfinished(self, kind: str, players: tuple[str, ...], settings: dict[str, Any]) -> int | None:
        """The last tournament with just these settings that is not over, if there is one."""
        row = self._connection.execute(
            "SELECT max(id) FROM tournaments WHERE kind = ? AND players = ? AND settings = ? AND finished IS NULL",
            (kind, json.dumps(players), _json(settings)),
        ).fetchone()
        return row[0]

    def add(self, tournament: int, played: PlayedGame, versions: tuple[str, str] = ("", "")) -> bool:
        """Enter a finished game; False if its number is there already (then nothing changes)."""
        job = played.job
        row = {
            "tournament": tournament, "number": job.number, "pair": job.pair, "opening": job.opening, "seed": job.seed,
            "result": played.result, "points": played.points, "steps": played.steps, "cause": played.cause,
            "reason": played.reason, "fault0": played.faults[0], "fault1": played.faults[1], "late0": played.late[0],
            "late1": played.late[1], "actions": _json(played.actions), "times": _json(_rounded(played.times)),
            "searches": _json([[_search_json(s) for s in side] for side in played.searches]),
            "started": _iso(played.started), "seconds": round(played.seconds, 6),
        }  # fmt: skip
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for side in (0, 1):
                row[f"player{side}"] = self._player_id(job.players[side], versions[side])
            sql = f"INSERT OR IGNORE INTO games ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
            added = self._connection.execute(sql, tuple(row.values())).rowcount == 1
            self._connection.execute("COMMIT")
        except BaseException:
            self._player_ids.clear()
            self._connection.execute("ROLLBACK")
            raise
        return added

    def numbers(self, tournament: int) -> set[int]:
        """The numbers of a tournament's finished games."""
        return {row[0] for row in self._connection.execute("SELECT number FROM games WHERE tournament = ?", (tournament,))}

    def take_number(self, tournament: int, count: int = 1) -> int:
        """Reserve the next `count` numbers of a tournament without an end; the first of them."""
        sql = "UPDATE tournaments SET next_number = next_number + ? WHERE id = ? RETURNING next_number"
        row = self._connection.execute(sql, (count, tournament)).fetchone()
        if row is None:
            raise LedgerError(f"{str(self.path)!r} has no tournament {tournament}")
        return row[0] - count

    def games(self, which: Filter | None = None, last: int | None = None) -> Iterator[Entry]:
        """The games that a filter lets through, the oldest first; only the `last` ones if given."""
        where, values = (which or Filter()).where()
        if last is not None:
            where += f" AND g.id IN (SELECT g.id {_GAMES} WHERE {where} ORDER BY g.id DESC LIMIT ?)"
            values = [*values, *values, last]
        for row in self._connection.execute(f"SELECT {_GAME_COLUMNS} {_GAMES} WHERE {where} ORDER BY g.id", values):
            yield _entry(row)

    def game(self, number: int) -> Entry:
        """The game of this id; raises LedgerError."""
        row = self._connection.execute(f"SELECT {_GAME_COLUMNS} {_GAMES} WHERE g.id = ?", (number,)).fetchone()
        if row is None:
            raise LedgerError(f"{str(self.path)!r} has no game {number}")
        return _entry(row)

    def count(self, which: Filter | None = None) -> int:
        """How many games a filter lets through."""
        where, values = (which or Filter()).where()
        return self._connection.execute(f"SELECT count(*) {_GAMES} WHERE {where}", values).fetchone()[0]

    def openings(self, tournaments: Sequence[int], last_id: int, most: int) -> tuple[list[tuple[Any, ...]], int]:
        """What became of each opening in these tournaments' games up to the game `last_id`; and how many openings there are.

        Rows are (opening, games, won, drawn and lost by player 0, mean steps), the most played first, then the most
        one-sided; not more than `most` of them.
        """
        where = "FROM games WHERE tournament IN (SELECT value FROM json_each(?)) AND id <= ?"
        values = (_json(list(tournaments)), last_id)
        rows = self._connection.execute(
            f"SELECT opening, count(*), sum(points = 1), sum(points = 0.5), sum(points = 0), avg(steps) {where} GROUP BY opening "
            "ORDER BY count(*) DESC, abs(avg(points) - 0.5) DESC, min(id) LIMIT ?",
            (*values, most),
        ).fetchall()
        return rows, self._connection.execute(f"SELECT count(DISTINCT opening) {where}", values).fetchone()[0]

    def add_league_player(self, tournament: int, spec: str) -> bool:
        """Let a player into a league; False if it is in it."""
        sql = (
            "INSERT INTO league_players VALUES (?, ?, ?, NULL) ON CONFLICT DO UPDATE SET removed = NULL, added = excluded.added "
            "WHERE removed IS NOT NULL"
        )
        return self._connection.execute(sql, (tournament, spec, _now())).rowcount == 1

    def remove_league_player(self, tournament: int, spec: str) -> bool:
        """Take a player out of a league, not its games; False if it is not in it."""
        sql = "UPDATE league_players SET removed = ? WHERE tournament = ? AND spec = ? AND removed IS NULL"
        return self._connection.execute(sql, (_now(), tournament, spec)).rowcount == 1

    def league_players(self, tournament: int) -> list[str]:
        """The players in a league, in the order of their coming."""
        sql = "SELECT spec FROM league_players WHERE tournament = ? AND removed IS NULL ORDER BY added, rowid"
        return [row[0] for row in self._connection.execute(sql, (tournament,))]

    def problems(self) -> list[str]:
        """What SQLite's integrity check finds wrong with the file; nothing if it is sound."""
        found = [row[0] for row in self._connection.execute("PRAGMA integrity_check")]
        return [] if found == ["ok"] else found

    def _player_id(self, spec: str, version: str) -> int:
        key = (spec, version)
        if key not in self._player_ids:
            self._connection.execute("INSERT OR IGNORE INTO players (spec, version) VALUES (?, ?)", key)
            row = self._connection.execute("SELECT id FROM players WHERE spec = ? AND version = ?", key).fetchone()
            self._player_ids[key] = row[0]
        return self._player_ids[key]


def _tournament(row: Any) -> Tournament:
    try:
        return Tournament(row[0], row[1], tuple(json.loads(row[2])), json.loads(row[3]), *row[4:])
    except (ValueError, TypeError) as error:
        raise LedgerError(f"tournament {row[0]} of the ledger cannot be read: {error}") from error


def _entry(row: Any) -> Entry:
    try:
        searches = tuple(tuple(None if s is None else MoveStatistics(*s) for s in side) for side in json.loads(row[17]))
        actions = tuple((int(a), int(b)) for a, b in json.loads(row[15]))
        times = tuple(tuple(float(t) for t in side) for side in json.loads(row[16]))
        job = Job(row[2], row[3], (row[4], row[5]), row[6], row[7])
        played = PlayedGame(
            job, row[8], row[9], row[10], (row[11], row[12]), (bool(row[13]), bool(row[14])), actions,
            times, searches, datetime.fromisoformat(row[18]).timestamp(), row[19],  # type: ignore[arg-type]
        )  # fmt: skip
    except (ValueError, TypeError, OverflowError) as error:
        raise LedgerError(f"game {row[0]} of the ledger cannot be read: {error}") from error
    return Entry(row[0], row[1], played, (row[20], row[21]))


def _search_json(search: MoveStatistics | None) -> list[Any] | None:
    if search is None:
        return None
    seconds, *told = search
    return [round(seconds, 6), *(None if isinstance(v, float) and not math.isfinite(v) else v for v in told)]


def _rounded(times: tuple[tuple[float, ...], ...]) -> list[list[float]]:
    return [[round(t, 6) for t in side] for side in times]


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), sort_keys=True, allow_nan=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
