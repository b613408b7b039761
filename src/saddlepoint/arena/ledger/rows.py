"""A ledger's rows as values, and back."""

import json
import math
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import reduce
from operator import getitem
from typing import Any, TypeVar

import msgspec

from ...play.ledger_file import LedgerError
from ...players.base import MoveStatistics
from ...system.foreign import converted
from ..conditions import PlayedGame, VoidGame

T = TypeVar("T")

GAME_COLUMNS = (
    "g.id, g.tournament, g.number, g.pair, a.spec, b.spec, g.opening, g.seed, g.result, g.points, g.reason, g.kind0, g.step0, "
    "g.fault0, g.kind1, g.step1, g.fault1, g.late0, g.late1, g.actions, g.times, g.searches, g.started, g.seconds, g.chance, "
    "g.load, a.version, b.version"
)
GAMES = "FROM games g JOIN players a ON a.id = g.player0 JOIN players b ON b.id = g.player1"
VOID_COLUMNS = "id, tournament, number, player0, player1, opening, seed, reason, started, seconds, load"


@dataclass(frozen=True)
class Tournament:
    """A tournament as the ledger knows it."""

    id: int
    kind: str
    players: tuple[str, ...]
    settings: dict[str, Any]
    """What its games follow from; `conditions` and `plan` are parts of it. Raises LedgerError where these are not there."""
    planned: int | None
    created: str
    finished: str | None
    games: int
    """Finished games."""

    @property
    def conditions(self) -> dict[str, Any]:
        """The conditions of its games as plain data."""
        return self._setting(dict[str, Any], "terms")

    @property
    def plan(self) -> dict[str, Any]:
        """The plan of its games as plain data."""
        return self._setting(dict[str, Any], "plan")

    @property
    def paired(self) -> bool:
        """Whether its games come in pairs."""
        return self._setting(bool, "plan", "swap")

    @property
    def described_game(self) -> tuple[str, dict[str, Any]]:
        """The game's name and parameters."""
        name = self._setting(str, "terms", "game", "name")
        return name, self._setting(dict[str, Any], "terms", "game", "parameters")

    def _setting(self, kind: type[T], *path: str) -> T:
        with _reading(f"tournament {self.id}"):
            return converted(reduce(getitem, path, self.settings), kind, f"its setting {'.'.join(path)}")


@dataclass(frozen=True)
class Entry:
    """One game of the ledger."""

    id: int
    tournament: int
    played: PlayedGame
    versions: tuple[str, str]


@dataclass(frozen=True)
class VoidEntry:
    """One game of the ledger that a failure of the machine ended."""

    id: int
    tournament: int
    void: VoidGame


# A file that somebody else wrote may hold anything: what is counted and shown later has to be of its kind.


@contextmanager
def _reading(what: str) -> Generator[None]:
    """Whatever is wrong with a value is a LedgerError, in one sentence."""
    try:
        yield
    except LookupError as error:
        raise LedgerError(f"{what} of the ledger cannot be read: its settings have no {error}") from error
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise LedgerError(f"{what} of the ledger cannot be read: {error}") from error


def tournament_of(row: Any) -> Tournament:
    """The tournament of a row, with its columns in the order of the fields; raises LedgerError."""
    with _reading(f"tournament {row[0]}"):
        values = (*row[:2], json.loads(row[2]), json.loads(row[3]), *row[4:])
        names = (field.name for field in fields(Tournament))
        return converted(dict(zip(names, values, strict=True)), Tournament)


def game_row(played: PlayedGame) -> dict[str, Any]:
    """The columns of a game but those that name its tournament and players."""
    row: dict[str, Any] = _common_columns(played) | {
        "pair": played.job.pair,
        "result": played.result,
        "points": played.points,
        "steps": played.steps,
        "cause": played.cause,
        "late0": played.late[0],
        "late1": played.late[1],
        "actions": json_text(played.actions),
        "times": json_text([[round(t, 6) for t in side] for side in played.times]),
        "searches": json_text([[_search_json(s) for s in side] for side in played.searches]),
        "chance": played.chance,
    }
    for side, fault in enumerate(played.faults):
        row[f"kind{side}"] = None if fault is None else fault.kind.value
        row[f"step{side}"] = None if fault is None else fault.step
        row[f"fault{side}"] = "" if fault is None else fault.text
    return row


def entry_of(row: Any) -> Entry:
    """The entry of a row with the columns of `GAME_COLUMNS`; raises LedgerError."""
    with _reading(f"game {row[0]}"):
        if row[9] not in (0, 0.5, 1):
            raise ValueError(f"a game gives 0, 0.5 or 1 points, not {row[9]!r}")
        played = _common_values(row[2:8], row[10], row[22], row[23], row[25]) | {
            "result": row[8],
            "points": row[9],
            "faults": [_fault(0, *row[11:14]), _fault(1, *row[14:17])],
            "late": row[17:19],
            "actions": msgspec.json.decode(row[19]),
            "times": msgspec.json.decode(row[20]),
            "searches": msgspec.json.decode(row[21]),
            "chance": bool(row[24]),
        }
        return converted(
            {"id": row[0], "tournament": row[1], "played": played, "versions": row[26:28]}, Entry
        )


def spec_of(row: Any) -> str:
    """A league's player, from a row's only column; raises LedgerError."""
    with _reading("a player of a league"):
        return converted(row[0], str)


def player_id(connection: sqlite3.Connection, spec: str, version: str) -> int:
    """The number of a player, which is entered if it is not there."""
    connection.execute("INSERT OR IGNORE INTO players (spec, version) VALUES (?, ?)", (spec, version))
    sql = "SELECT id FROM players WHERE spec = ? AND version = ?"
    return connection.execute(sql, (spec, version)).fetchone()[0]


def void_row(void: VoidGame) -> dict[str, Any]:
    """The columns of a void game but its tournament."""
    return _common_columns(void) | {"player0": void.job.players[0], "player1": void.job.players[1]}


def void_of(row: Any) -> VoidEntry:
    """The void game of a row with the columns of `VOID_COLUMNS`; raises LedgerError."""
    with _reading(f"void game {row[0]}"):
        void = _common_values((row[2], *row[2:7]), str(row[7]), *row[8:11])
        return converted({"id": row[0], "tournament": row[1], "void": void}, VoidEntry)


def json_text(data: Any) -> str:
    """JSON, the same for equal data."""
    return json.dumps(data, separators=(",", ":"), sort_keys=True, allow_nan=False)


def insert(
    connection: sqlite3.Connection, table: str, row: Mapping[str, Any], verb: str = "INSERT"
) -> sqlite3.Cursor:
    """Enter a row, given by its columns; the cursor has what came of it."""
    sql = f"{verb} INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
    return connection.execute(sql, tuple(row.values()))


def _common_columns(game: PlayedGame | VoidGame) -> dict[str, Any]:
    """The columns that a finished game and a void one share."""
    return {
        "number": game.job.number,
        "opening": game.job.opening,
        "seed": str(game.job.seed),
        "reason": game.reason,
        "started": datetime.fromtimestamp(game.started, UTC).isoformat(timespec="milliseconds"),
        "seconds": round(game.seconds, 6),
        "load": None if game.load is None else json_text(asdict(game.load)),
    }


def _common_values(job: Any, reason: str, started: str, seconds: float, load: str | None) -> dict[str, Any]:
    """The same, read: `job` is (number, pair, player 0, player 1, opening, seed)."""
    number, pair, a, b, opening, seed = job
    return {
        "job": {"number": number, "pair": pair, "players": (a, b), "opening": opening, "seed": int(seed)},
        "reason": reason,
        "started": datetime.fromisoformat(started).timestamp(),
        "seconds": seconds,
        "load": None if load is None else msgspec.json.decode(load),
    }


def _fault(player: int, kind: str | None, step: int | None, text: str) -> dict[str, Any] | None:
    return None if kind is None else {"kind": kind, "player": player, "step": step, "text": text}


def _search_json(search: MoveStatistics | None) -> list[Any] | None:
    if search is None:
        return None
    seconds, *told = search
    return [round(seconds, 6), *(None if isinstance(v, float) and not math.isfinite(v) else v for v in told)]
