"""The tree of an analysis: variations and comments, in the list, in the link and in a file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode

import pytest
from playwright.sync_api import expect

from helpers.tables import RIDERS
from saddlepoint.games.catalogue.games import read_replay
from web.conftest import Server, Visits, downloaded
from web.test_every_view import PHONE, check_touch

pytestmark = pytest.mark.web

DRAWS = "tic_tac_toe"
OPENING = "0.-1,-1.4,8.-1"
VARIED = "g1,(4.-1{the middle},-1.0),g1,(-1.1),g1"
"""The middle instead of the first corner, with an answer; another answer to the corner."""


_FOCUS_IN_LIST = "() => document.activeElement.matches('.tree [aria-current]')"
"""What was pressed is hidden: the focus is on the move shown."""


@pytest.fixture
def varied(server: Server, visit: Visits) -> Callable[..., Any]:
    """The analysis of that game with its variations, once they are named: varied(at, **options of the browser's context)."""

    def opened(at: str, tree: str = VARIED, **options: Any) -> Any:
        page = visit(address(server.url, t=tree, at=at), **options)
        page.locator(".tree .comment", has_text="the middle").wait_for()
        return page

    return opened


def count_of_moves(page: Any, count: int) -> None:
    """Wait until the list has so many, the start among them."""
    page.wait_for_function("count => document.querySelectorAll('.tree button').length === count", arg=count)


def address(url: str, game: str = DRAWS, **more: str) -> str:
    """The address of an analysis, of a game of three moves if not told otherwise."""
    return f"{url}/#/analysis?{urlencode({'g': game, **({'m': OPENING} if game == DRAWS else {}), **more})}"


def now(page: Any) -> str:
    """The move in the list that is marked as the one shown."""
    return " ".join(page.locator(".tree [aria-current]").inner_text().split())


def wait_for(page: Any, move: str) -> None:
    """Until this move is the one shown."""
    page.wait_for_function(
        "move => document.querySelector('.tree [aria-current]')?.innerText.split(/\\s+/).join(' ').trim() === move",
        arg=move,
    )


def tree_of(page: Any) -> str:
    """What the link says of the tree."""
    found = [part[2:] for part in page.url.partition("?")[2].split("&") if part.startswith("t=")]
    return unquote(found[0].replace("+", " ")) if found else ""


def test_another_move_makes_a_variation_under_its_move_once_and_the_link_keeps_it(
    server: Server, visit: Visits
) -> None:
    page = visit(address(server.url, at="1.5"))  # a place that is no whole number is one
    page.locator(".crumbs", has_text="Move 1 of 3").wait_for()
    page.locator(".sp-target").last.click()
    page.locator(".tree .variations button").wait_for()
    count_of_moves(page, 5)
    said = now(page)
    assert page.locator(".tree .variations button").inner_text().split() == said.split()
    # It stands in the item of the move that it could replace, the game's second.
    assert page.locator(".tree > ol > li:has(.variations) > button").inner_text().split()[0] == "2"
    assert "(" in tree_of(page) and tree_of(page).endswith("g1")
    page.reload()
    wait_for(page, said)
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".tree > ol > li > [aria-current]").wait_for()
    page.locator(".sp-target").last.click()  # the same move again steps into the variation that is there
    wait_for(page, said)
    assert page.locator(".tree .variations button").count() == 1


def test_the_arrow_keys_go_along_the_line_and_into_variations(varied: Any) -> None:
    page = varied("1")
    page.locator(".tree [aria-current]").focus()
    moves = [" ".join(text.split()) for text in page.locator(".tree button").all_inner_texts()]
    assert len(moves) == 7
    start, first, middle, answer, second, _, third = moves
    wait_for(page, first)
    for key, there in [
        ("ArrowDown", middle),
        ("ArrowRight", answer),
        ("ArrowLeft", middle),
        ("ArrowUp", first),
        ("ArrowRight", second),
        ("End", third),
        ("Home", start),
    ]:
        page.keyboard.press(key)
        wait_for(page, there)
        assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "step", (
            "the focus goes along"
        )


