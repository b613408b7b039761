"""Matches of `best` of Battlesnake, with one setting changed, or against `snake_voronoi`: fixed nodes a move, so every game repeats.

    python benchmarks/battlesnake_strength.py voronoi --pairs 24 --nodes 1000 --others 1500
    python benchmarks/battlesnake_strength.py no_fractions --nodes 1000 --mode constrictor
    python benchmarks/battlesnake_strength.py weights --weights older.weights --openings long.txt

The first is `best` as it is, the second what the name says (`--list` tells the names). Pairs are a start with both sides, with the same new
food as long as the games do not part: the official starts, or the positions of a file, such as `battlesnake_openings.py` writes. The
standard error is of pairs.
"""

import argparse
import math
from collections import Counter
from dataclasses import replace

import numpy as np
from battlesnake_games import Side, game_between

from saddlepoint.algorithms import SerialisedAlphaBeta
from saddlepoint.arena.openings import openings_from
from saddlepoint.games.battlesnake import Battlesnake, SnakeProspects, SnakeVoronoi, best_search, contempt_in
from saddlepoint.games.battlesnake.state import CAUSES, cause_of

VORONOI = SerialisedAlphaBeta(SnakeVoronoi(), killers=True, history=True, discount=1e-6)

OTHERS = {
    "voronoi": lambda best: replace(VORONOI, contempt=1.0),
    "brave_voronoi": lambda best: VORONOI,
    "voronoi_evaluator": lambda best: replace(best, evaluator=SnakeVoronoi()),
    "uncounted": lambda best: replace(best, evaluator=replace(best.evaluator, count_nodes=0)),
    "brave": lambda best: replace(best, contempt=0.0),
    "timid": lambda best: replace(best, contempt=1.0),
    "no_fractions": lambda best: replace(best, by_choices=False),
    "no_null_windows": lambda best: replace(best, null_windows=False),
    "no_history": lambda best: replace(best, history=False),
    "futility": lambda best: replace(best, futility=0.4),
    "sorted_rounds": lambda best: replace(best, sort_rounds=2),
}
"""What `best` plays against, by name."""


def death(snake):
    """What a snake died of; empty where it lives."""
    return CAUSES[cause_of(snake)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", nargs="?", choices=(*OTHERS, "weights"), default="voronoi")
    parser.add_argument(
        "--weights", metavar="FILE", help="the other's weights, as `saddlepoint fit` writes them"
    )
    parser.add_argument("--openings", metavar="FILE", help="positions to begin in")
    parser.add_argument("--list", action="store_true", help="the names of the others")
    parser.add_argument("--pairs", type=int, default=24)
    parser.add_argument("--nodes", type=int, default=1000, help="a move of `best`")
    parser.add_argument("--others", type=int, help="a move of the other; as many where it is not said")
    parser.add_argument("--mode", default="standard", choices=("standard", "constrictor"))
    parser.add_argument("--width", type=int, default=11, help="of the board")
    parser.add_argument("--height", type=int, default=11)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.list:
        print("\n".join((*OTHERS, "weights")))
        return
    if (options.other == "weights") != bool(options.weights):
        parser.error("--weights names the file for `weights`")
    if options.mode != "standard" and (options.weights or options.openings):
        parser.error("--weights and --openings are for the mode standard")
    food = "empty" if options.mode == "constrictor" else "standard"
    game = Battlesnake(options.width, options.height, mode=options.mode, map=food)
    best = best_search(contempt_in(game))
    other = (
        replace(best, evaluator=SnakeProspects(weights=options.weights))
        if options.weights
        else OTHERS[options.other](best)
    )
    sides = Side(game, best, options.nodes), Side(game, other, options.others or options.nodes)
    starts = (
        list(map(game.from_text, openings_from(game, options.openings)))
        if options.openings
        else game.starts()
    )
    rng = np.random.default_rng(options.seed)
    points, results, rounds, depths, causes = [], [], [], [], []
    for pair in range(options.pairs):
        start = starts[
            rng.integers(len(starts)) if options.openings else (7 * pair + options.seed) % len(starts)
        ]
        for swapped in (False, True):
            one, two = reversed(sides) if swapped else sides
            seed = options.seed * 1_000_003 + pair
            result, end, _, *reached = game_between(game, one, two, start, seed, longest=2000)
            results.append(-result if swapped else result)
            depths.append(reached[::-1] if swapped else reached)
            rounds.append(end.round)
            causes.append(death(end.snake1 if swapped else end.snake0))
        points.append((results[-2] + results[-1] + 2) / 4)
    won, drawn, lost = (sum(result == kind for result in results) for kind in (1.0, 0.0, -1.0))
    error = 1.96 * float(np.std(points)) / math.sqrt(len(points))
    board = f"{game.width}x{game.height}, {options.mode}"
    print(
        f"best ({options.nodes} nodes) against {options.other} ({options.others or options.nodes}), {board}: "
        f"{won} won, {drawn} drawn, {lost} lost; {100 * np.mean(points):.1f} % +- {100 * error:.1f}"
    )
    mine, theirs = np.mean(depths, 0)
    died = Counter(cause for cause, result in zip(causes, results, strict=True) if result < 0.0)
    print("lost by: " + (", ".join(f"{cause} {number}" for cause, number in died.most_common()) or "nothing"))
    print(f"{np.mean(rounds):.0f} rounds a game; mean depth {mine:.1f} and {theirs:.1f}")


if __name__ == "__main__":
    main()
