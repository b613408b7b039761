"""How `best` of Light Riders uses its clock: games of its time policy against the one before, with a sequential test.

    python benchmarks/light_riders_clock.py --games games.jsonl
    python benchmarks/light_riders_clock.py --bank 10 --increment 0.2 --most 20

Both players search alike and are asked one after the other, in one process: one core is enough, and only one of them
thinks at a time. A pair is an opening with both sides: one of the contest's starts and random rounds after it, of which a
search says that neither side stands better. How many games are different is told.
With `--games` every game is kept in a file, and a second run goes on where the first ended.
"""

import argparse
import json
import os
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from saddlepoint.algorithms.limits import Limits
from saddlepoint.algorithms.searcher import Searcher
from saddlepoint.arena.openings import random_openings
from saddlepoint.arena.statistics.paired import Pentanomial, Score
from saddlepoint.arena.statistics.sprt import Sprt
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play.game import play_game
from saddlepoint.players.base import MachineFault
from saddlepoint.players.clock import Clock, Deadline, TimePolicy
from saddlepoint.players.searching import FillRoom, SearchPlayer, trails_search

NODES, EVEN = 50_000, 0.1
"""To judge an opening by, and the value up to which it is even."""
ROUNDS = (0, 5, 10, 20, 30, 40, 60, 80, 100)


@dataclass(frozen=True)
class Before(TimePolicy):
    """The policy of commit ddccf0d.

    A floor of a second, two equal shares of the rest a move, up to three times that where the last two depths disagree.
    """

    def deadline(self, clock, rounds_left, separated=False):
        usable = clock.bank - min(0.05, 0.1 * clock.bank)
        if clock.cap <= clock.increment:
            return Deadline(usable, usable)
        spare = max(0.0, clock.bank - clock.increment - 1.0)
        base = usable
        if clock.bank > clock.increment:
            base = min(usable, 0.9 * clock.increment + spare / max(1, rounds_left))
            if clock.bank < clock.increment + 1.0:
                base = min(base, 0.5 * clock.increment + 0.1 * clock.bank)
        base = min(usable, base + spare / max(1, rounds_left))
        return Deadline(max(base, min(3.0 * base, 0.25 * max(0.0, clock.bank - 1.0))), 0.6 * base)

    def keep_going(self, iterations, player, deadline):
        spent = iterations[-1].seconds
        return spent < deadline.depth or (
            spent < 0.5 * deadline.search and self._unsettled(iterations, player)
        )

    def _unsettled(self, iterations, player):
        if len(iterations) < 3:
            return True
        before, last = iterations[-2:]
        chosen = [max(found.strategies[player], key=found.strategies[player].get) for found in (before, last)]
        return chosen[0] != chosen[1] or (last.value - before.value) * (1 if player == 0 else -1) < -0.1


def even_openings(game, rounds, count, seed):
    """Openings in which a search sees neither side ahead, whoever of them commits first."""
    searchers = [Searcher(game, replace(trails_search(), first=first)) for first in (0, 1)]
    for text in random_openings(game, rounds, count, seed):
        values = [
            searcher.search(game.from_text(text), Limits(nodes=NODES), variation=False).value
            for searcher in searchers
        ]
        if abs(sum(values)) / 2 < EVEN:
            yield text


def play(game, players, start, clock, seed):
    """One game; played again where the machine is at fault."""
    while True:
        try:
            return play_game(game, players, start, (clock, clock), seed)
        except MachineFault as error:
            print(f"a game is played again: {error}", flush=True)


def report(rows, test, begun, load):
    """Score, test and what was left of the banks."""
    points = defaultdict(list)
    for row in rows:
        points[row["opening"]].append(row["points"])
    cells = Counter(round(2 * sum(pair)) for pair in points.values() if len(pair) == 2)
    singles = Score.of([pair[0] for pair in points.values() if len(pair) == 1])
    counts = Pentanomial(*(cells[half] for half in range(5)), singles=singles)
    low, high = counts.elo_interval()
    lower, upper = test.bounds
    wins, draws = (sum(row["points"] == kind for row in rows) for kind in (1.0, 0.5))
    different = len({(row["opening"], row["side"], row["moves"]) for row in rows})
    print(
        f"{len(rows)} games, {different} different: {wins}-{draws}-{len(rows) - wins - draws}, Ptnml(0-2) {list(counts.cells)}, "
        f"Elo {counts.elo:+.1f} ({low:+.1f} to {high:+.1f}), LLR {test.llr(counts):.2f} ({lower:.2f}, {upper:.2f}) "
        f"{test.decide(counts)}; faults {sum(bool(row['faults']) for row in rows)}; {np.mean([row['rounds'] for row in rows]):.0f} "
        f"rounds; {time.time() - begun:.0f} s, load {load:.1f} to {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return test.decide(counts)


def curves(rows):
    """The mean bank at some rounds, of the games that last so long."""
    for name in ("now", "before"):
        found = defaultdict(list)
        for row in rows:
            for round_ in ROUNDS:
                if round_ < len(row[name]):
                    found[round_].append(row[name][round_])
        at_rounds = ", ".join(f"round {round_} {np.mean(banks):.2f}" for round_, banks in found.items())
        ends = {
            kind: [row[name][-1] for row in rows if row["points"] == points]
            for kind, points in (("won", 1.0), ("lost", 0.0))
        }
        at_end = ", ".join(f"{kind} {np.mean(left):.2f}" for kind, left in ends.items() if left)
        print(f"bank of {name}: {at_rounds}; at the end of games that `now` {at_end}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bank", type=float, default=2.5, help="seconds; a quarter of the contest's")
    parser.add_argument("--increment", type=float, default=0.05, help="seconds")
    parser.add_argument("--sprt", default="elo0=0 elo1=30", type=Sprt.parse)
    parser.add_argument("--most", type=int, default=2000, help="pairs")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no pair after so many")
    parser.add_argument("--random", type=int, default=2, help="random rounds of an opening")
    parser.add_argument("--games", type=Path, help="a file of the games, which a second run goes on with")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game, clock = LightRiders(), Clock(options.bank, options.increment)
    begun, load = time.time(), os.getloadavg()[0]
    now = make_player("best", game)
    before = SearchPlayer(trails_search(), policy=Before(), plans=[FillRoom()])
    openings = even_openings(game, options.random, 4 * options.most, options.seed)
    rows = (
        [json.loads(line) for line in options.games.read_text().splitlines()]
        if options.games and options.games.exists()
        else []
    )
    rows = rows[: len(rows) // 2 * 2]
    for player in (now, before):
        for seat in (0, 1):
            player.begin(game, seat)
    for number, opening in islice(enumerate(openings), len(rows) // 2, options.most):
        if time.time() - begun > options.seconds:
            break
        for swapped in (False, True):
            players = (before, now) if swapped else (now, before)
            record = play(game, players, game.from_text(opening), clock, options.seed * 1_000_003 + number)
            points = (record.result + 1) / 2
            banks = [[clock.bank, *(choice.bank for choice in choices)] for choices in record.choices]
            rows.append(
                {
                    "opening": number,
                    "side": int(swapped),
                    "points": 1 - points if swapped else points,
                    "rounds": len(record.actions),
                    "moves": " ".join(f"{a}{b}" for a, b in record.actions),
                    "faults": [str(f) for f in record.faults if f],
                    "now": banks[swapped],
                    "before": banks[not swapped],
                }
            )
            if options.games:
                with options.games.open("a") as file:
                    print(json.dumps(rows[-1]), file=file)
        if report(rows, options.sprt, begun, load) != "continue":
            break
    curves(rows)


if __name__ == "__main__":
    main()
