"""The arena on the page: a ledger's tables, a tournament that runs in another process to the move that lost a game, a match."""

import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from helpers.cli_runs import program
from helpers.lost_games import PLAYERS, match, played
from helpers.programs import wait_until
from saddlepoint.arena.ledger import Ledger
from web.conftest import Server, Visits, requests_of

pytestmark = pytest.mark.web


def test_a_ledger_is_followed_while_it_grows_and_its_games_are_found(
    visit: Visits, start_server: Any, tmp_path: Path
) -> None:
    ledger = played(tmp_path / "games.db", 2)
    server = start_server("--ledger", str(ledger))
    page = visit(f"{server.url}/#/arena", viewport={"width": 1280, "height": 900})
    rows = page.locator(".game-list tbody tr")
    page.locator(".live", has_text="2 games").wait_for()
    rows.nth(1).wait_for()
    assert rows.count() == 2
    assert page.locator("#g1-ratings tbody tr").count() == 2
    assert page.locator("#g1-ratings svg.row line.bar").count() >= 2  # error bars
    assert page.locator("#g1-cross td.up, #g1-cross td.down").count() == 2

    process = match(ledger, 4)
    page.locator(".live", has_text="6 games").wait_for(timeout=120_000)
    assert process.wait(60) == 0
    page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length === 6")
    assert page.locator(".tournament").count() == 2
    process.communicate()

    for name in PLAYERS:
        page.get_by_role("combobox", name="Player", exact=True).select_option(name)
        page.get_by_role("combobox", name="How it ended").select_option("lost_by")
        page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length < 6")
        for at in range(rows.count()):
            loser = 0 if rows.nth(at).locator(".points").inner_text().startswith("0") else 1
            assert rows.nth(at).locator(".player").nth(loser).inner_text() == name
    page.get_by_role("combobox", name="Player", exact=True).select_option("")
    page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length === 6")
    page.get_by_role("link", name="The move that lost it").first.click()
    page.locator(".answer .verdict:not([hidden])").first.wait_for(timeout=120_000)
    page.go_back()
    rows.first.get_by_role("rowheader").get_by_role("link").click()
    page.locator(".sp-count").wait_for()


def test_without_a_ledger_it_says_how_to_make_one(server: Any, visit: Visits) -> None:
    visit(f"{server.url}/#/arena").get_by_text("--ledger games.db").first.wait_for()


# -- running -------------------------------------------------------------------------------------------------------------

SLOW = """
import time

def choose(game, state, clock):
    time.sleep({seconds})
    return game.legal_actions(state, {player})[0]
"""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a match between two players that take their time: run(ledger, games, *more, seconds=0.5)."""
    given = (
        "--game",
        "light_riders",
        "--size",
        "9x9",
        "--time",
        "30",
        "--seed",
        "1",
        "--openings",
        "random:4",
    )
    options = dict.fromkeys(("stdout", "stderr"), subprocess.DEVNULL)
    with ExitStack() as ending:

        def start(ledger: Path, games: int, *more: str, seconds: float = 0.5) -> subprocess.Popen[str]:
            for player, name in enumerate(("slow.py", "slower.py")):
                (tmp_path / name).write_text(SLOW.format(player=player, seconds=seconds))
            asked = ("./slow.py", "./slower.py", *given, "-n", str(games), "--ledger", str(ledger), *more)
            process = program("match", *asked, plain=True, cwd=tmp_path, start_new_session=True, **options)
            ending.enter_context(process)
            ending.callback(process.kill)
            return process

        yield start


def test_a_running_match_shows_its_board_which_moves_on_and_opens_in_the_replay(
    visit: Visits, start_server: Any, tmp_path: Path, run: Any
) -> None:
    ledger = tmp_path / "games.db"
    Ledger(ledger).close()
    page = visit(f"{start_server('--ledger', str(ledger)).url}/#/arena")
    page.get_by_text("No games yet").wait_for(timeout=120_000)
    process = run(ledger, 1, seconds=1.2)
    board = page.locator(".live-game")
    board.locator("svg.sp-board").wait_for(timeout=120_000)
    page.get_by_role("heading", name="A game is being played").wait_for()
    assert "30.0 s a move" in board.inner_text() and "Round-robin 1, game 1" in board.inner_text()
    page.wait_for_function(
        "first => document.querySelector('.sp-score-round').textContent !== first",
        arg=board.locator(".sp-score-round").inner_text(),
    )
    assert process.wait(120) == 0
    board.get_by_role("link", name="Open the replay").wait_for()
    assert board.locator(".sp-score-middle strong").inner_text()[0] in "01½"
    page.get_by_role("heading", name="Just finished").wait_for()
    page.reload()
    page.locator(".game-list tbody tr").wait_for()
    assert not board.count(), "with nothing under way the page is as before"
    page.goto(f"{page.url.partition('#')[0]}#/replay?l=1&n=1")
    page.locator(".sp-score-side").first.wait_for()
    assert "slow (./slow.py)" in page.locator(".sp-score-side").first.inner_text()


@pytest.mark.parametrize("games_at_a_time", ["1", "2"])
def test_a_match_that_is_killed_leaves_no_running_game_and_a_whole_ledger(
    visit: Visits, start_server: Any, tmp_path: Path, run: Any, games_at_a_time: str
) -> None:
    ledger = tmp_path / "games.db"
    process = run(ledger, 40, "-j", games_at_a_time)
    wait_for_table(ledger)
    server = start_server("--ledger", str(ledger))
    page = visit(f"{server.url}/#/arena")
    page.locator(".live-game svg.sp-board").first.wait_for(timeout=60_000)
    process.kill()
    process.wait()
    page.wait_for_function("() => !document.querySelector('.live-game[data-state=live]')")
    another = visit(f"{server.url}/#/arena")
    another.locator(".tournament").wait_for()
    assert not another.locator(".live-game").count()
    with closing(sqlite3.connect(ledger)) as book, book:
        assert book.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_tab_that_is_hidden_asks_nothing(
    visit: Visits, start_server: Any, tmp_path: Path, run: Any
) -> None:
    ledger = tmp_path / "games.db"
    run(ledger, 40)
    wait_for_table(ledger)
    page = visit(f"{start_server('--ledger', str(ledger)).url}/#/arena")
    page.locator(".live-game").first.wait_for(timeout=60_000)
    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away });
      window.away = true;
    }""")
    page.wait_for_timeout(2500)  # what was under way has come
    asked = requests_of(page)
    page.wait_for_timeout(3000)
    assert not asked
    with page.expect_request("**/running**"):
        page.evaluate("() => { window.away = false; document.dispatchEvent(new Event('visibilitychange')); }")


