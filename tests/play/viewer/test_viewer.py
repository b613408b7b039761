"""The viewer in a real browser: an exported game opens from disk, steps, and is saved; moves are made on a board."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.browser import CHROMIUM
from helpers.recorded_games import line_of
from saddlepoint import Game, Goofspiel, LightRiders, RubiksFlip
from saddlepoint.games.catalogue.games import replay_of
from saddlepoint.games.simplexity import Simplexity
from saddlepoint.games.tron41 import Tron41
from saddlepoint.play.record import Turns
from saddlepoint.play.viewer import asset, bundled, game_data, page

pytestmark = pytest.mark.web

GAMES: list[Game] = [LightRiders(8, 6), Simplexity(), Tron41("hunger_games"), Goofspiel(4), RubiksFlip()]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.fail("no Chromium here: apt-get install chromium", pytrace=False)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Any]:
    """Opens a file; what its script says wrong, or asks of others, fails the test."""
    faults: list[str] = []
    contexts: list[Any] = []

    def see(path: Path, fragment: str = "", **options: Any) -> Any:
        contexts.append(
            chromium.new_context(
                **{"viewport": {"width": 700, "height": 900}, "reduced_motion": "reduce"} | options
            )
        )
        seen = contexts[-1].new_page()
        seen.on("pageerror", lambda error: faults.append(str(error)))
        seen.on("console", lambda message: faults.append(message.text))
        seen.on(
            "request",
            lambda request: (
                None if request.url.startswith(("file:", "data:", "blob:")) else faults.append(request.url)
            ),
        )
        seen.goto(path.as_uri() + fragment)
        return seen

    yield see
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture
def opened(visit: Any, tmp_path: Path) -> Any:
    """Exports a recorded game to a file, and opens that."""

    def see(game: Game, fragment: str = "", **options: Any) -> Any:
        path = tmp_path / "game.html"
        path.write_text(page(game_data(game, replay_of(line_of(game)))), encoding="utf-8")
        return visit(path, fragment, **options)

    return see


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_an_exported_game_opens_from_disk_and_steps_by_keys(game: Game, opened: Any) -> None:
    replay, seen = replay_of(line_of(game)), opened(game)
    board, count = seen.locator("svg.sp-board"), len(replay.rounds)
    turns = Turns(game, list(replay.states()))
    assert seen.locator(".sp-count").text_content() == f"{turns.done(0)} / {turns.counted()}"
    told = [board.get_attribute("aria-label")]
    for at in range(1, count + 1):
        seen.keyboard.press("ArrowRight")
        assert seen.locator(".sp-count").text_content() == f"{turns.done(at)} / {turns.counted()}"
        told.append(board.get_attribute("aria-label"))
        said = seen.locator(".sp-said").text_content()
        assert all(name is None or name in said for name in replay.rounds[at - 1].moves)
    assert len(set(told)) == count + 1, "every position has a text of its own"
    assert replay.reason in seen.locator(".sp-said").text_content()
    drawn = board.inner_html()
    for key, at in (("Home", 0), ("End", -1), ("ArrowLeft", -2)):
        seen.keyboard.press(key)
        assert board.get_attribute("aria-label") == told[at]
        if key == "End":
            assert len(board.inner_html()) == len(drawn), "the same elements, by steps or at once"


def test_a_link_leads_to_a_position_and_space_plays(opened: Any) -> None:
    game = LightRiders(8, 6)
    seen = opened(game, "#2")
    assert seen.locator(".sp-count").text_content().startswith("2 / ")
    seen.locator("select").select_option("8")
    seen.keyboard.press("Escape")
    seen.locator(".sp-count").click()
    seen.keyboard.press(" ")
    assert seen.locator(".sp-play").get_attribute("aria-label") == "Pause"
    count = len(line_of(game)["moves"])
    seen.locator(".sp-count", has_text=f"{count} / {count}").wait_for()
    assert seen.locator(".sp-play").get_attribute("aria-label") == "Play"


def test_a_position_is_saved_as_svg_and_png(opened: Any) -> None:
    seen = opened(Simplexity(), "#9", accept_downloads=True)
    for label, begin in (("Save as SVG", b"<svg"), ("Save as PNG", b"\x89PNG\r\n")):
        with seen.expect_download() as saved:
            seen.get_by_role("button", name=label).click()
        content = Path(saved.value.path()).read_bytes()
        assert content.startswith(begin)
        assert saved.value.suggested_filename.startswith("position-9.")
        if begin == b"<svg":
            assert b"class=" not in content
            assert b"rgb(47, 111, 183)" in content
        else:
            assert int.from_bytes(content[16:20]) > 500


_BOARD = """<!DOCTYPE html><meta charset="utf-8"><style>%s</style><body><div id="board"></div><script>
%s
const {Board} = globalThis.shared;
globalThis.made = [];
globalThis.board = new Board(document.getElementById("board"), {onMove: (move) => made.push(move.name)});
globalThis.show = (picture) => { board.draw(picture); board.choosable(picture.moves ?? null); };
</script></body>"""


@pytest.fixture
def table(visit: Any, tmp_path: Path) -> Any:
    """A page with one board: `show(picture)` draws a position with its moves; `made` are those that were made on it."""
    path = tmp_path / "board.html"
    main = 'import { Board } from "./board.js";\nglobalThis.shared = { Board };\n'
    path.write_text(_BOARD % (asset("viewer.css"), bundled(main)), encoding="utf-8")
    seen = visit(path)

    def show(game: Game, state: Any, player: int | None = None) -> Any:
        picture = game.picture(state).to_json()
        picture["moves"] = [
            move for move in picture.get("moves", []) if player is None or move["player"] == player
        ]
        seen.evaluate("(text) => show(JSON.parse(text))", json.dumps(picture))
        return seen

    return show


def _click(seen: Any, cell: str) -> None:
    seen.locator(f'.sp-target[data-cell="{cell}"] .sp-hit').click(force=True)


def test_moves_are_made_by_a_click_and_chosen_where_several_share_a_cell(table: Any) -> None:
    game = Simplexity()
    seen = table(game, game.initial_state())
    _click(seen, "3,5")
    chooser = seen.get_by_role("menu")
    assert chooser.get_by_role("menuitem").count() == 2
    chooser.get_by_role("menuitem").nth(1).click()
    assert seen.evaluate("made") == ["3s"]
    assert chooser.count() == 0
    cards = Goofspiel(3, "ascending")
    seen = table(cards, cards.initial_state(), 0)
    _click(seen, "2,2")
    assert seen.evaluate("made") == ["3s", "3"]


def test_a_turn_of_several_parts_is_clicked_or_dragged(table: Any) -> None:
    game = RubiksFlip()
    seen = table(game, game.from_text("..../.R../..../...."))
    for cell in ("1,1", "2,1", "0,3"):
        _click(seen, cell)
    seen.get_by_role("menuitem").filter(has_text="a4Y").click()
    assert seen.evaluate("made") == ["b2>c2 a4Y"]
    box = seen.locator('.sp-target[data-cell="1,1"] .sp-hit').bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    seen.mouse.move(x, y)
    seen.mouse.down()
    seen.mouse.move(x + box["width"] / 2, y, steps=4)
    seen.mouse.move(x + box["width"], y, steps=4)
    seen.mouse.up()
    _click(seen, "3,3")
    seen.keyboard.press("Enter")
    assert seen.evaluate("made") == ["b2>c2 a4Y", "b2>c2 d4W"]


def _press(seen: Any, keys: str) -> None:
    for key in keys.split():
        seen.keyboard.press(key)


def test_moves_are_made_by_keys_alone(table: Any) -> None:
    game = RubiksFlip()
    seen = table(game, game.initial_state())
    for keys, at in (("Tab", "0,0"), ("ArrowRight ArrowDown", "1,1")):
        _press(seen, keys)
        assert seen.evaluate("document.activeElement.dataset.cell") == at
    _press(seen, "Enter ArrowDown Escape")
    assert seen.get_by_role("menu").count() == 0
    _press(seen, "Enter ArrowDown Enter")
    assert seen.evaluate("made") == ["b2B"]


def test_names_and_labels_are_text(table: Any) -> None:
    game = Goofspiel(3)
    seen = table(game, game.initial_state())
    hostile = "<img src=x onerror=alert(1)>"
    seen.evaluate(
        "(text) => board.draw({width: 2, height: 2, pieces: [{x: 0, y: 0, label: text, title: text}], text})",
        hostile,
    )
    assert seen.locator("img").count() == 0
    assert hostile in seen.locator("svg.sp-board").get_attribute("aria-label")


def test_a_step_with_long_trails_changes_few_elements(table: Any) -> None:
    """Not the time, which depends on the machine: what is done to the document in a step."""
    game = LightRiders(32, 32)
    seen = table(game, game.initial_state())
    changed = seen.evaluate(
        """() => {
        const cells = [];
        for (let y = 0; y < 7; y++) for (let x = 0; x < 31; x++) cells.push([y % 2 ? 30 - x : x, y]);
        const picture = (length) => ({width: 32, height: 32, trails: [{owner: 0, cells: cells.slice(0, length)}]});
        board.draw(picture(200));
        const watch = new MutationObserver(() => {});
        watch.observe(board.svg, {childList: true, subtree: true, attributes: true});
        board.draw(picture(201));
        return watch.takeRecords().length;
        }"""
    )
    assert 0 < changed <= 12
