"""Fits a network that compares two players to the results of games, and writes its weights into a file for their evaluator.

A player's strength is the sum over the hidden units of out * min(max(bias + inputs * weights, 0), HIGHEST), where the inputs are the
player's features, the other's, and those of both; the lead is player 0's less player 1's.

The cross entropy of the results, mixed with the values that a search found, is minimised by Adam (Kingma and Ba 2015). What plays
the games and what the features are is `fit_battlesnake.py`'s.
"""

import glob
import json
import re
import shlex
import sys
import textwrap
import time
from typing import Any, NamedTuple

import numpy as np
from rich.progress import track

from saddlepoint.evaluators.network.coding import HIGHEST, Coding
from saddlepoint.evaluators.network.features import described_evaluator
from saddlepoint.evaluators.network.file import Network, Weights, save_weights
from saddlepoint.own_games import described

SEARCH_SHARE = 0.3
"""Of the target: what the search found; the rest is the game's result."""
DEAD = 4e-4
"""A hidden unit none of whose weights is larger has been decayed to nothing."""
_PLAYED = re.compile(r"(.* play )(\S+)( .*--seed )(\d+)(.*)")
LINE = 140
"""Characters of a line of commands."""
LANES, SECOND = 8, 8
"""A first layer in a file has a multiple of so many units, and its second layer has so many."""


class Positions(NamedTuple):
    """Positions of games, as arrays of a row each."""

    features: Any
    """Of either player, [n, 2, features]."""
    shared: Any
    target: Any
    """What is to be predicted, 0 to 1."""
    won: Any
    """The game's result for player 0, 0 to 1."""
    games: Any
    """Which game it is of."""
    says: Any
    """How much it counts."""


def described_positions(file, number, features, shared, says):
    """The positions of the `number`-th file, which has results, values (NaN where no search found one) and games."""
    won, seen = (file["results"] + 1) / 2, (file["values"] + 1) / 2
    target = np.where(np.isnan(seen), won, (1 - SEARCH_SHARE) * won + SEARCH_SHARE * seen)
    return Positions(features, shared, target, won, file["games"] + 1_000_000 * number, says)


def files_of(patterns):
    """The files of positions that some patterns name; ends the program where there are none."""
    found = sorted(path for pattern in patterns for path in glob.glob(pattern))
    if not found:
        raise SystemExit(f"there is no file {' '.join(patterns)}")
    return found


def together(parts):
    """The positions of several files."""
    return Positions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def command_of(words):
    """A command of one of these programs as it was given, files without their folders."""
    program, *rest = (word.rsplit("/", 1)[-1] for word in words)
    return shlex.join(["python", f"benchmarks/{program}", *rest])


def summarised(commands):
    """Commands as lines of text; those that differ in nothing but the file and the seed together."""
    groups = {}
    for command in commands:
        found = _PLAYED.fullmatch(command)
        if found:
            groups.setdefault(f"{found[1]}FILE{found[3]}SEED{found[5]}", []).append(f"{found[2]}:{found[4]}")
        else:
            groups[command] = []
    lines = []
    for command, pairs in groups.items():
        told = textwrap.wrap("FILE:SEED " + ", ".join(pairs), LINE - 8, break_on_hyphens=False) if pairs else []
        lines += [command, *(f"    {line}" for line in told)]
    return lines


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
    features, shared, target, says = (
        column[chosen].astype(np.float32) for column in (data.features, data.shared, data.target, data.says)
    )
    says = says / says.mean()
    inputs = 2 * features.shape[2] + shared.shape[1]
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


