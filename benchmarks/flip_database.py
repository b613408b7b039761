"""Rubik's Flip solved under two rules, and held to positions that an independent program solved.

    python benchmarks/flip_database.py [--keep TILES] [--databases DIRECTORY]

Solves the whole game for each rule (half a minute, 1 GB), compares every solved position of tests/data with the
database, holds random positions of every layer to the best of their turns, and times looking all turns up. With
--databases the files DIRECTORY/draw.solved and opponent.solved are used, and made if they are not there.
"""

import argparse
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from saddlepoint.games.rubiks_flip.database import HIGHEST, Database, solve_to_file
from saddlepoint.games.rubiks_flip.patterns import Layer

ORACLE = Path(__file__).parents[1] / "tests" / "data" / "rubiks_flip_oracle.txt"
_POSITIONS = 100


def played(game: Any, tiles: int, random_: random.Random) -> Any:
    """A position with that many tiles that is not over, by random play."""
    while True:
        state = game.initial_state()
        for _ in range(tiles):
            if not game.players_to_act(state):
                break
            state = game.next_state(
                state, random_.choice(game.legal_actions(state, game.current_player(state)))
            )
        else:
            if game.players_to_act(state):
                return state


def check(database: Database, rule: str) -> str:
    """Raises where the database is wrong; says how much was right."""
    known = [line.split() for line in ORACLE.read_text().splitlines()[1:]]
    known = [(text, value) for kind, text, value in known if kind == rule]
    for text, value in known:
        found = str(database.outcome(database.game.from_text(text)))
        if found != value:
            raise SystemExit(f"{rule}: {text} is {value}, the database says {found}")
    random_, seconds = random.Random(1), []
    for tiles in range(16):
        for _ in range(_POSITIONS):
            state = played(database.game, tiles, random_)
            started = time.perf_counter()
            lines = database.turns(state)
            seconds.append(time.perf_counter() - started)
            if lines[0].outcome != database.outcome(state):
                raise SystemExit(f"{rule}: {database.game.to_text(state)} is not worth its best turn")
    return (
        f"{len(known)} solved positions and {len(seconds)} random ones agree; "
        f"all turns of a position in {1e3 * sum(seconds) / len(seconds):.1f} ms on average, {1e3 * max(seconds):.0f} at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=int, default=HIGHEST, metavar="TILES")
    parser.add_argument("--databases", type=Path, metavar="DIRECTORY")
    options = parser.parse_args()
    classes = sum(Layer(tiles).entries for tiles in range(17))
    with tempfile.TemporaryDirectory() as temporary:
        for rule in ("draw", "opponent"):
            path = (options.databases or Path(temporary)) / f"{rule}.solved"
            if not path.exists():
                started = time.perf_counter()
                solve_to_file(path, rule, highest=options.keep)
                seconds = time.perf_counter() - started
                speed = f"{classes:,} classes in {seconds:.0f} s, {classes / seconds / 1e6:.1f} million/s"
                most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
                    1e9 if sys.platform == "darwin" else 1e6
                )
                print(
                    f"{rule}: {speed}; {path.stat().st_size / 1e6:.0f} MB; memory at most {most:.2f} GB",
                    flush=True,
                )
            database = Database(path)
            database.warm()
            print(
                f"{rule}: empty board {database.outcome(database.game.initial_state())}; {check(database, rule)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
