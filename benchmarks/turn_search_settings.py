"""What each part of the search for games of turns is worth: nodes and time with that part switched off.

Connect Four, deepening to `--depth` from the start and from positions after random moves, one core, CPU time; every
row starts with an empty table. Below, what the other algorithms do in the same time.

    python benchmarks/turn_search_settings.py --depth 14
"""

import argparse
import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from connect_four import ConnectFour

from saddlepoint.search import Limits, MonteCarlo, PrincipalVariation, ProofNumber, Searcher

FULL = PrincipalVariation()
OFF = {
    "null_windows": False, "aspiration": 0.0, "table": False, "deeper_entries": False, "history": False,
    "static_order": False, "wins": False, "distance": 0.0,
}  # fmt: skip
SWITCHED_ON = {"killers": True, "countermoves": True, "late_reduction": 1, "null_move": 2, "first_of_equals": True}
NOTHING = replace(FULL, **{part: off for part, off in OFF.items() if part != "static_order"})


def settings():
    """(label, setting) of every row."""
    yield "the defaults", FULL
    for part, off in OFF.items():
        yield f"without {part}" if part != "distance" else "distance 0", replace(FULL, **{part: off})
    for part, value in SWITCHED_ON.items():
        yield f"{part} = {value}", replace(FULL, **{part: value})
    yield "alpha-beta alone", NOTHING


def positions(game, count, seed=2):
    """The start, and positions after 2 to 10 random moves in which nobody wins at once."""
    draw = np.random.default_rng(seed)
    found = [game.initial_state()]
    while len(found) < count:
        state = game.initial_state()
        for _ in range(int(draw.integers(2, 11))):
            if game.players_to_act(state):
                state = game.next_state(state, int(draw.choice(game.legal_actions(state, game.current_player(state)))))
        if game.players_to_act(state):
            found.append(state)
    return found


def measure(game, setting, states, depth):
    searcher = Searcher(game, setting)
    searcher.search(states[0], Limits(depth=2), variation=False)
    nodes, values, cpu = 0, [], 0.0
    for state in states:
        searcher.memory.clear()
        begun = time.process_time()
        result = searcher.search(state, Limits(depth=depth), deepen=True, variation=False)
        cpu += time.process_time() - begun
        nodes += result.statistics.nodes
        values.append(round(result.value, 3))
    return {"nodes": nodes, "seconds": cpu, "values": values}


def others(game, seconds):
    rows = []
    for algorithm in (FULL, replace(FULL, threads=2), MonteCarlo(), ProofNumber()):
        searcher = Searcher(game, algorithm)
        searcher.search(game.initial_state(), Limits(nodes=2000), variation=False)
        searcher.memory.clear()
        result = searcher.search(game.initial_state(), Limits(seconds=seconds), variation=False)
        label = f"{algorithm.name}, 2 threads" if getattr(algorithm, "threads", 1) > 1 else algorithm.name
        rows.append({"algorithm": label, "nodes_per_second": result.statistics.nodes / result.seconds, "depth": result.depth})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=13)
    parser.add_argument("--positions", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="for the other algorithms")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    game, load = ConnectFour(), os.getloadavg()[0]
    console = Console(stderr=options.json)
    states = positions(game, options.positions)
    work = list(settings())
    rows = [
        {"setting": label, **measure(game, setting, states, options.depth)}
        for label, setting in track(work, "measuring", console=Console(stderr=True))
    ]
    rest = others(game, options.seconds)
    if options.json:
        print(json.dumps({"load": load, "rows": rows, "others": rest}))
        return
    table = Table(title=f"Connect Four, {len(states)} positions to depth {options.depth}, load {load:.2f} at the start")
    for column in ("setting", "nodes", "x", "CPU seconds", "x", "M nodes/s", "unlike"):
        table.add_column(column, justify="left" if column == "setting" else "right", no_wrap=True)
    first = rows[0]
    for row in rows:
        unlike = sum(a != b for a, b in zip(row["values"], first["values"], strict=True))
        table.add_row(
            row["setting"], f"{row['nodes']:,}", f"{row['nodes'] / first['nodes']:.2f}", f"{row['seconds']:.2f}",
            f"{row['seconds'] / first['seconds']:.2f}", f"{row['nodes'] / row['seconds'] / 1e6:.1f}", str(unlike or ""),
        )  # fmt: skip
    console.print(table)
    table = Table(title=f"From the start, {options.seconds:g} s of wall-clock time")
    for column in ("algorithm", "M nodes/s", "depth"):
        table.add_column(column, justify="left" if column == "algorithm" else "right")
    for row in rest:
        table.add_row(row["algorithm"], f"{row['nodes_per_second'] / 1e6:.1f}", str(row["depth"]))
    console.print(table)


if __name__ == "__main__":
    main()
