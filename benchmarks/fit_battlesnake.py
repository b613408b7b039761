"""Fits the weights of the evaluator `snake_prospects` to games: play games, fit a network to their results, write the weights.

    python benchmarks/fit_battlesnake.py play games.npz --games 400 --seed 1 [--evaluator snake_voronoi]
    python benchmarks/fit_battlesnake.py fit games*.npz                    (tells the error in games kept apart)
    python benchmarks/fit_battlesnake.py fit games*.npz -o src/saddlepoint/evaluators/battlesnake/standard_weights.py

`play` lets the search of `best` play itself from the official starts, with new food as the rules bring it, after up to six random moves
each, and with a random move now and then; how bad a draw is for either is drawn for every game. `fit` minimises the cross entropy of
the results, mixed with the values that the search found, by Adam (Kingma and Ba 2015); a result counts less for positions long before
it. Every fifth game is kept from the fit and only predicted, unless the weights are written. Either takes a seed.

Games of `snake_voronoi` gave the first weights; games with these gave the next ones, and so on.
"""

import argparse
import glob
import shlex
import sys
import time
from dataclasses import replace

import numpy as np
from battlesnake_games import WIDTH, Side, game_between, noted
from rich.progress import track

from saddlepoint.compiled import jit, run
from saddlepoint.evaluators.battlesnake.snake_prospects import FEATURES, SHARED_FEATURES, described
from saddlepoint.evaluators.catalogue import EVALUATORS
from saddlepoint.evaluators.perceptron import HIGHEST
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.roster.named.battlesnake import best_search

SEARCH_SHARE = 0.3
"""Of the target: what the search found; the rest is the game's result."""
LASTING, LEAST = 50, 0.05
"""After so many more positions a game's result says a third as much of a position; the least that it counts."""
DEAD = 4e-4
"""A hidden unit none of whose weights is larger has been decayed to nothing."""
LONGEST = 600
"""Rounds after which a game is given up as a draw."""
OPENING = 6
"""The most random moves of either side at the beginning."""
LINE = 140
"""Characters of a line, above which the linter complains."""
CONTEMPTS = (0.1, 0.5, 1.0)
"""What a draw counts less for a player, drawn for each game: two who do not mind it often meet head to head at once."""
STRAY = 0.02
"""The probability of a random move of one of the two later on."""


# -- games ------------------------------------------------------------------------------------------------------------


def play_games(path, number, nodes, seed, evaluator):
    """Play and write a file of positions."""
    game, rng = Battlesnake(), np.random.default_rng(seed)
    search = replace(best_search(), evaluator=EVALUATORS[evaluator]())
    sides = [Side(game, replace(search, contempt=contempt), nodes) for contempt in CONTEMPTS]
    starts, rows, seen = game.starts(), np.zeros((LONGEST, WIDTH), np.uint64), np.zeros(LONGEST)
    positions, values, results, games = [], [], [], []
    for k in track(range(number), "games"):
        one, two = sides[rng.integers(len(sides))], sides[rng.integers(len(sides))]
        result, _, written, *_ = game_between(
            game, one, two, starts[rng.integers(len(starts))], int(rng.integers(2**63)), OPENING, STRAY, LONGEST, rows, seen
        )
        positions.append(rows[:written].copy())
        values += seen[:written].tolist()
        results += [result] * written
        games += [k] * written
    np.savez_compressed(
        path, positions=np.concatenate(positions), values=np.array(values), results=np.array(results), games=np.array(games),
        made=shlex.join(sys.argv),
    )  # fmt: skip
    print(f"{len(values)} positions of {number} games in {path}")


# -- the fit ----------------------------------------------------------------------------------------------------------


@jit
def describe(game, rows, features, shared):
    """The features of all positions."""
    for k in range(len(rows)):
        features0, features1, both = described(game, noted(rows[k]))
        for i in range(len(features0)):
            features[k, 0, i] = features0[i]
            features[k, 1, i] = features1[i]
        for i in range(len(both)):
            shared[k, i] = both[i]


