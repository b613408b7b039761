"""Every algorithm with every evaluator on Light Riders' opening position, side by side in one run on one core.

Below, the search of our Tron-41 player on the course's maps, and what pruning spares in Goofspiel and in random games like it.

Columns: nodes and leaves a second of CPU time while deepening for `--seconds`, and the depth in rounds finished in
200 ms. Beside them stand the figures of existing programs, from the same position, per CPU second.

    python benchmarks/search_speed.py --seconds 1
"""

import argparse
import json
import os
import time
from typing import Any

from random_points import RandomPoints
from rich.console import Console
from rich.progress import track
from rich.table import Table

from saddlepoint.algorithms import (
    ALGORITHMS,
    SMAB,
    BackwardInduction,
    Limits,
    PrincipalVariation,
    SaddlePruning,
    Searcher,
    SerialisedAlphaBeta,
    search,
)
from saddlepoint.game.base import Game
from saddlepoint.games.catalogue.searches import EVALUATORS
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.tron41 import Tron41, TronControl

TERRITORY = (
    "constant",
    "reachable_space",
    "voronoi",
    "queue_territory",
    "chambers",
    "voronoi_edges",
    "chamber_tree",
    "prospects",
    "reachable_chambers",
)
"""The evaluators that Light Riders can use."""

PUBLISHED = [
    ("SMAB + chambers (Java)", 42_000, "leaves/s", 3),
    ("Nash with saddle pruning + Voronoi (Java)", 150_000, "leaves/s", 5),
    ("alpha-beta (C)", 90_000, "nodes/s", 5),
    ("alpha-beta of a contest winner (C++)", 62_000, "evaluations/s", 7),
]
RANDOM_GAMES = 5
PUBLISHED_SADDLE_LEAVES = (13, 99, 735, 4_682, 21_480, 130_483)


def settings():
    """Each algorithm in the setting it is played with."""
    for name, cls in ALGORITHMS.items():
        if cls.turns_only or not cls.goes_by_depth:
            continue
        if cls is SerialisedAlphaBeta:
            yield "alphabeta, plain", SerialisedAlphaBeta(table=False, killers=False)
            yield "alphabeta, table + killers", SerialisedAlphaBeta()
        elif cls is SMAB:
            yield "smab", SMAB(window_depth=2, table=False)
        else:
            yield name, cls(table=False)
            yield f"{name}, table", cls(table=True)


def measure(game, state, algorithm, seconds):
    searcher = Searcher(game, algorithm)
    searcher.search(state, Limits(depth=2), variation=False)
    searcher.memory.clear()
    cpu = time.process_time()
    long = searcher.search(state, Limits(seconds=seconds), variation=False)
    cpu = time.process_time() - cpu
    searcher.memory.clear()
    short = searcher.search(state, Limits(seconds=0.2), variation=False)
    return {
        "nodes_per_second": long.statistics.nodes / cpu,
        "leaves_per_second": long.statistics.leaves / cpu,
        "depth": short.depth,
        "leaves_by_depth": [i.leaves for i in long.iterations],
    }


def pruning_counts():
    """Leaves and joint actions on Goofspiel and on random games like it, where pruning is hardest to come by.

    A cell that the bounds of the points settle counts as a leaf, though nobody looks behind it.
    """
    work: list[tuple[str, Game, list[Any]]] = []
    for cards in (4, 5, 6):
        game = Goofspiel(cards, "descending", "win")
        work.append((f"Goofspiel, {cards} cards", game, [game.initial_state()]))
    game = Goofspiel(4, "random", "win")
    work.append(("Goofspiel, 4 cards, prizes drawn", game, [game.initial_state()]))
    for rounds in (4, 5, 6):
        game = RandomPoints(rounds)
        work.append(
            (
                f"{RANDOM_GAMES} random games, {rounds} rounds",
                game,
                [*map(game.initial_state, range(RANDOM_GAMES))],
            )
        )
    others = (ALGORITHMS[name](table=False) for name in ("do", "bi_alphabeta", "do_alphabeta"))
    algorithms = (SaddlePruning(table=False), SMAB(table=False), *others)
    rows = []
    for title, game, states in work:
        full = [
            search(game, state, BackwardInduction(table=False), variation=False).statistics
            for state in states
        ]
        leaves, cells = sum(one.leaves for one in full), sum(one.cells for one in full)
        rows.append((title, BackwardInduction.name, leaves, 1.0, 1.0))
        for algorithm in algorithms:
            found = [search(game, state, algorithm, variation=False).statistics for state in states]
            visited = sum(one.leaves for one in found)
            rows.append(
                (title, algorithm.name, visited, visited / leaves, sum(one.cells for one in found) / cells)
            )
    return rows


