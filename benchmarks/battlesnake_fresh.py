"""How long a server of `saddlepoint bot battlesnake` that has just been started takes until it plays a board with its search.

A game begins as soon as the server listens; the next one where it ends. The other snake goes where there is room. `--cold` starts
the server with nothing compiled; without it a first server, which is not counted, leaves the board compiled.

    python benchmarks/battlesnake_fresh.py
    python benchmarks/battlesnake_fresh.py --cold
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time

from battlesnake_crowd import Crowd
from battlesnake_latency import Asker, Server, tell
from battlesnake_service import ways
from latency import figures

MOST = 900.0
"""Seconds after which a board that is not ready is given up."""


def fresh(arguments, answers):
    """A server from its start until so many answers after the board was ready: what the table shows."""
    began = time.monotonic()
    server = Server(arguments.player)
    listening, ready, games = time.monotonic() - began, None, 0
    before, searched = [], []
    try:
        while len(searched) < answers:
            games += 1
            draw = random.Random(f"{arguments.seed} {games}")
            crowd = Crowd(arguments.board, 2, draw, f"fresh-{games}", arguments.ms)
            asker, latencies = Asker(server), {}
            asker.ask("/start", crowd.request("snake-0", {}))
            while not crowd.is_over and len(searched) < answers:
                answer, asked, there = asker.ask("/move", crowd.request("snake-0", latencies))
                (before if ready is None else searched).append(there - asked)
                latencies = {"snake-0": str(round(1000 * (there - asked)))}
                crowd.play(
                    {"snake-0": answer["move"], "snake-1": draw.choice(ways(crowd, "snake-1") or ["up"])}
                )
                if ready is None and any(
                    f"is ready for standard {arguments.board}x{arguments.board} " in line
                    for line in server.log
                ):
                    ready = time.monotonic() - began
                assert ready is not None or time.monotonic() - began < MOST, "".join(server.log)
            asker.ask("/end", crowd.request("snake-0", latencies)) if crowd.snakes else None
            asker.connection.close()
    finally:
        server.end()
    for line in server.log:
        print(line, end="", file=sys.stderr)
    return {
        "board": arguments.board,
        "timeout ms": arguments.ms,
        "s to listen": round(listening, 1),
        "s to the search": round(ready, 1),
        "answers before": len(before),
        "late before": sum(taken > arguments.ms / 1000 for taken in before),
        "games": games,
        **{f"searched: {name}": value for name, value in figures(searched, arguments.ms).items()},
        "load": round(os.getloadavg()[0], 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--board", type=int, default=7)
    parser.add_argument("--ms", type=int, default=500, help="the timeout")
    parser.add_argument("--cold", action="store_true", help="with nothing compiled")
    parser.add_argument("--answers", type=int, default=20, help="answers after the board is ready")
    parser.add_argument("--player", default="best")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # nothing that it has started stays behind
    with tempfile.TemporaryDirectory() as empty:
        if arguments.cold:
            os.environ["NUMBA_CACHE_DIR"] = empty
        else:
            fresh(arguments, 1)
        row = fresh(arguments, arguments.answers)
    tell(
        row,
        f"Battlesnake over HTTP: a fresh server, {'nothing' if arguments.cold else 'all'} compiled",
        arguments.json,
    )


if __name__ == "__main__":
    main()
