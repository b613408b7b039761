"""Fits the weights of the evaluator `snake_prospects` to games: play games, fit a network to their results, write the weights.

    python benchmarks/fit_battlesnake.py play games.npz --games 400 --seed 1 [--evaluator snake_voronoi]
    python benchmarks/fit_battlesnake.py play games.npz --games 400 --seed 1 --against snake_voronoi --others 10000
    python benchmarks/fit_battlesnake.py play late.npz --games 400 --seed 1 --from 'games*.npz' --long 60
    python benchmarks/fit_battlesnake.py fit games*.npz                    (tells the error in games kept apart)
    python benchmarks/fit_battlesnake.py fit games*.npz -o src/saddlepoint/games/battlesnake/evaluators/standard.weights
    python benchmarks/fit_battlesnake.py play small.npz --width 7 --height 7    (for small_boards.weights)

`play` lets the search of `best` play itself from the official starts, with new food as the rules bring it, after up to six random moves
each, and with a random move now and then; how bad a draw is for either is drawn for every game. With `--from` games begin in positions
of other files whose two snakes are long enough, and where neither side has nearly won: strong searches play longer games than quick
ones do, and positions with long snakes are seldom in the quick ones' games. `fit` minimises the cross entropy of what became of each
position, by Adam (Kingma and Ba 2015): the values that the search found of the next positions and the game's result, the nearer the
more (lambda returns, Sutton 1988). Late positions count more. Every fifth game is kept from the fit and only predicted, unless the
weights are written. Either takes a seed; the weights are the same to the last digit where NumPy uses one thread (`OMP_NUM_THREADS=1`).

Games of `snake_voronoi` gave the first weights; games with these gave the next ones, and so on.
"""

import argparse
import shlex
import sys
from dataclasses import replace

import numpy as np
from battlesnake_games import Side, game_between, noted, row_width
from battlesnake_starts import late_positions
from network_fit import add_fit, command_of, described_positions, files_of, fit_weights, together
from rich.progress import track

from saddlepoint.compiled import jit, run
from saddlepoint.games.battlesnake import Battlesnake, SnakeProspects
from saddlepoint.games.battlesnake.entry import best_search
from saddlepoint.games.battlesnake.evaluators.snake_prospects import (
    COUNT_NODES,
    FEATURES,
    SHARED_FEATURES,
    described,
)
from saddlepoint.roster.evaluators import EVALUATORS

LASTING, LEAST = 50, 0.35
"""So many positions before a game's end a position counts a third as much as the last one, and this for being one."""
LAMBDA = 0.97
"""What a position is worth depends so much less on each later one than on the one before."""
LONGEST = 1200
"""Rounds after which a game is given up as a draw."""
OPENING, LATER = 6, 2
"""The most random moves of either side at the beginning, and in games that begin late."""
CONTEMPTS = (0.1, 0.5, 1.0)
"""What a draw counts less for a player, drawn for each game: two who do not mind it often meet head to head at once."""
STRAY = 0.02
"""The probability of a random move of one of the two later on."""


# -- games ------------------------------------------------------------------------------------------------------------


def sides_of(game, evaluator, nodes):
    """The search of `best` with that evaluator, once for each contempt."""
    search = replace(best_search(), evaluator=EVALUATORS[evaluator]())
    return [Side(game, replace(search, contempt=contempt), nodes) for contempt in CONTEMPTS]


