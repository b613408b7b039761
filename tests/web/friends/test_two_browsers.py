"""Two people in two browsers, one at a desk and one with a phone; the network is cut and the server killed under them."""

import contextlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from helpers.page_server import Server
from helpers.programs import wait_until
from helpers.tables import CARDS, offered
from web.conftest import Visits
from web.test_every_view import PHONE, look_twice

pytestmark = pytest.mark.web


@pytest.fixture
def place(tmp_path: Path, start_server: Any) -> Server:
    """A server with a file of tables of its own."""
    return start_server("--kept", str(tmp_path / "played.db"))


def two(place: Server, visit: Visits, game: str = CARDS, **form: str) -> tuple[Any, Any]:
    """A desk and a phone at one table, both seated."""
    desk = visit(f"{place.url}/#/friend?g={game}")
    desk.get_by_label("Your name").fill("Ann")
    if "clock" in form:
        desk.locator("select").nth(1).select_option(form["clock"])
    desk.get_by_role("button", name="Open the table").click()
    link = desk.get_by_label("Send this link to your friend")
    link.wait_for()
    phone = visit(link.input_value(), **PHONE)
    phone.get_by_label("Your name").fill("<i>Bob</i>")
    phone.get_by_role("button", name="Sit down").click()
    for page in (desk, phone):
        page.get_by_text("Your move", exact=True).wait_for()
    return desk, phone


def choose(page: Any) -> None:
    """The last legal move."""
    offered(page)
    on_board = page.locator(".sp-target")
    (on_board if on_board.count() else page.locator(".choices button")).last.click()


def rounds(page: Any) -> int:
    return page.locator(".history li").count()


def test_a_game_from_the_first_page_to_its_end_a_further_one_and_its_review(
    place: Server, visit: Visits
) -> None:
    home = visit(place.url)
    home.get_by_role("link", name="Play a friend").click()
    home.get_by_role("heading", name="Play a friend").wait_for()
    desk, phone = two(place, visit, "biased_rps")
    assert phone.locator("i").count() == 0
    desk.get_by_text("<i>Bob</i>").first.wait_for()
    choose(desk)
    phone.get_by_text("has chosen").wait_for()
    desk.get_by_text("have chosen").wait_for()
    assert desk.locator(".history li, .sp-target").count() == 0
    choose(phone)
    for page in (desk, phone):
        page.get_by_role("button", name="What happened?").wait_for()
    phone.get_by_role("button", name="Play again").click()
    desk.get_by_role("button", name="Agree").click()
    for page in (desk, phone):
        page.get_by_text("Your move", exact=True).wait_for()
    phone.get_by_role("button", name="Resign").click()
    desk.get_by_text("<i>Bob</i> resigned").wait_for()
    desk.get_by_role("button", name="What happened?").click()
    desk.wait_for_url("**/#/analysis?**")


def test_a_person_who_reloads_or_loses_the_network_goes_on_and_the_other_is_told(
    place: Server, visit: Visits
) -> None:
    desk, phone = two(place, visit)
    before = rounds(desk)
    choose(desk)
    phone.reload()
    phone.get_by_text("has chosen").wait_for()
    visit.server_may_fail = True
    phone.context.set_offline(True)
    place.kill()
    desk.get_by_text("The server does not answer").first.wait_for()
    place.start()
    desk.get_by_text("has left").first.wait_for()
    phone.context.set_offline(False)
    phone.get_by_text("Your move", exact=True).wait_for()
    desk.get_by_text("is thinking").first.wait_for()
    choose(phone)
    for page in (desk, phone):
        page.wait_for_function(f"() => document.querySelectorAll('.history li').length > {before}")


def test_a_move_is_taken_back_only_if_the_other_agrees(place: Server, visit: Visits) -> None:
    desk, phone = two(place, visit)
    before = rounds(desk)
    choose(desk)
    choose(phone)
    for page in (desk, phone):
        page.wait_for_function(f"() => document.querySelectorAll('.history li').length > {before}")
    phone.get_by_role("button", name="Take back").click()
    desk.get_by_role("button", name="No", exact=True).click()
    phone.get_by_text("You have asked").wait_for(state="detached")
    phone.get_by_role("button", name="Take back").click()
    desk.get_by_role("button", name="Agree").click()
    for page in (desk, phone):
        page.wait_for_function(f"() => document.querySelectorAll('.history li').length == {before}")


def test_after_the_game_who_steps_back_takes_the_other_along(place: Server, visit: Visits) -> None:
    desk, phone = two(place, visit, "biased_rps")
    choose(desk)
    choose(phone)
    phone.get_by_role("button", name="What happened?").wait_for()
    desk.get_by_role("button", name="First position").click()
    phone.wait_for_function("() => !document.querySelector('.history [aria-current]')")


