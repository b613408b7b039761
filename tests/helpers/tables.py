"""A table of the page in a test: its address, whose move it is, moves by mouse, keyboard and touch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

RIDERS = "light_riders(width=6, height=6)"
CARDS = "goofspiel(cards=3)"
DROPS = "simplexity(rows=4, cols=4, win=3)"
FLIPS = "rubiks_flip"
SMALL_ROOM = "tron41(map=small_room)"
FROM_A_FILE = f"{Path(__file__).with_name('small_games.py')}:TextConnectFour"

_SETTLED = """before => {
  const moves = document.querySelectorAll(".history li").length;
  const over = document.querySelector(".end:not([hidden])");
  return over || (moves > before && /your move|to move/i.test(document.querySelector(".status")?.textContent));
}"""
_KEYS = {"u": "ArrowUp", "r": "ArrowRight", "d": "ArrowDown", "l": "ArrowLeft"}


def table(
    url: str, game: str, first: str = "you", second: str = "by:random", view: str = "play", **more: str
) -> str:
    """The address of a new game; seats as the page writes them in its addresses."""
    return f"{url}/#/{view}?{urlencode({'g': game, 'a': first, 'b': second, **more})}"


def settled(page: Any, before: int = -1) -> None:
    """Wait until a person is asked after more than `before` moves, or the game is over."""
    page.wait_for_function(_SETTLED, arg=before)


def moves(page: Any) -> int:
    """How many moves were played."""
    return page.locator(".history li").count()


def is_over(page: Any) -> bool:
    """Whether the game has ended."""
    return page.locator(".end").is_visible()


def status(page: Any) -> str:
    """What the page says about the game."""
    return page.locator(".status").inner_text()


def play_on(page: Any, move: Callable[[Any], None], most: int = 200) -> None:
    """Make moves until the game is over, or so many."""
    settled(page)
    for _ in range(most):
        if is_over(page):
            return
        before = moves(page)
        move(page)
        settled(page, before)


def offered(page: Any) -> None:
    """Wait until moves can be made: what a board needs for that is loaded with the first one."""
    page.locator(".sp-target, .choices button").first.wait_for(state="attached")


def free_targets(page: Any) -> Any:
    """The legal moves on the board that lead to an empty cell, where there are any; else all."""
    free = page.locator(".sp-target:not(.sp-blocked)")
    return free if free.count() else page.locator(".sp-target")


def by_mouse(page: Any) -> None:
    """The last legal move on the board, clicked: what is moved, then where to, then which of several."""
    offered(page)
    targets = free_targets(page)
    if not targets.count():
        page.locator(".choices button").last.click()
        return
    before = moves(page)
    for _ in range(4):
        free_targets(page).last.click()
        if page.locator(".sp-chooser").is_visible():
            page.locator(".sp-chooser button").last.click()
        page.wait_for_timeout(30)
        if moves(page) > before or not page.locator(".sp-picked").count():
            return


def by_arrow_keys(page: Any) -> None:
    """An arrow key that leads to an empty cell."""
    offered(page)
    targets = free_targets(page)
    name = (
        targets.first.get_attribute("aria-label")
        if targets.count()
        else page.locator(".choices button").first.inner_text()
    )
    page.keyboard.press(_KEYS[str(name)[0].lower()])


def by_keyboard(page: Any) -> None:
    """Tab to the board or the list of moves, then Enter, until the move is made."""
    offered(page)
    before = moves(page)
    on_board = page.locator(".sp-target").count() > 0
    tab_to(page, ".sp-target" if on_board else ".choices button")
    for _ in range(5):
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
        if moves(page) > before or is_over(page) or not page.locator(".sp-chooser, .sp-picked").count():
            return


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until what this selector finds has the focus."""
    for _ in range(60):
        if page.evaluate("selector => Boolean(document.activeElement?.matches(selector))", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def swipe(page: Any, across: int, down: int) -> None:
    """A finger over the board."""
    box = page.locator(".board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for kind, way in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0), ("touchEnd", None)):
        points = [] if way is None else [{"x": x + way * across, "y": y + way * down}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()