def files_of(patterns):
    """The files of positions that some patterns name."""
    return sorted(path for pattern in patterns for path in glob.glob(pattern))


def made_by(path):
    """The command that played a file's games."""
    return command_of(shlex.split(str(np.load(path)["made"])))


def command_of(words):
    """A command as it was given, files without their folders."""
    return shlex.join(["python", "benchmarks/fit_battlesnake.py", *(word.rsplit("/", 1)[-1] for word in words[1:])])


def load(patterns):
    """Features [n, 2, FEATURES], shared ones, targets, results in 0..1, each position's game, and how much it counts."""
    parts = []
    for number, path in enumerate(files_of(patterns)):
        file = np.load(path)
        rows = file["positions"]
        features, shared = np.zeros((len(rows), 2, FEATURES)), np.zeros((len(rows), SHARED_FEATURES))
        run(describe, Battlesnake(), rows, features, shared)
        won, seen = (file["results"] + 1) / 2, (file["values"] + 1) / 2
        target = np.where(np.isnan(seen), won, (1 - SEARCH_SHARE) * won + SEARCH_SHARE * seen)
        parts.append([features, shared, target, won, file["games"] + 1_000_000 * number, says_of(file["games"])])
    if not parts:
        raise SystemExit(f"there is no file {' '.join(patterns)}")
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def says_of(games):
    """How much a game's result says of its positions, 1 for the last ones."""
    ends = np.searchsorted(games, games, side="right")
    return np.exp((np.arange(len(games)) + 1 - ends) / LASTING) + LEAST


def logits(weights, mine, yours, both):
    """The lead of every position, and what its gradient needs."""
    one = np.concatenate([mine, yours, both], 1)
    two = np.concatenate([yours, mine, both], 1)
    before = [side @ weights["layer"] + weights["bias"] for side in (one, two)]
    hidden = [np.clip(side, 0, HIGHEST) for side in before]
    return (hidden[0] - hidden[1]) @ weights["out"], (one, two), before, hidden


def gradient(weights, mine, yours, both, target, says, decay):
    """Of the mean cross entropy and the weights' squares."""
    lead, inputs, before, hidden = logits(weights, mine, yours, both)
    error = (1 / (1 + np.exp(-lead)) - target) * says / len(target)
    found = {name: 2 * decay * value for name, value in weights.items()}
    found["out"] += (hidden[0] - hidden[1]).T @ error
    for sign, side, raw in zip((1, -1), inputs, before, strict=True):
        back = sign * error[:, None] * weights["out"] * ((raw > 0) & (raw < HIGHEST))
        found["layer"] += side.T @ back
        found["bias"] += back.sum(0)
    return found


def entropy(lead, won, says):
    """The mean cross entropy of results in 0..1."""
    return float(np.average(np.logaddexp(0, lead) - won * lead, weights=says))


