"""The analysis on the page: what a search saw, alternatives, branches, the review of a whole game; the best moves with their lines."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlencode

import pytest

from helpers.tables import CARDS, DROPS, FLIPS, RIDERS
from web.conftest import Server, Visits
from web.test_analysis_tree import address

pytestmark = pytest.mark.web


def analysis_of(url: str, game: str, **more: str) -> str:
    """The address of a game's analysis."""
    return f"{url}/#/analysis?{urlencode({'g': game, **more})}"


@pytest.fixture
def riders(server: Server, visit: Visits) -> Callable[..., Any]:
    """The analysis of Light Riders, once its matrix has all its values: riders(**more of its address)."""

    def opened(**more: str) -> Any:
        page = visit(analysis_of(server.url, RIDERS, **more), viewport={"width": 1280, "height": 900})
        wait_for_matrix(page)
        return page

    return opened


def shares(page: Any, player: int) -> list[float]:
    """A mixture beside the first heat map, read at one moment."""
    cells = page.locator(f".panels .panel:first-child .matrix th.owner{player}")
    return [
        float(share)
        for share in cells.evaluate_all("cells => cells.map((one) => one.dataset.share || 'nan')")
    ]


def wait_for_matrix(page: Any) -> None:
    """Until a depth of the heat map is finished, and every pair has its value."""
    page.wait_for_selector(".panel:not(.old) .matrix button.played")
    page.wait_for_selector(".panel:not(.old) .matrix tbody:not(:has(button[data-value='']))")


@pytest.mark.parametrize("game", [RIDERS, "goofspiel(cards=3)"])
def test_where_both_choose_every_pair_has_a_value_and_the_mixtures_add_up_to_one(
    server: Server, visit: Visits, game: str
) -> None:
    page = visit(analysis_of(server.url, game))
    if game == CARDS:
        page.get_by_role("button", name="Let chance decide").click()
    wait_for_matrix(page)
    rows, columns = shares(page, 0), shares(page, 1)
    assert [sum(rows), sum(columns)] == pytest.approx([1, 1])
    # All at one moment: while a deeper search begins, some are without a value again.
    told = page.wait_for_function(
        """() => {
            const cells = [...document.querySelectorAll('.panel:not(.old) .matrix tbody button')];
            return cells.length && cells.every((one) => one.dataset.value) && cells.map((one) => [one.dataset.value, one.innerText]);
        }"""
    ).json_value()
    assert len(told) == len(rows) * len(columns)
    assert all(-1 <= float(value) <= 1 for value, _ in told) or game == CARDS
    assert all(text for _, text in told)


def test_heading_table_and_line_are_of_one_search_which_is_named(riders: Any) -> None:
    """Light Riders: `best` lets one player commit first and looks deeper; what is shown is an equilibrium search's, all of it."""
    page = riders()
    page.wait_for_function(
        "() => document.querySelector('.panel .searches p')?.textContent.startsWith('Double oracle')"
    )
    page.get_by_role("button", name="Pause").click()
    how = page.locator(".panel .searches summary")
    assert how.inner_text() == "Found by a search for the best mixtures of both"
    how.click()  # the spec is one click away
    told = page.locator(".panel .searches p").first.inner_text()
    assert (
        told
        == "Double oracle with serialised bounds, evaluator Prospects (do_alphabeta, Nash equilibrium search)."
    )
    rows, columns = shares(page, 0), shares(page, 1)
    values = [
        float(one.get_attribute("data-value") or "nan") for one in page.locator(".matrix tbody button").all()
    ]
    mean = sum(
        x * y * values[i * len(columns) + j]
        for i, x in enumerate(rows)
        for j, y in enumerate(columns)
        if x * y > 0
    )
    told = page.locator(".headline .value").get_attribute("data-value")
    assert float(told or "nan") == pytest.approx(mean, abs=0.01)
    first = page.locator(".pv li").first.inner_text().split()
    likeliest = rows.index(max(rows)), columns.index(max(columns))
    played = page.locator(".matrix tbody button").nth(likeliest[0] * len(columns) + likeliest[1])
    assert (played.get_attribute("aria-label") or "").startswith(f"Blue {first[0]} against Orange {first[1]}")


