"""Reports in a real browser: the script runs, replays step, it fits a phone, and text is legible by day and by night."""

from pathlib import Path
from typing import Any

import pytest

from helpers.arena_games import SMALL
from helpers.browser import CHROMIUM, ask, load
from helpers.report_pages import HOSTILE, Page, at_fault, enter, real_games, renamed
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.replaying import steps_of
from saddlepoint.arena.report import gather, report_data
from saddlepoint.arena.report.page import report_page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

_LONG_NAME = "alphabeta(depth=4,evaluator=voronoi,quiescence=none,killers=true,history=true)" * 3


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A report of players with long and with hostile names, and its figures."""
    folder = tmp_path_factory.mktemp("browser")
    names = [("a", _LONG_NAME), (_LONG_NAME, "a"), ("a", HOSTILE), (HOSTILE, "a"), ("b", "a"), ("a", "b")]
    games = [renamed(game, *names[number % 6], number) for number, game in enumerate(real_games(18))]
    games = [
        at_fault(g, g.job.players.index(HOSTILE), "exited with code 3") if HOSTILE in g.job.players else g
        for g in games
    ]
    with Ledger(folder / "games.db") as book:
        enter(book, games)
        figures = gather(book)
        data = report_data(book, figures, "today")
    page = folder / "report.html"
    page.write_text(report_page(data, figures), encoding="utf-8")
    return page, figures[0]


def test_it_loads_without_a_word_on_the_console_and_opens_the_replay_that_is_linked_to(
    report: tuple[Path, Any], tmp_path: Path
) -> None:
    page, figures = report
    number = figures.shown["longest"][0].id
    document, console = load(page, tmp_path, fragment=f"#game-{number}")
    assert not console
    loaded = Page(document)
    replays = [dict(attributes) for attributes in loaded.elements if ("class", "replay") in attributes]
    assert [one["id"] for one in replays if "open" in one] == [f"game-{number}"]
    assert [one.get("data-step") for one in replays if "open" in one] == ["0"]
    viewers = [one for one in map(dict, loaded.elements) if (one.get("class") or "").startswith("viewer")]
    assert len([one for one in viewers if "hidden" not in one]) == 1


_STEP = """
const seen = {};
for (const box of document.querySelectorAll("details.replay")) box.open = true;
await new Promise((done) => setTimeout(done, 200));
for (const box of document.querySelectorAll("details.replay")) {
  const click = (which) => box.querySelector(`.sp-controls .sp-${which}`).click();
  const board = () => box.querySelector("svg.sp-board").getAttribute("aria-label");
  const boards = [board()];
  for (let step = 0; step < Number(box.querySelector("input").max); step++) { click("on"); boards.push(board()); }
  click("on");
  const end = board(), heads = box.querySelectorAll(".sp-head").length;
  click("first");
  const first = board();
  click("last"); click("back");
  seen[box.id] = {
    boards, end, heads, first, back: board(), said: box.querySelector(".sp-said").textContent,
    at: box.dataset.step, text: getComputedStyle(box.querySelector("pre.board")).display,
  };
}
return seen;
"""


def test_the_buttons_step_through_the_positions_of_the_game(report: tuple[Path, Any], tmp_path: Path) -> None:
    page, figures = report
    seen = ask(page, tmp_path, _STEP)
    entries = {entry.id: entry for shown in figures.shown.values() for entry in shown}
    assert set(seen) == {f"game-{number}" for number in entries}
    for number, entry in entries.items():
        one, opening = seen[f"game-{number}"], SMALL.from_text(entry.played.job.opening)
        states = [opening, *(step.after for step in steps_of(SMALL, entry.played))]
        assert len(one["boards"]) == len(states)
        for told, state in zip(one["boards"], states, strict=True):
            picture = SMALL.picture(state)
            assert f"round: {state.round}." in told
            for x, y in [
                *(trail.cells[-1] for trail in picture.trails),
                *((piece.x, piece.y) for piece in picture.pieces),
            ]:
                assert f"at column {x + 1}, row {y + 1}" in told
        assert (one["first"], one["end"]) == (one["boards"][0], one["boards"][-1])
        assert one["back"] == one["boards"][max(0, len(states) - 2)]
        assert one["text"] == "none", "what is drawn is not shown as text too"
        if len(states) > 2:
            assert one["at"] == str(len(states) - 2)
            assert "a: " in one["said"]


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(report: tuple[Path, Any], tmp_path: Path, width: int) -> None:
    script = """for (const box of document.querySelectorAll("details")) box.open = true;
    const root = document.documentElement; return [innerWidth, root.clientWidth, root.scrollWidth];"""
    inner, client, scrolled = ask(report[0], tmp_path, script, width)
    assert inner == width
    assert scrolled <= client


_CONTRASTS = """
const context = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const rgba = (colour) => {
  context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
};
const light = (colour) => {
  const [r, g, b] = Array.from(rgba(colour), (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (node) => {
  while (node.parentElement && rgba(getComputedStyle(node).backgroundColor)[3] === 0) node = node.parentElement;
  return getComputedStyle(node).backgroundColor;
};
for (const box of document.querySelectorAll("details")) box.open = true;
const found = [];
for (const node of document.querySelectorAll("h1, h2, h3, p, a, td, th, li, small, summary, button, pre, mark, code, svg text")) {
  const style = getComputedStyle(node), ink = light(node.closest("svg") ? style.fill : style.color);
  const paper = light(behind(node.closest("svg") ?? node));
  found.push([(Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05), node.tagName + "." + node.className]);
}
return [light(getComputedStyle(document.body).backgroundColor), found];
"""


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out_by_day_and_by_night(
    report: tuple[Path, Any], tmp_path: Path, dark: bool
) -> None:
    """At least 4.5 to 1, as WCAG 2.2 asks (success criterion 1.4.3)."""
    paper, found = ask(report[0], tmp_path, _CONTRASTS, dark=dark)
    assert (paper < 0.1) == dark
    assert len(found) > 100
    assert [one for one in found if one[0] < 4.5] == []