def test_a_variation_is_deleted_and_brought_back_the_game_stays_and_a_variation_becomes_the_main_line(
    varied: Any,
) -> None:
    page = varied("2")
    page.get_by_role("button", name="Delete from here").click()
    page.get_by_role("status").filter(has_text="2 moves are deleted.").wait_for()
    page.wait_for_function(_FOCUS_IN_LIST)
    assert page.locator(".tree button").count() == 5 and tree_of(page) == "g2,(-1.1),g1"
    page.get_by_role("button", name="Undo").click()
    count_of_moves(page, 7)
    page.wait_for_function(_FOCUS_IN_LIST)
    assert tree_of(page) == VARIED
    page.locator(".tree button").nth(1).click()
    page.locator(".tree > ol > li > [aria-current]").wait_for()
    assert page.get_by_role("button", name="Delete from here").is_hidden(), "a move of the game"
    page.locator(".tree .variations button").nth(1).click()
    page.locator(".tree .variations [aria-current]").wait_for()
    said, main = now(page), page.get_by_role("button", name="Make it the main line")
    main.click()
    page.wait_for_function("() => document.querySelector('.tree > ol > li > [aria-current]')")
    assert now(page) == said and main.is_hidden()
    page.wait_for_function(_FOCUS_IN_LIST)
    assert tree_of(page) == "4.-1{the middle},(g2,(-1.1),g1),-1.0"
    page.reload()
    wait_for(page, said)
    assert page.locator(".tree > ol > li > [aria-current]").count() == 1


def test_a_comment_is_plain_text_of_a_limited_length_and_in_the_link(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, at="2"))
    page.locator(".tree [aria-current]").wait_for()
    page.get_by_role("button", name="Comment", exact=True).click()
    hostile = "<img src=x onerror=alert(1)> {a} \\ (b), 1.2 & t=3 # ü"
    page.get_by_label("Comment on this move").fill(hostile)
    page.locator(".tree .comment", has_text=hostile).wait_for()
    page.wait_for_url("**&t=**")
    page.reload()
    page.locator(".tree .comment", has_text=hostile).wait_for()
    assert page.locator(".tree img").count() == 0
    page.get_by_role("button", name="Edit the comment").click()
    page.get_by_label("Comment on this move").evaluate(
        "one => { one.value = 'y'.repeat(9000); one.dispatchEvent(new Event('input')); }"
    )
    page.wait_for_function(
        "() => document.querySelector('.tree .comment:not([hidden])').textContent === 'y'.repeat(500)"
    )


def test_a_file_keeps_the_tree_and_is_a_replay_of_the_game(
    server: Server, visit: Visits, tmp_path: Path
) -> None:
    page = visit(address(server.url, t=VARIED))
    page.get_by_text("Save: link, file, text").click()
    path = downloaded(page, "Save as a file", tmp_path / "analysis.jsonl")
    replay = read_replay(path, 1)
    assert replay.game == DRAWS and len(replay.rounds) == 3
    page = visit(f"{server.url}/#/analysis")
    page.locator("input[type=file]").set_input_files(path)
    count_of_moves(page, 7)
    assert page.locator(".tree .comment", has_text="the middle").is_visible()
    page.reload()
    count_of_moves(page, 7)
    data, other = json.loads(path.read_text()), tmp_path / "other.jsonl"
    del data["variations"]
    other.write_text(json.dumps(data) + "\n")
    page.locator("input[type=file]").set_input_files(other)
    count_of_moves(page, 4)
    page.go_back()
    page.locator(".open-page").wait_for()
    # The file before is not here any more, and this address is not of the other.
    assert page.locator(".tree").count() == 0
    page.go_forward()
    count_of_moves(page, 4)
    for wrong in ("g1,(", ["g1"], 7, "g9", "5.5"):
        path.write_text(json.dumps(data | {"variations": wrong}) + "\n")
        page = visit(f"{server.url}/#/analysis")
        visit.refusals_expected = True
        page.locator("input[type=file]").set_input_files(path)
        page.locator(".moves-of-analysis .word:not(:empty)").wait_for()
        assert page.locator(".tree button").count() == 4, "the game is there"


def held_back(page: Any, path: str) -> list[Any]:
    """From now on the server does not answer the page's requests of this path; answers those that wait."""
    waiting: list[Any] = []

    def hold(route: Any) -> None:
        waiting.append(route)

    page.route(f"**{path}", hold)
    return waiting


