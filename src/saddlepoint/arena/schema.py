"""The tables of a ledger, version by version."""

import sqlite3

APPLICATION_ID = 0x5361_6464  # "Sadd", in the file's header: this file is a ledger

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE tournaments (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,               -- match, round-robin, gauntlet, knockout, ladder, league
        players TEXT NOT NULL,            -- JSON: specs
        settings TEXT NOT NULL,           -- JSON: terms and plan, the same text for the same settings
        planned INTEGER,                  -- games in all, NULL without an end
        next_number INTEGER NOT NULL DEFAULT 0,
        created TEXT NOT NULL,            -- ISO 8601, UTC, as all dates here
        finished TEXT
    );
    CREATE TABLE players (
        id INTEGER PRIMARY KEY,
        spec TEXT NOT NULL,
        version TEXT NOT NULL,
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
        seed INTEGER NOT NULL,
        result REAL NOT NULL,             -- player 0's, in the game's units
        points REAL NOT NULL,             -- player 0's: 1, 0.5 or 0
        steps INTEGER NOT NULL,
        cause TEXT NOT NULL,              -- rules, late, illegal move, memory, flood, crash, error
        reason TEXT NOT NULL,
        fault0 TEXT NOT NULL,
        fault1 TEXT NOT NULL,
        late0 INTEGER NOT NULL,
        late1 INTEGER NOT NULL,
        actions TEXT NOT NULL,            -- JSON: joint actions as numbers
        times TEXT NOT NULL,              -- JSON: seconds of each choice of each player
        searches TEXT NOT NULL,           -- JSON: [seconds, depth, nodes, value] or null for each choice of each player
        started TEXT NOT NULL,
        seconds REAL NOT NULL,
        UNIQUE (tournament, number)
    );
    CREATE INDEX games_by_player0 ON games (player0);
    CREATE INDEX games_by_player1 ON games (player1);
    CREATE TABLE league_players (
        tournament INTEGER NOT NULL REFERENCES tournaments,
        spec TEXT NOT NULL,
        added TEXT NOT NULL,
        removed TEXT,
        PRIMARY KEY (tournament, spec)
    );
    """,
)
"""Each brings a ledger to the next version; the version of a file is how many of them it has seen."""


class LedgerError(ValueError):
    """A file that is no ledger, or a question it has no answer to; the message says what was expected."""


def prepare(connection: sqlite3.Connection, name: str) -> None:
    """Make the tables of an empty file, or bring an older ledger up to date; raises LedgerError for anything else."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == len(MIGRATIONS) and _is_ledger(connection):
        return
    connection.execute("BEGIN IMMEDIATE")  # somebody else may be doing the same
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if not (_is_ledger(connection) or (empty and version == 0)):
            raise LedgerError(f"{name} is another program's database, not a ledger of games")
        if version > len(MIGRATIONS):
            raise LedgerError(f"{name} was written by a newer saddlepoint (version {version} of the ledger, {len(MIGRATIONS)} here)")
        for number in range(version, len(MIGRATIONS)):
            for statement in MIGRATIONS[number].split(";"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _is_ledger(connection: sqlite3.Connection) -> bool:
    return connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
