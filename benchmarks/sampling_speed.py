"""How fast the searches that sample are, on one core: iterations beside those of Bošanský et al. 2016, simulations, play-outs.

Speeds are by CPU time of one core, so that other programs on the machine change them little.

    python benchmarks/sampling_speed.py
"""

import argparse
import json
import os
import time

from rich.console import Console
from rich.table import Table

from saddlepoint.algorithms import (
    DecoupledPUCTTree,
    DecoupledUCTTree,
    Exp3Tree,
    Limits,
    MonteCarlo,
    OutcomeSamplingTree,
    RegretMatchingTree,
    Searcher,
)
from saddlepoint.algorithms.sampling.playouts import playout
from saddlepoint.compiled import jit, run
from saddlepoint.games import ConnectFour, LightRiders
from saddlepoint.games.goofspiel import Goofspiel

PUBLISHED = {"rm": 2.6e5, "oos": 2.0e5, "duct": 1.9e5, "exp3": 5.4e4}
"""Iterations a second in that article, Goofspiel with 5 cards in a fixed order."""
TARGETS = {"Light Riders 16x16, play-outs": 3.0e5, "Connect Four, simulations of mcts": 4.1e5}
"""The second: three times OpenSpiel's C++ MCTSBot on one core of a machine like CI's."""


@jit
def playouts(game, state, count, ws):
    """The sum of so many play-outs' results."""
    total = 0.0
    for _ in range(count):
        total += playout(game, state, ws.actions[0], ws.actions[1], ws.chances, ws)
    return total


def per_second(work, count, seconds):
    """How many of `count` at once are done in a second of CPU time."""
    done, cpu = 0, time.process_time()
    while time.process_time() - cpu < seconds:
        work()
        done += count
    return done / (time.process_time() - cpu)


def searched(game, algorithm, seconds, visits):
    """Simulations from the start of a game in a second; the first search, which compiles, does not count."""
    searcher, state = Searcher(game, algorithm), game.initial_state()
    searcher.search(state, Limits(depth=1), variation=False)

    def work():
        searcher.memory.clear()
        searcher.search(state, Limits(depth=visits.bit_length()), deepen=False, variation=False)

    return per_second(work, algorithm.batch * visits, seconds)


def measure(seconds):
    """The rows: what, how many a second, the published or wanted number."""
    cards = Goofspiel(5, "descending")
    for kind in (RegretMatchingTree, OutcomeSamplingTree, DecoupledUCTTree, DecoupledPUCTTree, Exp3Tree):
        name = kind.name
        yield (
            f"Goofspiel 5 in a fixed order, {name}",
            searched(cards, kind(batch=1000), seconds, 256),
            PUBLISHED.get(name),
        )
    name = "Connect Four, simulations of mcts"
    yield name, searched(ConnectFour(), MonteCarlo(batch=1000, megabytes=128.0), seconds, 64), TARGETS[name]
    riders = LightRiders()
    ws, state = DecoupledUCTTree().workspace(riders), riders.initial_state()
    run(playouts, riders, state, 1, ws)
    name = "Light Riders 16x16, play-outs"
    yield name, per_second(lambda: run(playouts, riders, state, 1000, ws), 1000, seconds), TARGETS[name]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time for each row")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [
        {"what": what, "per_second": speed, "beside": beside}
        for what, speed, beside in measure(options.seconds)
    ]
    if options.json:
        print(json.dumps({"load": os.getloadavg(), "rows": rows}, indent=1))
        return
    table = Table(title=f"a second of CPU time, one core (load {os.getloadavg()[0]:.1f})")
    for column in ("what", "here", "published, or wanted", "ratio"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for row in rows:
        beside = row["beside"]
        told = ("", "") if beside is None else (f"{beside:,.0f}", f"{row['per_second'] / beside:.1f}")
        table.add_row(row["what"], f"{row['per_second']:,.0f}", *told)
    Console().print(table)


if __name__ == "__main__":
    main()
