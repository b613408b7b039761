"""How fast, and how deep in 100 ms, `best` searches Battlesnake: the start and five positions of recorded games.

Beside it `best` of Light Riders, and the same search of both games without an evaluator. Nodes a second are of processor time, the best of
several searches; the depth is what was finished in the time, in the search's own units.

    python benchmarks/battlesnake_search.py --seconds 0.1 --runs 5
"""

import argparse
import json
import os
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from saddlepoint.algorithms import Limits, SerialisedAlphaBeta
from saddlepoint.algorithms.result import SearchResult
from saddlepoint.game.base import Game
from saddlepoint.game.spec import SpecError
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.clock import ENDLESS
from saddlepoint.players.searching import SearchPlayer

POSITIONS = {
    "early, 8 cells to 3": """battlesnake 11x11 round 20
        snake 0 health 96: 9,5 8,5 7,5 7,6 6,6 6,5 6,4 5,4
        snake 1 health 80: 4,8 4,9 4,10
        food: 0,0 0,8 2,0 3,3 4,0 4,2 4,6 8,1 9,1 10,2 10,5 10,9""",
    "close, 5 cells to 8": """battlesnake 11x11 round 25
        snake 0 health 83: 6,9 5,9 4,9 3,9 3,8
        snake 1 health 93: 6,5 7,5 7,4 6,4 6,3 5,3 5,4 5,5
        food: 9,9""",
    "open, 13 cells to 4": """battlesnake 11x11 round 45
        snake 0 health 91: 5,6 5,5 4,5 3,5 3,4 3,3 4,3 4,2 3,2 3,1 2,1 1,1 1,2
        snake 1 health 92: 0,3 0,4 0,5 0,6
        food: 1,6 3,0 4,10 8,6 9,7 9,9 10,2 10,4""",
    "late, 21 cells to 4": """battlesnake 11x11 round 50
        snake 0 health 100: 7,5 6,5 5,5 4,5 4,4 4,3 3,3 2,3 1,3 0,3 0,2 0,1 0,0 1,0 2,0 3,0 4,0 4,1 4,2 5,2 5,2
        snake 1 health 72: 6,2 7,2 8,2 9,2
        food: 0,8 1,7 3,8 5,7 7,8 10,0 10,9 10,10""",
    "in a corner, 12 cells to 3": """battlesnake 11x11 round 60
        snake 0 health 97: 1,9 0,9 0,8 0,7 1,7 2,7 3,7 3,8 4,8 5,8 6,8 6,9
        snake 1 health 40: 7,9 8,9 8,8
        food: 9,9""",
}
"""Of the games 319, 133, 248, 319 and 325 of tests/data/battlesnake_traces.jsonl.gz."""


def positions(game: Game) -> dict[str, Any]:
    """What is searched of a game, by name."""
    if isinstance(game, Battlesnake):
        return {"start": game.initial_state()} | {
            name: game.from_text(text) for name, text in POSITIONS.items()
        }
    return {"start": game.initial_state()}


def players(game: Game, seconds: float) -> dict[str, Any]:
    """The searches that are compared, by name; without `best` where the game has none."""
    limits = Limits(seconds=seconds)
    plain = SerialisedAlphaBeta(
        killers=True, history=True, null_windows=True, by_choices=True, chance="quiet"
    )
    found: dict[str, Any] = {}
    try:
        found["best"] = make_player("best", game, limits)
    except SpecError:
        pass
    return found | {"alpha-beta, no evaluator": SearchPlayer(plain, limits=limits)}


def measured(player: Any, game: Game, state: Any, runs: int) -> tuple[float, int] | None:
    """(the most nodes a second of processor time, the depth that most runs finished); None where it does not search."""
    speeds: list[float] = []
    depths: list[int] = []
    for seed in range(runs):
        player.begin(game, 0, seed)
        began = time.process_time()
        found = player.choose(state, ENDLESS).findings
        spent = time.process_time() - began
        if not isinstance(found, SearchResult) or not found.statistics.nodes:
            return None
        speeds.append(found.statistics.nodes / spent)
        depths.append(found.depth)
    return max(speeds), max(set(depths), key=depths.count)


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=0.1, help="thinking time of a move")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: list[tuple[str, str, str, float | None, int | None]] = []
    for title, game in (("Battlesnake", Battlesnake()), ("Light Riders", LightRiders())):
        for name, player in players(game, options.seconds).items():
            for place, state in positions(game).items():
                speed, depth = measured(player, game, state, options.runs) or (None, None)
                rows.append((title, name, place, speed, depth))
    if options.json:
        print(json.dumps({"load": os.getloadavg()[0], "rows": rows}))
        return
    table = Table(title=f"Searches on one core (load {os.getloadavg()[0]:.1f})")
    for heading in (
        "game",
        "search",
        "position",
        "million nodes/s",
        f"depth in {options.seconds * 1000:.0f} ms",
    ):
        table.add_column(heading, justify="right" if "nodes" in heading or "depth" in heading else "left")
    for title, name, place, speed, depth in rows:
        table.add_row(
            title,
            name,
            place,
            "-" if speed is None else f"{speed / 1e6:.2f}",
            "-" if depth is None else str(depth),
        )
    Console().print(table)


if __name__ == "__main__":
    main()
