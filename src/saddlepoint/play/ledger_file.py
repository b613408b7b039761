"""The SQLite file of a ledger: its tables, and how it is opened."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..system.patience import LEDGER_WRITER

APPLICATION_ID = 0x5361_6464  # "Sadd", in the file's header: this file is a ledger
VERSION = 2
"""Of the tables; a ledger with another one is refused."""

_TABLES = """
    CREATE TABLE tournaments (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,               -- match, round-robin, gauntlet, knockout, ladder, league
        players TEXT NOT NULL,            -- JSON: specs
        settings TEXT NOT NULL,           -- JSON: conditions and plan, the same text for the same settings
        planned INTEGER,                  -- games in all, NULL without an end
        next_number INTEGER NOT NULL DEFAULT 0,
        created TEXT NOT NULL,            -- ISO 8601, UTC, as all dates here
        finished TEXT,
        uid TEXT NOT NULL UNIQUE          -- the same in every copy of the file
    );
    CREATE TABLE players (
        id INTEGER PRIMARY KEY,
        spec TEXT NOT NULL,
        version TEXT NOT NULL,
        same_as INTEGER REFERENCES players,
        UNIQUE (spec, version)
    );
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        tournament INTEGER NOT NULL REFERENCES tournaments,
        number INTEGER NOT NULL,          -- within the tournament
        pair INTEGER NOT NULL,
        player0 INTEGER NOT NULL REFERENCES players,
        player1 INTEGER NOT NULL REFERENCES players,
        opening TEXT NOT NULL,            -- the position it began in
        seed TEXT NOT NULL,               -- a number below 2^128, in decimals
        result REAL NOT NULL,             -- player 0's, in the game's units
        points REAL NOT NULL,             -- player 0's: 1, 0.5 or 0
        steps INTEGER NOT NULL,
        cause TEXT NOT NULL,              -- rules, or the kind of the first fault
        reason TEXT NOT NULL,
        kind0 TEXT,                       -- the kind of player 0's fault, NULL without one: late, illegal move, ...
        step0 INTEGER,                    -- joint actions before it, NULL before the first question
        fault0 TEXT NOT NULL,             -- a line about it
        kind1 TEXT,
        step1 INTEGER,
        fault1 TEXT NOT NULL,
        late0 INTEGER NOT NULL,
        late1 INTEGER NOT NULL,
        actions TEXT NOT NULL,            -- JSON: joint actions as numbers
        times TEXT NOT NULL,              -- JSON: seconds of each choice of each player
        searches TEXT NOT NULL,           -- JSON: [seconds, depth, nodes, value] or null for each choice of each player
        started TEXT NOT NULL,
        seconds REAL NOT NULL,
        chance INTEGER NOT NULL,          -- whether anything was left to chance by the rules
        load TEXT,                        -- JSON: how busy the machine was, NULL where not known
        UNIQUE (tournament, number)
    );
    CREATE INDEX games_by_player0 ON games (player0);
    CREATE INDEX games_by_player1 ON games (player1);
    CREATE TABLE void_games (             -- games that a failure of the machine ended: without a result, played again
        id INTEGER PRIMARY KEY,
        tournament INTEGER NOT NULL REFERENCES tournaments,
        number INTEGER NOT NULL,
        player0 TEXT NOT NULL,            -- specs
        player1 TEXT NOT NULL,
        opening TEXT NOT NULL,
        seed TEXT NOT NULL,
        reason TEXT NOT NULL,
        started TEXT NOT NULL,
        seconds REAL NOT NULL,
        load TEXT
    );
    CREATE TABLE league_players (
        tournament INTEGER NOT NULL REFERENCES tournaments,
        spec TEXT NOT NULL,
        added TEXT NOT NULL,
        removed TEXT,
        PRIMARY KEY (tournament, spec)
    );
"""

_STATE = """
    SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_application_id, pragma_user_version
