"""Forced wins and losses of Simplexity's base board: every position of tests/data/simplexity_forced_6x7.jsonl.

    python benchmarks/simplexity_forced.py

Looks 13 plies ahead in each on one core, compares value and distance with the file, and prints the total seconds.
Positions where the result differs are listed; tests/games/simplexity/test_forced.py says why there are some.
"""

import json
import time
from pathlib import Path

from saddlepoint.games.simplexity import Simplexity
from saddlepoint.games.simplexity.forced import ForcedSearch

POSITIONS = Path(__file__).parents[1] / "tests" / "data" / "simplexity_forced_6x7.jsonl"
_PLIES = 13


def main() -> None:
    game = Simplexity()
    search = ForcedSearch(game, 64)
    search.search(game.initial_state(), 1)  # compiles
    records = [json.loads(line) for line in POSITIONS.read_text().splitlines()]
    states = [game.after(record["moves"]) for record in records]
    before, wall, cpu = search.nodes, time.perf_counter(), time.process_time()
    found = [search.search(state, _PLIES) for state in states]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    agree = 0
    for record, result in zip(records, found, strict=True):
        if (result.value, result.plies) == (record["value"], record["plies"]):
            agree += 1
        else:
            print(
                f"{record['moves']}: file {record['value']} in {record['plies']}, found {result.value} in {result.plies}"
            )
    nodes = search.nodes - before
    print(
        f"{agree} of {len(records)} as in the file; longest {max(result.seconds for result in found):.2f} s"
    )
    print(
        f"all together {wall:.2f} s ({cpu:.2f} s of CPU), {nodes:,} positions, {nodes / cpu / 1e6:.1f} million/s"
    )


if __name__ == "__main__":
    main()