@pytest.mark.parametrize("game", [DROPS, FLIPS])
def test_where_one_chooses_every_move_has_a_value_and_the_best_comes_first(
    server: Server, visit: Visits, game: str
) -> None:
    page = visit(analysis_of(server.url, game))
    page.wait_for_function(
        "() => [...document.querySelectorAll('.ranking button')].some((one) => one.dataset.value)"
    )
    page.get_by_role("button", name="Pause").click()
    buttons = page.locator(".ranking button")
    values = [float(buttons.nth(at).get_attribute("data-value") or "-inf") for at in range(buttons.count())]
    assert values == sorted(values, reverse=True) and len(values) > 1


@pytest.mark.parametrize(
    ("game", "moves", "said", "also"),
    [
        ("tic_tac_toe", "", "Even with best play. Blue should play ", ""),
        ("tic_tac_toe", "0.-1,-1.1", "Blue wins by force. Blue should play ", ""),
        ("tic_tac_toe", "0.-1,-1.1,4.-1", "Blue wins by force. Orange should play ", ""),
        (
            "biased_rps",
            "",
            "Blue should mix paper (63 %), scissors (31 %) and rock (6 %).",
            "Orange should mix paper (63 %), scissors (31 %) and rock (6 %).",
        ),
    ],
)
def test_what_it_found_is_said_in_a_sentence(
    server: Server, visit: Visits, game: str, moves: str, said: str, also: str
) -> None:
    visit(analysis_of(server.url, game, m=moves)).locator(".panels .lead").filter(has_text=said).filter(
        has_text=also
    ).wait_for(timeout=60_000)


def test_counters_go_on_while_it_searches_and_overlays_are_drawn_when_they_are_switched_on(
    riders: Any,
) -> None:
    page = riders()
    before = page.locator(".counts dd").nth(1).inner_text()
    assert int(before.split()[0].replace(",", "")) > 0
    page.wait_for_function(
        "before => document.querySelectorAll('.counts dd')[1]?.textContent !== before", arg=before
    )
    assert page.get_by_role("meter").get_attribute("aria-valuetext") != "not known yet"
    assert page.locator(".sp-areas path").count() == 0
    page.get_by_role("checkbox", name="territory").check()
    page.wait_for_selector(".sp-areas path", state="attached")
    page.get_by_role("checkbox", name="territory").uncheck()
    page.wait_for_selector(".sp-areas path", state="detached")


def test_a_cell_of_the_matrix_or_both_moves_on_the_board_lead_into_a_branch_and_one_click_back(
    riders: Any,
) -> None:
    page = riders(m="0.0")
    played = page.locator("svg.sp-board").get_attribute("aria-label")
    page.locator(".matrix tbody button").first.click()
    page.get_by_role("button", name="Back to the game").wait_for()
    page.locator(".crumbs [aria-current]", has_text="/").wait_for()
    assert "t=g1" in page.url
    page.reload()
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".crumbs [aria-current]", has_text="Round 1 of 1").wait_for()
    assert page.locator("svg.sp-board").get_attribute("aria-label") == played
    page.locator(".sp-target").first.click()
    page.locator(".said", has_text="Now Orange's move").wait_for()
    page.locator(".sp-target").first.click()
    page.get_by_role("button", name="Back to the game").wait_for()


def test_with_the_keyboard_alone(riders: Any) -> None:
    page = riders(m="0.0,0.0", at="0")
    place = """() => {
      const cell = document.activeElement.closest("td");
      return [cell.parentElement.sectionRowIndex, cell.cellIndex];
    }"""
    page.locator(".matrix button[tabindex='0']").focus()
    assert page.evaluate(place) == [0, 1], "the first cell, after the row's name"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(place) == [1, 2]
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Back to the game").wait_for()
    page.keyboard.press("Escape")
    page.locator(".crumbs", has_text="Round 0 of 2").wait_for()
    page.get_by_role("slider", name="Move").focus()
    for key, said in (("End", "Round 2 of 2"), ("Home", "Round 0 of 2")):
        page.keyboard.press(key)
        page.locator(".crumbs", has_text=said).wait_for()


def test_the_expected_line_plays_out_on_the_board_while_it_is_pointed_at(riders: Any) -> None:
    page = riders()
    page.wait_for_selector(".pv button:nth-child(1)")
    page.get_by_role("button", name="Pause").click()
    board = page.locator("svg.sp-board")
    here = board.get_attribute("aria-label")
    page.locator(".pv button").first.hover()
    page.locator(".said", has_text="1 on:").wait_for()
    assert board.get_attribute("aria-label") != here
    page.mouse.move(0, 0)
    page.locator(".said", has_text="The start").wait_for()
    assert board.get_attribute("aria-label") == here
    page.locator(".pv button").first.focus()
    page.locator(".said", has_text="1 on:").wait_for()


