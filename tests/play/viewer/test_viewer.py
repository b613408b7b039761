"""The viewer in a real browser: an exported game opens from disk, steps, is saved, and moves are made; and what a page of a game holds."""

import base64
import copy
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from helpers.recorded_games import line_of
from saddlepoint import Game, Goofspiel, LightRiders, RubiksFlip, Simplexity, Tron41
from saddlepoint.games.catalogue.games import replay_of
from saddlepoint.play.record import Turns
from saddlepoint.play.replay import to_line
from saddlepoint.play.viewer import asset, bundled, game_data, packed, page, pictures
from web.conftest import Visits, visit

__all__ = ["visit"]  # a fixture

GAMES: list[Game] = [LightRiders(8, 6), Simplexity(), Tron41("hunger_games"), Goofspiel(4), RubiksFlip()]


@pytest.fixture
def opened(visit: Visits, tmp_path: Path) -> Any:
    """Exports a recorded game to a file, and opens that."""

    def see(game: Game, fragment: str = "", **options: Any) -> Any:
        path = tmp_path / "game.html"
        path.write_text(page(game_data(game, replay_of(line_of(game)))), encoding="utf-8")
        return visit(path.as_uri() + fragment, viewport={"width": 700, "height": 900}, **options)

    return see


@pytest.mark.web
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


@pytest.mark.web
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


@pytest.mark.web
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
const {Board, Targets} = globalThis.shared;
globalThis.made = [];
globalThis.board = new Board(document.getElementById("board"), {Targets, onMove: (move) => made.push(move.name)});
globalThis.show = (picture) => { board.draw(picture); board.choosable(picture.moves ?? null); };
</script></body>"""


@pytest.fixture
def table(visit: Visits, tmp_path: Path) -> Any:
    """A page with one board: `show(picture)` draws a position with its moves; `made` are those that were made on it."""
    path = tmp_path / "board.html"
    main = 'import { Board } from "./board.js";\nimport { Targets } from "./targets.js";\nglobalThis.shared = { Board, Targets };\n'
    path.write_text(_BOARD % (asset("viewer.css"), bundled(main)), encoding="utf-8")
    seen = visit(path.as_uri())

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


@pytest.mark.web
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


@pytest.mark.web
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


@pytest.mark.web
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


@pytest.mark.web
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


@pytest.mark.web
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


# -- what a page holds ---------------------------------------------------------------------------------------------------

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'


def unpacked(deltas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As data.js does it."""
    before: dict[str, Any] = {}
    found: list[dict[str, Any]] = []
    for delta in deltas:
        now = {key: before[key] for key in delta.get("same", ())} | {
            key: value for key, value in delta.items() if key != "same"
        }
        for key in ("walls", "marks", "pieces", "trails"):
            if isinstance(now.get(key), dict):
                change, longer = now[key], dict(now[key].get("grow", ()))
                kept = [
                    {**one, "cells": one["cells"] + longer[n]} if n in longer else one
                    for n, one in enumerate(before.get(key, []))
                ]
                now[key] = [
                    one for n, one in enumerate(kept) if n not in change.get("drop", ())
                ] + change.get("add", [])
        before = copy.deepcopy(now)
        found.append(before)
    return found


def whole(picture: Any) -> dict[str, Any]:
    """A picture without its moves, and without its text if it has a board; lists in any order."""
    return _sorted({key: value for key, value in picture.to_json().items() if key not in ("moves", "text")})


def _sorted(picture: dict[str, Any]) -> dict[str, Any]:
    return {
        key: sorted(value, key=repr) if key in ("walls", "marks", "pieces", "trails") else value
        for key, value in picture.items()
    }


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_changes_between_pictures_give_every_picture_back(game: Game) -> None:
    replay = replay_of(line_of(game))
    states = list(replay.states())
    shown = list(pictures(game, states))
    assert [_sorted(one) for one in unpacked(packed(shown))] == [whole(one) for one in shown]
    data = game_data(game, replay)
    assert [one["picture"] for one in data["positions"]] == packed(shown)
    texts: list[list[str]] = []
    for one in data["positions"]:
        text = one["text"]
        old = texts[-1] if texts else []
        texts.append(
            text.split("\n")
            if isinstance(text, str)
            else [text[1].get(str(n)) or old[n] for n in range(text[0])]
        )
    assert ["\n".join(text) for text in texts] == [game.to_text(state) for state in states]
    again = [game.from_text(data["start"])]
    for actions in data["actions"]:
        joint = [actions[0]] if game.current_player(again[-1]) == -1 else [a for a in actions if a >= 0]
        again.append(game.next_state(again[-1], *joint))
    assert again == states
    assert data["positions"][0].get("names") is None
    assert all(("names" in one) != ("chance" in one) for one in data["positions"][1:])