def wait_for_table(ledger: Path) -> None:
    """Wait until a game that runs is in the ledger."""

    def has_one() -> bool:
        try:
            with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as book:
                return bool(book.execute("SELECT count(*) FROM running_games").fetchone()[0])
        except sqlite3.OperationalError:
            return False

    wait_until(has_one, 180)


# -- a match on the page -------------------------------------------------------------------------------------------------


def test_a_recorded_match_comes_with_the_page(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena")
    page.get_by_role("link", name="Look at a recorded match").click()
    page.locator(".game-list tbody tr").first.wait_for()
    assert page.locator(".game-list tbody tr").count() == 20
    page.get_by_role("link", name="20", exact=True).click()
    page.locator(".sp-count", has_text="0 / 23 rounds").wait_for()


def test_a_recorded_game_comes_with_the_page_and_its_end_is_not_told_at_its_start(
    server: Server, visit: Visits
) -> None:
    page = visit(f"{server.url}/#/replay")
    page.get_by_role("link", name="Look at a recorded game").click()
    heading = page.locator(".heading")
    page.locator(".sp-count", has_text="0 / 28").wait_for()
    assert "won" not in heading.inner_text()
    page.keyboard.press("End")
    page.locator(".heading", has_text="Best won after 28 rounds").wait_for()
    page.get_by_role("button", name="Analyse from here").click()
    page.locator(".crumbs", has_text="Round 28 of 28").wait_for()


def played_match(page: Any) -> list[str]:
    """The games of a match of ten, as they are told."""
    page.get_by_role("combobox", name="Game", exact=True).select_option("tic_tac_toe")
    page.get_by_role("combobox", name="The other").select_option("by:random")
    page.get_by_role("button", name="Play 10 games").click()
    page.get_by_text("10 of 10 games: ").wait_for(timeout=120_000)
    return page.locator(".match-games li").all_inner_texts()


def test_ten_games_between_two_players_are_played_on_the_page(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena")
    games = played_match(page)
    assert len(games) == 10
    assert [one.startswith("Strong") for one in games] == [True, False] * 5, "the sides are swapped"
    told = page.locator(".page-match .word").inner_text()
    strong, random = (float(part.split()[-1]) for part in told.split(":")[1].split(","))
    assert strong + random == 10 and strong > random
    bar = page.get_by_role("progressbar", name="Games of the match")
    assert bar.evaluate("bar => bar.value / bar.max") == 1
    page.reload()
    page.locator(".match-games li").first.wait_for()
    assert page.locator(".match-games li").all_inner_texts() == games, "it is kept in this browser"
    page.get_by_role("link", name="The move that lost it").first.click()
    page.locator(".story li").first.wait_for(timeout=60_000)
    page.go_back()
    page.get_by_role("button", name="Replay", exact=True).first.click()
    page.locator(".sp-count").wait_for()


def test_the_list_of_games_is_filtered_by_result_and_sorted(server: Server, visit: Visits) -> None:
    page = visit(f"{server.url}/#/arena?l=0")
    rows = page.locator(".game-list tbody tr")
    rows.first.wait_for()
    page.get_by_role("combobox", name="How it ended").select_option("drawn")
    page.wait_for_function("() => document.querySelectorAll('.game-list tbody tr').length === 8")
    assert set(page.locator(".game-list .points").all_inner_texts()) == {"\u00bd\u2013\u00bd"}
    page.get_by_role("combobox", name="Order").select_option("longest")
    page.locator(".game-list tbody tr:first-child .turns", has_text="47").wait_for()
    turns = [int(one) for one in page.locator(".game-list .turns").all_inner_texts()]
    assert turns == sorted(turns, reverse=True)
    page.reload()
    page.locator(".game-list tbody tr:first-child .turns", has_text="47").wait_for()
    assert rows.count() == 8
    page.get_by_role("combobox", name="How it ended").select_option("fault")
    page.get_by_text("No such games", exact=True).wait_for()
