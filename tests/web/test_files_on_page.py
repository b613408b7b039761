"""Files of games on the page: several games, what was recorded with them, and what is wrong, in plain sentences."""

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.recorded_games import line_of
from saddlepoint.games.light_riders import LightRiders
from web.conftest import Server, Visits, downloaded

pytestmark = pytest.mark.web


@pytest.fixture
def analysed(server: Server, visit: Visits, tmp_path: Path) -> Any:
    """The analysis of the first of two games of a file whose third line is damaged, and their lines."""
    game = LightRiders(6, 6)
    lines = [line_of(game, 3), line_of(game, 4)]
    file = tmp_path / "games.jsonl"
    text = "\n".join(json.dumps(one) for one in lines)
    file.write_text(f'{text}\n{{"moves": 3, damaged\n', encoding="utf-8")
    page = visit(f"{server.url}/#/analysis")
    page.locator("input[type=file]").set_input_files(file)
    page.locator(".tree [aria-current]").wait_for()
    return page, lines


def test_another_game_of_the_file_is_chosen_and_a_damaged_line_is_told(analysed: Any, visit: Visits) -> None:
    visit.refusals_expected = True
    page, lines = analysed
    chooser = page.get_by_label("Game of 3")
    chooser.fill("2")
    chooser.press("Tab")
    page.locator(".crumbs", has_text=f"Round {len(lines[1]['moves'])} of {len(lines[1]['moves'])}").wait_for()
    for number, said in (("3", "line 3 of the file is damaged"), ("", "The number of a game is 1 or more.")):
        page.get_by_label("Game of 3").fill(number)
        page.get_by_label("Game of 3").press("Tab")
        page.locator(".analysis > .word", has_text=said).wait_for()
        assert page.get_by_label("Game of 3").input_value() == "2"


def test_what_was_recorded_is_saved_again(analysed: Any, tmp_path: Path) -> None:
    page, lines = analysed
    page.get_by_text("Save: link, file, text").click()
    saved = json.loads(
        downloaded(page, "Save as a file", tmp_path / "saved.jsonl").read_text(encoding="utf-8")
    )
    for name in ("seed", "moves", "result"):
        assert saved[name] == lines[0][name]
    for told in ("seconds", "banks"):
        for side, recorded in zip(saved[told], lines[0][told], strict=True):
            assert side == pytest.approx(recorded, abs=1e-4), "a replay has tenths of milliseconds"


def test_rounds_are_counted_alike_in_lists_and_reviews(analysed: Any) -> None:
    page, _ = analysed
    assert page.locator(".tree .number").all_inner_texts()[1] == "0", "Light Riders begins with round 0"
    page.goto(page.url.replace("analysis", "replay"))
    page.locator(".history button").first.wait_for()
    assert page.locator(".history button").first.get_attribute("data-number") == "0"


def test_an_emptied_number_is_told_in_plain_words(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/?g=light_riders")
    page.get_by_label("Width").fill("")
    page.get_by_label("Width").press("Tab")
    page.get_by_role("alert").get_by_text("Width needs a number.").wait_for()