def test_clocks_run_for_who_has_not_chosen(place: Server, visit: Visits) -> None:
    desk, phone = two(place, visit, clock="1/1")
    choose(desk)
    phone.get_by_text("has chosen").wait_for()
    phone.wait_for_function(
        "() => /0:5[0-9]/.test(document.querySelector('.seat:not(.top-seat)').textContent)"
    )
    assert "1:" in phone.locator(".top-seat").inner_text()


def test_a_room_from_its_link_to_the_standing(place: Server, visit: Visits) -> None:
    host = visit(f"{place.url}/#/friend?g=biased_rps")
    host.get_by_text("A room for a class").click()
    host.get_by_label("Name of the room").fill("Class 7b")
    host.get_by_role("button", name="Open the room").click()
    door = host.get_by_label("Send this link to everybody")
    door.wait_for()
    people = []
    for name in ("Ann", "<b>Bob</b>"):
        page = visit(door.input_value(), **PHONE)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Come in").click()
        page.get_by_text("You play in the next round").wait_for()
        people.append(page)
    host.get_by_role("button", name="Next round").click()
    for page in people:
        page.get_by_text("Your move", exact=True).wait_for()
        choose(page)
    for page in people:
        page.get_by_role("link", name="The room").click()
        page.get_by_role("heading", name="Class 7b").wait_for()
    host.wait_for_function(
        "() => [...document.querySelectorAll('.standing td:nth-child(3)')].every((one) => one.textContent === '1')"
    )
    host.locator(".standing").get_by_text("<b>Bob</b>").wait_for()
    host.get_by_role("button", name="Remove Ann", exact=True).click()
    host.get_by_role("button", name="Remove Ann?", exact=True).click()
    people[0].get_by_text("the host has removed you from this room").wait_for()
    host.get_by_text("was removed").wait_for()
    assert host.get_by_role("button", name="Remove Ann").count() == 0


def test_the_longest_name_leaves_a_phone_room_for_the_clock(place: Server, visit: Visits) -> None:
    desk = visit(f"{place.url}/#/friend?g={CARDS}", viewport={"width": 360, "height": 740}, **PHONE)
    desk.get_by_label("Your name").fill("Ann")
    desk.locator("select").nth(1).select_option("3/2")
    desk.get_by_role("button", name="Open the table").click()
    link = desk.get_by_label("Send this link to your friend")
    link.wait_for()
    other = visit(link.input_value())
    other.get_by_label("Your name").fill("Maximilian-Alexander Bob")
    other.get_by_role("button", name="Sit down").click()
    note = desk.locator(".top-seat .note", has_text="is thinking")
    note.wait_for()
    assert note.evaluate("(one) => one.getBoundingClientRect().right <= innerWidth")
    other.goto("about:blank")
    away = desk.locator(".top-seat .note", has_text="has left")
    away.wait_for()
    assert away.evaluate("(one) => one.getBoundingClientRect().right <= innerWidth")
    assert desk.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_nothing_can_be_taken_back_while_chance_alone_has_moved(place: Server, visit: Visits) -> None:
    desk, phone = two(place, visit)
    back = desk.get_by_role("button", name="Take back")
    assert rounds(desk) == 1 and back.is_disabled()
    choose(desk)
    desk.get_by_text("have chosen").wait_for()
    choose(phone)
    desk.locator(".history li").nth(1).wait_for()
    assert back.is_enabled()


def test_why_a_game_ended_is_not_said_of_an_earlier_position(place: Server, visit: Visits) -> None:
    desk, phone = two(place, visit, "biased_rps")
    choose(desk)
    choose(phone)
    desk.get_by_role("button", name="What happened?").wait_for()
    assert desk.locator(".detail").inner_text()
    desk.get_by_role("button", name="First position").click()
    for page in (desk, phone):
        page.wait_for_function("() => !document.querySelector('.detail').textContent")


