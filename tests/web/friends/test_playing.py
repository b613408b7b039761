"""A room whose host removes somebody, games at which nobody is left, and whoever asks too often."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.web_client import ROWS, Visitor, friends
from saddlepoint.arena.ledger import Ledger
from saddlepoint.web import limits
from saddlepoint.web.friends import playing
from saddlepoint.web.friends.store import ledger_of
from saddlepoint.web.limits import Rate, Refused
from saddlepoint.web.security import Access, read_origin


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Any]:
    with friends(tmp_path) as both:
        yield both


def room_of(visit: Any, *names: str, **more: Any) -> tuple[Visitor, list[Visitor]]:
    """A room's host and the people who came into it."""
    asked, come = visit
    host = come(asked.told("/api/rooms", {"game": ROWS, **more})["key"])
    door = host.hear()["door"]
    people = []
    for name in names:
        one = come(door)
        one.hear()
        one.say("sit", name=name)
        people.append(come(one.hear(lambda message: message["kind"] == "seat")["key"]))
    host.hear(lambda message: [one["here"] for one in message["people"]] == [True] * len(names))
    return host, people


def begun(visit: Any, host: Visitor, people: list[Visitor]) -> list[Visitor]:
    """The seats of the first round."""
    host.say("round")
    return [visit[1](one.hear(lambda message: message.get("seat"))["seat"]) for one in people]


def test_who_is_removed_is_told_so_loses_and_is_paired_no_more(visit: Any) -> None:
    host, people = room_of(visit, "Ann", "Bob", "Cem", best=False)
    seats = begun(visit, host, people[:2])
    host.say("remove", person=0)
    assert people[0].refusal() == "the host has removed you from this room"
    over = seats[1].hear(lambda message: message["ended"])
    assert over["ended"][0] == "left"
    assert over["names"][over["ended"][1]] == "Ann"
    told = host.hear(lambda message: not any(one["plays"] for one in message["people"]))
    assert [(one["score"], one["removed"]) for one in told["people"]] == [(0, True), (1, False), (0, False)]
    host.say("round")
    seat = visit[1](people[2].hear(lambda message: message.get("seat"))["seat"])
    assert set(seat.hear()["names"]) == {"Bob", "Cem"}


def test_nobody_but_the_host_removes_and_only_people_are_removed(visit: Any) -> None:
    host, people = room_of(visit, "Ann", best=True)
    people[0].say("remove", person=0)
    assert "nobody but its host" in people[0].refusal()
    begun(visit, host, people)
    for number in (1, 7):  # `best`, and nobody
        host.say("remove", person=number)
        assert "no person of that number" in host.refusal()


def test_a_game_that_both_have_left_ends_as_a_draw_and_frees_both(
    visit: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(playing, "_LEFT", 0.3)
    host, people = room_of(visit, "Ann", "Bob", best=False)
    seats = begun(visit, host, people)
    watch = seats[0].hear()["watch"]
    watcher = visit[1](watch)
    for one in (*seats, *people):
        one.leave()
    over = watcher.hear(lambda message: message["ended"])
    assert (over["ended"], over["points"]) == (["left", -1], 0.5)
    told = host.hear(lambda message: not any(one["plays"] for one in message["people"]))
    assert [one["score"] for one in told["people"]] == [0.5, 0.5]
    path = ledger_of(tmp_path / "played.db")
    host.hear(lambda message: path.exists())
    with Ledger(path) as ledger:
        (entry,) = ledger.games()
    assert (entry.played.points, entry.played.reason) == (
        0.5,
        "both players at fault: left, in move 1; left, in move 1",
    )


def test_whoever_comes_back_in_time_plays_on(visit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "_LEFT", 1.0)
    host, people = room_of(visit, "Ann", "Bob", best=False)
    host.say("round")
    keys = [one.hear(lambda message: message.get("seat"))["seat"] for one in people]
    for one in people:
        one.leave()
    host.hear(lambda message: not any(one["here"] for one in message["people"]))
    seat = visit[1](keys[0])
    seat.hear()
    watch = host.hear(lambda message: message["people"][0]["here"])["people"][0]["watch"]
    time.sleep(1.5)
    told = visit[1](watch).hear()
    assert (told["ended"], told["names"]) == (None, ["Ann", "Bob"])


def test_an_address_may_open_and_say_so_much_and_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(limits.time, "monotonic", lambda: now)
    rate = Rate(3, 6.0)
    for _ in range(3):
        rate.take("one")
    with pytest.raises(Refused, match="has to wait") as refused:
        rate.take("one")
    assert refused.value.status == 429
    rate.take("other")
    now = 2.0
    rate.take("one")
    with pytest.raises(Refused):
        rate.take("one")


def test_who_opens_too_many_tables_has_to_wait(tmp_path: Path) -> None:
    with friends(tmp_path, rooms=20) as (asked, _):
        for _ in range(10):
            asked.told("/api/tables", {"game": ROWS})
        for path in ("/api/tables", "/api/rooms"):
            assert "has to wait" in asked.refused(path, {"game": ROWS}, 429)


def test_who_says_too_much_is_refused_and_stays(tmp_path: Path) -> None:
    with friends(tmp_path, people=1) as (asked, come):
        host = come(asked.told("/api/tables", {"game": ROWS})["key"])
        host.hear()
        for _ in range(20):
            host.say("look", at=0)
        while "has to wait" not in host.refusal():
            pass


class Asked:
    """A request, as far as it says where it comes from."""

    def __init__(self, host: str, told: str) -> None:
        self.client = type("Client", (), {"host": host})
        self.headers = {"x-forwarded-for": told} if told else {}


@pytest.mark.parametrize(
    ("origins", "host", "told", "sender"),
    [
        ((), "192.0.2.7", "", "192.0.2.7"),
        ((), "127.0.0.1", "192.0.2.9", "127.0.0.1"),  # there is no proxy: anybody can write this
        (("https://games.example.org",), "127.0.0.1", "192.0.2.1, 192.0.2.9", "192.0.2.9"),
        (("https://games.example.org",), "127.0.0.1", "", "127.0.0.1"),
        (("https://games.example.org",), "192.0.2.7", "192.0.2.9", "192.0.2.7"),
    ],
)
def test_where_somebody_comes_from_is_believed_of_the_proxy_alone(
    origins: tuple[str, ...], host: str, told: str, sender: str
) -> None:
    access = Access("127.0.0.1", 8000, None, tuple(map(read_origin, origins)))
    asked: Any = Asked(host, told)
    assert access.sender(asked) == sender
