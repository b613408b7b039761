"""The start page, the options of a game, dark and light."""

import pytest

from helpers.tables import moves, settled, status, table
from saddlepoint.games.catalogue.games import GAMES
from web.conftest import Server, Visits

pytestmark = pytest.mark.web


def test_every_game_has_a_card_with_its_board(server: Server, visit: Visits) -> None:
    page = visit(server.url)
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


def test_options(server: Server, visit: Visits) -> None:
    page = visit(server.url)
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
    page.get_by_text("this is no position of light_riders").wait_for()
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


def test_first_load_is_light(server: Server, visit: Visits) -> None:
    page = visit(server.url)
    page.locator(".small-board .sp-board:visible").first.wait_for()
    page.locator(".hero .matrix").wait_for()
    script = """() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
      .filter((one) => !one.name.includes('/api/')).map((one) => one.decodedBodySize)"""
    assert 10_000 < sum(page.evaluate(script)) < 250_000


@pytest.mark.parametrize("game", ["chess", "./bot.py:Game"])
def test_unknown_game_is_told(server: Server, visit: Visits, game: str) -> None:
    visit.refusals_expected = True
    visit(table(server.url, game)).get_by_text(f"This page has no game {game}.").wait_for()
