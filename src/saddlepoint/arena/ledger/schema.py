"""The tables of a ledger."""

import sqlite3

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
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not has_tables(connection, name):  # else somebody made them meanwhile
            for statement in filter(str.strip, _TABLES.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
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