def test_while_it_pauses_nothing_of_another_position_is_shown(riders: Any) -> None:
    page = riders(m="0.0")
    page.get_by_role("button", name="Pause").click()
    assert page.locator(".panel:not(.old) .matrix tbody button").count(), "it is of this position"
    page.get_by_role("checkbox", name="territory").check()
    page.wait_for_timeout(200)
    assert page.locator(".panel:not(.old) .matrix tbody button").count()
    page.get_by_role("button", name="One move back (←)").click()
    page.locator(".panel .word", has_text="Paused.").wait_for()
    assert page.locator(".matrix").count() == 0 and page.locator(".headline .value").inner_text() == "\u2013"
    page.get_by_role("button", name="Go on").click()
    wait_for_matrix(page)


_SHOWN = """async () => {
  const { Panel } = await import("/static/views/analysis/panel.js");
  const { Lines } = await import("/static/views/analysis/lines.js");
  const asked = [];
  const engine = { ask: (request, listener) => asked.push(listener), stop() {} };
  const on = { enter() {}, point() {}, line() {}, walk() {}, changed() {}, chosen() {} };
  const both = { names: ["Blue", "Orange"], range: [-1, 1], on };
  const panel = new Panel(engine, { title: "Search", game: {}, ...both });
  const wanted = { seconds: 1, overlays: [] };
  const found = { kind: "search", depth: 3, value: 0.5, exact: false, nodes: 7, line: [["a", null]], line_actions: [[0, -1]] };
  panel.start({ moves: [] }, wanted);
  asked[0](found);
  panel.start({ moves: [[0, -1]] }, wanted);
  asked[1]({ kind: "error", error: "It cannot be searched." });
  const lines = new Lines(both);
  const one = { player: 0, action: 0, line: [["a", "b"]], line_actions: [[0, 0]] };
  const line = (value, share) => lines.show({ lines: [{ ...one, value }] }, { mixtures: [[share], [1]], rows: [[0]], columns: [[0]] });
  line(0.25, 0.5);
  const [button, before] = [lines.host.querySelector("button"), lines.host.querySelector(".line-of-play").innerText];
  line(0.75, 1);
  return { worth: panel.worth.textContent, figures: panel.figures.nodes.textContent, lines: panel.lines.host.innerText,
    isSame: lines.host.querySelector("button") === button, isTold: lines.host.querySelector(".line-of-play").innerText !== before };
}"""
_DEPTHS = """async () => {
  const { Panel } = await import("/static/views/analysis/panel.js");
  const asked = [];
  const engine = { ask: (request, listener) => asked.push(listener), stop() {} };
  const on = { enter() {}, point() {}, line() {}, walk() {}, changed() {}, chosen() {} };
  const panel = new Panel(engine, { title: "Search", game: {}, names: ["Blue", "Orange"], range: [-1, 1], on });
  panel.start({ moves: [] }, { seconds: 1, overlays: [] });
  const line = { line: [["a", null]], line_actions: [[0, -1]] };
  const search = (depth, value) => asked[0]({ kind: "search", depth, value, exact: false, nodes: 7, ...line });
  const told = [], tell = () => told.push([panel.worth.dataset.value, panel.bounds.textContent, panel.figures.depth.textContent]);
  search(17, 0.5);
  tell();
  panel.table = { finished: 11, value: 0.25, proven: false, lines: [], ...line };
  panel.showLines = () => {};
  search(18, 0.5);
  tell();
  return told;
}"""


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        (_SHOWN, {"worth": "\u2013", "figures": "\u2013", "lines": "", "isSame": True, "isTold": True}),
        (_DEPTHS, [["0.5", "at depth 17", "17"], ["0.25", "at depth 11", "11"]]),
    ],
    ids=[
        "after an error no former numbers stand, and a new value leaves a line's moves alone",
        "the depth is that of the value beside it, though the moves' search is less deep",
    ],
)
def test_what_stands_together_is_of_one_search(
    server: Server, visit: Visits, script: str, shown: Any
) -> None:
    assert visit(analysis_of(server.url, "tic_tac_toe")).evaluate(script) == shown