def test_a_position_has_the_value_that_the_searches_there_saw_and_the_last_one_the_result() -> None:
    game = LightRiders(8, 6)
    line = line_of(game)
    count = len(line["moves"])
    line["searches"] = [
        [{"seconds": 0.1, "depth": 4, "nodes": 10, "value": 0.5}] + [None] * (count - 1),
        [{"seconds": 0.1, "depth": 6, "nodes": 20, "value": 0.1}] + [None] * (count - 1),
    ]
    data = game_data(game, replay_of(line))
    first = data["positions"][0]
    assert (first["value"], first["depth"], first["nodes"]) == (pytest.approx(0.3), 6, 30)
    assert data["positions"][-1]["value"] == line["result"]
    assert "value" not in data["positions"][1]


def test_a_long_game_is_not_told_over_and_over() -> None:
    """A step of a game with trails costs some hundred bytes, however long the trails are."""
    game = LightRiders(32, 32)
    state, states = game.initial_state(x=8, y=30), []
    for step in range(120):  # side by side, up and down in columns of their own
        states.append(state)
        state = game.next_state(state, *([0, 0] if step < 30 else [1, 3] if step == 30 else [2, 2]))
        if state.alive != 3:
            break
    told = packed(pictures(game, states))
    assert max(len(json.dumps(one)) for one in told[2:]) < 400


@pytest.fixture(scope="module")
def line() -> dict[str, Any]:
    return line_of(LightRiders(6, 6))


def test_its_own_script_runs_and_no_other(line: dict[str, Any]) -> None:
    text = page(
        game_data(LightRiders(6, 6), replay_of(line | {"players": [HOSTILE, "b"], "reason": HOSTILE}))
    )
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
    assert [attributes for attributes, _ in scripts] == [' type="application/json" id="data"', ""]
    digest = base64.b64encode(hashlib.sha256(scripts[1][1].encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in text
    assert json.loads(scripts[0][1])["players"] == [HOSTILE, "b"]
    assert "<img" not in text
    assert html.escape(HOSTILE) in text
    assert not re.search(r"https?:|fetch\(|XMLHttp|import\(|@import|url\((?!#)", text)


def test_its_heading_is_the_games_title_and_it_says_why_the_game_is_over(line: dict[str, Any]) -> None:
    data = game_data(LightRiders(6, 6), replay_of(line | {"players": ["Ann", "Ann"]}))
    text = page(data)
    assert "<h1>Light Riders (width=6, height=6)</h1>" in text
    assert "<title>Ann against Ann: Light Riders (width=6, height=6)</title>" in text
    assert data["why"]
    assert all(re.match(r"Ann \([01]\) .*\.$", sentence) for sentence in data["why"])


def test_a_page_is_small(line: dict[str, Any]) -> None:
    assert len(page(game_data(LightRiders(6, 6), replay_of(line)))) < 80_000


@pytest.mark.usefixtures("here")
def test_show_writes_the_page(line: dict[str, Any], cli: Any) -> None:
    Path("game.jsonl").write_text(to_line(line) + "\n")
    expected = page(game_data(LightRiders(6, 6), replay_of(line)))
    show = ("show", "game.jsonl", "-o")
    assert cli(*show, "game.html") == (0, f"game.html: {len(line['moves'])} rounds\n", "")
    assert Path("game.html").read_text(encoding="utf-8") == expected
    assert cli(*show, "-") == (0, expected, "")
    assert cli.data(*show, "game.html")["game"] == "light_riders"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-o", "."], "is a folder"),
        (["-o", "nowhere/game.html"], "does not exist"),
        (["-o", "game.html", "--step", "0"], "leave --step and --turn out"),
        (["-o", "-", "--json"], "both --json and -o -"),
    ],
)
@pytest.mark.usefixtures("here")
def test_show_says_what_it_cannot_write(
    line: dict[str, Any], cli: Any, arguments: list[str], problem: str
) -> None:
    Path("game.jsonl").write_text(to_line(line) + "\n")
    assert problem in cli.refused("show", "game.jsonl", *arguments)
    assert not Path("game.html").exists()