"""
"""One question, so that all of the answer is of one moment."""


class LedgerError(ValueError):
    """A file that is no ledger, or a question it has no answer to; the message says what was expected."""


def prepare(connection: sqlite3.Connection, name: str) -> None:
    """Make the tables of an empty file; raises LedgerError for what is neither empty nor a ledger of this version."""
    if has_tables(connection, name):
        return
    with _transaction(connection):
        if not has_tables(connection, name):  # else somebody made them meanwhile
            for statement in filter(str.strip, _TABLES.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it already
            connection.execute("ROLLBACK")
        raise


def has_tables(connection: sqlite3.Connection, name: str) -> bool:
    """Whether this is a ledger of this version, or else an empty file; raises LedgerError for anything else."""
    application, version, tables = connection.execute(_STATE).fetchone()
    if (application, version) == (APPLICATION_ID, VERSION):
        return True
    if application == APPLICATION_ID:
        raise LedgerError(
            f"{name} is a ledger of version {version}, and version {VERSION} is read here: "
            "begin another file, or use the saddlepoint that wrote it"
        )
    if application or version or tables:
        raise LedgerError(f"{name} is another program's database, not a ledger of games")
    return False


# Opening the file of a ledger: to write where that is possible, else to read, and SQLite's errors in a sentence.


class LedgerFile:
    """A connection to a ledger's file, which is made where there is none, or only read where it cannot be written."""

    def __init__(self, path: Path, create: bool) -> None:
        self.path, self.read_only = path, False
        """Where it is, and whether nothing can be entered."""
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        if not create and path.is_dir():
            raise LedgerError(f"{str(path)!r} is a folder; name the ledger's file in it")
        if not create and not path.is_file():
            raise LedgerError(
                f"there is no ledger {str(path)!r}; `--ledger FILE` of match and tournament writes one"
            )
        if create and not path.parent.is_dir():
            raise LedgerError(f"the folder of {str(path)!r} does not exist")
        self.read_only = not create and not (_may_write(path) and path.stat().st_size)
        try:
            self.connection = self._reading() if self.read_only else _writing(path)
        except sqlite3.Error as error:
            raise LedgerError(f"{str(path)!r} cannot be used as a ledger: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
        if self._copy is not None:
            self._copy.cleanup()

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """The connection, to ask; raises LedgerError where the file does not answer."""
        try:
            yield self.connection
        except sqlite3.Error as error:
            raise LedgerError(self._sentence(error)) from error

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """One transaction: all of it or nothing; raises LedgerError where it cannot be written."""
        if self.read_only:
            raise LedgerError(
                f"{str(self.path)!r} can only be read: neither it nor its folder may be write-protected"
            )
        with self.reading() as connection, _transaction(connection):
            yield connection

    def _sentence(self, error: sqlite3.Error) -> str:
        name, code = repr(str(self.path)), getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return f"the disk of {name} is full: it has all games that were finished before; make room, then --resume goes on"
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"{name} was locked by another program for {LEDGER_WRITER:.0f} s: it has all games finished before; --resume goes on"
        if code == sqlite3.SQLITE_READONLY:
            return f"{name} can only be read"
        return f"{name} cannot be used as a ledger: {error}"

    def _reading(self) -> sqlite3.Connection:
        """A connection that writes nothing beside the file; an empty file is a ledger without games, in memory."""
        path = self.path.resolve()  # what SQLite writes lies beside the file, not beside a link to it
        uri, log = f"{path.as_uri()}?mode=ro", path.with_name(path.name + "-wal")
        # Without a log nobody writes it, and SQLite need not put files beside it.
        if not (log.is_file() and log.stat().st_size):
            uri += "&immutable=1"
        try:
            connection = self._if_ledger(uri)
        except sqlite3.OperationalError:  # it would have to make its -shm file, and may not
            if "immutable" in uri:
                raise
            self._copy = tempfile.TemporaryDirectory(prefix="saddlepoint-ledger-")
            copy = Path(self._copy.name, "copy.db")
            shutil.copyfile(path, copy)
            shutil.copyfile(log, Path(self._copy.name, "copy.db-wal"))
            connection = self._if_ledger(copy.as_uri())
        if connection is None:
            connection = sqlite3.connect(":memory:", isolation_level=None)
            prepare(connection, str(self.path))
        return connection

    def _if_ledger(self, uri: str) -> sqlite3.Connection | None:
        """A connection to a ledger; None where the file is empty. Raises LedgerError and sqlite3.Error, closed."""
        with ExitStack() as closed:
            connection = sqlite3.connect(uri, uri=True, timeout=LEDGER_WRITER, isolation_level=None)
            closed.callback(connection.close)
            if not has_tables(connection, str(self.path)):
                return None
            closed.pop_all()
            return connection


def _writing(path: Path) -> sqlite3.Connection:
    """A connection that may write; raises LedgerError, and leaves the file as it is, where that is no ledger."""
    with ExitStack() as closed:
        connection = sqlite3.connect(path, timeout=LEDGER_WRITER, isolation_level=None)
        closed.callback(connection.close)
        connection.execute("PRAGMA foreign_keys = ON")
        prepare(connection, str(path))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a crash of the process loses nothing
        closed.pop_all()
        return connection


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)
