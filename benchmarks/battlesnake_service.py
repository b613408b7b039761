"""One server of `saddlepoint bot battlesnake` as a referee sees it: how much of the time it uses, and whether it is ever late.

All snakes of a game are of the same server, and asked at the same time; `--solo` asks the first one alone, the others go where
there is room. `--burst` sends so many requests at once every tenth turn: new games, moves of games that were never begun, and
what is no request; the turns from there on are counted apart. An answer's time is measured from here, from before the request is
written until the answer is read; the referee tells it to the server, as the official one does. The server's own line on every
game says how long it thought and how often something else than its player moved.

    python benchmarks/battlesnake_service.py --answers 1000 --solo --busy 1
    python benchmarks/battlesnake_service.py --answers 300 --solo --burst 200
    python benchmarks/battlesnake_service.py --answers 400 --snakes 4
"""

import argparse
import json
import os
import random
import signal
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from battlesnake_crowd import DIRECTIONS, Crowd
from battlesnake_latency import Asker, Server, tell
from latency import STILL, Standstills, busy, figures

from saddlepoint.play.timely import SWITCH_INTERVAL

EVERY = 10
"""Turns from a burst to the next one."""
AFTER = 3
"""Turns that are counted with it."""
GARBAGE = (
    b"hello\r\n\r\n",
    b"POST /move HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n{",
    b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n",
)


def ways(crowd, name):
    """Directions in which nothing is in the way."""
    x, y = crowd.snakes[name][0]
    taken = {cell for body in crowd.snakes.values() for cell in body[:-1]}
    return [
        way
        for way, (dx, dy) in DIRECTIONS.items()
        if 0 <= x + dx < crowd.size and 0 <= y + dy < crowd.size and (x + dx, y + dy) not in taken
    ]


class Burst:
    """Requests that are sent at once, from threads of their own; `answered` are the statuses."""

    def __init__(self, port, count, number, arguments):
        self.answered = []
        bodies = []
        for one in range(count):
            crowd = Crowd(arguments.board, 2, random.Random(one), f"burst-{number}-{one}", arguments.ms)
            data = json.dumps(crowd.request("snake-0", {})).encode()
            path = ("start", "move")[one % 2]
            head = f"POST /{path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {len(data)}\r\n\r\n".encode()
            bodies.append(GARBAGE[one // 3 % len(GARBAGE)] if one % 3 == 2 else head + data)
        self._thread = threading.Thread(target=self._send, args=(port, bodies))
        self._thread.start()

    def _send(self, port, bodies):
        sockets = []
        for body in bodies:
            one = socket.create_connection(("127.0.0.1", port), 10)
            one.sendall(body)
            sockets.append(one)
        for one in sockets:
            one.settimeout(10)
            try:
                said = one.recv(4096)
            except OSError:
                said = b""
            self.answered.append(said[9:12].decode() or "closed")
            one.close()

    def wait(self):
        self._thread.join()


def ask_all(pool, path, askers, bodies):
    """What all of them are answered at the same time, by name."""
    return dict(zip(bodies, pool.map(lambda name: askers[name].ask(path, bodies[name]), bodies)))


def measure(arguments):
    """What the table shows."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    server = Server(arguments.player)
    assert server.ready.wait(300), "the server did not get ready"
    time.sleep(arguments.settle)
    standstills = Standstills()
    seconds, beside, slow, statuses, load, games, bursts = [], [], [], {}, [], 0, []
    try:
        with busy(arguments.busy, sessions=True), ThreadPoolExecutor(arguments.snakes) as pool:
            while len(seconds) + len(beside) < arguments.answers:
                games += 1
                draw = random.Random(f"{arguments.seed} {games}")
                crowd = Crowd(arguments.board, arguments.snakes, draw, f"service-{games}", arguments.ms)
                ours = ["snake-0"] if arguments.solo else list(crowd.snakes)
                askers = {name: Asker(server) for name in ours}
                ask_all(pool, "/start", askers, {name: crowd.request(name, {}) for name in ours})
                latencies = {}
                while not crowd.is_over and any(name in crowd.snakes for name in ours):
                    asked = [name for name in ours if name in crowd.snakes]
                    if arguments.burst and crowd.turn % EVERY == EVERY - 1:
                        bursts.append(Burst(server.port, arguments.burst, len(bursts), arguments))
                        time.sleep(arguments.lead)
                    found = ask_all(
                        pool, "/move", askers, {name: crowd.request(name, latencies) for name in asked}
                    )
                    moves = {name: draw.choice(ways(crowd, name) or ["up"]) for name in crowd.snakes}
                    for name, (answer, began, ended) in found.items():
                        taken = ended - began
                        near = (
                            arguments.burst and crowd.turn >= EVERY - 1 and (crowd.turn + 1) % EVERY < AFTER
                        )
                        (beside if near else seconds).append(taken)
                        latencies[name] = str(round(1000 * taken))
                        moves[name] = answer.get("move", "up")
                        if taken > arguments.ms / 1000:
                            slow.append((began, ended))
                            print(
                                f"game {games} turn {crowd.turn} {name}: {1000 * taken:.0f} ms",
                                file=sys.stderr,
                            )
                    crowd.play(moves)
                    load.append(os.getloadavg()[0])
                    if len(seconds) + len(beside) >= arguments.answers:
                        break
                for name in ours:
                    askers[name].ask("/end", crowd.request(name, latencies)) if crowd.snakes else None
                    askers[name].connection.close()
    finally:
        for burst in bursts:
            burst.wait()
            for status in burst.answered:
                statuses[status] = statuses.get(status, 0) + 1
        standstills.close()
        time.sleep(0.2)
        server.end()
    for line in server.log:
        if "game service" in line or arguments.log:
            print(line, end="", file=sys.stderr)
    row = {
        "games": games,
        "snakes": arguments.snakes,
        "asked": 1 if arguments.solo else arguments.snakes,
        "timeout ms": arguments.ms,
        "busy loops": arguments.busy,
        **figures(seconds, arguments.ms),
        "late while a core stood still": sum(standstills.within(*one) > STILL for one in slow)
        if standstills.known
        else "not known",
        "load": round(sum(load) / len(load), 1),
    }
    if beside:
        row |= {f"beside a burst: {name}": value for name, value in figures(beside, arguments.ms).items()}
        row["answers of bursts"] = ", ".join(
            f"{status}: {times}" for status, times in sorted(statuses.items())
        )
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--answers", type=int, default=1000)
    parser.add_argument("--ms", type=int, default=500, help="the timeout")
    parser.add_argument("--snakes", type=int, default=2)
    parser.add_argument("--solo", action="store_true", help="ask the first snake alone")
    parser.add_argument("--burst", type=int, default=0, help=f"so many requests at once every {EVERY} turns")
    parser.add_argument(
        "--lead", type=float, default=0.005, help="seconds from a burst's beginning to the game's own request"
    )
    parser.add_argument("--board", type=int, default=11)
    parser.add_argument("--busy", type=int, default=0, help="busy loops")
    parser.add_argument("--settle", type=float, default=0.0, help="seconds to wait after the server is ready")
    parser.add_argument("--player", default="best")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", action="store_true", help="show all that the server says")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # nothing that it has started stays behind
    row = measure(arguments)
    tell(row, "Battlesnake over HTTP: one server", arguments.json)


if __name__ == "__main__":
    main()