def test_two_searches_run_side_by_side(riders: Any) -> None:
    page = riders()
    page.get_by_role("button", name="Compare two searches").click()
    second = page.get_by_role("region", name="Second search")
    second.locator(".matrix button.played").first.wait_for()
    boxes = [page.locator(".panels .panel").nth(at).bounding_box() for at in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
    first = page.get_by_role("region", name="Search", exact=True)
    assert len({one.get_by_label("Search").input_value() for one in (first, second)}) == 2
    page.get_by_role("button", name="Compare two searches").click()
    assert page.locator(".panels .panel").count() == 1


@pytest.mark.parametrize("moves", ["xx", "0.-1,3.", "0.-1,-1.2.5"])
def test_a_link_whose_moves_are_damaged_is_refused_in_a_sentence(
    server: Server, visit: Visits, moves: str
) -> None:
    page = visit(analysis_of(server.url, "tic_tac_toe", m=moves))
    page.get_by_text("The moves in this link are damaged").wait_for()


def test_a_position_comes_as_text_and_what_is_no_position_is_told(server: Server, visit: Visits) -> None:
    page = visit(analysis_of(server.url, "simplexity"))
    page.locator(".ranking button").first.click()
    page.get_by_role("button", name="Back to the game").wait_for()
    page.get_by_text("Save: link, file, text").click()
    text = page.get_by_label("This position as text").input_value()
    shown = page.locator("svg.sp-board").get_attribute("aria-label")
    page.get_by_role("link", name="Analysis").click()
    page.get_by_role("combobox", name="Game").select_option(label="Simplexity")
    visit.refusals_expected = True
    field, go = page.get_by_label("Position or replay"), page.get_by_role("button", name="Analyse the text")
    field.fill("nothing of the kind")
    go.click()
    page.get_by_role("alert").filter(has_text="position").wait_for()
    field.fill(text)
    go.click()
    page.locator(".crumbs", has_text="Move 0 of 0").wait_for()
    assert page.locator("svg.sp-board").get_attribute("aria-label") == shown


def test_the_review_of_a_lost_game_says_the_servers_verdict_and_goes_to_the_move_that_lost_it(
    server: Server, visit: Visits
) -> None:
    page = visit(
        analysis_of(server.url, RIDERS, m="3.1,3.1,3.0", review="1")
    )  # player 0 drives left into the wall
    worst = page.locator(".story .decisive")
    worst.wait_for(timeout=120_000)
    assert worst.get_attribute("data-step") == "2"
    said = worst.locator("p").inner_text()
    assert said.startswith(
        "Blue left the field. The last move was left; the game would have gone on with up, down."
    )
    for piece in ("Blue lost the game in round 2 with left", "never stood even again"):
        assert piece in said
    assert (
        page.locator(".answer .verdict")
        .inner_text()
        .startswith(("These values are proven.", "The verdict stands on searches to depth"))
    )
    for one in page.locator(".story li, .mistakes li").all():
        one.locator("svg.sp-board").wait_for()
    assert worst.locator(".sp-arrows > *").count() >= 1, "the moves that were played are drawn"
    page.locator(".crumbs", has_text="Round 2 of 3").wait_for()
    assert page.locator(".graph .sp-turn").count() >= 1
    page.get_by_role("button", name="To the end (End)").click()
    page.locator(".crumbs", has_text="Round 3 of 3").wait_for()
    page.locator(".said", has_text="Orange has won").wait_for()
    worst.get_by_role("button", name="show it on the board").click()
    page.locator(".crumbs", has_text="Round 2 of 3").wait_for()


MISSED = {"s": "xx./o../..o", "m": "6.-1,-1.4,7.-1,-1.5", "p0": "You", "p1": "Gentle", "review": "1"}
"""You could have won at once, twice, and lost."""


def test_a_review_tells_how_well_each_chose_and_what_the_result_was_made_of_and_its_curve_goes_to_a_position(
    server: Server, visit: Visits
) -> None:
    page = visit(analysis_of(server.url, "tic_tac_toe", **{**MISSED, "review": ""}))
    page.locator(".crumbs", has_text="Move 4 of 4").wait_for()
    assert page.locator(".analysis.reviewed").count() == 0
    page.get_by_role("button", name="Review this game").click()
    chose, made = (page.locator(".numbers-of-review table").nth(at) for at in (0, 1))
    made.wait_for(timeout=120_000)
    shown = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in chose.locator("tbody tr").all()
    }
    assert (shown["Moves judged"][0], shown["Large mistakes"][0]) == ("2", "2")
    assert 0 <= int(shown["Accuracy, of what was at stake"][0].removesuffix(" %")) <= 100
    lines = [row.locator("td").all_inner_texts() for row in made.locator("tbody tr").all()]
    *parts, result = [[float(text.replace("\u2212", "-")) for text in line] for line in lines]
    assert result == [-1.0, 1.0]
    for player in (0, 1):
        assert sum(part[player] for part in parts) == pytest.approx(result[player], abs=1e-6), (
            "the numbers shown add up"
        )
    # In a game of turns without chance there is no luck.
    assert "uck" not in page.locator(".numbers-of-review").inner_text()
    curve = page.get_by_role("slider", name="Expected result")
    box = curve.locator("svg").first.bounding_box()
    curve.locator("svg").first.click(position={"x": box["width"] * 0.99, "y": box["height"] / 2})
    page.locator(".crumbs", has_text="Move 4 of 4").wait_for()
    curve.focus()
    page.keyboard.press("ArrowLeft")
    page.locator(".crumbs", has_text="Move 3 of 4").wait_for()
    assert curve.get_attribute("aria-valuenow") == "3"
    assert "Position 3 of 4" in (curve.get_attribute("aria-valuetext") or "")
    page.keyboard.press("Home")
    page.locator(".crumbs", has_text="Move 0 of 4").wait_for()
    page.get_by_text("The curve as a table").click()
    assert page.locator(".curve-table tbody tr").count() == 4
    assert "review=1" in page.url and "at=0" in page.url
    page.reload()
    page.locator(".numbers-of-review table").first.wait_for(timeout=120_000)
    page.locator(".crumbs", has_text="Move 0 of 4").wait_for()


