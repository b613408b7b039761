"""What watching a search costs: nodes a second with the page and without, and updates a second.

    python benchmarks/analysis_speed.py [--pairs 5] [--seconds 3] [--alternatives]

A position from the middle of a game of Light Riders on 16x16, searched as `best` does: in this process, and by a real
`saddlepoint serve` that tells a WebSocket client what it sees, one after the other in turn.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from typing import Any

from websockets.sync.client import connect

from saddlepoint.algorithms import Limits, search
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.filling import are_separated
from saddlepoint.roster.analysing import search_of

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


def alone(state: Any, seconds: float) -> float:
    """Nodes a second of the search in this process."""
    found = search(GAME, state, search_of(GAME).algorithm, Limits(seconds=seconds))
    return found.statistics.nodes / found.seconds


def watched(address: str, message: dict[str, Any], seconds: float) -> tuple[float, float, float]:
    """(nodes a second, messages about the search a second, the longest pause between two in seconds) with a client that watches."""
    times: list[float] = []
    nodes = 0.0
    with connect(address, compression=None) as connection:
        connection.send(json.dumps(message | {"id": 1, "do": "analyse", "seconds": seconds}))
        while True:
            told = json.loads(connection.recv(timeout=600))
            if told["kind"] in ("search", "counters"):
                times.append(time.perf_counter())
                nodes = told["nodes"] / told["seconds"]
            elif told["kind"] == "error":
                raise RuntimeError(told["error"])
            elif told["kind"] == "done":
                break
    pauses = [after - before for before, after in zip(times, times[1:], strict=False)]
    return nodes, (len(times) - 1) / (times[-1] - times[0]), max(pauses)


def main() -> None:
    """Print a line a pair, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--alternatives", action="store_true", help="Watch the matrix of the stage too: another search at the same time.")
    options = parser.parse_args()
    moves = middle_game()
    state = GAME.initial_state(4, 7)
    message = {"game": "light_riders", "start": GAME.to_text(state), "moves": moves, "alternatives": options.alternatives}
    for joint in moves:
        state = GAME.next_state(state, *joint)
    print(GAME.render(state))
    command = [sys.executable, "-m", "saddlepoint", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            page = next(line.strip() for line in server.stdout if line.startswith("http://"))
            address = page.replace("http://", "ws://") + "ws/analysis"
            alone(state, 0.2)
            watched(address, message, 0.2)
            print("\nalone: nodes/s   watched: nodes/s   share   updates/s   longest pause   load")
            rows: list[tuple[float, ...]] = []
            for _ in range(options.pairs):
                plain = alone(state, options.seconds)
                nodes, updates, pause = watched(address, message, options.seconds)
                rows.append((plain, nodes, nodes / plain, updates, pause))
                load = os.getloadavg()[0]
                print(f"{plain:14,.0f} {nodes:18,.0f} {nodes / plain:7.1%} {updates:11.1f} {pause:13.3f} s {load:6.2f}", flush=True)
            middle = [statistics.median(column) for column in zip(*rows, strict=True)]
            print(f"medians: {middle[2]:.1%} of the nodes a second, {middle[3]:.1f} updates a second, pauses of {max(r[4] for r in rows):.3f} s at most")
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
