"""How fast turn-based games are searched: Simplexity, Connect Four beside OpenSpiel's Python alpha-beta, Rubik's Flip solved.

Speeds are by CPU time of one core, so that other programs on the machine change them little; the seconds that a search of
a given depth takes are shown by the clock too.

    python benchmarks/turn_speed.py
"""

import argparse
import json
import os
import time

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from turn_search_settings import NOTHING

from saddlepoint.algorithms import Limits, PrincipalVariation, Searcher
from saddlepoint.games import ConnectFour
from saddlepoint.games.rubiks_flip.sweep import solve_layers
from saddlepoint.games.simplexity import Lines, Simplexity


def timed(work):
    """What the work gives, with its CPU and wall-clock seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.process_time() - cpu, time.perf_counter() - wall


def deepened(game, algorithm, state, depth):
    """A row for deepening to that depth with an empty table."""
    searcher = Searcher(game, algorithm)
    searcher.search(state, Limits(depth=2), variation=False)
    searcher.memory.clear()
    result, cpu, wall = timed(
        lambda: searcher.search(state, Limits(depth=depth), deepen=True, variation=False)
    )
    return {
        "count": result.statistics.nodes,
        "cpu": cpu,
        "wall": wall,
        "leaves": result.statistics.evaluations,
    }


def open_spiel(depth):
    """OpenSpiel's alpha-beta from the start of Connect Four, leaves worth 0; None where it is not installed."""
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return None
    search, visited = minimax._alpha_beta, 0

    def counting(*arguments, **named):
        nonlocal visited
        visited += 1
        return search(*arguments, **named)

    minimax._alpha_beta = counting  # it calls itself by this name
    try:
        game = pyspiel.load_game("connect_four")
        _, cpu, wall = timed(
            lambda: minimax.alpha_beta_search(game, value_function=lambda state: 0.0, maximum_depth=depth)
        )
    finally:
        minimax._alpha_beta = search
    return {"count": visited, "cpu": cpu, "wall": wall}


def flip_layers(lowest):
    """Rubik's Flip solved on one core, from the full board down to so many tiles."""
    layers = solve_layers(0, lowest=lowest, workers=1)
    count, cpu, wall = next(layers).layer.entries, 0.0, 0.0  # compiles
    for _ in range(15, lowest - 1, -1):
        solved, layer_cpu, layer_wall = timed(lambda: next(layers))
        count, cpu, wall = count + solved.layer.entries, cpu + layer_cpu, wall + layer_wall
    return {"count": count, "cpu": cpu, "wall": wall}


def measure(options):
    """The rows, by their names."""
    simplexity, connect_four, rows = Simplexity(), ConnectFour(), {}
    lines, start = PrincipalVariation(Lines()), simplexity.initial_state()
    middle = simplexity.after("3r,3s,1r,2s,2r,3s,3r,2s")
    work = {
        f"Simplexity, from the start to depth {options.depth}": lambda: deepened(
            simplexity, lines, start, options.depth
        ),
        "Simplexity, after 8 moves to depth 14": lambda: deepened(simplexity, lines, middle, 14),
        "Connect Four, alpha-beta alone, leaves worth 0": lambda: deepened(
            connect_four, NOTHING, connect_four.initial_state(), 14
        ),
        "Connect Four, principal-variation search": lambda: deepened(
            connect_four, PrincipalVariation(), connect_four.initial_state(), 22
        ),
        "Connect Four, OpenSpiel's alpha-beta in Python": lambda: open_spiel(options.openspiel_depth),
        "Rubik's Flip, solver": lambda: flip_layers(options.tiles),
    }
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(work))
        for name, measured in work.items():
            progress.update(task, description=name)
            rows[name] = measured()
            progress.advance(task)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=16, help="of the search of Simplexity from the start")
    parser.add_argument("--openspiel-depth", type=int, default=10)
    parser.add_argument("--tiles", type=int, default=13, help="down to which layer Rubik's Flip is solved")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load, rows = os.getloadavg()[0], measure(options)
    if options.json:
        print(json.dumps({"load": load, "rows": rows}))
        return
    theirs = rows["Connect Four, OpenSpiel's alpha-beta in Python"]
    table = Table(title=f"One core, load {load:.1f} at the start, {os.getloadavg()[0]:.1f} at the end")
    for column in ("", "positions", "CPU s", "wall s", "M/s of CPU", "x OpenSpiel"):
        table.add_column(column, justify="right" if column else "left", no_wrap=True)
    for name, row in rows.items():
        if row is None:
            continue
        speed, ratio = row["count"] / row["cpu"], ""
        if theirs is not None and name.startswith("Connect Four"):
            ratio = f"{speed / (theirs['count'] / theirs['cpu']):,.0f}"
        table.add_row(
            name, f"{row['count']:,}", f"{row['cpu']:.2f}", f"{row['wall']:.2f}", f"{speed / 1e6:.3f}", ratio
        )
    Console(width=110).print(table)
    if theirs is None:
        print("OpenSpiel is not installed (pip install open_spiel), so its row is left out.")


if __name__ == "__main__":
    main()
