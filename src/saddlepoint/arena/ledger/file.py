"""Opening the file of a ledger: to write where that is possible, else to read, and SQLite's errors in a sentence."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from .schema import LedgerError, has_tables, prepare

PATIENCE = 60.0
"""Seconds to wait for another writer."""


class LedgerFile:
    """A connection to a ledger's file, which is made where there is none, or only read where it cannot be written."""

    def __init__(self, path: Path, create: bool) -> None:
        self.path, self.read_only = path, False
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        if not create and path.is_dir():
            raise LedgerError(f"{str(path)!r} is a folder; name the ledger's file in it")
        if not create and not path.is_file():
            raise LedgerError(f"there is no ledger {str(path)!r}; `--ledger FILE` of match and tournament writes one")
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
            raise LedgerError(f"{str(self.path)!r} can only be read: neither it nor its folder may be write-protected")
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:  # a full disk may have ended it already
                    self.connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise LedgerError(self._sentence(error)) from error

    def _sentence(self, error: sqlite3.Error) -> str:
        name, code = repr(str(self.path)), getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            return f"the disk of {name} is full: it has all games that were finished before; make room, then --resume goes on"
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return f"{name} has been locked by another program for {PATIENCE:.0f} s: it has all games finished before; --resume goes on"
        if code == sqlite3.SQLITE_READONLY:
            return f"{name} can only be read"
        return f"{name} cannot be used as a ledger: {error}"

    def _reading(self) -> sqlite3.Connection:
        """A connection that writes nothing beside the file; an empty file is a ledger without games, in memory."""
        uri = self.path.resolve().as_uri()
        log = self.path.with_name(self.path.name + "-wal")
        if not (log.is_file() and log.stat().st_size):  # then nobody writes it, and SQLite need not put files beside it
            connection = _asked(sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None))
        else:
            try:
                connection = _asked(sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=PATIENCE, isolation_level=None))
            except sqlite3.OperationalError:  # it would have to make its -shm file, and may not
                self._copy = tempfile.TemporaryDirectory(prefix="saddlepoint-ledger-")
                copy = Path(self._copy.name, "copy.db")
                shutil.copyfile(self.path, copy)
                shutil.copyfile(log, Path(self._copy.name, "copy.db-wal"))
                connection = _asked(sqlite3.connect(copy, isolation_level=None))
        try:
            if has_tables(connection, str(self.path)):
                return connection
        except LedgerError:
            connection.close()
            raise
        connection.close()
        memory = sqlite3.connect(":memory:", isolation_level=None)
        prepare(memory, str(self.path))
        return memory


def _writing(path: Path) -> sqlite3.Connection:
    """A connection that may write; raises LedgerError, and leaves the file as it is, where that is no ledger."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        prepare(connection, str(path))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a crash of the process loses nothing
    except BaseException:
        connection.close()
        raise
    return connection


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)


def _asked(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, if it can read."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection
