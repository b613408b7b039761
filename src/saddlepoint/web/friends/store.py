"""What is kept of tables and rooms: the file that has them, with the secret keys that open them, and the games of rooms in a ledger."""

import base64
import hashlib
import hmac
import os
import secrets
import sqlite3
import time
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from ...arena.conditions import Job, MatchConditions, PlayedGame
from ...arena.ledger import Ledger
from ...arena.schedule import Plan, settings_of
from ...game.spec import name_of
from ...play.game import result_of
from ...play.record import Turns
from ...players.base import Fault, FaultKind
from ...players.clock import ENDLESS, Clock
from ..limits import Refused
from ..service import Service
from .room import Room
from .table import Table, by_player

RecordT = TypeVar("RecordT", Table, Room)

WATCH = 2
"""The place of whoever looks on at a table; 0 and 1 are its people."""
HOST, DOOR, FIRST_PERSON = 0, 1, 2
"""The places of a room: who opened it, who comes in, and from then on its people in their order."""
_NOT_KEPT = "this link leads to no game that the server keeps; ask for a new one"
_UNUSED = 3600.0
"""Seconds after which a table at which nothing was played makes room for others."""


def usual_file(port: int) -> Path:
    """The file of the server on this port: links hold the port, so a server that is started again finds its games."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(home, "saddlepoint", f"played-{port}.db")


class Key(NamedTuple):
    """What a secret link opens."""

    kind: str
    """`KIND` of the record's class."""
    id: int
    place: int


class Store:
    """An SQLite file, written at every change: a server that is killed goes on where it was.

    A key is the name of a place and a code that only this file's secret can make, so keys need not be kept.
    """

    def __init__(self, path: Path, most: int, hours: float) -> None:
        """most: records kept; hours: how long each is, after its last change. Raises ValueError where the file cannot be used."""
        self.path, self._most, self._hours = path, most, hours
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
            path.chmod(0o600)
            self._file.execute(
                "PRAGMA locking_mode = EXCLUSIVE"
            )  # the tables that are open are in the server's memory
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS secret (code BLOB)")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, record BLOB, touched REAL, "
                "played INTEGER)"
            )
            self._file.execute(
                "INSERT INTO secret SELECT ? WHERE NOT EXISTS (SELECT * FROM secret)",
                (secrets.token_bytes(32),),
            )
            (self._secret,) = self._file.execute("SELECT code FROM secret").fetchone()
        except sqlite3.OperationalError as error:
            reason = "another server uses it" if "locked" in str(error) else error
            raise ValueError(f"{str(path)!r} cannot keep the games of the page: {reason}") from None
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"{str(path)!r} cannot keep the games of the page: {error}") from None

    def close(self) -> None:
        self._file.close()

    def key(self, kind: str, id: int, place: int) -> str:
        """The text that opens a place."""
        name = f"{kind}{id}-{place}"
        code = hmac.digest(self._secret, name.encode(), hashlib.sha256)[:16]
        return f"{name}-{base64.urlsafe_b64encode(code).decode().rstrip('=')}"

    def read_key(self, text: str) -> Key:
        """What a key opens; raises Refused for one that was not made here."""
        id, place, _ = [*text[1:].split("-", 2), "", ""][:3]
        if id.isascii() and id.isdigit() and place.isascii() and place.isdigit():
            found = Key(text[0], int(id[:15]), int(place[:9]))
            if hmac.compare_digest(self.key(*found).encode(), text.encode()):
                return found
        raise Refused(_NOT_KEPT, 404)

    def add(self, record: Table | Room, in_use: Collection[int] = ()) -> int:
        """Keep a new record; its number. Those in use stay. Raises Refused where as many are kept as may be."""
        now, stay = time.time(), msgspec.json.encode(list(in_use)).decode()
        # What is too old goes; where that is not enough also what nobody has played at.
        for age, played in ((3600 * self._hours, 1), (_UNUSED, 0)):
            self._file.execute(
                "DELETE FROM kept WHERE touched < ? AND played <= ? AND id NOT IN (SELECT value FROM json_each(?))",
                (now - age, played, stay),
            )
            (count,) = self._file.execute("SELECT count(*) FROM kept").fetchone()
            if count < self._most:
                break
        else:
            raise Refused(
                f"the server keeps {self._most} games and rooms, and has them all; try again later, or start it with a larger --rooms",
                503,
            )
        row = (record.KIND, msgspec.json.encode(record), now)
        number = self._file.execute(
            "INSERT INTO kept (kind, record, touched, played) VALUES (?, ?, ?, 0)", row
        ).lastrowid
        assert number is not None
        return number

    def save(self, id: int, record: Table | Room, played: bool, room: int | None = None) -> None:
        """Keep a record's new state; a room is kept as long as its tables."""
        now = time.time()
        row = (msgspec.json.encode(record), now, played, id)
        self._file.execute("UPDATE kept SET record = ?, touched = ?, played = ? WHERE id = ?", row)
        if room is not None:
            self._file.execute("UPDATE kept SET touched = ? WHERE id = ?", (now, room))

    def read(self, kind: type[RecordT], id: int) -> RecordT:
        """The record of a number; raises Refused where it is kept no longer."""
        row = self._file.execute(
            "SELECT record FROM kept WHERE id = ? AND kind = ?", (id, kind.KIND)
        ).fetchone()
        if row is None:
            raise Refused(_NOT_KEPT, 404)
        try:
            return msgspec.json.decode(row[0], type=kind)
        except msgspec.DecodeError:
            raise Refused("the server's file of games is damaged here", 500) from None


# The games of a room in a ledger, which `report`, `review` and the Arena read.


KIND = "room"


_ENDED = {
    "resigned": (FaultKind.RESIGNED, "resigned"),
    "left": (FaultKind.RESIGNED, "left"),
    "late": (FaultKind.LATE, "its time was over"),
}


def ledger_of(kept: Path) -> Path:
    """The ledger beside the file of the tables."""
    return kept.with_name(f"{kept.stem}-rooms.db")


def enter_in_ledger(service: Service, path: Path, room: Room, table: Table, number: int) -> Room:
    """Enter a finished game; the room with its number in the ledger."""
    known, places = service.positions.line(table.reference)
    game, states = known.game, [place.state for place in places]
    faults: list[Fault | None] = [None, None]
    if table.ended is not None:
        how, loser = table.ended
        kind, said = _ENDED[how]
        for player in (0, 1) if loser < 0 else (loser,):
            faults[player] = Fault(kind, player, len(table.moves), said)
    result, reason = result_of(game, states[-1], faults, Turns(game, states))
    assert table.points is not None
    names = by_player(table, table.names)
    job = Job(number, number, names, game.to_text(states[0]), 0)
    played = PlayedGame(
        job,
        result,
        table.points,
        reason,
        (faults[0], faults[1]),
        actions=table.moves,
        started=time.time(),
    )
    everybody = tuple(one.name for one in room.people)
    clock = ENDLESS if room.minutes is None else Clock(60 * room.minutes, 60 * room.minutes, room.increment)
    settings = settings_of(
        MatchConditions(game, clock),
        Plan(1, (job.opening,), swap=False),
        title=room.title,
        game=name_of(game),
    )
    with Ledger(path) as ledger:
        if room.tournament is None:
            room = replace(room, tournament=ledger.begin(KIND, everybody, settings, None))
        assert room.tournament is not None
        ledger.extend(room.tournament, everybody, settings, None)
        ledger.add(room.tournament, played)
    return room