def test_the_game_is_shown_and_used_before_the_server_has_named_the_variations(page: Any) -> None:
    waiting = held_back(page, "/api/branches")
    page.evaluate("hash => { location.hash = hash; }", address("", t=VARIED, at="3")[1:])
    count_of_moves(page, 4)
    for name in ("arrows", "flipped", "flipped"):
        page.get_by_role("checkbox", name=name).click()
    page.get_by_label("Seconds for a position").select_option(label="5 s")
    page.get_by_text("Edit the position").click()
    expect(page.get_by_role("textbox", name="The position as text")).to_have_value(".../.../...")
    page.get_by_role("button", name="One move on (→)").click()
    page.locator(".sp-target").last.click()
    page.locator(".tree .variations [aria-current]").wait_for()
    said = now(page)
    assert tree_of(page) == VARIED and len(waiting) == 1, "the address keeps what it says"
    waiting[0].continue_()
    page.locator(".tree .comment", has_text="the middle").wait_for()
    assert now(page) == said and page.locator(".tree button").count() == 8
    page.wait_for_function("() => location.hash.includes('-1.8')")


def test_who_leaves_before_the_variations_are_named_keeps_the_address_of_the_next_view(page: Any) -> None:
    waiting = held_back(page, "/api/branches")
    page.evaluate("hash => { location.hash = hash; }", address("", t=VARIED)[1:])
    while not waiting:
        page.wait_for_timeout(50)
    page.get_by_role("link", name="Arena").click()
    page.wait_for_function("() => document.querySelector('.view-arena')?.children.length")
    page.wait_for_timeout(300)
    assert page.url.endswith("#/arena")


_LONG = """async (length) => {
  const { Tree } = await import("/static/views/analysis/tree.js");
  const { Places } = await import("/static/views/analysis/places.js");
  const played = Array.from({ length }, (_, at) => [at % 9, -1]);
  const position = (turn) => ({ names: [`move ${turn}`], turn, node: "turn" });
  const api = { post: async (path, { moves, from }) => (
    { positions: Array.from({ length: moves.length + 1 - from }, (_, at) => position(from + at)) }) };
  const began = performance.now();
  const places = new Places({ game: "", start: null }, { api });
  await places.load(played);
  const tree = new Tree(played);
  await places.name(tree);
  return [performance.now() - began, tree.line.map((place) => place.told.names[0]), places.along(played).length];
}"""


def test_a_game_of_four_thousand_moves_is_told_at_once(server: Server, visit: Visits) -> None:
    took, names, known = visit(server.url).evaluate(_LONG, 4000)
    assert names == [f"move {at}" for at in range(4001)] and known == 4001
    assert took < 2000, "milliseconds; what grows with the square of the moves takes many seconds"


def test_a_comment_that_is_written_stays_with_its_move(varied: Any) -> None:
    page = varied("2")
    page.get_by_role("button", name="Edit the comment").click()
    field = page.get_by_label("Comment on this move")
    expect(field).to_have_value("the middle")
    # As a review does that goes to a move; the field has the focus.
    page.locator(".tree button").nth(1).evaluate("one => one.click()")
    page.locator(".tree > ol > li > [aria-current]").wait_for()
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    field.press_sequentially("x")
    expect(page.locator(".tree .comment:not([hidden])")).to_have_text(["x", "the middle"])


def test_a_tree_that_no_link_can_hold_can_be_undone_too(server: Server, visit: Visits) -> None:
    said = "{" + "x" * 490 + "}"
    first = "".join(f",({n}.-1{said},-1.0{said})" for n in range(1, 9))
    second = "".join(f",(-1.{n}{said})" for n in (1, 2, 3, 5, 6, 7, 8))
    third = "".join(f",({n}.-1{said})" for n in (1, 2, 3, 5, 6, 7))
    page = visit(address(server.url, t=f"g1{first},g1{second},g1{third}", at="2"))
    page.get_by_role("status").filter(has_text="too much here for a link").wait_for()
    page.get_by_role("button", name="Delete from here").click()
    page.get_by_role("status").filter(has_text="2 moves are deleted.").wait_for()
    count = page.locator(".tree button").count()
    page.get_by_role("button", name="Undo").click()
    count_of_moves(page, count + 2)


def test_both_moves_of_a_round_and_what_chance_draws_are_moves_of_the_tree(
    server: Server, visit: Visits
) -> None:
    page = visit(address(server.url, "goofspiel(cards=3)", m="0.-1,0.0", t="g1,(1.-1,2.2),g1,(1.1)"))
    count_of_moves(page, 6)
    assert [" ".join(text.split()) for text in page.locator(".tree button").all_inner_texts()] == [
        "Start",
        "prize 1",
        "prize 2",
        "1 3 3",
        "1 1 1",
        "1 2 2",
    ]