def play_games(path, game, number, nodes, seed, evaluator, against, others, starts, opening):
    """Play and write a file of positions."""
    rng = np.random.default_rng(seed)
    sides = sides_of(game, evaluator, nodes)
    rivals = sides_of(game, against or evaluator, others or nodes) if against or others else sides
    rows, seen = np.zeros((LONGEST, row_width(game)), np.uint64), np.zeros(LONGEST)
    positions, values, results, games = [], [], [], []
    for k in track(range(number), "games"):
        one, two = sides[rng.integers(len(sides))], rivals[rng.integers(len(rivals))]
        if rivals is not sides and rng.integers(2):
            one, two = two, one
        result, _, written, *_ = game_between(
            game, one, two, starts[rng.integers(len(starts))], int(rng.integers(2**63)), opening, STRAY, LONGEST, rows, seen
        )
        positions.append(rows[:written].copy())
        values += seen[:written].tolist()
        results += [result] * written
        games += [k] * written
    np.savez_compressed(
        path, positions=np.concatenate(positions), values=np.array(values), results=np.array(results), games=np.array(games),
        size=(game.width, game.height), made=shlex.join(sys.argv),
    )  # fmt: skip
    print(f"{len(values)} positions of {number} games in {path}")


# -- the fit ----------------------------------------------------------------------------------------------------------


@jit
def describe(game, like, rows, features, shared):
    """The features of all positions."""
    for k in range(len(rows)):
        features0, features1, both = described(game, noted(rows[k], like), COUNT_NODES)
        for i in range(len(features0)):
            features[k, 0, i] = features0[i]
            features[k, 1, i] = features1[i]
        for i in range(len(both)):
            shared[k, i] = both[i]


def made_by(path):
    """The command that played a file's games."""
    return command_of(shlex.split(str(np.load(path)["made"])))


def load(files):
    """The positions of some files."""
    parts = []
    for number, path in enumerate(files):
        file = np.load(path)
        rows = file["positions"]
        features, shared = np.zeros((len(rows), 2, FEATURES)), np.zeros((len(rows), SHARED_FEATURES))
        game = Battlesnake(*map(int, file["size"]))
        run(describe, game, game.starts()[0], rows, features, shared)
        found = described_positions(file, number, features, shared, says_of(file["games"]))
        parts.append(found._replace(target=returns_of(file["games"], file["values"], file["results"])))
    return together(parts)


def returns_of(games, values, results):
    """The lambda return of every position, 0 to 1: of the values found after it, and of its game's result."""
    found = np.zeros(len(games))
    for k in reversed(range(len(games))):
        if k + 1 == len(games) or games[k + 1] != games[k]:
            found[k] = results[k]
        else:
            found[k] = found[k + 1] if np.isnan(values[k + 1]) else LAMBDA * found[k + 1] + (1 - LAMBDA) * values[k + 1]
    return (found + 1) / 2


def says_of(games):
    """How much a position counts: the more, the nearer to its game's end."""
    ends = np.searchsorted(games, games, side="right")
    return np.exp((np.arange(len(games)) + 1 - ends) / LASTING) + LEAST


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("play", help="play games and keep their positions")
    games.add_argument("file")
    games.add_argument("--games", type=int, default=100)
    games.add_argument("--nodes", type=int, default=2000, help="a move")
    games.add_argument("--seed", type=int, default=1)
    games.add_argument("--width", type=int, default=11, help="of the board")
    games.add_argument("--height", type=int, default=11)
    games.add_argument("--evaluator", default="snake_prospects", help="what the search evaluates with")
    games.add_argument("--against", help="what the other one evaluates with; as the first where it is not said")
    games.add_argument("--from", dest="starts", nargs="+", help="files with positions to begin in; the official starts where not said")
    games.add_argument("--long", type=int, default=60, help="of these, the least length of both snakes together")
    games.add_argument("--others", type=int, help="nodes a move of the other one")
    add_fit(commands, hidden=16, epochs=40)
    options = parser.parse_args()
    if options.command == "play":
        game = Battlesnake(options.width, options.height)
        starts = late_positions(options.starts, options.long, game) if options.starts else game.starts()
        play_games(
            options.file, game, options.games, options.nodes, options.seed, options.evaluator, options.against, options.others, starts,
            LATER if options.starts else OPENING,
        )  # fmt: skip
    else:
        files = files_of(options.files)
        game = Battlesnake(*map(int, np.load(files[0])["size"]))
        fit_weights(load(files), [made_by(path) for path in files], SnakeProspects(), game, options)


if __name__ == "__main__":
    main()
