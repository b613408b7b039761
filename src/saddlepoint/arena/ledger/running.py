"""The games of a ledger that are being played right now, so that they can be watched.

A game that lasts longer than a second is written now and then, by the process that plays it, into a table beside the finished games,
and taken out when it ends. The table is made when the first such game is written; a ledger without it has no game that runs. Nothing
else reads it, and whatever fails here is left out: no game depends on it.
"""

import json
import os
import socket
import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from ...system.patience import RUNNING_GAME_WRITER
from ..conditions import Finite, Job

EVERY = 1.0
"""Least seconds before a game is written first, and between two times."""
_ELSEWHERE = 60.0
"""A game that another machine plays is taken for one that runs until this many seconds after it was written."""
_MOST_BYTES = 200_000
"""Of the moves of a game."""

_TABLE = """
    CREATE TABLE IF NOT EXISTS running_games (
        tournament INTEGER NOT NULL,
        number INTEGER NOT NULL,
        player0 TEXT NOT NULL,            -- specs
        player1 TEXT NOT NULL,
        opening TEXT NOT NULL,
        actions TEXT NOT NULL,            -- JSON: joint actions until now
        began REAL NOT NULL,              -- seconds since 1970
        written REAL NOT NULL,
        host TEXT NOT NULL,               -- the process that plays it
        pid INTEGER NOT NULL,
        born TEXT NOT NULL,               -- when that process began, so that a later one of its number is not taken for it
        PRIMARY KEY (tournament, number)
    )
"""
_COLUMNS = "tournament, number, player0, player1, opening, actions, began, written, host, pid, born"


class Process(NamedTuple):
    """A process of some machine."""

    host: str
    pid: Annotated[int, msgspec.Meta(gt=0)]
    born: str

    @classmethod
    def this(cls) -> "Process":
        """The one that calls this."""
        return cls(socket.gethostname(), os.getpid(), _born(os.getpid()) or "")

    def is_alive(self) -> bool | None:
        """Whether it runs; None where that is unknown, because it is another machine's."""
        if self.host != socket.gethostname():
            return None
        if Path("/proc/self/stat").exists():
            return _born(self.pid) == self.born
        try:
            os.kill(self.pid, 0)
        except PermissionError:
            return True
        except (OSError, OverflowError):
            return False
        return True


@dataclass(frozen=True)
class RunningGame:
    """A game that is being played, as far as it was written."""

    tournament: int
    number: int
    players: tuple[str, str]
    opening: str
    actions: tuple[tuple[int, int], ...]
    began: Finite
    """Seconds since 1970."""
    written: Finite
    process: Process

    def is_under_way(self) -> bool:
        """Whether the process that plays it still does."""
        alive = self.process.is_alive()
        return time.time() - self.written < _ELSEWHERE if alive is None else alive


@dataclass(frozen=True)
class RunningGames:
    """The table to which a tournament's games are written while they run; it goes to the processes that play."""

    path: str
    tournament: int


_in_play: set[tuple[str, int, int]] = set()
"""The games that this process has written and not ended, by ledger, tournament and number."""


class Writer:
    """Writes one game at most once a second; most games end before."""

    def __init__(self, place: RunningGames, job: Job) -> None:
        self._place, self._job = place, job
        self._key = (place.path, place.tournament, job.number)
        self._actions: list[tuple[int, int]] = []
        self._began = time.time()
        self._next = time.monotonic() + EVERY
        self._connection: sqlite3.Connection | None = None

    def step(self, state: Any, joint: tuple[int, int]) -> None:
        """A step was played."""
        self._actions.append(joint)
        if time.monotonic() >= self._next:
            self._write()
            self._next = time.monotonic() + EVERY

    def close(self) -> None:
        """The game is over, or given up. Where it cannot be taken out now, the next one that this process writes does it."""
        _in_play.discard(self._key)
        connection, self._connection = self._connection, None
        if connection is None:
            return
        with suppress(Exception), closing(connection):  # another process may play it again already
            _take_out(connection, self._place.tournament, self._job.number, Process.this())

    def _write(self) -> None:
        with suppress(Exception):
            actions = json.dumps([[int(a), int(b)] for a, b in self._actions], separators=(",", ":"))
            if len(actions) > _MOST_BYTES:
                return
            row = (
                self._place.tournament,
                self._job.number,
                *self._job.players,
                self._job.opening,
                actions,
                self._began,
                time.time(),
                *Process.this(),
            )
            if self._connection is None:
                _in_play.add(self._key)
                self._connection = _opened(self._place.path)
            self._connection.execute(
                f"INSERT OR REPLACE INTO running_games ({_COLUMNS}) VALUES ({', '.join('?' * len(row))})", row
            )


def running_games(connection: sqlite3.Connection) -> list[RunningGame]:
    """The games that were written and are not finished, the newest first; some of them may have been left by a process that was killed.

    SQLite lets values of any kind into a column: rows that cannot be a game are left out.
    """
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'running_games'").fetchone() is None:
        return []
    sql = (
        f"SELECT {_COLUMNS} FROM running_games r WHERE NOT EXISTS "
        "(SELECT 1 FROM games g WHERE g.tournament = r.tournament AND g.number = r.number) ORDER BY began DESC, number DESC"
    )
    usual = connection.text_factory
    connection.text_factory = lambda text: text.decode(
        errors="replace"
    )  # else one text that is no UTF-8 ends the whole answer
    try:
        rows = connection.execute(sql).fetchall()
    finally:
        connection.text_factory = usual
    return [one for one in map(_game_of, rows) if one is not None]


def _game_of(row: tuple[Any, ...]) -> RunningGame | None:
    """None where a value is not of its kind."""
    tournament, number, a, b, opening, actions, *moments, host, pid, born = row
    with suppress(TypeError, ValueError, RecursionError):
        moves, process = json.loads(msgspec.convert(actions, str)), (host, pid, born)
        values = (tournament, number, (a, b), opening, moves, *moments, process)
        names = (field.name for field in fields(RunningGame))
        return msgspec.convert(dict(zip(names, values, strict=True)), RunningGame)
    return None


def _opened(path: str) -> sqlite3.Connection:
    """A connection for one game; what was left by processes that were killed, and by this one, is taken out."""
    connection = sqlite3.connect(
        f"{Path(path).as_uri()}?mode=rw", uri=True, timeout=RUNNING_GAME_WRITER, isolation_level=None
    )
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_TABLE)
        for one in running_games(connection):
            if not one.is_under_way():
                _take_out(connection, one.tournament, one.number, one.process)
        me = Process.this()
        mine = connection.execute(
            "SELECT tournament, number FROM running_games WHERE host = ? AND pid = ? AND born = ?", me
        ).fetchall()
        for tournament, number in mine:
            if (path, tournament, number) not in _in_play:
                _take_out(connection, tournament, number, me)
    except BaseException:
        connection.close()
        raise
    return connection


def _take_out(connection: sqlite3.Connection, tournament: int, number: int, process: Process) -> None:
    """Remove a game, if it is still this process that plays it."""
    sql = (
        "DELETE FROM running_games WHERE tournament = ? AND number = ? AND host = ? AND pid = ? AND born = ?"
    )
    connection.execute(sql, (tournament, number, *process))


def _born(pid: int) -> str | None:
    """The start time of a process, as Linux counts it.

    None where there is no such process, or the system has no /proc.
    """
    try:
        state, *others = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
    except (OSError, ValueError):
        return None
    return None if state in "ZX" or len(others) < 19 else others[18]
