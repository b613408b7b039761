"""How late `saddlepoint bot battlesnake` answers on a busy machine: two servers play each other, every core kept busy.

An answer's time is measured from here, as a referee does: from before the request is written to after the answer is read. Both
are asked at the same time, or in turn. Servers and busy loops are sessions of their own, as services are: Linux shares the
cores among sessions. The memory of both servers is looked at after every game, and at the end whether any process is left.
Of the answers after the limit the table says during how many a core stood still (`latency.py`).

    python benchmarks/battlesnake_latency.py --games 20 --ms 500 --limit 450
    python benchmarks/battlesnake_latency.py --games 200 --ms 100 --limit 95
"""

import argparse
import gc
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import psutil
from latency import STILL, Standstills, busy, figures, results_of
from rich.console import Console
from rich.table import Table

from saddlepoint.game.base import CHANCE, TERMINAL
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.battlesnake.requests import REQUEST_PARAMETERS, game_object, request
from saddlepoint.play.timely import SWITCH_INTERVAL

READY = 300.0  # seconds
DIRECTIONS = ("up", "right", "down", "left")


class Server:
    """One of ours."""

    def __init__(self, player):
        command = [
            sys.executable,
            "-m",
            "saddlepoint",
            "bot",
            "battlesnake",
            "--port",
            "0",
            "--player",
            player,
        ]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.ready, self.listens, self.log = threading.Event(), threading.Event(), []
        threading.Thread(target=self._read, daemon=True).start()
        assert self.listens.wait(READY), "the server does not listen"

    def _read(self):
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                self.listens.set()
            if " is ready for " in line:
                self.ready.set()

    @property
    def memory(self):
        """Bytes in use, with what it has started."""
        process = psutil.Process(self.process.pid)
        return sum(one.memory_info().rss for one in (process, *process.children(recursive=True)))

    def end(self):
        """As Ctrl-C ends it; the processes that it had started and that are left."""
        started = psutil.Process(self.process.pid).children(recursive=True)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)
        return [one for one in started if one.is_running()]


class Asker:
    """A connection to a server that stays open."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)

    def ask(self, path, body):
        """(the answer, when it was asked for, when it was there)."""
        text = json.dumps(body)
        began = time.monotonic()
        self.connection.request("POST", path, text, {"content-type": "application/json"})
        answer = self.connection.getresponse().read()
        return json.loads(answer), began, time.monotonic()


def drawn(game, state, draw):
    """The position after chance."""
    while game.current_player(state) == CHANCE:
        state = game.next_state(state, int(game.drawn_outcome(state, np.uint64(draw.getrandbits(64)))))
    return state


def play(game, servers, number, arguments, slow):
    """One game: the seconds of every answer, the megabytes of both servers after it, and the machine's load.

    `slow` gets (began, ended) of every answer after the limit.
    """
    askers = [Asker(server) for server in servers]
    draw = random.Random(f"{arguments.seed} {number}")
    starts = game.starts() or [game.initial_state(number)]
    state = starts[number % len(starts)]
    about = game_object(
        {name: getattr(game, name) for name in REQUEST_PARAMETERS}, f"latency-{number}", arguments.ms
    )
    latencies, last, seconds = ("0", "0"), [0, 0], []

    def both(path):
        bodies = [request(game, state, player, about, ("a", "b"), latencies) for player in (0, 1)]
        asked = list(zip(askers, bodies))
        if arguments.sequential or path != "/move":
            return [asker.ask(path, body) for asker, body in asked]
        return list(pool.map(lambda one: one[0].ask(path, one[1]), asked))

    pool = ThreadPoolExecutor(2)
    both("/start")
    while game.current_player(state) != TERMINAL:
        answers = both("/move")
        for player, (answer, began, ended) in enumerate(answers):
            taken = ended - began
            seconds.append(taken)
            if taken <= arguments.ms / 1000:
                last[player] = DIRECTIONS.index(answer["move"])
            if taken > arguments.limit / 1000:
                slow.append((began, ended))
                print(
                    f"game {number} round {state.round} snake {player}: {1000 * taken:.0f} ms",
                    file=sys.stderr,
                )
        latencies = tuple(
            str(min(round(1000 * (ended - began)), arguments.ms)) for _, began, ended in answers
        )
        state = drawn(game, game.next_state(state, *last), draw)
    both("/end")
    pool.shutdown()
    for asker in askers:
        asker.connection.close()
    return seconds, sum(server.memory for server in servers) / 2**20, os.getloadavg()[0]


def measure(arguments):
    """What the table shows."""
    game = Battlesnake(arguments.board, arguments.board)
    drawn(game, game.next_state(game.initial_state(), 0, 0), random.Random(0))  # compiled now
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.collect()
    gc.freeze()  # a collection of all that is imported takes 80 ms here, which would count as the servers'
    servers = [Server(arguments.player), Server(arguments.player)]
    seconds, memory, load, slow, standstills = [], [], [], [], None
    try:
        if not arguments.cold:
            assert all(server.ready.wait(READY) for server in servers), "a server did not get ready"
        standstills = Standstills()
        with busy(arguments.busy, sessions=True):
            for taken, used, here in results_of(
                lambda number: play(game, servers, number, arguments, slow),
                arguments.games,
                arguments.at_once,
            ):
                seconds += taken
                memory.append(used)
                load.append(here)
    finally:
        if standstills is not None:
            standstills.close()
        left = [process for server in servers for process in server.end()]
    fallbacks = sum(
        int(found[1])
        for server in servers
        for line in server.log
        if (found := re.search(r"; (\d+) by a safe move", line))
    )
    settled = memory[min(4, len(memory) - 1)]
    return {
        "games": arguments.games,
        "at once": arguments.at_once,
        "timeout ms": arguments.ms,
        f"after {arguments.limit} ms": len(slow),
        "a core stood still": sum(standstills.within(*one) > STILL for one in slow)
        if standstills.known
        else "not known",
        "safe moves": fallbacks,
        **figures(seconds, arguments.ms),
        "MB after 5 games": round(settled, 1),
        "MB at the end": round(memory[-1], 1),
        "processes left": len(left),
        "busy loops": arguments.busy,
        "load": round(sum(load) / len(load), 1),
    }


def tell(row, title, as_json):
    """Print the figures, as a table or as JSON."""
    if as_json:
        print(json.dumps(row))
        return
    table = Table(title=title)
    for name in ("figure", "value"):
        table.add_column(name)
    for name, value in row.items():
        table.add_row(name, str(value))
    Console(width=110).print(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--ms", type=int, default=500, help="the timeout")
    parser.add_argument("--limit", type=int, default=450, help="ms; answers after that are listed")
    parser.add_argument("--board", type=int, default=11)
    parser.add_argument("--busy", type=int, default=os.cpu_count(), help="busy loops")
    parser.add_argument("--sequential", action="store_true", help="ask one after the other")
    parser.add_argument("--at-once", type=int, default=1, help="games at the same time")
    parser.add_argument("--cold", action="store_true", help="do not wait for the servers to be ready")
    parser.add_argument("--player", default="best")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # nothing that it has started stays behind
    row = measure(arguments)
    tell(row, "Battlesnake over HTTP: answers on a busy machine", arguments.json)


if __name__ == "__main__":
    main()
