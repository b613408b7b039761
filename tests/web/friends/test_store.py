"""The file of the tables: what was kept is there again, and a key is made by nobody else."""

import sqlite3
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from saddlepoint.web import app
from saddlepoint.web.friends.room import Room
from saddlepoint.web.friends.store import Store
from saddlepoint.web.friends.table import Table
from saddlepoint.web.limits import Refused, Served

pytestmark = pytest.mark.plain
TABLE = Table(game="tic_tac_toe", start=".../.../...", names=("Ann", ""), moves=((4, -1),), chosen=(None, 3))
ROOM = Room(title="Class", game="tic_tac_toe")


def opened(folder: Path, most: int = 10, hours: float = 1.0) -> Store:
    return Store(folder / "played.db", most, hours)


def test_what_was_kept_and_its_keys_are_the_same_after_a_restart(tmp_path: Path) -> None:
    store = opened(tmp_path)
    id, room = store.add(TABLE), store.add(ROOM)
    key = store.key(Table.KIND, id, 1)
    store.save(id, replace(TABLE, names=("Ann", "Bob")), True)
    store.close()
    again = opened(tmp_path)
    assert again.read(Table, id) == replace(TABLE, names=("Ann", "Bob"))
    assert again.read(Room, room) == ROOM
    assert again.read_key(key) == (Table.KIND, id, 1)


def test_a_key_is_refused_if_one_character_differs_or_another_server_made_it(tmp_path: Path) -> None:
    store, other = opened(tmp_path / "a"), opened(tmp_path / "b")
    key = store.key(Table.KIND, store.add(TABLE), 0)
    for at, letter in enumerate(key):
        with pytest.raises(Refused):
            store.read_key(f"{key[:at]}{'A' if letter != 'A' else 'B'}{key[at + 1 :]}")
    for foreign in ("", "t", "t1", "t1-0", "t1-0-", "é1-0-x", f"{key}x", other.key(Table.KIND, 1, 0)):
        with pytest.raises(Refused):
            store.read_key(foreign)


def test_a_seat_is_no_room_and_a_room_no_seat(tmp_path: Path) -> None:
    store = opened(tmp_path)
    with pytest.raises(Refused):
        store.read(Room, store.add(TABLE))


def test_no_more_is_kept_than_asked_for_and_old_games_make_room(tmp_path: Path) -> None:
    store = opened(tmp_path, most=2)
    first = store.add(TABLE)
    store.save(first, TABLE, True)
    store.add(TABLE)
    with pytest.raises(Refused, match="--rooms"):
        store.add(TABLE)
    store.close()
    file = sqlite3.connect(tmp_path / "played.db")
    file.execute("UPDATE kept SET touched = ? WHERE id = ?", (time.time() - 3601, first))
    file.commit()
    file.close()
    again = opened(tmp_path, most=2)
    again.add(TABLE)
    with pytest.raises(Refused):
        again.read(Table, first)


def test_a_number_is_not_given_twice_so_an_old_key_opens_nothing_new(tmp_path: Path) -> None:
    store = opened(tmp_path, most=1, hours=0.0)
    first = store.add(TABLE)
    time.sleep(0.01)
    assert store.add(TABLE) > first


def test_a_file_that_cannot_keep_games_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "played.db").write_text("no database, but long enough to be looked at as one" * 20)
    with pytest.raises(ValueError, match="cannot keep the games"):
        opened(tmp_path)


def test_the_file_is_nobody_elses_to_read(tmp_path: Path) -> None:
    opened(tmp_path)
    assert (tmp_path / "played.db").stat().st_mode & 0o077 == 0


def aged(store: Store, id: int, hours: float) -> None:
    """Let the last change of a record be so long ago."""
    store._file.execute("UPDATE kept SET touched = ? WHERE id = ?", (time.time() - 3600 * hours, id))


def test_a_table_that_waits_for_a_friend_is_kept_as_long_as_there_is_room(tmp_path: Path) -> None:
    store = opened(tmp_path, most=2, hours=24.0)
    first = store.add(TABLE)
    aged(store, first, 2.0)
    second = store.add(TABLE)
    aged(store, second, 2.0)
    assert store.read(Table, first) == TABLE
    third = store.add(TABLE, in_use=[second])
    assert store.read(Table, second) == store.read(Table, third) == TABLE
    with pytest.raises(Refused, match="no game that the server keeps"):
        store.read(Table, first)


def test_a_room_is_kept_as_long_as_its_games_go_on(tmp_path: Path) -> None:
    store = opened(tmp_path)
    room = store.add(ROOM)
    table = store.add(replace(TABLE, room=room))
    aged(store, room, 2.0)
    store.save(table, TABLE, True, room)
    store.add(TABLE)
    assert store.read(Room, room) == ROOM


def test_a_page_whose_usual_file_cannot_be_written_does_without_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    said: list[str] = []
    assert app._store(Served({}), 8000, said.append) is None
    assert "--kept" in said[0]
    with pytest.raises(ValueError, match="cannot keep"):
        app._store(Served({}, kept=tmp_path / "file" / "played.db"), 8000, said.append)
