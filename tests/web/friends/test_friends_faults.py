"""What fails around a table or a room: the people play on, and nothing stays half done."""

import asyncio
import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from helpers.web_client import ROWS, Client, Visitor, client, friends, seated
from saddlepoint.web.friends import Friends, playing
from saddlepoint.web.friends.room import Room
from saddlepoint.web.friends.store import HOST, WATCH, Store
from saddlepoint.web.friends.table import Table, set_up
from saddlepoint.web.limits import Refused, Served
from saddlepoint.web.messages import NewGame
from saddlepoint.web.service import Service


class Caller:
    """A channel whose other end opens a key and goes; with an error it is gone before."""

    def __init__(self, key: str = "", error: Exception | None = None) -> None:
        self.said = [json.dumps({"do": "open", "key": key})]
        self.error, self.accepted, self.closed = error, False, False

    async def accept(self) -> None:
        if self.error is not None:
            raise self.error
        self.accepted = True

    async def receive_text(self) -> str:
        await asyncio.sleep(0)
        if not self.said:
            raise RuntimeError
        return self.said.pop()

    async def send_text(self, text: str) -> None:
        pass

    async def send_json(self, message: Any) -> None:
        pass

    async def close(self, *reason: Any) -> None:
        self.closed = True


def added(store: Store, asked: Client, **more: Any) -> int:
    """The number of a table that the file has before anybody comes."""
    begun = asked.service.new(NewGame(ROWS))
    table = Table(game=begun["game"], start=begun["start"], names=("Ann", "Bob"), **more)
    return store.add(set_up(table, asked.service.positions))


def test_who_goes_before_being_let_in_takes_no_place(tmp_path: Path) -> None:
    async def come() -> Caller:
        store = Store(tmp_path / "played.db", 10, 1.0)
        one = Friends(Service(Served(games={}, people=1)), store, {})
        with pytest.raises(RuntimeError):
            await one.serve(Caller(error=RuntimeError("gone")), "")  # type: ignore[arg-type]
        await one.serve(caller := Caller(), "")  # type: ignore[arg-type]
        one.close()
        return caller

    assert asyncio.run(come()).accepted


def test_a_room_is_never_open_twice_and_is_forgotten_when_all_have_gone(tmp_path: Path) -> None:
    """Else people who came in through one of them are lost when the other is written."""

    async def come() -> None:
        store = Store(tmp_path / "played.db", 10, 1.0)
        one = Friends(Service(Served(games={})), store, {})
        id = store.add(Room(title="Class", game=ROWS))
        held = one._records.room(id)  # as by a pairing that waits for its time
        await one.serve(Caller(store.key(Room.KIND, id, HOST)), "")  # type: ignore[arg-type]
        assert one._records.room(id) is held
        del held
        await asyncio.sleep(0.1)
        assert not one._records._rooms
        one.close()

    asyncio.run(come())


def test_a_table_whose_room_is_kept_no_longer_is_a_table(tmp_path: Path) -> None:
    store = Store(tmp_path / "played.db", 10, 1.0)
    with client(store=store) as asked:
        id = added(store, asked, room=99)
        with asked.channel("/ws/table") as channel:
            seat = Visitor(channel, store.key(Table.KIND, id, 0))
            assert seat.hear()["room"] is None
            seat.say("resign")
            assert seat.hear(lambda message: message["ended"])["points"] == 0


def test_a_busy_server_stops_no_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "played.db", 10, 1.0)
    with client(store=store) as asked:
        id = added(store, asked, minutes=0.01)
        with asked.channel("/ws/table") as channel:

            async def busy(*_: Any, **__: Any) -> Any:
                raise Refused("the server is busy", 503)

            monkeypatch.setattr(asked.service, "ready", busy)
            watcher = Visitor(channel, store.key(Table.KIND, id, WATCH))
            assert watcher.hear(lambda message: message["ended"])["ended"] == ["late", 0]


