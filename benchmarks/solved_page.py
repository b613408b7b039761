"""Solved games on the page without a server: how large, how soon the first answer comes, and how far from `Solution.at`.

Each game is solved and exported with its solution. In Chromium, whose processor is slowed down by --throttle, values, matrices and mixtures
of positions on the way of games at random are compared with the program's; the largest difference is printed. The answers' times are those
of the strongest level from when the solution is there: the first one, and the median of those to 200 positions. Needs the extra `export`,
Chromium and Playwright.

Usage: python benchmarks/solved_page.py [GAME ...] [--positions 2000] [--throttle 6]
"""

import argparse
import functools
import os
import random
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
from page_without_server import PATHS, Quiet, QuietServer
from playwright.sync_api import Browser, sync_playwright

from saddlepoint.cli.common import read_game
from saddlepoint.compiled.words import words_of_state
from saddlepoint.export.solution import packed_solution
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.solvers.whole_game import solve_game
from saddlepoint.web.site import game_files, page_files, written

GAMES = (
    "goofspiel(cards=9, utility=points)", "goofspiel(cards=13, order=descending, utility=points)", "tron(width=6, height=6)",
    "oshi_zumo(coins=50)", "soccer", "tic_tac_toe",
)  # fmt: skip
LOAD = """async (game) => {
  const [known, reader] = await Promise.all(["known", "solution"].map((name) => import(`./engine/${name}.js`)));
  const begun = performance.now();
  globalThis.solution = await reader.solutionOf(await known.gameOf(game));
  return performance.now() - begun;
}"""
ANSWER = """async ([game, moves, player]) => {
  const { solvedAnswer } = await import("./engine/solved.js");
  const begun = performance.now();
  await solvedAnswer({ game, moves, player, start: null, level: "best" });
  return performance.now() - begun;
}"""
STAGES = """(positions) => positions.map((words) => {
  const stage = solution.at(BigUint64Array.from(words, (word) => BigInt("0x" + word)));
  return [stage.value, stage.matrix.flat(), stage.strategies.map((mixture) => [...mixture])];
})"""


def line_of(solution: Any, rng: random.Random) -> list[tuple[list[list[int]], Any]]:
    """The positions of a game at random, each with the moves that lead there."""
    game, state, moves, found = solution.game, solution.root, list[list[int]](), []
    while game.current_player(state) != TERMINAL and len(moves) < 100:
        found.append((list(moves), state))
        outcomes = game.chance_outcomes(state)
        joint = (
            [rng.choice(outcomes)[0], NO_ACTION]
            if outcomes
            else [rng.choice(own) for own in solution.choices(state)]
        )
        moves.append(joint)
        state = game.advance(state, *joint)
    return found


def difference(stage: Any, told: Any) -> float:
    """The largest difference of a value, a value in the matrix, and a probability."""
    value, matrix, mixtures = told
    apart = [abs(value - stage.value), *np.abs(np.array(matrix) - np.array(stage.matrix).ravel()).tolist()]
    for mixture, own in zip(mixtures, stage.strategies, strict=True):
        assert [action for action, _ in mixture] == list(own)
        apart += [abs(share - own[action]) for action, share in mixture]
    return max(apart)


def measured(text: str, browser: Browser, folder: Path, positions: int, throttle: float) -> str:
    """A row of the table."""
    game, path, rng = read_game(text), folder / "game.sol", random.Random(1)
    found = solve_game(game, game.initial_state(), "policies" if game.clock else "induction", output=path)
    solution: Any = found.solution
    assert found.certificate is not None
    packed = packed_solution(solution, found.certificate, path)
    made = game_files(text, game, packed)
    written(page_files([made], made.name), folder / "site")
    lines: dict[Any, list[list[int]]] = {}
    for _ in range(3 * positions):
        if len(lines) < positions:
            lines |= {state: moves for moves, state in line_of(solution, rng)}
    with QuietServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder / "site"))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
        loading = page.evaluate(LOAD, made.row["spec"])
        asked = [
            (moves, 1 if game.current_player(state) == 1 else 0)
            for state, moves in list(lines.items())[:200]
            if game.current_player(state) != CHANCE
        ]
        seconds = [page.evaluate(ANSWER, [made.row["spec"], *one]) for one in asked]
        words = [[f"{word:x}" for word in words_of_state(state)] for state in lines]
        told = page.evaluate(STAGES, words)
        page.close()
        server.shutdown()
    worst = max(difference(solution.at(state), one) for state, one in zip(lines, told, strict=True))
    return (
        f"| {text} | {len(solution):,} | {path.stat().st_size:,} | {len(packed.content):,} | {loading:.0f} | {seconds[0]:.1f} | "
        f"{np.median(seconds):.1f} | {len(lines):,} | {worst:.1g} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--throttle", type=float, default=6)
    asked = parser.parse_args()
    program = next((path for path in PATHS if os.path.exists(path)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        print(f"load {os.getloadavg()[0]:.1f}, processor slowed down {asked.throttle:g} times\n")
        print(
            "| game | positions | .sol, bytes | packed | loading, ms | first answer, ms | median | compared | largest difference |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        for text in asked.games:
            with tempfile.TemporaryDirectory() as folder:
                print(measured(text, browser, Path(folder), asked.positions, asked.throttle), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
