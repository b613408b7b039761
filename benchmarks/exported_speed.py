"""Nodes a second of processor time: a search as machine code, and the same search as WebAssembly in Node.

For every game the search that the page without a server plays `best` with, on the same positions near the start of random games, with the
same number of nodes, by turns. A search that ends sooner, because the game is searched to its end, is made again with empty tables until
so many nodes are visited. Needs the extra `export` and Node.

Usage: python benchmarks/exported_speed.py [--nodes 100000] [--rounds 5] [GAME ...]
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from saddlepoint.algorithms import Limits, Memory
from saddlepoint.algorithms.searcher import Searcher
from saddlepoint.compiled.words import words_of_state
from saddlepoint.export.lowering import ExportError
from saddlepoint.export.player import planned
from saddlepoint.export.process import exported, folder_of
from saddlepoint.game.base import TERMINAL, Game
from saddlepoint.game.steps import random_joint
from saddlepoint.games.catalogue.games import make_game, usable_games
from saddlepoint.games.catalogue.make import make_player, search_of
from saddlepoint.players.searching import turned_to

MOST_TIMES = 1_000
"""How often a search is made again at most."""

HOST = """
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [folder, name] = process.argv.slice(2);
const { Game, Searcher } = await import(`file://${folder}/saddlepoint.mjs`);
const game = await Game.load(JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")), readFileSync(`${folder}/${name}.wasm`));
const searcher = new Searcher(game, 0);
for await (const line of createInterface({ input: process.stdin })) {
  const { nodes, states } = JSON.parse(line);
  let visited = 0, micros = 0;
  for (const { state, times } of states) {
    const words = BigUint64Array.from(state, (word) => BigInt(word));
    for (let time = 0; time < times; time++) {
      searcher.clear();
      const before = process.cpuUsage();
      visited += searcher.search(words, { nodes }).nodes;
      const { user, system } = process.cpuUsage(before);
      micros += user + system;
    }
  }
  console.log(JSON.stringify([visited, micros / 1e6]));
}
"""


def positions(game: Game, count: int) -> list[Any]:
    """Positions in which players choose, from the first rounds of random games."""
    draw, found = random.Random(game.name), []
    while len(found) < count:
        state = game.initial_state()
        for _ in range(draw.randint(0, 3)):
            if game.current_player(state) != TERMINAL:
                state = game.advance(state, *random_joint(game, state, draw))
        if game.players_to_act(state):
            found.append(state)
    return found


def exportable(game: Game) -> str:
    """The player that stands for `best` on the page."""
    try:
        planned(game, make_player("best", game), "best")
        return "best"
    except ExportError:
        return search_of(game).player or "smab"


def measured(game: Game, nodes: int, rounds: int) -> tuple[str, int, float, float, float]:
    """The player, the nodes of a search, thousands of nodes a second of both, and the median of their ratio."""
    spec = exportable(game)
    states, made = positions(game, 4), exported(game.name, spec)
    algorithm: Any = make_player(spec, game).algorithm  # type: ignore[attr-defined]
    searcher = Searcher(game, turned_to(algorithm, 0), memory=Memory())

    def search(state: Any) -> tuple[int, float]:
        """Nodes and seconds of processor time of a search with empty tables."""
        searcher.memory.clear()
        before = time.process_time()
        visited = searcher.search(state, Limits(nodes=nodes), variation=False).statistics.nodes
        return visited, time.process_time() - before

    whole = [search(state)[0] for state in states]
    times = [min(-(-nodes // visited), MOST_TIMES) for visited in whole]
    with tempfile.TemporaryDirectory() as folder:
        for name, content in folder_of(made).items():
            (Path(folder) / name).write_bytes(content)
        (Path(folder) / "host.mjs").write_text(HOST)
        command = ["node", str(Path(folder) / "host.mjs"), folder, made.about["name"]]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as host:
            assert host.stdin is not None
            assert host.stdout is not None
            pairs: list[tuple[float, float]] = []
            for turn in range(rounds + 1):
                spent, visited = 0.0, 0
                for state, again in zip(states, times, strict=True):
                    for _ in range(again):
                        more, seconds = search(state)
                        visited, spent = visited + more, spent + seconds
                native = visited / max(spent, 1e-9)
                asked = {
                    "nodes": nodes,
                    "states": [
                        {"state": [str(int(word)) for word in words_of_state(state)], "times": again}
                        for state, again in zip(states, times, strict=True)
                    ],
                }
                host.stdin.write(json.dumps(asked) + "\n")
                host.stdin.flush()
                visited, seconds = json.loads(host.stdout.readline())
                if turn:  # the first one compiles
                    pairs.append((native, visited / max(seconds, 1e-9)))
            host.stdin.close()
    native, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    return (
        spec,
        sum(whole) // len(whole),
        native / 1e3,
        other / 1e3,
        statistics.median(b / a for a, b in pairs),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="their names [all]")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    print(f"{asked.nodes:,} nodes, medians of {asked.rounds} by turns, load {os.getloadavg()[0]:.1f}")
    print(
        "| game | player | nodes a search | machine code, 1,000 nodes/s | WebAssembly, 1,000 nodes/s | share |"
    )
    print("|---|---|---|---|---|---|")
    for name in asked.games or [entry.name for entry in usable_games()]:
        spec, visited, native, other, share = measured(make_game(name), asked.nodes, asked.rounds)
        print(f"| {name} | `{spec}` | {visited:,} | {native:,.0f} | {other:,.0f} | {share:.2f} |", flush=True)


if __name__ == "__main__":
    main()