@pytest.mark.parametrize("width", [1280, 390])
def test_one_learns_from_the_own_mistakes_without_seeing_the_answer(
    server: Server, visit: Visits, width: int
) -> None:
    page = visit(analysis_of(server.url, "tic_tac_toe", **MISSED), viewport={"width": width, "height": 800})
    page.get_by_role("button", name="Learn from your mistakes").click(timeout=120_000)
    lesson, reply = page.get_by_role("region", name="Learn from your mistakes"), page.locator(".lesson-reply")
    assert lesson.locator(".lesson-count").inner_text() == "1 of 2"
    back = lesson.get_by_role("button", name="Back to the review")
    assert back.evaluate("(one) => one.getBoundingClientRect().bottom <= innerHeight"), "without scrolling"
    for hidden in (".panels", ".matrix", ".ranking", ".story", ".value-bar", ".sp-arrows > *"):
        assert page.locator(f"{hidden}:visible").count() == 0, "nothing shows what the analysis knows"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    lesson.locator(".sp-target[data-cell='0,2']").press("Enter")  # the move of the game
    lesson.locator(".lesson-reply", has_text="gives away").wait_for()
    assert "It is the move of the game. Try again." in reply.inner_text()
    assert page.evaluate("document.activeElement.dataset.cell") == "0,2", "the focus stays"
    lesson.locator(".sp-target[data-cell='2,0']").press("Enter")  # the same input as anywhere on the page
    lesson.locator(".lesson-reply", has_text="a good move").wait_for()
    answer = lesson.locator(".lesson-answer")
    assert "The best move: 2. In the game: 6, which gave away" in answer.inner_text()
    page.keyboard.press("Enter")  # Next has the focus
    assert lesson.locator(".lesson-count").inner_text() == "2 of 2"
    lesson.get_by_role("button", name="Show the answer").press("Enter")
    assert "In the game: 7, which gave away 2.00." in answer.inner_text()
    lesson.get_by_role("button", name="To the end").click()
    lesson.get_by_text("Positions: 2. Found at the first try: 0. Found later: 1. Answer shown: 1.").wait_for()
    page.keyboard.press("Escape")
    lesson.wait_for(state="detached")
    page.locator(".story li").first.wait_for()


def test_who_looks_at_the_game_of_others_learns_from_either_side(server: Server, visit: Visits) -> None:
    page = visit(analysis_of(server.url, "tic_tac_toe", s=MISSED["s"], m=MISSED["m"], review="1"))
    page.get_by_role("button", name="Learn from the mistakes of Blue").click(timeout=120_000)
    page.locator(
        ".lesson p", has_text="Blue to move. Find a better move than the one in the game."
    ).wait_for()