def test_play_goes_on_from_a_variation_with_a_side_and_a_level(varied: Any) -> None:
    page = varied("3")
    page.get_by_text("Play on from here").click()
    page.get_by_label("You play").select_option(label="Orange")
    levels = page.get_by_label("Against").locator("option").all_inner_texts()
    assert len(levels) >= 2 and levels[-1] == "A person here"
    page.get_by_label("Against").select_option(index=0)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**#/play?**")
    page.locator(".history li").nth(1).wait_for()
    for said in ("m=4.-1,-1.0", "b=you", "a=level"):
        assert said in page.url
    page.locator(".status", has_text="Your move").wait_for()


LARGE, SMALL = (390, 844), (360, 740)


@pytest.mark.parametrize(
    ("game", "moves", "screen"),
    [
        (RIDERS, "", LARGE),
        ("goofspiel(cards=4)", "3.-1", LARGE),
        ("biased_rps", "", LARGE),
        ("goofspiel(cards=13)", "7.-1", SMALL),
        ("oshi_zumo", "", SMALL),
        ("light_riders", "", SMALL),
    ],
)
def test_the_matrix_stands_on_the_first_screen_of_a_phone_under_the_board_and_begins_with_what_is_played(
    server: Server, visit: Visits, game: str, moves: str, screen: tuple[int, int]
) -> None:
    width, height = screen
    page = visit(address(server.url, game, m=moves), viewport={"width": width, "height": height}, **PHONE)
    page.wait_for_selector(".panel:not(.old) .matrix button.played")
    box, board = (page.locator(one).bounding_box() for one in (".alternatives", ".board-and-bar .board"))
    assert page.evaluate("scrollY") == 0
    assert board["y"] + board["height"] < box["y"]
    assert box["y"] + box["height"] <= height
    for player in (0, 1):
        shares = page.locator(f".matrix th.owner{player}").evaluate_all(
            "all => all.map((one) => Number(one.dataset.share))"
        )
        played = [share >= 0.005 for share in shares]
        assert len(shares) <= 6 or played == sorted(played, reverse=True) != [False] * len(shares), shares
    check_touch(page)


def test_the_headings_of_a_large_matrix_stay_while_it_is_scrolled(server: Server, visit: Visits) -> None:
    page = visit(
        address(server.url, "goofspiel(cards=13)", m="7.-1"), viewport={"width": 360, "height": 740}, **PHONE
    )
    page.wait_for_selector(".panel:not(.old) .matrix button.played")
    page.locator(".matrix button[tabindex='0']").focus()
    before = page.locator(".matrix button:focus").get_attribute("aria-label")
    for _ in range(9):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
    assert page.locator(".matrix button:focus").get_attribute("aria-label") != before
    box, cell, row, column = (
        page.locator(one).bounding_box()
        for one in (
            ".alternatives",
            ".matrix button:focus",
            ".matrix tr:has(button:focus) th.owner0",
            ".matrix th.owner1 >> nth=9",
        )
    )
    assert page.evaluate(
        "(({ scrollTop, scrollLeft }) => scrollTop > 0 && scrollLeft > 0)(document.querySelector('.alternatives'))"
    )
    assert abs(row["x"] - box["x"]) <= 3 and abs(column["y"] - box["y"]) <= 3, "at the edges of the box"
    assert row["x"] + row["width"] <= cell["x"] + 1 and column["y"] + column["height"] <= cell["y"] + 1, (
        "what has the focus"
    )
    assert abs(cell["x"] - column["x"]) <= 4 and abs(cell["y"] - row["y"]) <= 4, "they are its headings"


def test_a_variation_is_made_by_touch(server: Server, visit: Visits) -> None:
    page = visit(address(server.url, at="1"), viewport={"width": 360, "height": 740}, **PHONE)
    page.locator(".sp-target").last.tap()
    page.locator(".tree .variations button").wait_for()
    check_touch(page)
    page.get_by_role("button", name="Make it the main line").tap()
    page.get_by_role("button", name="Make it the main line").wait_for(state="hidden")
    page.locator(".tree .variations button").first.tap()
    page.locator(".tree .variations [aria-current]").wait_for()


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ("g1,(", "a variation does not end at character 5"),
        ("g7", "the game has no such move at character 1"),
        ("<b>", "there is no move at character 1"),
        ("0.-1)", "a variation ends that never began at character 5"),
        ("g1,(0.0)", "variation move 1"),
        ("g1,(9.-1)", "variation move 1"),
        ("g3,(5.-1,5.-1)", "variation move 2"),
    ],
)
def test_a_tree_that_cannot_be_is_told_in_a_sentence_and_the_game_is_shown(
    server: Server, visit: Visits, tree: str, said: str
) -> None:
    visit.refusals_expected = True
    page = visit(address(server.url, t=tree))
    page.locator(".moves-of-analysis .word", has_text=said).wait_for()
    count_of_moves(page, 4)