def weights_of(weights, centre, width, features, evaluator, game, made):
    """The weights file's content, for inputs as they come instead of normalised ones; `made` says how they were made.

    The two players' strengths are two halves of the file's first layer, and the lead is their difference, halved since the file's network
    gives half the logarithm of the odds. The second layer's units cut off at `HIGHEST`: several follow each other, for either sign.
    """
    layer = weights["layer"] / width[:, None]
    alive = np.maximum(np.abs(layer).max(0), np.abs(weights["out"])) > DEAD
    layer, out, bias = layer[:, alive], weights["out"][alive], weights["bias"][alive]
    bias = bias - centre @ layer
    hidden, count = len(bias), len(layer)
    units = -(-2 * hidden // LANES) * LANES
    here = np.arange(count, dtype=np.int32)
    there = np.concatenate([here[features : 2 * features], here[:features], here[2 * features :]])
    first, both = np.zeros((count, units), np.float32), np.zeros(units)
    first[:, :hidden], first[:, hidden : 2 * hidden] = layer, layer[there]
    both[: 2 * hidden] = np.tile(bias, 2)
    steps = np.arange(SECOND)
    signs = np.where(steps < SECOND // 2, 1.0, -1.0)
    second = np.zeros((units, SECOND), np.float32)
    second[: 2 * hidden] = 0.5 * np.concatenate([out, -out])[:, None] * signs
    second_bias = -HIGHEST * (steps % (SECOND // 2))
    unit = float(np.abs(both).max()) / 32_000
    coding = Coding(
        np.zeros(count + 1, np.uint64), np.full((2, count + 1, 64), -1, np.int32), np.zeros((0, 4), np.int64), np.zeros((2, 0), np.int32),
        np.array([(word, 1) for word in range(count)], np.int64), np.tile(np.array([0.0, 1.0], np.float32), (count, 1)),
        np.array([here, there]), np.ones((2, count), np.float32),
    )  # fmt: skip
    network = Network(
        np.zeros((0, units), np.int16), np.round(both / unit).astype(np.int16), first, second, second_bias.astype(np.float32),
        signs.astype(np.float32), 0.0, unit,
    )  # fmt: skip
    whose = json.loads(json.dumps(described(game)))
    return Weights(coding, network, True, whose, {"commands": made}, evaluator=described_evaluator(type(evaluator)))


def fit_weights(data, made, evaluator, game, options):
    """Fit, say how well the weights predict, and write them for the evaluator; `made` are the commands that played the games."""
    features, shared, games = data.features, data.shared, data.games
    count = features.shape[2]
    centre = np.concatenate([np.tile(features.mean((0, 1)), 2), shared.mean(0)])
    width = np.concatenate([np.tile(features.std((0, 1)), 2), shared.std(0)]) + 1e-6
    data = data._replace(
        features=(features - centre[:count]) / width[:count], shared=(shared - centre[2 * count :]) / width[2 * count :]
    )
    kept = games % 5 == 0
    used = np.full(len(games), True) if options.output else ~kept
    began = time.perf_counter()
    weights = fit(data, used, options.hidden, options.epochs, options.rate, options.decay, options.seed)
    lead = logits(weights, data.features[:, 0], data.features[:, 1], data.shared)[0]
    print(f"{len(games)} positions, {len(np.unique(games))} games, {time.perf_counter() - began:.0f} s")
    print(f"cross entropy of the results: {entropy(lead[used], data.won[used], data.says[used]):.4f} where fitted", end="")
    print("" if options.output else f", {entropy(lead[kept], data.won[kept], data.says[kept]):.4f} in games kept apart")
    if options.output:
        lines = [*summarised(made), command_of(sys.argv)]
        save_weights(options.output, weights_of(weights, centre, width, count, evaluator, game, lines))


def add_fit(commands, hidden, epochs):
    """The command `fit`, with its usual numbers."""
    fitting = commands.add_parser("fit", help="fit the weights to files of positions")
    fitting.add_argument("files", nargs="+")
    fitting.add_argument("-o", "--output", help="write the weights here, fitted to all games")
    fitting.add_argument("--hidden", type=int, default=hidden, help="units in the hidden layer")
    fitting.add_argument("--epochs", type=int, default=epochs)
    fitting.add_argument("--rate", type=float, default=0.01)
    fitting.add_argument("--decay", type=float, default=4e-5)
    fitting.add_argument("--seed", type=int, default=0)