def test_on_a_phone_no_word_of_a_rooms_table_is_broken(place: Server, visit: Visits) -> None:
    host = visit(f"{place.url}/#/friend?g=biased_rps", viewport={"width": 360, "height": 740}, **PHONE)
    host.get_by_text("A room for a class").click()
    host.get_by_role("button", name="Open the room").click()
    door = host.get_by_label("Send this link to everybody")
    door.wait_for()
    guest = visit(door.input_value())
    guest.get_by_label("Your name").fill("Maximilian-Alexander Bob")
    guest.get_by_role("button", name="Come in").click()
    host.get_by_text("is here").wait_for()
    lines = """(all) => all.filter((one) => one.checkVisibility()).map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return [one.textContent, new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size];
    })"""
    told = dict(host.locator(".standing :is(thead th, td:not(:has(button)), button)").evaluate_all(lines))
    assert told.keys() >= {"Points", "Games", "is here", "Remove"}
    assert set(told.values()) == {1}
    assert host.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_no_page_of_a_table_has_a_violation(place: Server, visit: Visits, axe: str) -> None:
    desk = visit(f"{place.url}/#/friend?g=biased_rps", bypass_csp=True)
    desk.get_by_label("Your name").fill("Ann")
    desk.get_by_role("button", name="Open the table").click()
    link = desk.get_by_label("Send this link to your friend")
    link.wait_for()
    phone = visit(link.input_value(), bypass_csp=True, **PHONE)
    phone.get_by_label("Your name").wait_for()
    for page in (desk, phone):  # the link to send, the invitation
        look_twice(page, axe)
    phone.get_by_label("Your name").fill("Bob")
    phone.get_by_role("button", name="Sit down").click()
    desk.get_by_text("Your move", exact=True).wait_for()
    desk.get_by_text("Let others look on").click()
    watching = visit(desk.get_by_label("A link that only shows the game").input_value(), bypass_csp=True)
    choose(desk)
    watching.get_by_text("has chosen").wait_for()
    for page in (desk, phone, watching):
        look_twice(page, axe)
    choose(phone)
    phone.get_by_role("button", name="Play again").click()
    desk.get_by_role("button", name="Agree").wait_for()
    for page in (desk, phone, watching):
        look_twice(page, axe)
    lost = visit(f"{place.url}/#/friend?k=unknown", bypass_csp=True)
    lost.get_by_role("button", name="Open a new one").wait_for()
    look_twice(lost, axe)


def test_no_page_of_a_room_has_a_violation(place: Server, visit: Visits, axe: str) -> None:
    host = visit(f"{place.url}/#/friend?g=biased_rps", bypass_csp=True)
    host.get_by_text("A room for a class").click()
    look_twice(host, axe)
    host.get_by_role("button", name="Open the room").click()
    door = host.get_by_label("Send this link to everybody")
    door.wait_for()
    person = visit(door.input_value(), bypass_csp=True, **PHONE)
    person.get_by_label("Your name").wait_for()
    look_twice(person, axe)
    person.get_by_label("Your name").fill("Ann")
    person.get_by_role("button", name="Come in").click()
    person.get_by_text("You play in the next round").wait_for()
    for page in (host, person):
        look_twice(page, axe)
    host.get_by_role("button", name="Next round").click()
    person.get_by_text("Your move", exact=True).wait_for()
    host.get_by_text("plays; look on").first.wait_for()
    for page in (host, person):
        look_twice(page, axe)


# -- a server that is killed ---------------------------------------------------------------------------------------------

_TABLES = 20


def opened(stack: contextlib.ExitStack, server: Server, key: str) -> Any:
    """The channel of a key."""
    channel = stack.enter_context(connect(f"ws{server.url.removeprefix('http')}/ws/table", origin=server.url))
    channel.send(json.dumps({"do": "open", "key": key}))
    return channel


def told(channel: Any, **wanted: Any) -> Any:
    """The next state of the table with these values."""
    while True:
        message = json.loads(channel.recv(timeout=30))
        assert message["kind"] == "table", message
        if all(message[name] == value for name, value in wanted.items()):
            return message


def test_twenty_games_go_on_after_a_kill_with_what_was_chosen(tmp_path: Path, start_server: Any) -> None:
    server = start_server("--kept", str(tmp_path / "played.db"))
    keys = []
    with contextlib.ExitStack() as stack, httpx.Client(base_url=server.url, timeout=60) as http:
        for _ in range(_TABLES):
            answer = wait_until(
                lambda: http.post("/api/tables", json={"game": "biased_rps", "name": "Ann"}),
                ready=lambda answer: answer.status_code != 202,
            )
            host = opened(stack, server, answer.json()["key"])
            guest = opened(stack, server, told(host, names=["Ann", ""])["invite"])
            keys.append((answer.json()["key"], told(guest, names=["Ann", ""])["watch"]))
            guest.send(json.dumps({"do": "sit", "name": "Bob"}))
            told(host, names=["Ann", "Bob"])
            guest.send(json.dumps({"do": "choose", "move": 0, "action": 2}))
            told(host, chosen=[False, True])
        server.kill()
    server.start()
    with contextlib.ExitStack() as stack:
        for key, watch in keys:
            watcher, host = opened(stack, server, watch), opened(stack, server, key)
            told(watcher, names=["Ann", "Bob"], chosen=[False, True])
            host.send(json.dumps({"do": "choose", "move": 0, "action": 1}))
            assert told(watcher, games=1)["moves"] == [[1, 2]]