_HOSTILE = """async ([tree, line, count]) => {
  const { readTree } = await import("/static/views/analysis/tree.js");
  const { Places } = await import("/static/views/analysis/places.js");
  const { takeFile } = await import("/static/views/source.js");
  const api = await import("/static/api.js");
  let seed = 7;
  const random = (below) => { seed = (seed * 48271) % 2147483647; return seed % below; };
  const letters = "0123456789.,(){}\\\\-g \\n\\"<:[]\\u0000\\u2028";
  const mutated = (text) => {
    for (let times = 1 + random(4); times > 0; times -= 1) {
      const at = random(text.length + 1), some = letters[random(letters.length)].repeat(random(20) ? 1 : 400);
      text = text.slice(0, at) + (random(2) ? some : "") + text.slice(at + random(3) * random(2));
      if (!random(15)) text += text;
    }
    return text;
  };
  const told = { fine: 0, refused: 0, wrong: [], slowest: 0 };
  const attempt = async (text, work) => {
    const began = performance.now();
    try {
      await work(text);
      told.fine += 1;
    } catch (error) {
      told.refused += 1;
      const sentence = error.message;
      const isNoSentence = !sentence || /\\n|undefined|null is|not a function|Traceback/.test(sentence) || error instanceof TypeError;
      if (isNoSentence) told.wrong.push([text, String(error)]);
    }
    told.slowest = Math.max(told.slowest, performance.now() - began);
  };
  const played = [[0, -1], [-1, 4], [8, -1]];
  const places = new Places({ game: "tic_tac_toe", start: null }, { api });
  await places.load(played);
  for (let one = 0; one < count; one += 1) {
    await attempt(mutated(tree), async (text) => {
      const made = readTree(text, played);
      await places.name(made);
      if (readTree(made.toText(), played).toText() !== made.toText()) throw new TypeError("the text does not come back");
    });
    await attempt(mutated(line), (text) => takeFile(new Blob([text]), { api }));
  }
  return told;
}"""


def test_a_thousand_hostile_texts_are_read_or_refused_in_one_sentence(server: Server, visit: Visits) -> None:
    visit.refusals_expected = True
    page = visit(address(server.url))
    page.locator(".tree [aria-current]").wait_for()
    line = page.evaluate(
        """async () => (await import("/static/api.js"))
            .post("/api/line", {game: "tic_tac_toe", start: null, moves: [[0, -1], [-1, 4]]}, {kind: "text"})"""
    )
    line = line.rstrip()[:-1] + f', "variations": {json.dumps(VARIED)}}}\n'
    told = page.evaluate(_HOSTILE, [VARIED, line, 500])
    assert told["wrong"] == [] and told["fine"] + told["refused"] == 1000
    assert told["fine"] > 20 and told["refused"] > 200, told
    assert told["slowest"] < 5000, "milliseconds, with others at work on this machine"


def test_hostile_addresses_leave_a_page_that_works(server: Server, visit: Visits) -> None:
    visit.refusals_expected = True
    page = visit(address(server.url))
    page.locator(".tree [aria-current]").wait_for()
    for more in (
        "t=((((",
        "t=" + "(" * 30000,
        "t=g1," + "(0.0" * 500,
        "t={" + quote("}" * 400),
        "t=g99999",
        "t=1.1{" + "x" * 3000 + "}",
        "at=-5",
        "at=1e99",
        "at=__proto__",
        "t=&at=3",
        "t=%00",
        "t=g1,(4.-1" + ",-1.0" * 2000 + ")",
        "m=1",
        "m=9.9,9.9",
        "m=x",
        "s=hello",
        "g=nothing",
        "g=",
        "t=g3," + "".join(f"({n}.-1)" for n in range(2000)),
    ):
        page.evaluate(
            "hash => { location.hash = hash; }", f"#/analysis?g={DRAWS}&m={OPENING}&{more}&n={len(more)}"
        )
        page.locator(".tree [aria-current], [role=alert]:visible").first.wait_for()
    page.evaluate("hash => { location.hash = hash; }", f"#/analysis?g={DRAWS}&m={OPENING}&t={quote(VARIED)}")
    count_of_moves(page, 7)