def test_who_waits_at_a_table_for_a_friend_keeps_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "played.db", 1, 1.0)
    with client(store=store) as asked:
        key = asked.told("/api/tables", {"game": ROWS})["key"]
        with asked.channel("/ws/table") as channel:
            invite = Visitor(channel, key).hear()["invite"]
            store._file.execute("UPDATE kept SET touched = 0")
            assert "--rooms" in asked.refused("/api/tables", {"game": ROWS}, 503)
        with asked.channel("/ws/table") as channel:
            assert Visitor(channel, invite).hear()["seat"] == 1


@pytest.mark.parametrize("name", ["Host\ufe0f", "Ho\u034fst", "\u3164Host", "\U000e0101host\u2800"])
def test_a_name_that_looks_like_the_others_is_the_others(tmp_path: Path, name: str) -> None:
    with friends(tmp_path) as (asked, come):
        guest = come(come(asked.told("/api/tables", {"game": ROWS})["key"]).hear()["invite"])
        guest.hear()
        guest.say("sit", name=name)
        assert "called" in guest.refusal()


def in_room(asked: Client, come: Any, names: str, **more: Any) -> tuple[Visitor, list[Visitor]]:
    """The host of a new room, and its people, who look at it."""
    host = come(asked.told("/api/rooms", {"game": ROWS, **more})["key"])
    door, people = come(host.hear()["door"]), []
    for name in names:
        door.say("sit", name=name)
        people.append(come(door.hear(lambda message: message["kind"] == "seat")["key"]))
    host.hear(lambda message: sum(one["here"] for one in message["people"]) == len(names))
    return host, people


def test_where_the_tables_of_a_round_do_not_all_find_room_those_that_did_are_played(tmp_path: Path) -> None:
    store = Store(tmp_path / "played.db", 2, 1.0)
    with client(store=store) as asked, ExitStack() as stack:
        host, people = in_room(
            asked, lambda key: Visitor(stack.enter_context(asked.channel("/ws/table")), key), "ABCD"
        )
        host.say("round")
        assert "--rooms" in host.refusal()
        assert [people[at].hear(lambda message: message.get("seat"))["round"] for at in (0, 1)] == [1, 1]


def test_best_gives_up_where_its_search_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with friends(tmp_path) as (asked, come):

        def fails(_: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(asked.service, "answer", fails)
        host, (person,) = in_room(asked, come, "A", best=True)
        host.say("round")
        seat = come(person.hear(lambda message: message.get("seat"))["seat"])
        seat.say("choose", move=0, action=0)
        assert seat.hear(lambda message: message["ended"])["ended"] == ["resigned", 1]


def test_a_ledger_that_fails_stops_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with friends(tmp_path) as (asked, come):

        def fails(*_: Any) -> Any:
            raise RuntimeError

        monkeypatch.setattr(playing, "enter_in_ledger", fails)
        host, people = in_room(asked, come, "AB")
        host.say("round")
        seats = [come(one.hear(lambda message: message.get("seat"))["seat"]) for one in people]
        seats[0].say("resign")
        assert all(seat.hear(lambda message: message["ended"])["ended"] for seat in seats)
        seats[0].say("look", at=0)
        assert seats[1].hear(lambda message: message["look"] == 0)
        host.hear(lambda message: all(one["games"] == 1 and not one["plays"] for one in message["people"]))


def test_a_change_that_the_file_refuses_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with friends(tmp_path) as visit:
        host, guest, _ = seated(visit, ROWS)

        def full(*_: Any) -> None:
            raise Refused("the disk is full", 500)

        with monkeypatch.context() as patch:
            patch.setattr(Store, "save", full)
            host.say("choose", move=0, action=4)
            assert "full" in host.refusal()
        host.say("choose", move=0, action=0)
        assert guest.hear(lambda message: message["moves"])["moves"] == [[0, -1]]
