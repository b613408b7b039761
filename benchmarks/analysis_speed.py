"""What watching a search costs: nodes a second with the page and without, and updates a second.

    python benchmarks/analysis_speed.py [--pairs 5] [--seconds 3] [--alternatives]

A position from the middle of a game of Light Riders on 16x16, searched as `best` does: in this process, and by a real
`saddlepoint serve` that tells a WebSocket client what it sees, one after the other in turn. Beside the nodes a second there
are those a second of CPU time, for machines that do other work meanwhile: all that the server uses counts, not the search alone.
"""

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from typing import Any

import psutil
from websockets.sync.client import connect

from saddlepoint.algorithms import Limits, search
from saddlepoint.boards.longest_path import are_separated
from saddlepoint.games.catalogue.make import search_of
from saddlepoint.games.light_riders import LightRiders

GAME = LightRiders()
_ROUNDS = 24


def middle_game(seed: int = 0) -> list[tuple[int, int]]:
    """The moves of a random game until some rounds are played and the riders are not separated yet."""
    draw = random.Random(seed)
    while True:
        state, moves = GAME.initial_state(4, 7), list[tuple[int, int]]()
        while len(moves) < _ROUNDS and GAME.players_to_act(state) and not are_separated(GAME, state):
            own = [GAME.search_actions(state, player) for player in (0, 1)]
            moves.append((draw.choice(own[0]), draw.choice(own[1])))
            state = GAME.next_state(state, *moves[-1])
        if len(moves) == _ROUNDS and GAME.players_to_act(state) and not are_separated(GAME, state):
            return moves


def alone(state: Any, seconds: float) -> tuple[float, float]:
    """Nodes a second of the search in this process, and a second of its CPU time."""
    before = time.process_time()
    found = search(GAME, state, search_of(GAME).algorithm, Limits(seconds=seconds))
    return found.statistics.nodes / found.seconds, found.statistics.nodes / (time.process_time() - before)


def watched(
    address: str, server: psutil.Process, message: dict[str, Any], seconds: float
) -> tuple[float, float, float, float]:
    """With a client that watches: nodes a second, and a second of the server's CPU time; messages about the search a second; the
    longest pause between two of them, in seconds.
    """
    times: list[float] = []
    nodes, told_nodes = 0.0, 0
    before = sum(server.cpu_times()[:2])
    with connect(address, compression=None, open_timeout=120) as connection:
        connection.send(json.dumps(message | {"id": 1, "do": "analyse", "seconds": seconds}))
        while True:
            told = json.loads(connection.recv(timeout=600))
            if told["kind"] in ("search", "counters"):
                times.append(time.perf_counter())
                told_nodes, nodes = told["nodes"], float(told["nodes_per_second"])
            elif told["kind"] == "error":
                raise RuntimeError(told["error"])
            elif told["kind"] == "done":
                break
    pauses = [after - before for before, after in itertools.pairwise(times)]
    used = sum(server.cpu_times()[:2]) - before
    return nodes, told_nodes / max(used, 1e-9), (len(times) - 1) / (times[-1] - times[0]), max(pauses)


def main() -> None:
    """Print a line a pair, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument(
        "--alternatives",
        action="store_true",
        help="Watch the matrix of the stage too: another search at the same time.",
    )
    options = parser.parse_args()
    moves = middle_game()
    state = GAME.initial_state(4, 7)
    message = {
        "game": "light_riders",
        "start": GAME.to_text(state),
        "moves": moves,
        "alternatives": options.alternatives,
    }
    for joint in moves:
        state = GAME.next_state(state, *joint)
    print(GAME.render(state))
    command = [sys.executable, "-m", "saddlepoint", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            page = next(line.strip() for line in server.stdout if line.startswith("http://"))
            address = page.replace("http://", "ws://") + "ws/analysis"
            process = psutil.Process(server.pid)
            alone(state, 0.2)
            watched(address, process, message, 0.2)
            print(
                "\nalone: nodes/s  /CPU s   watched: nodes/s  /CPU s   share  of CPU   updates/s  longest pause    load"
            )
            rows: list[tuple[float, ...]] = []
            for _ in range(options.pairs):
                plain, plain_used = alone(state, options.seconds)
                nodes, used, updates, pause = watched(address, process, message, options.seconds)
                rows.append((nodes / plain, used / plain_used, updates, pause))
                print(
                    f"{plain:14,.0f} {plain_used:8,.0f} {nodes:17,.0f} {used:8,.0f} {rows[-1][0]:7.1%} {rows[-1][1]:7.1%}"
                    f" {updates:11.1f} {pause:12.3f} s {os.getloadavg()[0]:7.2f}",
                    flush=True,
                )
            share, of_cpu, updates, _ = (statistics.median(column) for column in zip(*rows, strict=True))
            longest = max(row[3] for row in rows)
            print(
                f"medians: {share:.1%} of the nodes a second, {of_cpu:.1%} of those a second of CPU time, {updates:.1f} updates a second"
            )
            print(f"longest pause: {longest:.3f} s")
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
