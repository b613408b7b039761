"""How the cost of solving grows with a game's size: positions and CPU seconds by size, measured, kept as JSON and drawn as SVG.

    python benchmarks/solving_cost.py docs/data/solving_cost.json docs/images/solving-cost.svg                 # about two minutes
    python benchmarks/solving_cost.py docs/data/solving_cost.json docs/images/solving-cost.svg --only-draw     # from the figures there are

Each family goes on to the next size while that is expected, by the last two, to take less than --most CPU seconds. Compiling is not
counted. Goofspiel, Oshi-Zumo and pursuit-evasion are solved position by position (`saddlepoint solve GAME`), Tron is
searched for its value (`solve tron --no-symmetry`).
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from saddlepoint.game.base import Game
from saddlepoint.games import Goofspiel, OshiZumo, PursuitEvasion
from saddlepoint.games.tron import Tron
from saddlepoint.games.tron.solver import ValueSearch
from saddlepoint.interop.plots import Figure, svg_of
from saddlepoint.solvers.general.solve import Induction, solve_positions

_LEAST = 1e-3
"""Seconds: less is drawn as this."""


def solved(make: Callable[[int], Game]) -> Callable[[int], tuple[int, float]]:
    """(positions, CPU seconds) of a size, every position solved."""

    def measured(size: int) -> tuple[int, float]:
        game = make(size)
        Induction(game, fold=True)  # compiles, or loads
        before = time.process_time()
        counts = solve_positions(game, fold=True).counts()
        return counts.positions, time.process_time() - before

    return measured


def tron_searched(size: int) -> tuple[int, float]:
    """(positions looked into, CPU seconds) of Tron's value from opposite corners of a square."""
    game = Tron(size, size)
    search = ValueSearch(game, by_symmetry=False)
    before = time.process_time()
    found = search.value(game.initial_state())
    assert found is not None
    return found.positions, time.process_time() - before


GOOFSPIEL, OSHI, TRON, PURSUIT = (
    "Goofspiel, prizes drawn",
    "Oshi-Zumo, K = 3",
    "Tron, opposite corners",
    "Pursuit-evasion, 6 moves",
)
FAMILIES: dict[str, tuple[str, str, list[int], Callable[[int], tuple[int, float]]]] = {
    "win or lose": (GOOFSPIEL, "cards", [*range(2, 9)], solved(Goofspiel)),
    "points": (GOOFSPIEL, "cards", [*range(2, 10)], solved(lambda n: Goofspiel(n, utility="points"))),
    "solve": (OSHI, "coins", [5, 10, 20, 30, 50, 70, 100, 150, 200], solved(lambda n: OshiZumo(coins=n))),
    "value": (TRON, "cells a side", [*range(4, 13)], tron_searched),
    "all positions": (PURSUIT, "cells a side", [*range(3, 13)], solved(lambda n: PursuitEvasion(n, n, 6))),
}


def measure(most: float) -> Iterator[dict[str, Any]]:
    """A row for each family and size, as it is there."""
    for name, (game, unit, sizes, work) in FAMILIES.items():
        work(sizes[0])  # compiles
        times: list[float] = []
        for size in sizes:
            if len(times) > 1 and times[-1] * max(times[-1] / max(times[-2], _LEAST), 1.0) > most:
                break
            positions, seconds = work(size)
            if seconds < 0.05:  # short work, which is done in the time of a page fault or two
                seconds = min(seconds, *(work(size)[1] for _ in range(3)))
            times.append(seconds)
            yield {
                "game": game,
                "kind": name,
                "unit": unit,
                "size": size,
                "positions": positions,
                "seconds": round(seconds, 5),
            }


def drawn(data: dict[str, Any]) -> str:
    """The picture: a column for each game, positions above seconds, both axes of which are logarithmic upwards."""
    rows: list[dict[str, Any]] = data["rows"]
    games = list(dict.fromkeys(row["game"] for row in rows))
    figure = Figure((2.6 * len(games), 4.6), layout="constrained")
    every = figure.subplots(2, len(games), sharex="col", sharey="row", squeeze=False)
    for axes, game in zip(every.T, games, strict=True):
        for kind in dict.fromkeys(row["kind"] for row in rows if row["game"] == game):
            mine = [row for row in rows if (row["game"], row["kind"]) == (game, kind)]
            for panel, key, least in zip(axes, ("positions", "seconds"), (1.0, _LEAST), strict=True):
                panel.plot(
                    [row["size"] for row in mine],
                    [max(row[key], least) for row in mine],
                    marker="o",
                    markersize=3,
                    label=kind,
                )
                panel.set_yscale("log")
                panel.grid(color="#ddd")
        axes[0].set_title(game, fontsize="medium")
        axes[0].legend(frameon=False)
        axes[1].set_xlabel(next(row["unit"] for row in rows if row["game"] == game))
    every[0][0].set_ylabel("positions")
    every[1][0].set_ylabel("CPU seconds")
    return svg_of(figure, "Positions and CPU seconds that solving takes, by the size of the game")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("figures", type=Path, help="the JSON file with the figures, which is written")
    parser.add_argument("picture", type=Path, help="the SVG file, which is written")
    parser.add_argument("--most", type=float, default=12.0, help="CPU seconds that the next size may take")
    parser.add_argument(
        "--only-draw", action="store_true", help="draw the figures that are there, and measure nothing"
    )
    given = parser.parse_args()
    if given.only_draw:
        data = json.loads(given.figures.read_text())
    else:
        before, rows = os.getloadavg()[0], []
        try:
            for row in measure(given.most):
                rows.append(row)
                what = f"{row['game']}, {row['kind']}, {row['size']} {row['unit']}"
                print(f"{what}: {row['positions']:,} positions, {row['seconds']:.3g} s", flush=True)
        except KeyboardInterrupt:
            print("interrupted: what was measured is written")
        data = {
            "load": [round(before, 1), round(os.getloadavg()[0], 1)],
            "cores": os.cpu_count(),
            "most": given.most,
            "rows": rows,
        }
        head = json.dumps({key: data[key] for key in ("load", "cores", "most")})
        given.figures.write_text(head[:-1] + ', "rows": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]}\n")
    given.picture.write_text(drawn(data))


if __name__ == "__main__":
    main()
