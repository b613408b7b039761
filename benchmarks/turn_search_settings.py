"""What each part of the search for turn-based games is worth: nodes, time and playing strength with that part switched off.

Deepening to `--depth` from the start and from positions after random moves, one core, CPU time; every row starts with an
empty table. With `--games` each row then plays the defaults, `--ms` a move for both, every random opening once with either
side: Elo with a 95 % interval. Below, what the other algorithms do in the same time, and what a second thread is worth.

    python benchmarks/turn_search_settings.py --depth 13                              # Connect Four
    python benchmarks/turn_search_settings.py --game simplexity --depth 12 --games 100
"""

import argparse
import json
import math
import os
import time
from dataclasses import replace

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from saddlepoint.algorithms import Limits, MonteCarlo, PrincipalVariation, ProofNumber, Searcher
from saddlepoint.arena.statistics.paired import Score
from saddlepoint.games import ConnectFour
from saddlepoint.games.simplexity import Lines, Simplexity

FULL = PrincipalVariation()
GAMES = {"connect_four": (ConnectFour, None), "simplexity": (Simplexity, Lines())}
"""Each with what positions are worth to the search."""
OFF = {
    "null_windows": False,
    "aspiration": 0.0,
    "table": False,
    "deeper_entries": False,
    "symmetry": False,
    "history": False,
    "static_order": False,
    "winning_actions": False,
    "discount": 0.0,
}
SWITCHED_ON = {
    "killers": True,
    "countermoves": True,
    "late_reduction": 1,
    "null_move": 2,
    "first_of_equals": True,
}
NOTHING = replace(FULL, **{part: off for part, off in OFF.items() if part != "static_order"})


def settings(game, evaluator):
    """(label, setting) of every row that makes a difference in the game."""
    full = replace(FULL, evaluator=evaluator)
    yield "the defaults", full
    for part, off in OFF.items():
        if part != "symmetry" or game.has_canonical_hash:
            yield f"without {part}" if part != "discount" else "discount 0", replace(full, **{part: off})
    for part, value in SWITCHED_ON.items():
        if part != "null_move" or game.can_pass:
            yield f"{part} = {value}", replace(full, **{part: value})
    yield "alpha-beta alone", replace(NOTHING, evaluator=evaluator)


def positions(game, count, seed=2):
    """The start, and positions after 2 to 10 random moves in which nobody wins at once."""
    draw = np.random.default_rng(seed)
    found = [game.initial_state()]
    while len(found) < count:
        state = game.initial_state()
        for _ in range(int(draw.integers(2, 11))):
            if game.players_to_act(state):
                state = game.next_state(
                    state, int(draw.choice(game.legal_actions(state, game.current_player(state))))
                )
        if game.players_to_act(state):
            found.append(state)
    return found


def measure(game, setting, states, depth):
    searcher = Searcher(game, setting)
    searcher.search(states[0], Limits(depth=2), variation=False)
    nodes, values, cpu = 0, [], 0.0
    for state in states:
        searcher.memory.clear()
        begun = time.process_time()
        result = searcher.search(state, Limits(depth=depth), deepen=True, variation=False)
        cpu += time.process_time() - begun
        nodes += result.statistics.nodes
        values.append(round(result.value, 3))
    return {"nodes": nodes, "seconds": cpu, "values": values}


def opening(game, moves, draw):
    """A position after so many random moves in which nobody wins at once."""
    while True:
        state = game.initial_state()
        for _ in range(moves):
            if game.players_to_act(state):
                state = game.next_state(
                    state, int(draw.choice(game.legal_actions(state, game.current_player(state))))
                )
        if game.players_to_act(state):
            return state


def play(game, searchers, state, seconds):
    """Player 0's result."""
    for searcher in searchers:
        searcher.memory.clear()
    while game.players_to_act(state):
        player = game.current_player(state)
        found = searchers[player].search(state, Limits(seconds=seconds), variation=False)
        partial = found.partial
        # As in a game: what an unfinished depth has found to be better counts.
        action = (
            partial.best[player]
            if partial is not None and partial.best is not None
            else found.best_action(player)
        )
        state = game.next_state(state, action)
    return game.returns(state)


def match(game, setting, full, games, seconds, seed=3):
    """The setting's score against the defaults."""
    tested, standard = Searcher(game, setting), Searcher(game, full)
    draw, points = np.random.default_rng(seed), []
    for searcher in (tested, standard):
        searcher.search(game.initial_state(), Limits(depth=2), variation=False)
    for number in range(games):
        if number % 2 == 0:
            start = opening(game, 4, draw)
        seats = (tested, standard) if number % 2 == 0 else (standard, tested)
        result = play(game, seats, start, seconds)
        points.append(result if number % 2 == 0 else -result)
    return Score(sum(p > 0 for p in points), sum(p == 0 for p in points), sum(p < 0 for p in points))