def fit(data, chosen, hidden, epochs, rate, decay, seed):
    """Weights of normalised inputs by Adam, with a rate that falls to nothing along a cosine."""
    rng = np.random.default_rng(seed)
    features, shared, target, says = (data[column][chosen].astype(np.float32) for column in (0, 1, 2, 5))
    says = says / says.mean()
    inputs = 2 * FEATURES + SHARED_FEATURES
    weights = {
        "layer": rng.normal(0, inputs**-0.5, (inputs, hidden)), "bias": np.zeros(hidden), "out": rng.normal(0, 0.1, hidden),
    }  # fmt: skip
    weights = {name: value.astype(np.float32) for name, value in weights.items()}
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    batch = 1024
    steps, done = epochs * (len(target) // batch), 0
    for _ in track(range(epochs), "epochs"):
        order = rng.permutation(len(target))
        for first in range(0, len(target) - batch + 1, batch):
            rows = order[first : first + batch]
            found = gradient(weights, features[rows, 0], features[rows, 1], shared[rows], target[rows], says[rows], decay)
            done += 1
            now = rate * 0.5 * (1 + np.cos(np.pi * done / steps))
            for name, slope in found.items():
                mean[name] += 0.1 * (slope - mean[name])
                square[name] += 0.001 * (slope * slope - square[name])
                step = mean[name] / (1 - 0.9**done) / (np.sqrt(square[name] / (1 - 0.999**done)) + 1e-8)
                weights[name] -= (now * step).astype(np.float32)
    return weights


def text_of(weights, centre, width, made):
    """The module with the weights, for inputs as they come instead of normalised ones; `made` says how they were made."""
    layer = weights["layer"] / width[:, None]
    alive = np.maximum(np.abs(layer).max(0), np.abs(weights["out"])) > DEAD
    layer, weights = layer[:, alive], {"out": weights["out"][alive], "bias": weights["bias"][alive]}
    bias = weights["bias"] - centre @ layer

    def row(numbers):
        return "(" + ", ".join(f"{number:.5g}" for number in numbers) + ")"

    def rows(matrix):
        return "(\n" + "".join(f"        {row(numbers)},\n" for numbers in matrix) + "    )"

    body = (
        f"NETWORK = Network(\n    own={rows(layer[:FEATURES])},\n    other={rows(layer[FEATURES : 2 * FEATURES])},\n"
        f"    shared={rows(layer[2 * FEATURES :])},\n    bias={row(bias)},\n    out={row(weights['out'])},\n)\n"
    )
    long = "# ruff: noqa: E501\n" if max(map(len, body.splitlines())) > LINE else ""
    title = f'"""The weights of `SnakeProspects`: a row an input, a column a hidden unit.\n\nMade by:\n\n{made}\n"""\n\n'
    return f"{title}# fmt: off\n{long}from ..perceptron import Network\n\n{body}"


def fit_weights(options):
    """Load, fit, say how well the weights predict, and write them."""
    data = load(options.files)
    data_made = [f"    {made_by(path)}" for path in files_of(options.files)]
    features, shared, won, games, says = data[0], data[1], data[3], data[4], data[5]
    centre = np.concatenate([np.tile(features.mean((0, 1)), 2), shared.mean(0)])
    width = np.concatenate([np.tile(features.std((0, 1)), 2), shared.std(0)]) + 1e-6
    data[0], data[1] = (features - centre[:FEATURES]) / width[:FEATURES], (shared - centre[2 * FEATURES :]) / width[2 * FEATURES :]
    kept = games % 5 == 0
    used = np.full(len(games), True) if options.output else ~kept
    began = time.perf_counter()
    weights = fit(data, used, options.hidden, options.epochs, options.rate, options.decay, options.seed)
    lead = logits(weights, data[0][:, 0], data[0][:, 1], data[1])[0]
    print(f"{len(games)} positions, {len(np.unique(games))} games, {time.perf_counter() - began:.0f} s")
    print(f"cross entropy of the results: {entropy(lead[used], won[used], says[used]):.4f} where fitted", end="")
    print("" if options.output else f", {entropy(lead[kept], won[kept], says[kept]):.4f} in games kept apart")
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text_of(weights, centre, width, "\n".join([*data_made, f"    {command_of(sys.argv)}"])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("play", help="play games and keep their positions")
    games.add_argument("file")
    games.add_argument("--games", type=int, default=100)
    games.add_argument("--nodes", type=int, default=2000, help="a move")
    games.add_argument("--seed", type=int, default=1)
    games.add_argument("--evaluator", default="snake_prospects", help="what the search evaluates with")
    fitting = commands.add_parser("fit", help="fit the weights to files of positions")
    fitting.add_argument("files", nargs="+")
    fitting.add_argument("-o", "--output", help="write the weights here, fitted to all games")
    fitting.add_argument("--hidden", type=int, default=16, help="units in the hidden layer")
    fitting.add_argument("--epochs", type=int, default=40)
    fitting.add_argument("--rate", type=float, default=0.01)
    fitting.add_argument("--decay", type=float, default=4e-5)
    fitting.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.command == "play":
        play_games(options.file, options.games, options.nodes, options.seed, options.evaluator)
    else:
        fit_weights(options)


if __name__ == "__main__":
    main()
