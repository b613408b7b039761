"""Channels between people: who is told what, whoever sends whatever; a server that was killed goes on."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from helpers.cli_runs import games_in
from helpers.programs import wait_until
from helpers.web_client import CARDS, ROWS, client, friends, seated
from saddlepoint.arena.ledger import Ledger
from saddlepoint.web.friends.store import ledger_of

BIASED, SUMO = "biased_rps", "oshi_zumo(coins=3)"


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Any]:
    with friends(tmp_path) as both:
        yield both


def test_both_choose_and_both_see_both_choices_at_once(visit: Any) -> None:
    host, guest, table = seated(visit)
    move = len(table["moves"])
    guest.say("choose", move=move, action=1)
    told = host.hear(lambda message: any(message["chosen"]))
    assert (told["chosen"], told["own"], told["moves"]) == ([False, True], None, table["moves"])
    host.say("choose", move=move, action=2)
    for one in (host, guest):
        assert one.hear(lambda message: len(message["moves"]) > move)["moves"][move] == [2, 1]


def test_until_both_have_chosen_nothing_that_is_sent_depends_on_the_choice(visit: Any) -> None:
    """Neither the content nor the number nor the size of the messages to the other, or to who looks on."""
    asked, come = visit
    seen = []
    begun = asked.told("/api/new", {"game": SUMO})
    actions = [move["action"] for move in begun["position"]["picture"]["moves"] if move["player"] == 0]
    assert len(actions) > 2
    for action in actions:
        host, guest, table = seated(visit, SUMO, start=begun["start"])
        watcher = come(table["watch"])
        watcher.hear(lambda message: message["watching"])
        guest.hear(lambda message: message["watching"])
        for one in (guest, watcher):
            one.heard.clear()
        host.say("choose", move=len(table["moves"]), action=action)
        for one in (guest, watcher):
            one.hear(lambda message: message["chosen"][0])
        guest.say("choose", move=99, action=0)
        guest.refusal()
        seen.append([text.replace(table["watch"], "KEY") for one in (guest, watcher) for text in one.heard])
    assert all(one == seen[0] for one in seen)


def test_two_tabs_on_one_seat_see_the_same_and_choose_once(visit: Any) -> None:
    asked, come = visit
    key = asked.told("/api/tables", {"game": CARDS})["key"]
    tabs = [come(key), come(key)]
    guest = come(tabs[0].hear()["invite"])
    guest.say("sit")
    move = len(tabs[1].hear(lambda message: all(message["names"]))["moves"])
    tabs[0].say("choose", move=move, action=0)
    assert tabs[1].hear(lambda message: message["chosen"][0])["own"] == 0
    tabs[1].say("choose", move=move, action=1)
    assert "chosen already" in tabs[1].refusal()


def test_who_looks_on_changes_nothing(visit: Any) -> None:
    _, come = visit
    host, _, table = seated(visit)
    watcher = come(table["watch"])
    watcher.hear()
    for message in (
        {"do": "sit", "name": "Eve"},
        {"do": "choose", "move": 1, "action": 0},
        {"do": "resign"},
        {"do": "wish", "what": "back"},
        {"do": "look", "at": 0},
    ):
        watcher.say(**message)
        assert "look on" in watcher.refusal()
    late = host.hear(lambda message: message["watching"] == 1)
    assert (late["moves"], late["names"], late["ended"]) == (table["moves"], ["Ann", "Bob"], None)


@pytest.mark.parametrize("key", ["", "t1-0-AAAAAAAAAAAAAAAAAAAAAA", "r1-0-AAAAAAAAAAAAAAAAAAAAAA", "x" * 80])
def test_a_guessed_link_opens_nothing(visit: Any, key: str) -> None:
    asked, come = visit
    asked.told("/api/tables", {"game": CARDS})
    assert "link leads to no game" in come(key).refusal()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        '{"do": "open"}',
        '{"do": "nod"}',
        '{"do": "sit", "name": 5}',
        "\ud800",
        '{"do": "round"}',
    ],
)
def test_whatever_is_sent_is_refused_and_the_table_goes_on(visit: Any, text: str) -> None:
    host, guest, table = seated(visit)
    with contextlib.suppress(UnicodeEncodeError):
        host._channel.send_text(text)
        assert host.refusal()
    guest.say("choose", move=len(table["moves"]), action=0)
    assert host.hear(lambda message: message["kind"] == "table" and message["chosen"][1])


def test_nobody_is_sent_what_opens_the_place_of_another(visit: Any) -> None:
    """A link is stolen from whoever has it, never from what the server says to others."""
    asked, come = visit
    host, guest, table = seated(visit, BIASED)
    watcher = come(table["watch"])
    watcher.hear()
    for one in (host, guest):
        one.say("choose", move=0, action=0)
    for one in (host, guest, watcher):
        one.hear(lambda message: message["points"] is not None)
    room = come(asked.told("/api/rooms", {"game": BIASED})["key"])
    link, people = room.hear()["door"], []
    for name in ("Cid", "Dan"):
        door = come(link)
        door.hear()
        door.say("sit", name=name)
        people.append(come(door.hear(lambda message: message["kind"] == "seat")["key"]))
        room.hear(lambda message, count=len(people): sum(one["here"] for one in message["people"]) == count)
    room.say("round")
    seats = [come(one.hear(lambda message: message.get("seat"))["seat"]) for one in people]
    for one in (*seats, room):
        one.hear()
    owners = [[host], [guest], [watcher], [room], [people[0], seats[0]], [people[1], seats[1]]]
    for own in owners:
        heard = "".join(text for one in own for text in one.heard)
        secrets = [one.key for other in owners for one in other if other is not own and one is not watcher]
        # Whoever opens a table sends the other's link.
        assert [key for key in secrets if key in heard] == ([guest.key] if own == [host] else [])


def test_a_name_is_text_that_cannot_turn_or_hide_the_rest(visit: Any) -> None:
    asked, come = visit
    host = come(asked.told("/api/tables", {"game": CARDS, "name": "  <b>A\u202en\x00\nn "})["key"])
    assert host.hear()["names"][0] == "<b>Ann"
    assert "24" in asked.refused("/api/tables", {"game": CARDS, "name": "x" * 25})


def test_the_invitation_is_shown_until_somebody_has_sat_down(visit: Any) -> None:
    asked, come = visit
    host = come(asked.told("/api/tables", {"game": CARDS})["key"])
    invite = host.hear()["invite"]
    guest = come(invite)
    assert "invite" not in guest.hear()
    guest.say("sit", name="host")
    assert "called Host already" in guest.refusal()
    guest.say("sit", name="Bob")
    assert "invite" not in host.hear(lambda message: all(message["names"]))


def test_who_runs_out_of_time_loses_though_nobody_asks(visit: Any) -> None:
    host, guest, _ = seated(visit, minutes=0.1)
    guest.say("choose", move=1, action=0)
    began = time.monotonic()
    over = guest.hear(lambda message: message["ended"])
    assert (over["ended"], over["points"], over["score"]) == (["late", 0], 0.0, [0.0, 1.0])
    assert time.monotonic() - began >= 5.5
    host.say("choose", move=1, action=0)
    assert "is over" in host.refusal()


def test_after_the_game_all_look_at_the_same_position(visit: Any) -> None:
    host, guest, _ = seated(visit, BIASED)
    host.say("look", at=0)
    assert "not over" in host.refusal()
    host.say("choose", move=0, action=0)
    guest.say("choose", move=0, action=1)
    host.hear(lambda message: message.get("points") is not None)
    host.say("look", at=0)
    assert guest.hear(lambda message: message["look"] == 0)


def test_a_room_pairs_its_people_keeps_the_standing_and_writes_a_ledger(visit: Any, tmp_path: Path) -> None:
    asked, come = visit
    host = come(asked.told("/api/rooms", {"game": BIASED, "title": "Class 7b"})["key"])
    door = host.hear()["door"]
    people = []
    for name in ("Ann", "Bob"):
        one = come(door)
        one.hear()
        one.say("sit", name=name)
        people.append(come(one.hear(lambda message: message["kind"] == "seat")["key"]))
        host.hear(lambda message, count=len(people): len(message["people"]) == count)
    host.hear(lambda message: all(one["here"] for one in message["people"]))
    host.say("round")
    seats = [come(one.hear(lambda message: message.get("seat"))["seat"]) for one in people]
    tables = [one.hear() for one in seats]
    assert sorted(one["seat"] for one in tables) == [0, 1]
    for seat, table in zip(seats, tables, strict=True):
        seat.say("choose", move=0, action=table["seat"])
    assert seats[0].hear(lambda message: message["points"] is not None)["moves"] == [[0, 1]]
    told = host.hear(lambda message: all(one["games"] == 1 and not one["plays"] for one in message["people"]))
    assert sum(one["score"] for one in told["people"]) == 1
    path = ledger_of(tmp_path / "played.db")
    wait_until(lambda: games_in(path), 60)  # it is written after the standing is shown
    with Ledger(path) as ledger:
        found = [(one.played.actions, set(one.played.job.players)) for one in ledger.games()]
    assert found == [(((0, 1),), {"Ann", "Bob"})]
    host.say("round")
    assert seats[0].hear(lambda message: message["room"]["next"])


def test_whoever_comes_in_can_begin_no_round(visit: Any) -> None:
    asked, come = visit
    host = come(asked.told("/api/rooms", {"game": ROWS})["key"])
    guest = come(host.hear()["door"])
    guest.hear()
    guest.say("round")
    assert "nobody but its host" in guest.refusal()
    guest.say("sit", name=" \u200b ")
    assert "name is missing" in guest.refusal()
    host.say("round")
    assert "nobody who is here is free" in host.refusal()


def test_best_plays_who_is_left_over(visit: Any) -> None:
    asked, come = visit
    host = come(asked.told("/api/rooms", {"game": ROWS, "best": True})["key"])
    door = come(host.hear()["door"])
    door.hear()
    door.say("sit", name="Ann")
    person = come(door.hear(lambda message: message["kind"] == "seat")["key"])
    host.hear(lambda message: any(one["here"] for one in message["people"]))
    host.say("round")
    seat = come(person.hear(lambda message: message.get("seat"))["seat"])
    table = seat.hear()
    assert table["names"] == ["Ann", "best"]
    seat.say("choose", move=0, action=0)
    assert len(seat.hear(lambda message: len(message["moves"]) == 2)["moves"]) == 2


def test_no_more_people_are_let_in_than_were_asked_for(tmp_path: Path) -> None:
    with friends(tmp_path, people=2) as visit:
        host, guest, _ = seated(visit)
        with pytest.raises(WebSocketDisconnect) as sent_away, visit[0].channel("/ws/table") as third:
            third.receive_text()
        assert sent_away.value.code == 1013
        assert host.heard
        assert guest.heard


def test_a_server_without_a_file_keeps_no_tables() -> None:
    with client() as asked:
        assert "keeps no games" in asked.refused("/api/tables", {"game": CARDS}, 404)
