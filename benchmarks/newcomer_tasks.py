"""Nine things that somebody new wants of the page: how many clicks and keys each takes, and how long.

    python benchmarks/newcomer_tasks.py [--sources OTHER_CHECKOUT/src] [--ledger games.db]

Starts `saddlepoint serve` and goes through the tasks in a real Chromium, at the width of a desk and of a phone, each time as somebody
who was never there. Controls are found by their roles and words, as a person finds them. A text that is pasted is one key; moves of
the game are counted apart. Prints a table, and ends with 1 where a task cannot be done. Needs Chromium, and what tests/web needs.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from helpers.browser import CHROMIUM  # pyright: ignore[reportMissingImports]
from helpers.page_server import page_server, with_sources  # pyright: ignore[reportMissingImports]

SIZES = {"desk": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}
GAME = "Connect four"
_PATIENCE = 180_000
_SETTLED = """before => document.querySelectorAll('.history li').length > before
  && /your move|to move|won|lost|draw/i.test(document.body.innerText)"""


class NotPossibleError(Exception):
    """The page does not offer this."""


class Newcomer:
    """Somebody at a page, whose clicks and keys are counted."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.clicks = self.moves = 0

    def open(self, view: str = "") -> None:
        """Go to the first page, or to a view of the bar at the top."""
        self.page.goto("about:blank")
        self.page.goto(self.url)
        if view:
            self.click("link", view)

    def find(self, role: Any, name: str, wait: int = _PATIENCE) -> Any:
        """A control that can be seen, by its role and the beginning of its words."""
        found = self.page.get_by_role(role, name=re.compile(f"^{re.escape(name)}", re.IGNORECASE))
        try:
            found.first.wait_for(timeout=wait)
        except Error:
            raise NotPossibleError(f"there is no {role} {name!r}") from None
        return found.first

    def has(self, role: Any, name: str) -> bool:
        """Whether such a control is there now."""
        return self.page.get_by_role(role, name=re.compile(f"^{re.escape(name)}", re.IGNORECASE)).count() > 0

    def click(self, role: Any, name: str, wait: int = _PATIENCE) -> None:
        """Click it."""
        self.find(role, name, wait).click()
        self.clicks += 1

    def choose(self, name: str, option: str, which: int = 0) -> None:
        """Choose from a list: two clicks."""
        found = self.page.get_by_role("combobox", name=re.compile(f"^{name}", re.IGNORECASE)).nth(which)
        labels = found.locator("option").all_inner_texts()
        found.select_option(
            label=next((label for label in labels if label.lower() == option.lower()), option), timeout=20_000
        )
        self.clicks += 2

    def move(self, which: str) -> None:
        """The first or the last move that the board offers."""
        targets = self.page.locator(".sp-target:visible")
        targets.first.wait_for(timeout=_PATIENCE)
        before = self.page.locator(".history li").count()
        (targets.first if which == "first" else targets.last).click()
        self.moves += 1
        self.page.wait_for_function(_SETTLED, arg=before, timeout=_PATIENCE)


def play(one: Newcomer) -> None:
    """A move, and the answer to it."""
    one.open()
    one.click("button", f"Play {GAME}")
    one.move("first")


def lose(one: Newcomer) -> None:
    """The game that was begun, to its end."""
    for which in ("first", "last"):
        for _ in range(30):
            if one.has("button", "Why did I lose?"):
                return
            if not one.page.locator(".sp-target:visible").count():
                one.page.wait_for_timeout(300)
                if not one.page.locator(".sp-target:visible").count() and not one.has(
                    "button", "Why did I lose?"
                ):
                    break
                continue
            one.move(which)
        one.open()
        one.click("button", f"Play {GAME}")
    raise NotPossibleError("no game was lost")


def ask_why(one: Newcomer) -> None:
    """From the end of that game to the explanation."""
    one.click("button", "Why did I lose?", wait=10_000)
    _wait(one, ".story li, .verdict:not([hidden])", "the explanation of the loss")


def try_again(one: Newcomer) -> None:
    """Play on from where the game was lost; what ended it is told first, and may be the other player's move."""
    one.find("button", "Try again from here", wait=10_000)
    lost = one.page.get_by_role("listitem").filter(has_text=re.compile("where it was lost", re.IGNORECASE))
    place = lost.first if lost.count() else one.page
    place.get_by_role("button", name="Try again from here").last.click()
    one.clicks += 1
    _wait(one, ".sp-target", "a board to play on")


def watch_the_best_two(one: Newcomer) -> None:
    """Two players at their strongest, until they have played a move."""
    one.open()
    one.find("button", f"Play {GAME}")
    if one.has("button", "Watch the best"):
        one.click("button", "Watch the best")
    else:
        one.click("link", "Watch")
        one.click("link", f"Options of {GAME}")
        one.find("button", "Watch")
        for name in ("Blue", "Orange"):
            one.choose(name, "Best")
        one.click("button", "Watch")
    _wait(one, ".history li", "a move")


