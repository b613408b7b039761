"""Positions a second of every evaluator, on one core, over positions from the middle of random games.

Usage: python benchmarks/evaluators_speed.py [--width 16] [--height 16] [--seconds 1] [--json]
"""

import argparse
import json
import os
import time

import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem

from saddlepoint.compiled import Component, jit, jit_inline, run
from saddlepoint.evaluators import (
    Chambers,
    ChamberTree,
    Constant,
    Endgame,
    Prospects,
    QueueTerritory,
    ReachableSpace,
    Separated,
    Voronoi,
    VoronoiEdges,
)
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.light_riders import LightRiders, State

EVALUATORS = (
    Constant(),
    ReachableSpace(),
    Voronoi(),
    Voronoi(scale=0.0),
    QueueTerritory(),
    VoronoiEdges(),
    Chambers(),
    Chambers(connected=True),
    Chambers(separated_bonus=True),
    ChamberTree(),
    Endgame(),
    Separated(),
    Prospects(),
)


def middle_positions(game: LightRiders, number: int, seed: int) -> list[State]:
    """Positions from random games of riders that mostly go straight on, from a sixth of the longest game onwards."""
    rng = np.random.default_rng(seed)
    found: list[State] = []
    while len(found) < number:
        state, states = game.initial_state(seed=int(rng.integers(1 << 30))), []
        while game.current_player(state) != TERMINAL:
            states.append(state)
            chosen = []
            for player, direction in ((0, state.direction0), (1, state.direction1)):
                actions = game.search_actions(state, player)
                straight = direction in actions and rng.random() < 0.6
                chosen.append(direction if straight else int(rng.choice(actions)))
            state = game.next_state(state, *chosen)
        found += states[game.width * game.height // 12 :]
    return found[:number]


@jit_inline
def words_of_row(words, row):
    """A row of an array as a tuple like `words`."""
    for k in range(len(words)):
        words = tuple_setitem(words, k, row[k])
    return words


@jit
def evaluate_all(game, evaluator, like, walls, heads, repeats):
    """The sum of the evaluations of all positions, `repeats` times over."""
    total = 0.0
    for _ in range(repeats):
        for k in range(len(walls)):
            words = words_of_row(like.walls, walls[k])
            state = State(
                words, heads[k, 0], heads[k, 1], like.direction0, like.direction1, like.round, like.alive
            )
            total += evaluator.evaluate(game, state)
    return total


def measure(
    game: LightRiders, evaluator: Component, states: list[State], seconds: float
) -> tuple[float, float]:
    """(positions a second, seconds until the first pass was compiled or loaded, and done)."""
    walls = np.array([state.walls for state in states], np.uint64)
    heads = np.array([(state.head0, state.head1) for state in states])
    started = time.perf_counter()
    run(evaluate_all, game, evaluator, states[0], walls, heads, 1)
    ready = time.perf_counter() - started
    repeats = 1
    while True:
        started = time.perf_counter()
        run(evaluate_all, game, evaluator, states[0], walls, heads, repeats)
        spent = time.perf_counter() - started
        if spent >= seconds / 2:
            return repeats * len(states) / spent, ready
        repeats *= 2


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--height", type=int, default=16)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1.0, help="about how long to measure each evaluator")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    game = LightRiders(options.width, options.height)
    states = middle_positions(game, options.positions, seed=1)
    rows: list[dict[str, object]] = []
    for evaluator in EVALUATORS:
        rate, ready = measure(game, evaluator, states, options.seconds)
        rows.append(
            {
                "evaluator": str(evaluator),
                "positions_per_second": round(rate),
                "ready_seconds": round(ready, 2),
            }
        )
    load = os.getloadavg()[0]
    if options.json:
        print(json.dumps({"width": game.width, "height": game.height, "load": load, "rows": rows}, indent=1))
        return
    print(
        f"{game.width}x{game.height}, {len(states)} positions from the middle of random games, load {load:.1f}"
    )
    for row in rows:
        print(
            f"{row['positions_per_second']:>14,} /s  ready after {row['ready_seconds']:>5} s  {row['evaluator']}"
        )


if __name__ == "__main__":
    main()
