"""How long the first searched move takes with nothing compiled yet, and again with another parameter, here and in another checkout.

    python benchmarks/cold_start.py
    python benchmarks/cold_start.py --before ../older-checkout --only tron41

Each line is a process of its own with an empty cache: processor seconds from before the player is made until its first move is chosen (200
nodes), without the imports; `again` is the same in the next process, with the cache that the first one left, and another parameter of the
same shape where the game has one. `compiled` counts functions. The load of the machine is printed with it: the figures are only
comparable on idle cores, or side by side.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parents[1]
CASES = [
    ("light_riders", "light_riders(max_rounds=100)", "best"),
    ("tron41", "tron41(map=divider)", "best"),
    ("simplexity", "simplexity(round=9,square=12)", "best"),
    ("rubiks_flip", "rubiks_flip(double_lock=mover)", "best"),
    ("goofspiel", "goofspiel(cards=5)", "best"),
    *(
        ("undercut", "undercut(top=4)", player)
        for player in ("alphabeta", "smab", "bi", "do", "do_alphabeta")
    ),
    *(
        ("connect_four", "connect_four(rows=5,columns=6)", player)
        for player in ("alphabeta", "pvs", "dfpn", "mcts")
    ),
]
"""A game, another of the same shape, a player."""
FILES = {"undercut": "examples/undercut.py:Undercut"}
CHILD = """
import json, os, sys, time
from numba.core import event
from saddlepoint import CHANCE, Limits
from saddlepoint.cli.common import read_game, start_state
try:
    from saddlepoint.players.clock import ENDLESS
except ImportError:  # older checkouts
    from saddlepoint.players.base import Clock
    ENDLESS = Clock(1e9, 0.0)
from saddlepoint.games.catalogue.make import make_player
game, name = sys.argv[1:]
class Count(event.Listener):
    number = depth = 0
    def on_start(self, event):
        Count.number += 1
    def on_end(self, event):
        pass
event.register("numba:compile", Count())
began, clock = time.process_time(), time.perf_counter()
rules = read_game(game)
state = start_state(rules, None, None)
while rules.current_player(state) == CHANCE:
    state = rules.next_state(state, rules.chance_outcomes(state)[0][0])
player = make_player(name, rules, Limits(nodes=200))
player.warm(rules, state)
player.begin(rules, 0)
player.choose(state, ENDLESS)
print(json.dumps({"cpu": time.process_time() - began, "clock": time.perf_counter() - clock, "compiled": Count.number}))
"""


def measured(checkout: Path, game: str, player: str, cache: str) -> dict[str, Any]:
    """One process; its seconds and how many functions it compiled."""
    name, _, rest = game.partition("(")
    spec = f"./{FILES[name]}" + (f"({rest}" if rest else "") if name in FILES else game
    environment = os.environ | {
        "NUMBA_CACHE_DIR": cache,
        "PYTHONPATH": str(checkout / "src"),
        "SADDLEPOINT_QUIET": "1",
    }
    command = [sys.executable, "-c", CHILD, spec, player]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["it ended"])[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="another checkout to measure beside this one")
    parser.add_argument("--only", default="", help="only games and players whose names contain this")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    checkouts = {"now": HERE} | ({"before": options.before.resolve()} if options.before else {})
    rows: list[dict[str, Any]] = []
    for game, other, player in CASES:
        if options.only not in f"{game} {player}":
            continue
        row: dict[str, Any] = {"game": game, "player": player}
        for name, checkout in checkouts.items():
            with tempfile.TemporaryDirectory() as cache:
                row[name] = measured(checkout, game, player, cache)
                row[f"{name} again"] = measured(checkout, other, player, cache)
        rows.append(row | {"load": os.getloadavg()[0]})
        if not options.json:
            print(f"{game} {player} measured, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    columns = [f"{name}{suffix}" for name in reversed(checkouts) for suffix in ("", " again")]
    table = Table("game", "player", *(f"{column}: CPU s (compiled)" for column in columns), "load")
    for row in rows:
        cells = [
            row[column].get("error") or f"{row[column]['cpu']:.1f} ({row[column]['compiled']})"
            for column in columns
        ]
        table.add_row(row["game"], row["player"], *cells, f"{row['load']:.1f}")
    Console(width=None if sys.stdout.isatty() else 140).print(table)


if __name__ == "__main__":
    main()
