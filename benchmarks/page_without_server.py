"""How soon the page without a server shows a board and answers, in a fresh Chromium for every game.

Milliseconds, the median of some visits, each with nothing kept of the one before, from a file server on this machine: until the first page
shows a board; from the first request for a game until the answer of its level `best`, with 1,000 nodes a move (what is measured is loading
and compiling, not thinking). Needs Chromium and Playwright.

Usage: python benchmarks/page_without_server.py FOLDER [--visits 5] (FOLDER: what `saddlepoint export --to page -o FOLDER` wrote)
"""

import argparse
import functools
import http.server
import os
import statistics
import threading
import time
from typing import Any

from playwright.sync_api import Browser, sync_playwright

PATHS = ("/usr/bin/chromium", "/usr/bin/chromium-browser")
ANSWER = """async (game) => {
  const { post } = await import("./static/api.js");
  const moves = [];
  for (;;) {
    const { positions } = await post("/api/positions", { game, start: null, moves });
    const last = positions.at(-1);
    if (last.node === "chance") moves.push([(await post("/api/chance", { game, start: null, moves })).outcome, -1]);
    else return (await post("/api/answer", { game, start: null, moves, player: last.to_act[0], level: "best", nodes: 1000 })).name;
  }
}"""
GAMES = """async () => (await (await import("./static/api.js")).catalogue()).games.map((one) => one.name)"""


class QuietServer(http.server.ThreadingHTTPServer):
    """A browser that is closed leaves what it asked for: that is no error."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of it."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of requests."""


def first_board(browser: Browser, site: str) -> float:
    """Milliseconds from the address to a board."""
    context = browser.new_context()
    page = context.new_page()
    started = time.perf_counter()
    page.goto(site, wait_until="commit")
    page.wait_for_selector("svg.sp-board .sp-ground *", state="attached")
    seconds = time.perf_counter() - started
    context.close()
    return 1000 * seconds


def first_answer(browser: Browser, site: str, game: str) -> float:
    """Milliseconds from the first request for a game to the answer of its strongest level."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site, wait_until="domcontentloaded")
    started = time.perf_counter()
    assert page.evaluate(ANSWER, game)
    seconds = time.perf_counter() - started
    context.close()
    return 1000 * seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--visits", type=int, default=5)
    asked = parser.parse_args()
    handler = functools.partial(Quiet, directory=asked.folder)
    with QuietServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_port}"
        program = next((path for path in PATHS if os.path.exists(path)), None)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        boards = [first_board(browser, site) for _ in range(asked.visits)]
        print(
            f"load {os.getloadavg()[0]:.1f}; the first board after {statistics.median(boards):.0f} ms ({max(boards):.0f} at most)\n"
        )
        page = browser.new_page()
        page.goto(site)
        print("| game | first answer of `best`, ms | at most |\n|---|---|---|")
        for game in page.evaluate(GAMES):
            answers = [first_answer(browser, site, game) for _ in range(asked.visits)]
            print(f"| {game} | {statistics.median(answers):.0f} | {max(answers):.0f} |", flush=True)
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