def analyse_a_text(one: Newcomer) -> None:
    """A position that was copied from somewhere, to its value."""
    one.open("Analysis")
    one.find("button", "Analyse")
    one.choose("Game", GAME)
    box = one.page.get_by_role("textbox").first
    box.click()
    box.fill("\n".join([*["......."] * 4, "...o...", "..xx..."]))
    one.clicks += 2
    one.click("button", "Analyse the text")
    _wait(one, ".ranking button, .matrix button", "what the moves are worth")


def see_a_tournament(one: Newcomer) -> None:
    """Who is better in the tournament that was given."""
    one.open("Arena")
    _wait(one, "section[id$='-ratings'] tbody tr", "ratings")


def play_a_friend(one: Newcomer) -> None:
    """A table, its link opened by somebody else, and both may move; the other's clicks are counted too."""
    one.open()
    one.click("link", "Play a friend")
    _name(one, "Ann")
    one.click("button", "Open the table")
    link = one.page.get_by_label("Send this link to your friend")
    link.wait_for(timeout=_PATIENCE)
    one.clicks += 1  # it is copied
    browser = one.page.context.browser
    assert browser is not None
    other = Newcomer(browser.new_context().new_page(), link.input_value())
    other.page.goto(other.url)
    _name(other, "Ben")
    other.click("button", "Sit down")
    one.page.get_by_text("Your move", exact=True).first.wait_for(timeout=_PATIENCE)
    one.clicks += other.clicks
    other.page.context.close()


def start_a_match(one: Newcomer) -> None:
    """Two players who play ten games on the page, until the first of them is over."""
    one.open("Arena")
    one.click("link", "Play a match on this page")
    one.click("button", "Play 10 games")
    _wait(one, ".match-games li", "a game of the match")
    one.page.get_by_role("button", name="Stop").click()  # the computer is needed for what follows


TASKS: dict[str, Callable[[Newcomer], None]] = {
    "play a game: a move and its answer": play,
    "lose it": lose,
    "why did I lose?": ask_why,
    "try again from there": try_again,
    "watch the best two": watch_the_best_two,
    "analyse a position from a text": analyse_a_text,
    "see a tournament": see_a_tournament,
    "play a friend: both may move": play_a_friend,
    "start a match: its first game": start_a_match,
}


def _name(one: Newcomer, name: str) -> None:
    """One's name, which is one click and counts as one key."""
    box = one.page.get_by_label("Your name")
    box.wait_for(timeout=_PATIENCE)
    box.fill(name)
    one.clicks += 2


def _wait(one: Newcomer, selector: str, what: str) -> None:
    try:
        one.page.locator(selector).first.wait_for(timeout=_PATIENCE)
    except Error:
        said = " ".join(one.page.locator("[role=alert]:visible").all_inner_texts())
        raise NotPossibleError(f"{what} did not come; {said}".rstrip("; ")) from None


def done(browser: Browser, url: str, size: str) -> dict[str, str]:
    """Every task, one after another, as clicks, moves and seconds; or why it cannot be done."""
    context = browser.new_context(viewport=SIZES[size], has_touch=size == "phone", reduced_motion="reduce")  # type: ignore[arg-type]
    one = Newcomer(context.new_page(), url)
    told: dict[str, str] = {}
    for name, task in TASKS.items():
        one.clicks = one.moves = 0
        began = time.perf_counter()
        try:
            task(one)
        except (NotPossibleError, Error) as error:
            told[name] = f"not possible: {str(error).splitlines()[0]}"
            continue
        moves = f" and {one.moves} move{'' if one.moves == 1 else 's'}" if one.moves else ""
        told[name] = f"{one.clicks}{moves}, {time.perf_counter() - began:.1f} s"
    context.close()
    return told


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--sources", type=Path, help="The src folder of another checkout.")
    parser.add_argument(
        "--ledger", type=Path, help="A tournament to look at; without it one is played before."
    )
    parser.add_argument("--sizes", nargs="*", default=list(SIZES))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        ledger = asked.ledger or Path(folder, "games.db")
        if asked.ledger is None:
            players = ("random", "saddle(depth=1)")
            command = [
                sys.executable,
                "-m",
                "saddlepoint",
                "tournament",
                *players,
                "-n",
                "6",
                "--nodes",
                "50",
                "--ledger",
                str(ledger),
            ]
            subprocess.run(command, env=with_sources(asked.sources), check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with page_server(ledger, asked.sources) as url:
            load = os.getloadavg()[0]
            found = {size: done(browser, url, size) for size in asked.sizes}
        browser.close()
    machine = f"load {load:.1f} to {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {machine}; clicks and keys, moves, seconds\n")
    print(f"| task | {' | '.join(asked.sizes)} |\n|---|{'---|' * len(asked.sizes)}")
    for name in TASKS:
        print(f"| {name} | {' | '.join(found[size][name] for size in asked.sizes)} |")
    if any(text.startswith("not possible") for told in found.values() for text in told.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
