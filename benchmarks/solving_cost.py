"""How the cost of solving grows with a game's size: positions and CPU seconds by size, measured, kept as JSON and drawn as SVG.

    python benchmarks/solving_cost.py docs/solving_cost.json docs/images/solving-cost.svg                 # about two minutes
    python benchmarks/solving_cost.py docs/solving_cost.json docs/images/solving-cost.svg --only-draw     # from the figures there are

Each family goes on to the next size while that is expected, by the last two, to take less than --most CPU seconds. Compiling is not
counted. Goofspiel, Oshi-Zumo and pursuit-evasion are solved position by position (`saddlepoint solve GAME`), Tron is
searched for its value (`solve tron --no-symmetry`).
"""

import argparse
import itertools
import json
import math
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from saddlepoint.arena.report.markup import Markup, element, joined
from saddlepoint.game import Game
from saddlepoint.games import Goofspiel, OshiZumo, PursuitEvasion
from saddlepoint.games.tron.solver import ValueSearch, open_field
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
    field = open_field(size, size)
    search = ValueSearch(field.grid, by_symmetry=False)
    before = time.process_time()
    found = search.value(field)
    assert found is not None
    return found.positions, time.process_time() - before


GOOFSPIEL, OSHI, TRON, PURSUIT = "Goofspiel, prizes drawn", "Oshi-Zumo, K = 3", "Tron, opposite corners", "Pursuit-evasion, 6 moves"
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
            yield {"game": game, "kind": name, "unit": unit, "size": size, "positions": positions, "seconds": round(seconds, 5)}


_WIDE, _HIGH, _LEFT, _TOP, _GAP = 205, 150, 52, 44, 42
_COLOURS = ("#1f5fa8", "#b3541e")
_STYLE = (
    "text{font:11px sans-serif;fill:#333}.head{font-weight:bold}.grid{stroke:#ddd}.frame{fill:none;stroke:#999}"
    "svg{background:#fff}polyline{fill:none;stroke-width:1.8}"
)


def drawn(data: dict[str, Any]) -> str:
    """The picture: a column for each game, positions above seconds, both axes of which are logarithmic upwards."""
    rows: list[dict[str, Any]] = data["rows"]
    games = list(dict.fromkeys(row["game"] for row in rows))
    shapes: list[Markup] = [element("style", Markup(_STYLE)), element("rect", width="100%", height="100%", fill="#fff")]
    for line, (key, least) in enumerate((("positions", 1.0), ("seconds", _LEAST))):
        values = [max(row[key], least) for row in rows]
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        for column, game in enumerate(games):
            mine = [row for row in rows if row["game"] == game]
            x, y = _LEFT + column * (_WIDE + _GAP), _TOP + line * (_HIGH + _GAP)
            shapes += panel(mine, key, least, low, high, x, y, with_head=line == 0)
    width, height = _LEFT + len(games) * (_WIDE + _GAP), _TOP + 2 * (_HIGH + _GAP) + 8
    title = element("title", "Positions and CPU seconds that solving takes, by the size of the game")
    picture = element("svg", title, *shapes, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", role="img")
    return str(picture) + "\n"


def panel(
    rows: list[dict[str, Any]], key: str, least: float, low: int, high: int, left: int, top: int, *, with_head: bool
) -> list[Markup]:
    """One game's lines."""
    sizes = sorted({row["size"] for row in rows})
    first, last = sizes[0], sizes[-1]

    def across(size: float) -> str:
        return f"{left + 6 + (_WIDE - 12) * (size - first) / max(last - first, 1):.1f}"

    def down(value: float) -> str:
        return f"{top + _HIGH * (high - math.log10(max(value, least))) / (high - low):.1f}"

    shapes: list[Markup] = []
    for power in range(low, high + 1):
        at = down(10.0**power)
        shapes.append(element("line", x1=left, x2=left + _WIDE, y1=at, y2=at, class_="grid"))
        label = f"{10.0**power:g}" if -4 < power < 4 else f"1e{power}"
        shapes.append(element("text", label, x=left - 4, y=float(at) + 4, text_anchor="end"))
    shapes.append(element("rect", x=left, y=top, width=_WIDE, height=_HIGH, class_="frame"))
    labelled = sizes if len(sizes) < 11 else sizes[::2]
    close = {size for size, after in itertools.pairwise(labelled) if (after - size) < (last - first) / 12}
    shapes += [element("text", size, x=across(size), y=top + _HIGH + 14, text_anchor="middle") for size in labelled if size not in close]
    shapes.append(element("text", rows[0]["unit"], x=left + _WIDE, y=top + _HIGH + 28, text_anchor="end"))
    shapes.append(element("text", key if key == "positions" else "CPU seconds", x=left, y=top - 5))
    if with_head:
        shapes.append(element("text", rows[0]["game"], x=left, y=top - 24, class_="head"))
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    for number, (kind, colour) in enumerate(zip(kinds, _COLOURS, strict=False)):
        points = [(across(row["size"]), down(row[key])) for row in rows if row["kind"] == kind]
        shapes.append(element("polyline", points=" ".join(f"{x},{y}" for x, y in points), stroke=colour))
        shapes += [element("circle", cx=x, cy=y, r=2.6, fill=colour) for x, y in points]
        if len(kinds) > 1:
            shapes.append(element("text", kind, x=left + 8, y=top + 16 + 14 * number, style=f"fill:{colour}"))
    return [joined(*shapes)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("figures", type=Path, help="the JSON file with the figures, which is written")
    parser.add_argument("picture", type=Path, help="the SVG file, which is written")
    parser.add_argument("--most", type=float, default=12.0, help="CPU seconds that the next size may take")
    parser.add_argument("--only-draw", action="store_true", help="draw the figures that are there, and measure nothing")
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
        data = {"load": [round(before, 1), round(os.getloadavg()[0], 1)], "cores": os.cpu_count(), "most": given.most, "rows": rows}
        head = json.dumps({key: data[key] for key in ("load", "cores", "most")})
        given.figures.write_text(head[:-1] + ', "rows": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]}\n")
    given.picture.write_text(drawn(data))


if __name__ == "__main__":
    main()
