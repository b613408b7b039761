"""Writes a file of positions with long snakes, which random moves hardly ever reach: for `--openings` of `fit`, `match` and others.

    python benchmarks/battlesnake_openings.py long.txt --games 200 --nodes 1000 --seed 1
    saddlepoint fit battlesnake --evaluator snake_prospects --openings long.txt -o mine.weights
    saddlepoint match best 'alphabeta(...)' --game battlesnake --openings long.txt --swap

The search of `best` plays itself from the official starts, with new food as the rules bring it, after up to six random moves, and with
a random move now and then. Of each game some positions are kept in which somebody has a choice, neither side has nearly won, and both
snakes together are at least `--long` cells long. The same seed writes the same file.
"""

import argparse

import numpy as np
from battlesnake_games import Side, game_between, noted, row_width
from rich.progress import track

from saddlepoint.games.battlesnake import Battlesnake, best_search, contempt_in
from saddlepoint.games.battlesnake.state import length_of

OPEN = 0.8
"""Nobody is ahead by so much, by the value that the searches found."""
LONGEST, OPENING, STRAY = 1200, 6, 0.02
"""Rounds of a game, random moves of either side at its beginning at most, and the probability of one later on."""


def long_positions(game, rows, values, least):
    """Those of a game's positions that are wanted."""
    like = game.starts()[0]
    snake0, snake1 = (rows[:, column].astype(np.int64) for column in (-5, -4))
    long = length_of.py_func(snake0) + length_of.py_func(snake1) >= least
    return [
        noted(row, like) for row in rows[long & (np.abs(values) < OPEN)]
    ]  # a value is NaN where nobody has a choice


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=1000, help="a move")
    parser.add_argument("--long", type=int, default=60, help="the least length of both snakes together")
    parser.add_argument(
        "--most", type=int, default=8, help="positions of one game, drawn from those that are wanted"
    )
    parser.add_argument("--width", type=int, default=11, help="of the board")
    parser.add_argument("--height", type=int, default=11)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game, rng = Battlesnake(options.width, options.height), np.random.default_rng(options.seed)
    side, starts = Side(game, best_search(contempt_in(game)), options.nodes), game.starts()
    rows, values, found = np.zeros((LONGEST, row_width(game)), np.uint64), np.zeros(LONGEST), []
    for _ in track(range(options.games), "games"):
        start, seed = starts[rng.integers(len(starts))], int(rng.integers(2**63))
        _, _, written, *_ = game_between(game, side, side, start, seed, OPENING, STRAY, LONGEST, rows, values)
        wanted = long_positions(game, rows[:written], values[:written], options.long)
        found += [wanted[k] for k in sorted(rng.permutation(len(wanted))[: options.most])]
    if not found:
        raise SystemExit(
            f"no position of these games has snakes of {options.long} cells together and is open"
        )
    with open(options.file, "w", encoding="utf-8") as file:
        file.write("\n".join(game.to_text(state).rstrip("\n") + "\n" for state in found))
    print(f"{len(found)} positions of {options.games} games in {options.file}")


if __name__ == "__main__":
    main()