def test_where_both_choose_at_once_a_move_of_the_best_mixture_is_good_the_others_move_stays_hidden(
    server: Server, visit: Visits
) -> None:
    page = visit(
        analysis_of(server.url, CARDS, m="0.-1,0.0,1.-1,2.1,2.-1,1.2", p0="You", p1="Gentle", review="1")
    )
    page.get_by_role("button", name="Learn from your mistakes").click(timeout=120_000)
    lesson = page.get_by_role("region", name="Learn from your mistakes")
    assert lesson.locator(".lesson-count").inner_text() == "1 of 1"
    assert "Round 2. Your move." in lesson.inner_text()
    offered = lesson.locator(".sp-target, .lesson-moves button")
    assert offered.count() == 2, "only the own two cards"
    offered.nth(1).click()
    lesson.locator(".lesson-reply", has_text="gives away").wait_for()
    lesson.locator(".sp-target, .lesson-moves button").nth(0).click()
    lesson.locator(".lesson-reply", has_text="a good move").wait_for()


def test_who_resigned_is_told_so_and_not_that_the_game_goes_on(server: Server, visit: Visits) -> None:
    page = visit(
        analysis_of(server.url, "tic_tac_toe", m="0.-1,-1.4", review="1", p0="You", p1="Gentle", lost="0")
    )
    page.locator(
        ".story .decisive", has_text="You resigned in a position that was not as good as lost"
    ).wait_for(timeout=120_000)


YOURS = {"review": "1", "p0": "You", "p1": "Gentle", "s0": "you", "s1": "level:gentle"}


def test_a_lost_game_is_played_again_from_where_it_was_lost_or_by_the_strongest(
    server: Server, visit: Visits
) -> None:
    lost = analysis_of(server.url, RIDERS, m="3.1,3.1,3.0", **YOURS)
    page = visit(lost)
    page.locator(".story .decisive", has_text="You left the field.").wait_for(timeout=120_000)
    assert "you stood at" in page.locator(".story .decisive p").inner_text()
    page.get_by_role("button", name="Try again from here").click()
    page.locator(".status", has_text="Your move").wait_for()
    assert all(one in unquote(page.url) for one in ("m=3.1,3.1&", "a=you", "b=level:gentle"))
    page = visit(lost)
    page.get_by_role("button", name="Let the strongest play it").click(timeout=120_000)
    page.wait_for_url("**#/watch?**")
    assert unquote(page.url).count("level:best") == 2


def test_in_a_game_in_turn_one_tries_again_from_the_own_last_choice(server: Server, visit: Visits) -> None:
    """The last move was the winner's: from there nothing could be tried."""
    page = visit(analysis_of(server.url, "tic_tac_toe", m="0.-1,-1.3,1.-1,-1.4,8.-1,-1.5", **YOURS))
    page.locator(".story li", has_text="What ended it").get_by_role(
        "button", name="Try again from here"
    ).click(timeout=120_000)
    page.locator(".status", has_text="Your move").wait_for()
    assert "m=0.-1,-1.3,1.-1,-1.4&" in unquote(page.url)


def test_the_search_goes_on_after_the_server_was_away(visit: Visits, start_server: Any) -> None:
    own = start_server()
    page = visit(analysis_of(own.url, RIDERS))
    wait_for_matrix(page)
    visit.server_may_fail = True
    own.kill()
    page.locator(".word", has_text="does not answer").wait_for()
    own.start()
    page.locator(".word", has_text="does not answer").wait_for(state="hidden")
    page.locator(".matrix tbody button").first.click()
    page.get_by_role("button", name="Back to the game").wait_for()
    wait_for_matrix(page)


# -- lines ---------------------------------------------------------------------------------------------------------------


def firsts(page: Any, section: int = 0) -> list[str]:
    """The first moves of the lines of one player."""
    return [
        " ".join(one.split())
        for one in page.locator(".lines").nth(section).locator(".pv li:first-child").all_inner_texts()
    ]