def tron41_rates(seconds):
    """The search of our Tron-41 player from the starts of the 17x17 maps, power-ups drawn from seed 1."""
    rows = []
    for name in ("empty_room", "divider", "joust", "hunger_games"):
        game = Tron41(name)
        found = measure(game, game.initial_state(1), PrincipalVariation(TronControl(), samples=24), seconds)
        rows.append(
            {"map": name, **{key: found[key] for key in ("nodes_per_second", "leaves_per_second", "depth")}}
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="deepening time per entry")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--evaluators", nargs="*", default=list(TERRITORY))
    options = parser.parse_args()
    game = LightRiders()
    state = game.initial_state(4, 7)
    load = os.getloadavg()[0]
    console = Console(stderr=options.json)
    work = [(n, a, e) for e in options.evaluators for n, a in settings()]
    rows = []
    for name, algorithm, evaluator in track(work, "measuring", console=Console(stderr=True)):
        from dataclasses import replace

        found = measure(game, state, replace(algorithm, evaluator=EVALUATORS[evaluator]()), options.seconds)
        rows.append({"algorithm": name, "evaluator": evaluator, **found})
    tron41, pruning = tron41_rates(options.seconds), pruning_counts()
    if options.json:
        print(json.dumps({"load": load, "rows": rows, "tron41": tron41, "pruning": pruning}))
        return
    table = Table(title=f"Light Riders from (4,7)/(11,7), one core, load {load:.2f} at the start")
    for column in ("algorithm", "evaluator", "M nodes/s", "M leaves/s", "rounds in 200 ms"):
        table.add_column(column, justify="left" if column in ("algorithm", "evaluator") else "right")
    for row in rows:
        table.add_row(
            row["algorithm"],
            row["evaluator"],
            f"{row['nodes_per_second'] / 1e6:.2f}",
            f"{row['leaves_per_second'] / 1e6:.2f}",
            str(row["depth"]),
        )
    for name, rate, unit, depth in PUBLISHED:
        table.add_row(
            f"[dim]{name}", "[dim]published", "", f"[dim]{rate / 1e6:.3f} ({unit})", f"[dim]{depth}"
        )
    console.print(table)
    saddle = next((r for r in rows if r["algorithm"] == "saddle" and r["evaluator"] == "queue"), None)
    if saddle:
        console.print(
            f"leaves by depth, saddle pruning with riders_nash's evaluation: {saddle['leaves_by_depth'][:6]}"
        )
        console.print(
            f"published:                                                     {list(PUBLISHED_SADDLE_LEAVES)}"
        )
    table = Table(title="Tron-41, principal-variation search with our evaluator")
    for column in ("map", "M nodes/s", "M leaves/s", "plies in 200 ms"):
        table.add_column(column, justify="left" if column == "map" else "right")
    for row in tron41:
        rates = (f"{row[key] / 1e6:.2f}" for key in ("nodes_per_second", "leaves_per_second"))
        table.add_row(row["map"], *rates, str(row["depth"]))
    console.print(table)
    table = Table(
        title="Win or lose by points, prizes descending or drawn: share of backward induction's work"
    )
    for column in ("game", "algorithm", "leaves", "of all leaves", "of all joint actions"):
        table.add_column(column, justify="left" if column in ("game", "algorithm") else "right")
    for title, name, leaves, share, cells in pruning:
        table.add_row(title, name, f"{leaves:,}", f"{share:.1%}", f"{cells:.1%}")
    console.print(table)


if __name__ == "__main__":
    main()
