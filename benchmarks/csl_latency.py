"""How late `saddlepoint bot simplexity` answers on a busy machine: games against a random mover, every core kept busy.

A late answer is one that takes longer than the budget, measured from here: from before the request is written to after
the answer is read. The games alternate colours; several may run at the same time, on connections of one program.

    python benchmarks/csl_latency.py --games 200
"""

import argparse
import json
import os
import queue
import random
import subprocess
import sys
import threading
import time

from latency import busy, figures, results_of
from rich.console import Console
from rich.table import Table

from saddlepoint.games.simplexity.csl_players import Parameters, replay

READY = 300.0  # seconds


class Bot:
    """The program, with the answers of each game in a queue of its own."""

    def __init__(self, player, games):
        command = [sys.executable, "-m", "saddlepoint", "bot", "simplexity", "--player", player]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.answers = {f"g{k}": queue.Queue() for k in range(-1, games)}
        self.ready, self.writing = threading.Event(), threading.Lock()
        for target in (self._read, self._read_log):
            threading.Thread(target=target, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            kind, gid, *rest = line.split()
            if kind in ("move", "nomove", "error"):
                self.answers[gid].put((time.perf_counter(), kind, rest))

    def _read_log(self):
        for line in self.process.stderr:
            if "ready" in line:
                self.ready.set()

    def say(self, line):
        with self.writing:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()


def play(bot, number, parameters, budget, seed):
    """One game: the seconds of every answer and who won. Only a legal move is an answer."""
    gid, draw, position, seconds = (
        f"g{number}",
        random.Random(f"{seed} {number}"),
        replay(parameters, "-"),
        [],
    )
    p, moves, own = parameters, [], number % 2
    bot.say(
        f"new {gid} rows={p.rows} cols={p.cols} win={p.win} round={p.round} square={p.square} time={budget} opt="
    )
    while not position.over():
        if position.mover == own:
            told = ",".join(moves) or "-"
            began = time.perf_counter()
            bot.say(
                f"think {gid} {len(moves)} color={'WR'[own]} budget={budget} board={position.text()} moves={told}"
            )
            came, kind, (rid, *move) = bot.answers[gid].get()
            seconds.append(came - began)
            if came - began > budget / 1000:
                print(f"late: {gid} move {len(moves)} {1000 * (came - began):.0f} ms", file=sys.stderr)
            assert kind == "move" and rid == str(len(moves)), (kind, rid, move)
            move = (int(move[0]), "rs".index(move[1]))
            assert move in position.moves()
        else:
            move = draw.choice(position.moves())
        moves.append(f"{move[0]}{'rs'[move[1]]}")
        position = position.after(*move)
    return seconds, parameters.plain.returns(position.state) == 1 - 2 * own


def measure(arguments):
    """What the table shows."""
    rows, cols, win, round_, square = map(int, arguments.board.split("x"))
    parameters = Parameters(rows, cols, win, round_, square)
    bot = Bot(arguments.player, arguments.games)
    play_first = f"new g-1 rows={parameters.rows} cols={parameters.cols} win={parameters.win} "
    bot.say(play_first + f"round={parameters.round} square={parameters.square} time={arguments.ms} opt=")
    if not arguments.cold:
        assert bot.ready.wait(READY), "the bot did not get ready"
    seconds, won = [], 0
    try:
        with busy(arguments.busy):
            for taken, is_won in results_of(
                lambda number: play(bot, number, parameters, arguments.ms, arguments.seed),
                arguments.games,
                arguments.at_once,
            ):
                seconds += taken
                won += is_won
    finally:
        bot.say("quit")
        bot.process.wait(10)
    told = {"games": arguments.games, "won": won, "budget ms": arguments.ms, "busy loops": arguments.busy}
    return told | figures(seconds, arguments.ms)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--ms", type=int, default=200, help="the budget of a move")
    parser.add_argument("--board", default="6x7x4x10x11", help="rows, columns, win, round and square pieces")
    parser.add_argument("--at-once", type=int, default=1, help="games at the same time")
    parser.add_argument("--busy", type=int, default=os.cpu_count(), help="busy loops")
    parser.add_argument("--cold", action="store_true", help="do not wait for the bot to be ready")
    parser.add_argument("--player", default="best")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    row = measure(arguments)
    if arguments.json:
        print(json.dumps(row))
        return
    table = Table(title="csl 1: answers on a busy machine")
    for name in row:
        table.add_column(name, justify="right")
    table.add_row(*map(str, row.values()))
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
