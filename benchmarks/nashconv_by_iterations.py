"""How far from an equilibrium one tree of each sampling search is after more and more iterations: NashConv of the whole game.

The convergence that papers show: a search from the game's start, with random play-outs, whose average strategies are played in every
position of its tree, and all actions alike where it never was. Figures are means of runs with different seeds. Prints a table.

    python benchmarks/nashconv_by_iterations.py --plots docs/images --csv docs/data/nashconv_by_iterations.csv  # minutes
    python benchmarks/nashconv_by_iterations.py --games 'oshi_zumo(coins=8)' --at 1000,10000 --seeds 1 --plots /tmp
"""

import argparse
import csv
import statistics
import time
from pathlib import Path

from saddlepoint.algorithms import Limits
from saddlepoint.game.base import Game
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.searches import make_algorithm
from saddlepoint.interop.plots import plot_exploitability, svg_of
from saddlepoint.players.protocols.lines_bot import game_from_text
from saddlepoint.policies import UniformPolicy, nash_conv, tree_policy

GAMES = ("goofspiel(cards=4)", "goofspiel(cards=5)", "oshi_zumo(coins=8)", "tron(width=5,height=5)")
SEARCHES = ("rm", "rm(exploration=0.01)", "duct", "duct(random_ties=false)", "exp3", "oos")


def searched(search: str, iterations: int, megabytes: int) -> str:
    """The spec of the search whose first depth has so many iterations."""
    name, _, settings = search.partition("(")
    told = ", ".join(
        [f"batch={iterations}", f"megabytes={megabytes}", *filter(None, [settings.removesuffix(")")])]
    )
    return f"{name}({told})"


def measure(game: Game, search: str, iterations: int, seeds: int, megabytes: int) -> dict:
    algorithm = make_algorithm(parse_spec(searched(search, iterations, megabytes)))
    began = time.process_time()
    found = [
        nash_conv(game, tree_policy(game, algorithm, Limits(depth=1), seed)) for seed in range(1, seeds + 1)
    ]
    return {
        "player": search,
        "nodes": iterations,
        "method": "exact",
        "nash_conv": statistics.mean(found),
        "spread": max(found) - min(found),
        "seconds": (time.process_time() - began) / seeds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--searches", nargs="+", default=SEARCHES)
    parser.add_argument("--at", default="100,1000,10000,100000,1000000", help="iterations of one tree")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument(
        "--megabytes", type=int, default=256, help="of a tree; one that is full grows no more"
    )
    parser.add_argument(
        "--plots",
        type=Path,
        metavar="FOLDER",
        help="write a picture of each game there, as docs/images has them",
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the figures there")
    args = parser.parse_args()
    if args.plots is not None:
        args.plots.mkdir(parents=True, exist_ok=True)
    counts = [int(count) for count in args.at.split(",")]
    found = [("game", "search", "iterations", "NashConv")]
    for spec in args.games:
        game = game_from_text(spec, make_game)
        print(f"\n{spec}: all actions alike {nash_conv(game, UniformPolicy(game)):.4g}")
        rows = []
        for search in args.searches:
            for count in counts:
                row = measure(game, search, count, args.seeds, args.megabytes)
                rows.append(row)
                found.append((spec, search, str(count), f"{row['nash_conv']:.2f}"))
                told = f"{row['nash_conv']:.4g} (spread {row['spread']:.2g}, {row['seconds']:.1f} CPU s)"
                print(f"{search:26} {count:>10,}  {told}", flush=True)
        if args.csv is not None:
            with args.csv.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(found)
        if args.plots is None:
            continue
        name = "".join(letter if letter.isalnum() else "-" for letter in spec).strip("-")
        title = f"One tree of {spec}: its average strategies, NashConv"
        (args.plots / f"tree-{name}.svg").write_text(
            svg_of(plot_exploitability(rows, title, "iterations"), title)
        )


if __name__ == "__main__":
    main()
