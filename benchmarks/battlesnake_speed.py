"""How fast Battlesnake is played: rounds a second of random games, new food included, by processor time of one core.

The best of many short runs, so that other programs on the machine change it little; Light Riders beside it.

    python benchmarks/battlesnake_speed.py --rounds 50000
"""

import argparse
import json
import os
import time

import numpy as np
from rich.console import Console
from rich.table import Table

from saddlepoint.compiled import borrowed, jit, jit_inline, mix, run
from saddlepoint.game.base import CHANCE, TERMINAL
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.light_riders import LightRiders


@jit_inline
def chosen(game, state, player, half, searched, out):
    """An action by a random half word, one of all or of the searched ones."""
    if not searched:
        return np.int64(half >> np.uint64(30))
    return out[np.int64(half * np.uint64(game.search_actions(state, player, out)) >> np.uint64(32))]


@jit
def play(game, start, rounds, searched, seed, out):
    """Random games until so many rounds are played, by all actions or by the searched ones; returns how many games ended."""
    state, word, done, games, out = start, np.uint64(seed), 0, 0, borrowed(out)
    while done < rounds:
        word += np.uint64(0x9E3779B97F4A7C15)
        random = mix(word)
        node = game.current_player(state)
        if node == TERMINAL:
            state = start
            games += 1
            continue
        if node == CHANCE:
            state = game.next_state(state, game.drawn_outcome(state, random), -1)
            continue
        done += 1
        action0 = chosen(game, state, 0, random >> np.uint64(32), searched, out)
        action1 = chosen(game, state, 1, random & np.uint64(0xFFFFFFFF), searched, out)
        state = game.next_state(state, action0, action1)
    return games


@jit
def play_riders(game, start, rounds, searched, seed, out):
    """The same for a game without chance."""
    state, word, done, games, out = start, np.uint64(seed), 0, 0, borrowed(out)
    while done < rounds:
        word += np.uint64(0x9E3779B97F4A7C15)
        random = mix(word)
        if game.current_player(state) == TERMINAL:
            state = start
            games += 1
            continue
        done += 1
        action0 = chosen(game, state, 0, random >> np.uint64(32), searched, out)
        action1 = chosen(game, state, 1, random & np.uint64(0xFFFFFFFF), searched, out)
        state = game.next_state(state, action0, action1)
    return games


def rate(game, searched, rounds, runs):
    """(million rounds a second in the best of the runs, rounds a game)."""
    out, start = np.zeros(4, np.int64), game.initial_state()
    loop = play_riders if isinstance(game, LightRiders) else play
    run(loop, game, start, 10, searched, 1, out)
    best, games = 0.0, 0
    for seed in range(runs):
        began = time.process_time()
        games += run(loop, game, start, rounds, searched, seed, out)
        best = max(best, rounds / (time.process_time() - began) / 1e6)
    return best, rounds * runs / max(1, games)


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=50_000, help="rounds of a run")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    games = {
        "7x7": Battlesnake(7, 7),
        "11x11": Battlesnake(),
        "11x11, without chance": Battlesnake().quiet(),
        "11x11 constrictor": Battlesnake(mode="constrictor", map="empty"),
        "19x19": Battlesnake(19, 19),
        "Light Riders, 16x16": LightRiders(),
    }
    rows = {
        f"{name}, {'searched' if searched else 'all'} actions": rate(
            game, searched, options.rounds, options.runs
        )
        for name, game in games.items()
        for searched in (False, True)
    }
    if options.json:
        print(
            json.dumps({"load": os.getloadavg()[0], "rows": {name: list(row) for name, row in rows.items()}})
        )
        return
    table = Table(title=f"Random play on one core (load {os.getloadavg()[0]:.1f})")
    for heading in ("game", "million rounds/s", "rounds a game"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for name, (speed, length) in rows.items():
        table.add_row(name, f"{speed:.2f}", f"{length:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