def elo(rate):
    """The difference in Elo that such a rate stands for."""
    return (
        math.copysign(math.inf, rate - 0.5) if rate in (0.0, 1.0) else 400.0 * math.log10(rate / (1.0 - rate))
    )


def strength(score):
    """Elo with its interval, as text."""
    return f"{elo(score.mean):+.0f} ({' to '.join(f'{elo(bound):+.0f}' for bound in score.interval())})"


def second_thread(game, evaluator, states, depth, repeats=3):
    """Wall-clock seconds to the depth with one thread and with two, taken in turn."""
    full, seconds = replace(FULL, evaluator=evaluator), [0.0, 0.0]
    searchers = [Searcher(game, replace(full, threads=threads)) for threads in (1, 2)]
    for searcher in searchers:
        searcher.search(states[0], Limits(depth=4), deepen=True, variation=False)
    for state in states * repeats:
        for k, searcher in enumerate(searchers):
            searcher.memory.clear()
            seconds[k] += searcher.search(state, Limits(depth=depth), deepen=True, variation=False).seconds
    return seconds


def others(game, evaluator, seconds):
    rows, full = [], replace(FULL, evaluator=evaluator)
    for algorithm in (full, replace(full, threads=2), MonteCarlo(evaluator), ProofNumber()):
        searcher = Searcher(game, algorithm)
        searcher.search(game.initial_state(), Limits(nodes=2000), variation=False)
        searcher.memory.clear()
        result = searcher.search(game.initial_state(), Limits(seconds=seconds), variation=False)
        label = f"{algorithm.name}, 2 threads" if getattr(algorithm, "threads", 1) > 1 else algorithm.name
        rows.append(
            {
                "algorithm": label,
                "nodes_per_second": result.statistics.nodes / result.seconds,
                "depth": result.depth,
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="connect_four")
    parser.add_argument("--depth", type=int, default=13)
    parser.add_argument("--positions", type=int, default=5)
    parser.add_argument("--games", type=int, default=0, help="of each setting against the defaults")
    parser.add_argument("--ms", type=float, default=10.0, help="a move's time in these games")
    parser.add_argument("--seconds", type=float, default=1.0, help="for the other algorithms")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    kind, evaluator = GAMES[options.game]
    game, load = kind(), os.getloadavg()[0]
    states = positions(game, options.positions)
    work, rows = list(settings(game, evaluator)), []
    for label, setting in track(work, "measuring", console=Console(stderr=True), transient=True):
        rows.append({"setting": label, **measure(game, setting, states, options.depth)})
        if options.games and label != work[0][0]:
            score = match(game, setting, work[0][1], options.games, options.ms / 1000)
            rows[-1]["score"] = [score.wins, score.draws, score.losses]
            rows[-1]["elo"] = strength(score)
    rest = others(game, evaluator, options.seconds)
    one, two = second_thread(game, evaluator, states, options.depth)
    if options.json:
        threads = {"one": one, "two": two, "ratio": one / two}
        print(
            json.dumps({"game": options.game, "load": load, "rows": rows, "others": rest, "threads": threads})
        )
        return
    table = Table(
        title=f"{type(game).__name__}, {len(states)} positions to depth {options.depth}, load {load:.2f} at the start"
    )
    columns = [
        "setting",
        "nodes",
        "x",
        "CPU s",
        "x",
        "M nodes/s",
        "unlike",
        *(["Elo (95 %)"] if options.games else []),
    ]
    for column in columns:
        table.add_column(column, justify="left" if column == "setting" else "right", no_wrap=True)
    first = rows[0]
    for row in rows:
        unlike = sum(a != b for a, b in zip(row["values"], first["values"], strict=True))
        table.add_row(
            row["setting"],
            f"{row['nodes']:,}",
            f"{row['nodes'] / first['nodes']:.2f}",
            f"{row['seconds']:.2f}",
            f"{row['seconds'] / first['seconds']:.2f}",
            f"{row['nodes'] / row['seconds'] / 1e6:.1f}",
            str(unlike or ""),
            *([row.get("elo", "")] if options.games else []),
        )
    console = Console()
    console.print(table)
    if options.games:
        console.print(f"Elo against the defaults: {options.games} games each at {options.ms:g} ms a move.")
    table = Table(title=f"From the start, {options.seconds:g} s of wall-clock time")
    for column in ("algorithm", "M nodes/s", "depth"):
        table.add_column(column, justify="left" if column == "algorithm" else "right")
    for row in rest:
        table.add_row(row["algorithm"], f"{row['nodes_per_second'] / 1e6:.1f}", str(row["depth"]))
    console.print(table)
    console.print(
        f"The positions to depth {options.depth}: {one:.2f} s with one thread, {two:.2f} s with two, x {one / two:.2f}"
    )


if __name__ == "__main__":
    main()
