"""The start page: the live game that can be stopped, one button to play, the options of a game, dark and light."""

import re
from typing import Any
from urllib.parse import parse_qs, urljoin

import pytest

from helpers.tables import moves, settled, status, table
from saddlepoint.games.catalogue.games import GAMES, shown_game
from saddlepoint.web.app import FOLDERS
from web.conftest import Server, Visits, requests_of
from web.test_analysis_tree import held_back

pytestmark = pytest.mark.web


def test_every_game_has_a_card_with_its_board(page: Any) -> None:
    expected = ["Text Connect Four", *(entry.title for entry in GAMES.values())]
    page.wait_for_function(
        f"() => document.querySelectorAll('.small-board .sp-board, .small-board .sp-text').length >= {(2 * len(expected))}"
    )
    assert page.locator(".group h2").all_inner_texts() == [
        "Your own",
        "Duels",
        "Boards",
        "Cards and coins",
        "Laboratory",
    ]
    names = page.locator(".card h3").all_inner_texts()
    assert names[0] == expected[0]
    assert sorted(names) == sorted(expected)
    assert page.locator(".group", has_text="Duels").locator(".card h3").first.inner_text() == "Light Riders"
    assert (
        page.locator(".card", has_text="Tic-tac-toe")
        .locator(".small-board .sp-piece, .small-board [class*=piece]")
        .count()
        >= 3
    )


def test_options(page: Any) -> None:
    page.get_by_role("link", name="Options of Light Riders").click()
    page.get_by_label("Width").fill("6")
    page.get_by_label("Height").fill("5")
    page.get_by_label("Opponent").select_option(label="random")
    page.get_by_label("Time or nodes a move").locator("visible=true").select_option(label="0.1 s a move")
    page.get_by_label("Orange", exact=True).check()
    page.get_by_role("button", name="Play").click()
    settled(page)
    assert page.locator(".top-seat").inner_text().startswith("Random")
    page.get_by_role("link", name="New", exact=True).click()  # the next game begins with the same options
    assert page.get_by_label("Width").input_value() == "6"
    assert page.get_by_label("Height").input_value() == "5"
    assert page.get_by_label("Opponent").input_value() == "by:random"
    assert page.get_by_label("Orange", exact=True).is_checked()


def test_a_start_of_the_options_is_played_from_or_refused_in_a_sentence(
    server: Server, visit: Visits
) -> None:
    visit.refusals_expected = True
    page = visit(f"{server.url}/#/?g=light_riders")
    page.get_by_text("Start and seed").click()
    start = page.get_by_label("Position to start from, as text")
    start.fill("nonsense")
    page.get_by_role("button", name="Play").click()
    page.get_by_text("this is no position of Light Riders").wait_for()
    start.fill("2,3")
    page.get_by_role("radio", name="Two people at one screen").check()
    page.get_by_role("button", name="Play").click()
    settled(page)
    assert "column 3" in page.url or moves(page) == 0
    assert status(page) == "Blue to move; Orange looks away"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dark_and_light(server: Server, visit: Visits, scheme: str) -> None:
    page = visit(server.url, color_scheme=scheme)
    html, other = page.locator("html"), {"light": "dark", "dark": "light"}[scheme]
    assert html.get_attribute("data-theme") == scheme
    page.get_by_role("button", name="Light or dark").click()
    assert html.get_attribute("data-theme") == other
    page.reload()
    assert html.get_attribute("data-theme") == other


