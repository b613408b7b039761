"""The tables of a ledger, version by version."""

import hashlib
import re
import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x5361_6464  # "Sadd", in the file's header: this file is a ledger

_STEP = re.compile(r",? ?(?:at step (\d+)|before the game)\Z")
_GAMES = """
    CREATE TABLE {name} (
        id INTEGER PRIMARY KEY,
        tournament INTEGER NOT NULL REFERENCES tournaments,
        number INTEGER NOT NULL,          -- within the tournament
        pair INTEGER NOT NULL,
        player0 INTEGER NOT NULL REFERENCES players,
        player1 INTEGER NOT NULL REFERENCES players,
        opening TEXT NOT NULL,            -- the position it began in
        seed {seed} NOT NULL,
        result REAL NOT NULL,             -- player 0's, in the game's units
        points REAL NOT NULL,             -- player 0's: 1, 0.5 or 0
        steps INTEGER NOT NULL,
        cause TEXT NOT NULL,              -- rules, or the kind of the first fault
        reason TEXT NOT NULL,
        {faults},
        late0 INTEGER NOT NULL,
        late1 INTEGER NOT NULL,
        actions TEXT NOT NULL,            -- JSON: joint actions as numbers
        times TEXT NOT NULL,              -- JSON: seconds of each choice of each player
        searches TEXT NOT NULL,           -- JSON: [seconds, depth, nodes, value] or null for each choice of each player
        started TEXT NOT NULL,
        seconds REAL NOT NULL,{more}
        UNIQUE (tournament, number)
    )
"""
_FIRST_GAMES = _GAMES.format(name="games", seed="INTEGER", faults="fault0 TEXT NOT NULL, fault1 TEXT NOT NULL", more="")
_SECOND_GAMES = _GAMES.format(
    name="games_of_now",
    seed="TEXT",  # a number below 2^128, in decimals
    faults="""
        kind0 TEXT,                       -- the kind of player 0's fault, NULL without one: late, illegal move, ...
        step0 INTEGER,                    -- joint actions before it, NULL before the first question
        fault0 TEXT NOT NULL,             -- a line about it
        kind1 TEXT, step1 INTEGER, fault1 TEXT NOT NULL""",
    more="""
        chance INTEGER,                   -- whether anything was left to chance by the rules, NULL where not known
        load TEXT,                        -- JSON: how busy the machine was, NULL where not known""",
)
_SECOND = """
    ALTER TABLE tournaments ADD COLUMN uid TEXT;
    ALTER TABLE players ADD COLUMN same_as INTEGER REFERENCES players;
    {games};
    INSERT INTO games_of_now SELECT
        id, tournament, number, pair, player0, player1, opening, CAST(seed AS TEXT), result, points, steps, cause, reason,
        CASE WHEN fault0 <> '' THEN cause END, step_of(fault0), words_of(fault0),
        CASE WHEN fault1 = '' THEN NULL WHEN fault0 = '' THEN cause WHEN late1 THEN 'late' ELSE 'error' END,
        step_of(fault1), words_of(fault1),
        late0, late1, actions, times, searches, started, seconds, NULL, NULL
    FROM games;
    DROP TABLE games;
    ALTER TABLE games_of_now RENAME TO games;
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
    )
"""


def _faults_have_kinds(connection: sqlite3.Connection) -> None:
    """Kinds of faults as they were counted, versions that may be the same player, wider seeds, void games, load.

    The second of two faults in one game had no kind of its own: it is late where that was written down, else an error.
    """
    connection.create_function("step_of", 1, _step_of, deterministic=True)
    connection.create_function("words_of", 1, lambda text: _STEP.sub("", str(text)), deterministic=True)
    for statement in _SECOND.format(games=_SECOND_GAMES).split(";"):
        connection.execute(statement)
    for row in connection.execute("SELECT id, kind, players, settings, created FROM tournaments").fetchall():
        digest = hashlib.blake2b(repr(row).encode(), digest_size=16).hexdigest()  # the same in every copy of the file
        connection.execute("UPDATE tournaments SET uid = ? WHERE id = ?", (digest, row[0]))
    connection.execute("CREATE UNIQUE INDEX tournaments_by_uid ON tournaments (uid)")


def _step_of(text: object) -> int | None:
    found = _STEP.search(str(text))
    return int(found[1]) if found and found[1] and len(found[1]) < 10 else None


MIGRATIONS: tuple[str | Callable[[sqlite3.Connection], None], ...] = (
    f"""
    CREATE TABLE tournaments (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,               -- match, round-robin, gauntlet, knockout, ladder, league
        players TEXT NOT NULL,            -- JSON: specs
        settings TEXT NOT NULL,           -- JSON: conditions and plan, the same text for the same settings
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
    {_FIRST_GAMES};
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
    _faults_have_kinds,
)
"""Each brings a ledger to the next version; the version of a file is how many of them it has seen."""


class LedgerError(ValueError):
    """A file that is no ledger, or a question it has no answer to; the message says what was expected."""


def prepare(connection: sqlite3.Connection, name: str) -> None:
    """Make the tables of an empty file, or bring an older ledger up to date; raises LedgerError for anything else."""
    if is_current(connection):
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
            migration = MIGRATIONS[number]
            if callable(migration):
                migration(connection)
            else:
                for statement in migration.split(";"):
                    if statement.strip():
                        connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk may have ended it already
            connection.execute("ROLLBACK")
        raise


def is_current(connection: sqlite3.Connection) -> bool:
    """Whether this is a ledger of this version."""
    return connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) and _is_ledger(connection)


def _is_ledger(connection: sqlite3.Connection) -> bool:
    return connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