def test_in_turns_the_best_moves_have_a_value_and_a_line_each(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, DROPS))
    page.locator(".panel:not(.old) .line-of-play").nth(2).wait_for()
    page.get_by_role("button", name="Pause").click()
    assert page.locator(".line-of-play").count() == 3
    shown, ranked = firsts(page), page.locator(".ranking .name").all_inner_texts()
    worth = dict(zip(ranked, page.locator(".ranking .worth").all_inner_texts(), strict=True))
    assert len(set(shown)) == 3
    assert [worth[name] for name in shown] == page.locator(".line-of-play > .worth").all_inner_texts(), (
        "the values of the list"
    )
    page.get_by_label("Lines of each player").select_option("5")
    page.locator(".line-of-play").nth(4).wait_for()
    page.get_by_label("Lines of each player").select_option("1")
    page.wait_for_function("() => document.querySelectorAll('.line-of-play').length === 1")
    page.reload()
    page.locator(".panel:not(.old) .line-of-play").wait_for()
    assert page.get_by_label("Lines of each player").input_value() == "1", "kept in this browser"


def test_where_both_choose_either_players_moves_have_lines_with_how_often_they_are_played(
    server: Server, visit: Visits
) -> None:
    page = visit(address(server.url, RIDERS))
    wait_for_matrix(page)
    page.locator(".lines").nth(1).wait_for()
    page.get_by_role("button", name="Pause").click()
    for player in (0, 1):
        section = page.locator(".lines").nth(player)
        parts = [int(one.split()[0]) for one in section.locator(".part").all_inner_texts()]
        assert parts == sorted(parts, reverse=True) and len(parts) >= 2
        sides = page.locator(f".matrix th.owner{player}").all()
        shares = sorted((float(one.get_attribute("data-share") or 0) for one in sides), reverse=True)
        assert parts == [pytest.approx(100 * one, abs=0.51) for one in shares[: len(parts)]]


def test_a_click_on_a_move_of_a_line_plays_it_as_a_variation(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, m="0.-1", at="0"))
    others = page.locator(".panel:not(.old) .line-of-play").filter(
        has=page.locator("li:first-child", has_text=re.compile("[1-8]"))
    )
    # A search of depth 1, which a slow machine shows for a while, has lines of one move.
    longer = others.filter(has=page.locator(".pv li:nth-child(2) button"))
    longer.first.wait_for()
    page.get_by_role("button", name="Pause").click()
    line = longer.first.locator(".pv button")
    names = [one.strip() for one in line.all_inner_texts()[:2]]
    line.nth(1).click()
    page.locator(".tree [aria-current]").and_(page.locator("button", has_text=names[1])).wait_for()
    moves = [one.split()[-1] for one in page.locator(".tree button").all_inner_texts()]
    assert names[0] != "0", "the line of another move than the game's"
    assert moves == ["Start", "0", *names], "under the game's first move"


def test_a_bound_is_told_as_one_and_never_as_a_value(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, RIDERS))
    told = page.evaluate(
        """async () => {
            const { Lines } = await import("/static/views/analysis/lines.js");
            const lines = new Lines({ names: ["Blue", "Orange"], range: [-1, 1], on: { line() {}, walk() {} } });
            const one = (value, bound) => lines.worth({ value, bound });
            return [one(0.3, null), one(0.3, "upper"), one(-0.3, "lower"), one(1, "upper"), one(-1, "lower"), one(-1, "upper")];
        }"""
    )
    assert told == ["+0.30", "at most +0.30", "at least \u22120.30", "\u2013", "\u2013", "at most \u22121.00"]
    page.get_by_role("region", name="Search", exact=True).get_by_label("Search").select_option("alphabeta")
    page.locator(".panel:not(.old) .line-of-play > .worth").first.wait_for()
    page.wait_for_function(
        """() => {
            const told = [...document.querySelectorAll('.panel:not(.old) .line-of-play > .worth')].map((one) => one.innerText);
            return told.length && told.every((one) => /^(at (least|most) |\\u2013)/.test(one));
        }"""
    )


def test_the_mark_of_a_move_that_puts_a_piece_lies_in_its_cell(server: Server, visit: Visits) -> None:
    page = visit(analysis_of(server.url, "tic_tac_toe", s="xx./o../..o"))
    page.locator(".panels .lead", has_text="Blue should play 2.").wait_for(timeout=60_000)
    tip = page.locator(".board-and-bar .sp-tip").first
    tip.wait_for()
    page.get_by_role("button", name="Pause").click()
    mark, board = tip.bounding_box(), page.locator(".board-and-bar svg.sp-board").bounding_box()
    third = board["width"] / 3
    assert mark["x"] > board["x"] + 2 * third - 1 and mark["y"] + mark["height"] < board["y"] + third + 1
