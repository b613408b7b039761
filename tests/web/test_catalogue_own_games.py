"""Games of one's own that bring no picture, or that are odd: what the page is told of them."""

from pathlib import Path
from typing import Any

import pytest

from helpers import small_games
from helpers.tables import table
from helpers.web_client import client
from saddlepoint.game.own_games import load_game
from saddlepoint.game.words import field_text, fields_of
from web.conftest import Visits

FILE = Path(small_games.__file__)
ALL = ("Plain", "NoDocstring", "NumberForRules", "RulesThatFail", "NamesThatFail", "Wordy", "Large")


def given(*names: str) -> dict[str, Any]:
    """The games as the command line gives them, by the texts that name them."""
    return {f"./small_games.py:{name}": load_game(FILE, name, {}) for name in names}


def test_an_odd_game_costs_only_its_own_card() -> None:
    with client(games=given(*ALL)) as asked:
        found = asked.get("/api/catalogue")["games"]
        own = {one["spec"].partition(":")[2]: one for one in found if one["own"]}
        assert set(own) == set(ALL) and len(found) > len(own) + 5
        assert own["Plain"]["rules"] == [
            "Name a number, both at once.",
            "The higher one wins. <b>No picture</b> is needed.",
        ]
        assert own["NoDocstring"]["rules"] == []
        assert own["NumberForRules"]["rules"] == ["42"]
        assert (
            "ZeroDivisionError" in own["RulesThatFail"]["summary"]
            and own["RulesThatFail"]["title"] == "RulesThatFail"
        )
        assert len(own["Wordy"]["summary"]) <= 1000 and sum(map(len, own["Wordy"]["rules"])) <= 24_000
        assert {frozenset(one) for one in own.values()} == {frozenset(found[-1])}


def test_a_game_without_a_picture_is_told_by_its_fields() -> None:
    with client(games=given("Plain")) as asked:
        position = asked.told("/api/new", {"game": "./small_games.py:Plain"})["position"]
        assert dict(position["picture"]["fields"]) == {
            "round": [["0"]],
            "black_stones": [["0x800000000001 (2 bits)"]],
            "grid": [["0", "1", "0"], ["0", "2", "0"], ["0", "0", "1"]],
            "pairs": [["1", "2"], ["3", "4"]],
            "corner.open": [["yes"]],
            "corner.weight": [["0.5"]],
        }
        assert position["picture"]["moves"][0]["name"] == "<img src=x onerror=alert(0)>"


def test_of_a_huge_state_the_beginning_is_told() -> None:
    state = small_games.LargeState(0, (0,) * 10_000)
    assert len(field_text(state)) < 20_000
    rows = dict(fields_of(state))["cells"]
    assert len(rows) == 33 and rows[-1][0].startswith("and ") and len(rows[0]) == 12


@pytest.mark.web
def test_on_the_page_its_fields_are_a_table_its_docstring_the_rules_and_its_moves_buttons(
    visit: Visits, start_server: Any
) -> None:
    server = start_server(
        *(text for name in ("Plain", "RulesThatFail") for text in ("--game", f"{FILE}:{name}"))
    )
    page = visit(table(server.url, f"{FILE}:Plain"))
    rows = page.locator(".sp-fields:visible > tbody > tr")
    rows.first.wait_for()
    assert [rows.nth(at).locator("th").inner_text() for at in range(3)] == ["round", "black stones", "grid"]
    assert "2 bits" in rows.nth(1).inner_text() and rows.nth(2).locator("tr").count() == 3
    page.get_by_text("Rules", exact=True).click()
    page.get_by_text("The higher one wins. <b>No picture</b> is needed.").wait_for()
    page.get_by_role("button", name="<img src=x onerror=alert(2)>").click()
    page.locator(".end:not([hidden])").wait_for()
    assert not page.locator("img[src='x']").count()
    page.goto(f"{server.url}/#/")
    page.get_by_text("This game cannot be described: ZeroDivisionError").first.wait_for()
    page.get_by_role("button", name="Play Connect four").wait_for()
