"""Replays on the page: files of the command line, dropped files and several games in one, exports that open from disk."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from helpers.lost_games import exported, played
from helpers.recorded_games import line_of
from saddlepoint.games.light_riders import LightRiders
from web.conftest import Server, Visits, downloaded

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay file with two games."""
    folder = tmp_path_factory.mktemp("replays")
    file = folder / "games.jsonl"
    file.write_text(exported(played(folder / "games.db", 2)), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def shown(start_server: Any, games: Path) -> Server:
    """A server that was given the file."""
    return start_server(str(games))


def count(page: Any) -> str:
    """Which position is shown, as `3 / 8 rounds`."""
    return page.locator(".sp-count").inner_text()


def test_a_file_of_the_command_line_is_stepped_through_by_button_key_slider_and_list(
    shown: Server, visit: Visits
) -> None:
    page = visit(f"{shown.url}/#/replay")
    page.get_by_role("link", name="games.jsonl").click()
    page.get_by_label("Game", exact=True).fill("2")
    page.keyboard.press("Tab")
    page.locator(".sp-count", has_text="0 / 6").wait_for()
    page.get_by_role("button", name="One on").click()
    assert count(page).startswith("1 /")
    page.locator("main").focus()
    page.keyboard.press("ArrowRight")
    assert count(page).startswith("2 /") and "at=2" in page.url
    page.keyboard.press("End")
    last = int(count(page).partition("/")[2].split()[0])
    assert count(page) == f"{last} / {last} rounds"
    page.locator(".history button").first.click()
    assert count(page).startswith("1 /")
    page.reload()
    page.locator(".sp-count", has_text="1 /").wait_for()
    page.get_by_role("button", name="Analyse from here").click()
    page.locator(".crumbs", has_text=f"Round 1 of {last}").wait_for()


def test_a_dropped_file_is_shown_also_after_a_reload_and_what_is_no_replay_is_told(
    shown: Server, visit: Visits, games: Path
) -> None:
    page = visit(f"{shown.url}/#/replay")
    drop(page, "something else")
    visit.refusals_expected = True
    page.get_by_role("alert").filter(has_text="no game").wait_for()
    drop(page, games.read_text(encoding="utf-8"))
    page.locator(".sp-count").wait_for()
    page.get_by_label("Game of 2").fill("2")
    page.keyboard.press("Tab")
    page.locator(".sp-count", has_text="/ 6").wait_for()
    page.reload()
    page.locator(".sp-count", has_text="/ 6").wait_for()


def drop(page: Any, text: str) -> None:
    """Drop a file with this text on the page."""
    page.locator(".replay-view").wait_for()
    script = "text => { const data = new DataTransfer(); data.items.add(new File([text], 'a.jsonl')); return data; }"
    page.dispatch_event("main", "drop", {"dataTransfer": page.evaluate_handle(script, text)})


def test_an_export_in_a_frame_plays_by_itself_in_a_loop(shown: Server, visit: Visits, tmp_path: Path) -> None:
    page = visit(f"{shown.url}/#/replay?r=1&n=2")
    saved = downloaded(page, "As a page", tmp_path / "game.html")
    asked = "at=4&play=1&loop=1&speed=8&theme=dark&frame=0"
    (tmp_path / "mine.html").write_text(f'<iframe src="game.html#{asked}" width="400" height="500"></iframe>')
    frame = visit((tmp_path / "mine.html").as_uri(), reduced_motion="no-preference").frame_locator("iframe")
    frame.locator("svg.sp-board").wait_for()
    assert frame.locator("html").get_attribute("data-theme") == "dark"
    assert not frame.locator(".sp-controls, .sp-slider, .sp-saving, h1").locator("visible=true").count()
    seen: list[str] = []
    while seen == sorted(seen):  # until it began anew
        seen.append(count(frame))
        assert len(seen) < 2000
        page.wait_for_timeout(20)
    still = visit(f"{saved.as_uri()}#at=2&play=1&speed=8", reduced_motion="reduce")
    still.wait_for_timeout(500)
    assert count(still) == "2 / 6 rounds"


def test_a_position_is_saved_as_svg_and_as_png(shown: Server, visit: Visits, tmp_path: Path) -> None:
    page = visit(f"{shown.url}/#/replay?r=1&n=2&at=1")
    drawn, painted = (
        downloaded(page, f"Save this position as {kind}", tmp_path / kind) for kind in ("SVG", "PNG")
    )
    assert drawn.read_text(encoding="utf-8").startswith("<svg")
    with Image.open(painted) as picture:
        assert picture.format == "PNG" and picture.width > 100
        assert len(picture.convert("RGB").getcolors(100_000) or ()) > 3


# -- several games in a file ---------------------------------------------------------------------------------------------


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