@pytest.mark.parametrize(
    "view", ["", "?g=simplexity", "play?g=goofspiel(cards=3)", "play?g=simplexity", "watch?g=tron41"]
)
def test_nothing_is_wider_than_the_window(server: Server, visit: Visits, view: str) -> None:
    page = visit(f"{server.url}/#/{view}", viewport={"width": 1280, "height": 740})
    page.locator(".sp-board:visible, .sp-text:visible").first.wait_for()
    for width in (1280, 800, 360):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_first_load_is_light(page: Any) -> None:
    page.locator(".small-board .sp-board:visible").first.wait_for()
    page.locator(".hero .matrix").wait_for()
    script = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
      .filter((one) => !one.name.includes('/api/')).map((one) => one.decodedBodySize)"""
    assert 10_000 < sum(page.evaluate(script)) < 180_000


@pytest.mark.parametrize("game", ["chess", "./bot.py:Game"])
def test_unknown_game_is_told(server: Server, visit: Visits, game: str) -> None:
    visit.refusals_expected = True
    visit(table(server.url, game)).get_by_text(f"This page has no game {game}.").wait_for()


# -- the first screen ----------------------------------------------------------------------------------------------------

MOVING = {"reduced_motion": "no-preference"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
_WATCH_LINES = """() => {
  window.seen = [];
  const board = document.querySelector(".hero-board");
  const note = () => window.seen.push([...board.querySelectorAll(".line .note")].map((one) => one.textContent).reverse());
  new MutationObserver(note).observe(board, { subtree: true, childList: true, characterData: true });
}"""
_COUNT_CHANGES = """() => {
  window.changes = 0;
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver((changes) => { window.changes += changes.length; }).observe(document.querySelector(".hero"), all);
}"""
_STOP = """
  const find = (name) => [...document.querySelectorAll(".hero button")].find((one) => one.textContent.includes(name));
  const hide = (hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  };"""
_MATRIX = ".hero .matrix"
_TRAILS = (
    "() => [...document.querySelectorAll('.hero .sp-trails path')].map((one) => one.getAttribute('d')).join()"
)
_QUIET = 2500
"""Milliseconds in which a live game would have gone on."""


def live(server: Server, visit: Visits, **options: Any) -> Any:
    """The first page with its game under way."""
    page = visit(server.url, **MOVING, **options)
    page.locator(f"{_MATRIX} .now").wait_for()
    return page


def stands_still(page: Any) -> bool:
    """Whether nothing of the live game changes, and it asks the server for nothing, while one waits."""
    page.wait_for_timeout(500)  # what was on its way arrives
    asked = requests_of(page, "/api/positions")
    page.evaluate(_COUNT_CHANGES)
    page.wait_for_timeout(_QUIET)
    return page.evaluate("window.changes") == 0 and not asked


def goes_on(page: Any) -> bool:
    """Whether the board changes."""
    page.wait_for_function(f"before => ({_TRAILS})() !== before", arg=page.evaluate(_TRAILS))
    return True


def test_both_choices_of_a_round_are_shown_together_then_the_board_moves(
    server: Server, visit: Visits
) -> None:
    page = live(server, visit)
    page.evaluate(_WATCH_LINES)
    page.wait_for_function(
        "() => window.seen.filter((both) => both.every((one) => one.startsWith('chose'))).length >= 2"
    )
    seen = page.evaluate("window.seen")
    assert not [both for both in seen if sum(one.startswith("chose") for one in both) == 1]
    assert goes_on(page)


def test_the_matrix_marks_the_pair_that_was_chosen_and_has_both_mixtures(
    server: Server, visit: Visits
) -> None:
    page = live(server, visit)
    for _ in range(3):
        # Asked and read in one step: between two, a busy machine's page goes on.
        found = page.wait_for_function("""() => document.querySelector(".hero-said").textContent.endsWith("both choices are shown") && [
          [...document.querySelectorAll(".hero-board .line .note")].map((one) => one.textContent.replace("chose ", "")).reverse(),
          document.querySelector(".hero .matrix .now").getAttribute("aria-label"),
          [0, 1].map((player) => [...document.querySelectorAll(`.hero .matrix .axis.owner${player}`)]
            .reduce((sum, one) => sum + Number(one.dataset.share), 0)),
        ]""")
        told, marked, shares = found.json_value()
        assert marked.startswith(f"Blue {told[0]} against Orange {told[1]}: ")
        assert shares == pytest.approx([1, 1], abs=0.02)
        page.wait_for_function(
            "() => document.querySelector('.hero-said').textContent.endsWith('both choose')"
        )


@pytest.mark.parametrize(
    ("stop", "go_on"),
    [
        ("find('Pause').click()", "find('Continue').click()"),
        ("hide(true)", "hide(false)"),
        ("scrollTo(0, document.body.scrollHeight)", "scrollTo(0, 0)"),
    ],
    ids=["by its button", "while the tab is hidden", "while it is scrolled away"],
)
def test_it_pauses(server: Server, visit: Visits, stop: str, go_on: str) -> None:
    page = live(server, visit)
    page.evaluate(f"() => {{ {_STOP} {stop}; }}")
    assert stands_still(page)
    page.evaluate(f"() => {{ {_STOP} {go_on}; }}")
    assert goes_on(page)


@pytest.mark.parametrize(
    ("role", "name", "part"), [("button", "Pause", "/api/positions"), ("link", "Arena", "/api/")]
)
def test_its_search_ends_with_it_and_with_the_view(
    server: Server, visit: Visits, role: Any, name: str, part: str
) -> None:
    sockets: list[Any] = []
    page = visit(f"{server.url}/#/arena", **MOVING)
    page.on("websocket", lambda one: sockets.extend([one]))
    page.get_by_role("link", name="Saddlepoint").click()
    page.locator(f"{_MATRIX} .now").wait_for()
    page.get_by_role(role, name=name).click()
    page.wait_for_timeout(500)
    assert sockets and all(one.is_closed() for one in sockets)
    asked = requests_of(page, part)
    page.wait_for_timeout(_QUIET)
    assert not asked


def test_without_motion_it_shows_a_position_and_waits_to_be_asked(page: Any) -> None:
    page.locator(_MATRIX).wait_for()
    assert page.locator(".hero .sp-trails path").count() > 1
    assert page.locator(".hero-said").inner_text() == "A position of a game"
    assert stands_still(page)
    page.get_by_role("button", name="Watch", exact=True).click()
    assert goes_on(page)


def test_after_three_games_it_stops_and_says_who_won(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena", **MOVING)
    page.route(  # another game is the live one
        "**/api/catalogue", lambda route: route.fulfill(json=route.fetch().json() | {"shown": "biased_rps"})
    )
    begun = requests_of(page, "/api/new")
    page.reload()
    page.get_by_role("link", name="Saddlepoint").click()
    page.get_by_role("button", name="Watch another").wait_for(timeout=60_000)
    assert len(begun) == 3
    said = page.locator(".hero-said").inner_text()
    assert said.startswith(("Blue won. ", "Orange won. ", "A draw. "))
    assert page.locator(".hero-board .line.won").count() == (0 if said.startswith("A draw") else 1)
    page.get_by_role("button", name="Watch another").click()
    page.wait_for_function("() => /Round|Turn|Move/.test(document.querySelector('.hero-said').textContent)")
    assert len(begun) == 4


def test_while_it_is_compiled_a_recorded_game_is_shown_at_once(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena", **MOVING)
    told = {"compiling": "the game", "seconds": 12.7, "ahead": 0}
    page.route("**/api/new", lambda route: route.fulfill(status=202, json=told))
    page.get_by_role("link", name="Saddlepoint").click()
    page.get_by_text("The players are compiled once, before their first game; 12 s so far.").wait_for(
        timeout=60_000
    )
    recorded = page.locator(".hero-said", has_text="A recorded game")
    recorded.wait_for(timeout=60_000)
    before = page.locator(".hero .sp-board").inner_html()
    page.wait_for_function(
        "before => document.querySelector('.hero .sp-board').innerHTML !== before", arg=before
    )
    page.unroute("**/api/new")
    page.locator(".hero-said", has_text="Round 0").wait_for()
    assert not page.locator(".hero .wait").is_visible()


def test_one_main_button_leads_into_the_game_that_is_shown(page: Any) -> None:
    page.locator(".card").first.wait_for()
    assert page.locator("button.main, .button.main").all_inner_texts() == ["Play"]
    page.get_by_role("button", name="Play", exact=True).click()
    settled(page)
    assert (status(page), moves(page)) == ("Your move", 0)
    assert page.locator(".top-seat").inner_text().startswith("Club")
    assert parse_qs(page.url.split("?", 1)[1])["g"] == [shown_game()]


def test_on_a_phone_the_board_comes_first_and_the_button_is_seen_at_once(
    server: Server, visit: Visits
) -> None:
    page = visit(server.url, **PHONE)
    page.locator(_MATRIX).wait_for()
    board, button, matrix = (
        page.locator(one).bounding_box() for one in (".hero-board .sp-board", ".hero button.main", _MATRIX)
    )
    assert board["y"] + board["height"] <= button["y"]
    assert button["y"] + button["height"] <= min(844, matrix["y"])


def test_a_screen_reader_is_not_told_every_round(server: Server, visit: Visits) -> None:
    page = live(server, visit)
    assert page.locator(".hero [aria-live], .hero [role=status], .hero [role=alert]").count() == 0
    assert page.locator(".hero .sp-board, .hero .matrix").evaluate_all(
        "all => all.every((one) => one.closest('[aria-hidden=true]'))"
    )
    spoken = page.locator("#spoken").inner_text()
    goes_on(page)
    assert page.locator("#spoken").inner_text() == spoken


def test_the_page_is_painted_before_the_live_game_is_loaded(page: Any) -> None:
    page.locator(_MATRIX).wait_for()
    painted, loaded = (
        page.evaluate("""() => [performance.getEntriesByName("first-contentful-paint")[0].startTime,
      performance.getEntriesByType("resource").find((one) => one.name.endsWith("/hero.js")).startTime]""")
    )
    assert painted <= loaded


def test_the_modules_of_the_first_screen_are_asked_for_at_once() -> None:
    preloaded = re.findall(
        r'rel="modulepreload" href="([^"]+)"', (FOLDERS["static"] / "index.html").read_text(encoding="utf-8")
    )
    needed, open_ = set[str](), ["/static/app.js", "/static/views/start.js", "/viewer/board.js"]
    while open_:
        name = open_.pop()
        needed.add(name)
        folder, _, path = name.removeprefix("/").partition("/")
        found = re.findall(
            r'^(?:import|export)\b[^;]*?from "([^"]+)"',
            (FOLDERS[folder] / path).read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        open_ += {urljoin(name, one) for one in found} - needed
    assert sorted(f"/{one}" for one in preloaded) == sorted(needed)


def test_a_view_that_was_left_while_it_came_changes_nothing_of_the_next(
    server: Server, visit: Visits
) -> None:
    page = visit(f"{server.url}/#/replay")
    page.goto("about:blank")
    waiting = held_back(page, "/api/catalogue")
    with page.expect_request("**/static/views/arena.css"):
        page.goto(f"{server.url}/#/arena", wait_until="commit")
    page.get_by_role("link", name="Saddlepoint").click()
    waiting.pop().continue_()
    page.locator(".small-board").first.wait_for(state="attached")
    assert page.locator("#view").get_attribute("class") == "view-start"
    assert page.get_by_role("heading", name="Arena").count() == 0


def test_heading_and_button_do_not_wait_for_the_server_to_tell_its_games(
    server: Server, visit: Visits
) -> None:
    page = visit(f"{server.url}/#/arena")
    page.goto("about:blank")
    waiting = held_back(page, "/api/catalogue")
    page.goto(server.url, wait_until="commit")
    page.get_by_role("heading", name="Both players choose at the same time").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("One moment").first.wait_for()
    waiting.pop().continue_()
    settled(page)
    assert status(page) == "Your move"


@pytest.mark.parametrize(("address", "is_first"), [("", True), ("/#/", True), ("/#/arena", False)])
def test_the_heading_is_there_while_the_scripts_are_loaded_and_only_on_the_first_page(
    address: str, is_first: bool, server: Server, visit: Visits
) -> None:
    page = visit(f"{server.url}/#/arena")
    page.goto("about:blank")
    waiting = held_back(page, "/static/app.js")
    page.goto(server.url + address, wait_until="commit")
    page.locator("html[data-theme]").wait_for()
    page.locator("#first").wait_for(state="attached")
    assert page.locator("#first h1").is_visible() == is_first
    for one in waiting:
        one.continue_()
    page.wait_for_function("() => !document.getElementById('first')")
    assert page.locator("h1").count() <= 1


def test_the_other_games_are_drawn_after_the_live_game_has_begun_or_where_they_are_seen(
    server: Server, visit: Visits
) -> None:
    """All their rules are compiled for that, which would take the time that the live game needs."""
    page = visit(f"{server.url}/#/arena", **MOVING)
    order: list[str] = []
    page.on(
        "websocket",
        lambda one: one.on(
            "framereceived", lambda text: order.append("searched") if '"done"' in str(text) else None
        ),
    )
    page.on("request", lambda request: order.append("drawn") if "/api/middle" in request.url else None)
    page.get_by_role("link", name="Saddlepoint").click()
    page.locator(".small-board .sp-board").first.wait_for(state="attached")
    assert order[0] == "searched"

    page = visit(f"{server.url}/#/arena", **MOVING)
    page.route_web_socket(re.compile("."), lambda _: None)  # the live game's search is never answered
    page.get_by_role("link", name="Saddlepoint").click()
    page.locator(".hero .sp-board").wait_for()
    assert page.locator(".small-board .sp-board").count() == 0
    page.locator(".card").first.scroll_into_view_if_needed()
    page.locator(".small-board .sp-board").first.wait_for(state="attached")


def test_a_live_game_that_cannot_begin_says_why_and_the_games_are_there(
    server: Server, visit: Visits
) -> None:
    visit.refusals_expected = True
    page = visit(f"{server.url}/#/arena", **MOVING)
    page.route("**/api/new", lambda route: route.fulfill(status=400, json={"error": "this game is broken"}))
    page.get_by_role("link", name="Saddlepoint").click()
    page.locator(".hero").get_by_text("this game is broken").wait_for()
    assert page.locator(".hero .wait").inner_text() == "The live game cannot be shown."
    assert page.locator(".card").count() > 5


def test_what_is_drawn_by_lot_is_said_to_be(server: Server, visit: Visits) -> None:
    page = visit(server.url, **MOVING)
    page.locator(".hero-said", has_text="Round 0: drawn by lot, so that no two games are alike").wait_for(
        timeout=60_000
    )


def test_games_are_seen_on_the_first_screen_and_their_rules_are_one_click_away(
    server: Server, visit: Visits
) -> None:
    page = visit(server.url, viewport={"width": 1280, "height": 800})
    page.locator(_MATRIX).wait_for()
    box = page.locator(".card .small-board").first.bounding_box()
    assert box["y"] + box["height"] <= 800
    for width in (360, 390, 800, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        rows = page.locator(".card .row").evaluate_all(
            "rows => rows.map((row) => new Set([...row.children].map((one) => one.getBoundingClientRect().top)).size)"
        )
        assert set(rows) == {1}, "no button of a game wraps alone"
    page.get_by_role("button", name="Rules of Connect Four").click()
    rules = page.get_by_role("dialog", name="Connect Four")
    rules.locator("li").first.wait_for()
    rules.get_by_role("button", name="Close").click()
    page.get_by_role("dialog").wait_for(state="hidden")


def test_an_address_of_no_page_says_so(server: Server, visit: Visits) -> None:
    for name in ("nonsense", "constructor"):
        page = visit(f"{server.url}/#/{name}")
        page.get_by_role("alert").get_by_text(f"There is no page #/{name}.").wait_for()
    page.get_by_role("link", name="To the games").click()
    page.locator(".card").first.wait_for()


def test_the_board_beside_the_options_calls_the_players_by_their_colours(
    server: Server, visit: Visits
) -> None:
    page = visit(f"{server.url}/#/?g=goofspiel")
    board = page.locator("aside .sp-board")
    board.get_by_text("Orange", exact=True).wait_for()
    assert "player" not in board.text_content()
