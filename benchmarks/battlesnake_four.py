"""Games of four snakes, as on the ladder: the server's snake against three others, all with equal processor time a move.

    python benchmarks/battlesnake_four.py --games 80 --ms 50
    python benchmarks/battlesnake_four.py --program ./battlesnake --rival "sandworm=./sandworm" --rival best --rival snake_voronoi

A rival is a player of the library or NAME=COMMAND: a program that reads
requests, one a line, and answers each with a direction; the variable BUDGET_MS tells it its milliseconds of processor time a move. With
`--program` the official program is the referee, and asks over HTTP one snake after the other; else it is `battlesnake_crowd.py`. The last
snake alive wins.
"""

import argparse
import json
import math
import os
import random
import shlex
import subprocess
import tempfile
import threading
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from battlesnake_crowd import Crowd
from cpu_clock import count_cpu_time

from saddlepoint.games.battlesnake.requests import read_request
from saddlepoint.games.battlesnake.thinking import Rules, game_of, rules_of, state_of
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.interface import DIRECTIONS
from saddlepoint.players.clock import Clock

OURS = "ours"


class Library:
    """A player of the library in a game of many, as the server plays it."""

    def __init__(self, spec, seconds):
        self._spec, self._clock = spec, Clock(seconds, seconds, seconds, is_net=True)
        self._learn(Rules(11, 11))

    def _learn(self, rules):
        self._rules, self._game = rules, game_of(rules)
        self._player = make_player(self._spec, self._game)
        self._player.begin(self._game, 0)

    def move(self, told):
        seen = read_request(told)
        if rules_of(seen) != self._rules:
            self._learn(rules_of(seen))
        return DIRECTIONS[self._player.choose(state_of(self._game, seen), self._clock).action]


class Program:
    """Another program, asked line by line."""

    def __init__(self, command, seconds):
        budget = {"BUDGET_MS": str(round(1000 * seconds))}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(
            shlex.split(command), text=True, env={**os.environ, **budget}, **pipes
        )

    def move(self, told):
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()


def by_crowd(snakes, draw, number):
    """The name of the last snake alive, the turns, by our own referee; no name where nobody is left."""
    names = draw.sample(sorted(snakes), len(snakes))
    crowd = Crowd(11, len(snakes), draw, f"four-{number}", 500)
    called = {f"snake-{k}": name for k, name in enumerate(names)}
    while not crowd.is_over:
        moves = {one: snakes[called[one]].move(crowd.request(one, {})) for one in crowd.snakes}
        crowd.play(moves)
    return next((called[one] for one in crowd.snakes), ""), crowd.turn


class Served:
    """The snakes over HTTP, each under its own path, for the official program."""

    def __init__(self, snakes):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self._answer({"apiversion": "1"})

            def do_POST(self):
                told = json.loads(self.rfile.read(int(self.headers["content-length"])))
                _, name, what = self.path.split("/")
                self._answer(
                    {"move": snakes[name].move(told)}
                    if what == "move" and len(told["board"]["snakes"]) > 1
                    else {}
                )

            def _answer(self, data):
                body = json.dumps(data).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle(self):
                with suppress(ConnectionError):
                    super().handle()

            def log_message(self, *arguments):
                """Nothing is logged."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


def by_program(program, served, names, seed, log):
    """The same by the official program."""
    command = [program, "play", "--sequential", "--timeout", "20000", "--seed", str(seed), "--output", log]
    for name in names:
        command += ["--name", name, "--url", f"http://127.0.0.1:{served.port}/{name}"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with open(log) as lines:
        *turns, last = lines
    return json.loads(last)["winnerName"], json.loads(turns[-1])["turn"]


def wilson(won, games):
    """The ends of the 95 % interval by Wilson's formula, in per cent."""
    z, share = 1.96, won / games
    middle, half = (
        share + z * z / (2 * games),
        z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)),
    )
    return [100 * (middle + sign * half) / (1 + z * z / games) for sign in (-1, 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--ms", type=int, default=50, help="of a core a move, for every snake")
    parser.add_argument("--player", default="best", help="ours")
    parser.add_argument(
        "--rival", action="append", default=[], metavar="[NAME=]PLAYER", help="three, one by one"
    )
    parser.add_argument("--program", help="the official program")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--logs", help="a folder for the games of the official program")
    options = parser.parse_args()
    count_cpu_time()
    seconds = options.ms / 1000
    snakes = {OURS: Library(options.player, seconds)}
    for number, rival in enumerate(options.rival or ["snake_voronoi", "snake_voronoi", "snake_space"]):
        name, is_command, command = rival.partition("=")
        snakes[name if is_command else f"{rival}-{number}"] = (
            Program(command, seconds) if is_command else Library(rival, seconds)
        )
    won, turns = Counter(), []
    served = Served(snakes) if options.program else None
    folder = options.logs or tempfile.mkdtemp()
    for number in range(options.games):
        seed = options.seed + number
        log = os.path.join(folder, f"{seed}.jsonl")
        draw = random.Random(seed)
        if served:
            names = draw.sample(sorted(snakes), len(snakes))
            winner, rounds = by_program(options.program, served, names, seed, log)
        else:
            winner, rounds = by_crowd(snakes, draw, seed)
        won[winner or "nobody"] += 1
        turns.append(rounds)
        low, high = wilson(won[OURS], number + 1)
        print(
            f"{number + 1} games, {sum(turns) / len(turns):.0f} turns: {dict(won.most_common())}; ours {low:.0f} to {high:.0f} %",
            flush=True,
        )


if __name__ == "__main__":
    main()
