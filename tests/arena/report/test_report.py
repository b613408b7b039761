"""Reports in a real browser, on a phone and by night too; and of ledgers that somebody else wrote, whose texts stay texts."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from helpers.arena_games import NODES, SMALL, plan
from helpers.browser import CHROMIUM, ask, load
from helpers.report_pages import HOSTILE, Page, at_fault, enter, real_games, renamed, report_of, reported
from saddlepoint.arena.ledger import Ledger, LedgerError
from saddlepoint.arena.replaying import steps_of
from saddlepoint.arena.report import clean, gather, report_data
from saddlepoint.arena.report.page import report_page, templates
from saddlepoint.arena.schedule import settings_of
from saddlepoint.play.viewer import embedded

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


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
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


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
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


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
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


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out_by_day_and_by_night(
    report: tuple[Path, Any], tmp_path: Path, dark: bool
) -> None:
    """At least 4.5 to 1, as WCAG 2.2 asks (success criterion 1.4.3)."""
    paper, found = ask(report[0], tmp_path, _CONTRASTS, dark=dark)
    assert (paper < 0.1) == dark
    assert len(found) > 100
    assert [one for one in found if one[0] < 4.5] == []


# -- ledgers of others ---------------------------------------------------------------------------------------------------


@given(st.text(min_size=1))
@example(HOSTILE)
@example('"><!-- ]]> &lt;')
@example("\ud800\u202e\x00\x1b[31m")
def test_any_text_comes_out_of_a_template_as_it_was_but_for_characters_that_cannot_be_shown(
    text: str,
) -> None:
    made = templates().from_string('<b title="{{ text }}">{{ text }}</b>').render(text=text)
    made.encode("utf-8")
    page = Page(made)
    assert "".join(page.texts.get("b", [])) == clean(text)
    assert page.values("title") == [clean(text)]
    if text.isprintable():
        assert clean(text) == text


@given(
    st.recursive(
        st.text() | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
@example({"</script>": ["<!--<script>", "&"]})
def test_embedded_data_cannot_end_its_element_and_reads_back(data: Any) -> None:
    text = embedded(data)
    assert not set("<>&") & set(text)
    assert json.loads(text) == data


def spoil(path: Path, sentence: str, *values: object) -> None:
    """Change something in a ledger, as another program would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sentence, values)


def test_moves_that_break_the_rules_end_the_replay_and_not_the_report(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    reported(tmp_path, [renamed(game, "a", "b", number) for number, game in enumerate(real_games(2))])
    spoil(path, "UPDATE games SET actions = '[[99,99]]' WHERE id = 1")
    spoil(path, "UPDATE games SET opening = 'no position <b>' WHERE id = 2")
    assert sum("Replay: " in said for said in Page(report_of(path)[1]).texts["p"]) == 2


def test_a_game_that_this_library_does_not_have_has_figures_and_no_replays(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    settings = settings_of(NODES, plan(2))
    settings["terms"]["game"] = {"name": "<i>chess", "parameters": {"<u>": "</table>"}}
    with Ledger(path) as book:
        number = book.begin("match", ("a", "b"), settings, 2)
        for game in real_games(2):
            book.add(number, renamed(game, "a", "b", game.job.number))
    data, text = report_of(path)
    page = Page(text)
    assert data["games"][0]["games"] == 2
    assert "<i>chess (<u>=</table>)" in page.texts["h2"]
    assert not {"i", "u"} & set(page.tags)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("game points", 0.3),
        ("game points", "much"),
        ("game times", "[[NaN],[]]"),
        ("game times", "[[1e999],[]]"),
        ("game times", "[]"),
        ("game pair", "x"),
        ("game actions", "[[Infinity,0]]"),
        ("game actions", "{"),
        ("game searches", '[[["deep",1,1]],[]]'),
        ("game opening", b"\xff"),
        ("game result", "none"),
        ("game started", "yesterday"),
        ("game reason", b"because"),
        ("tournament settings", "[]"),
        ("tournament settings", "{}"),
        ("tournament settings", "no JSON"),
        ("tournament settings", '{"terms": [], "plan": {"swap": true}}'),
        ("tournament players", "{"),
    ],
)
def test_a_figure_that_nothing_can_have_is_named_in_one_sentence(
    tmp_path: Path, place: str, value: object
) -> None:
    path = tmp_path / "games.db"
    reported(tmp_path, [renamed(game, "a", "b", number) for number, game in enumerate(real_games(1))])
    what, column = place.split()
    spoil(path, f"UPDATE {what}s SET {column} = ?", value)
    with pytest.raises(LedgerError, match=f"^{what} 1 of the ledger cannot be read: [^\n]+$"):
        report_of(path)
