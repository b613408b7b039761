"""Fit the network of `Prospects` to the results of its own games of Light Riders.

    python benchmarks/fit_prospects.py play games1.npz --games 1000 --seed 1       # some minutes; several files, several cores
    python benchmarks/fit_prospects.py fit games*.npz                             # how well it predicts
    python benchmarks/fit_prospects.py fit games*.npz -o src/saddlepoint/evaluators/light_riders/prospects_weights.py

`play` lets the player `best` with the present weights play against itself and against the chamber search of
`riders_killer`, from the contest's starts and from others, after some random rounds and with a random move now and then;
a game ends once the riders are separated, and who can go on for longer has won. `fit` minimises the cross entropy of the
results, mixed with the values that the search of `best` found, by Adam (Kingma and Ba 2015). Every fifth game is kept
from the fit and only predicted, unless the weights are written.
"""

import argparse
import glob
import shlex
import sys
import time

import numpy as np
from rich.progress import track

from saddlepoint.algorithms import AlphaBeta, Limits, SearchResult
from saddlepoint.boards.bitboard import board_of
from saddlepoint.boards.flood import NOBODY, voronoi
from saddlepoint.boards.longest_path import solve_fill
from saddlepoint.compiled import jit, run
from saddlepoint.evaluators import Chambers
from saddlepoint.evaluators.light_riders.prospects import (
    FEATURES,
    SHARED_FEATURES,
    features_of,
    shared_features,
)
from saddlepoint.evaluators.perceptron import HIGHEST
from saddlepoint.game import TERMINAL
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS
from saddlepoint.players.filling import are_separated
from saddlepoint.players.searching import SearchPlayer
from saddlepoint.roster.named.light_riders import best_search

SEARCH_SHARE = 0.3  # of the target: what the search found, the rest is the game's result
DEAD = 4e-4  # a hidden unit none of whose weights is larger has been decayed to nothing


# -- games ------------------------------------------------------------------------------------------------------------


def start(game, rng):
    """A start of the contest, or now and then heads anywhere, four steps apart or more."""
    if rng.random() < 0.85:
        return game.starts()[rng.integers(len(game.starts()))]
    while True:
        x0, y0, x1, y1 = (int(number) for number in rng.integers(0, 16, 4))
        if abs(x0 - x1) + abs(y0 - y1) >= 4:
            return game.initial_state(heads=((x0, y0), (x1, y1)))


def play(game, seats, rng):
    """One game: its positions (words, heads, mean search value of `best`), and its result for player 0."""
    state, positions = start(game, rng), []
    for number, (player, _) in enumerate(seats):
        player.begin(game, number)
    for _ in range(int(rng.integers(0, 6))):
        if game.current_player(state) != TERMINAL:
            state = game.next_state(state, *(int(rng.choice(game.search_actions(state, p))) for p in (0, 1)))
    while game.current_player(state) != TERMINAL:
        if are_separated(game, state):
            lengths = [solve_fill(game.grid, game.walls(state), int(game.head(state, p)), nodes=20_000).lower for p in (0, 1)]
            return positions, float(np.sign(lengths[0] - lengths[1]))
        moves, values = [], []
        for player, is_best in seats:
            action, found, *_ = Answer.of(player.choose(state, ENDLESS))
            moves.append(action)
            if is_best and isinstance(found, SearchResult):  # a forced move is not searched
                values.append(found.value)
        value = np.mean(values) if values else np.nan
        positions.append(([int(word) for word in state.walls], (int(state.head0), int(state.head1)), value))
        if rng.random() < 0.02:
            player = int(rng.integers(2))
            moves[player] = int(rng.choice(game.search_actions(state, player)))
        state = game.next_state(state, *moves)
    return positions, float(game.returns(state))


def play_games(path, number, nodes, seed):
    """Play and write a file of positions."""
    game, rng = LightRiders(), np.random.default_rng(seed)
    best, other = ((SearchPlayer(best_search(), limits=Limits(nodes=nodes)), True) for _ in range(2))
    killer = (SearchPlayer(AlphaBeta(Chambers()), limits=Limits(nodes=nodes)), False)
    pairings = [(best, other), (best, killer), (killer, best)]
    words, heads, values, results, games = [], [], [], [], []
    for k in track(range(number), "games"):
        positions, result = play(game, pairings[k % 3], rng)
        for walls, cells, value in positions:
            words.append(walls)
            heads.append(cells)
            values.append(value)
            results.append(result)
            games.append(k)
    np.savez_compressed(
        path, words=np.array(words, np.uint64), heads=np.array(heads), values=np.array(values),
        results=np.array(results), games=np.array(games), made=shlex.join(sys.argv),
    )  # fmt: skip
    print(f"{len(words)} positions of {number} games in {path}")


# -- the fit ----------------------------------------------------------------------------------------------------------


@jit
def describe(game, words, heads, features, shared, touching):
    """The features of all positions."""
    grid = game.grid
    for k in range(len(heads)):
        free = ~board_of(grid, (words[k, 0], words[k, 1], words[k, 2], words[k, 3]))
        head0, head1 = heads[k, 0], heads[k, 1]
        found = voronoi(grid, head0, head1, free, NOBODY)
        own0, own1, contested = found.territory0, found.territory1, found.contested
        features0 = features_of(grid, head0, head1, own0, own1, contested, free)
        features1 = features_of(grid, head1, head0, own1, own0, contested, free)
        both = shared_features(grid, head0, head1, contested, free)
        for i in range(len(features0)):
            features[k, 0, i] = features0[i]
            features[k, 1, i] = features1[i]
        for i in range(len(both)):
            shared[k, i] = both[i]
        touching[k] = not found.separated


def files_of(patterns):
    """The files of positions that some patterns name."""
    return sorted(path for pattern in patterns for path in glob.glob(pattern))


def made_by(path):
    """The command that played a file's games; files had no such line at first."""
    file = np.load(path)
    return str(file["made"]) if "made" in file else f"(not written down: {path})"


def load(patterns):
    """Traits [n, 2, FEATURES], shared features [n, SHARED_FEATURES], targets, results in 0..1, and each position's game."""
    parts = []
    for number, path in enumerate(files_of(patterns)):
        file = np.load(path)
        size = len(file["heads"])
        features, shared = np.zeros((size, 2, FEATURES)), np.zeros((size, SHARED_FEATURES))
        touching = np.zeros(size, np.bool_)
        run(describe, LightRiders(), file["words"], file["heads"].astype(np.int64), features, shared, touching)
        won, seen = (file["results"] + 1) / 2, (file["values"] + 1) / 2
        target = np.where(np.isnan(seen), won, (1 - SEARCH_SHARE) * won + SEARCH_SHARE * seen)
        columns = (features, shared, target, won, file["games"] + 1_000_000 * number)
        parts.append([column[touching] for column in columns])
    if not parts:
        raise SystemExit(f"there is no file {' '.join(patterns)}")
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def logits(weights, mine, yours, both):
    """The lead of every position, and what its gradient needs."""
    one = np.concatenate([mine, yours, both], 1)
    two = np.concatenate([yours, mine, both], 1)
    before = [side @ weights["layer"] + weights["bias"] for side in (one, two)]
    hidden = [np.clip(side, 0, HIGHEST) for side in before]
    return (hidden[0] - hidden[1]) @ weights["out"], (one, two), before, hidden


def gradient(weights, mine, yours, both, target, decay):
    """Of the mean cross entropy and the weights' squares."""
    lead, inputs, before, hidden = logits(weights, mine, yours, both)
    error = (1 / (1 + np.exp(-lead)) - target) / len(target)
    found = {name: 2 * decay * value for name, value in weights.items()}
    found["out"] += (hidden[0] - hidden[1]).T @ error
    for sign, side, raw in zip((1, -1), inputs, before, strict=True):
        back = sign * error[:, None] * weights["out"] * ((raw > 0) & (raw < HIGHEST))
        found["layer"] += side.T @ back
        found["bias"] += back.sum(0)
    return found


def entropy(lead, won):
    """The mean cross entropy of results in 0..1."""
    return float(np.mean(np.logaddexp(0, lead) - won * lead))


def fit(data, chosen, hidden, epochs, rate, decay, seed):
    """Weights of normalised inputs by Adam, with a rate that falls to nothing along a cosine."""
    rng = np.random.default_rng(seed)
    features, shared, target = (column[chosen].astype(np.float32) for column in data[:3])
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
            found = gradient(weights, features[rows, 0], features[rows, 1], shared[rows], target[rows], decay)
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

    return (
        f'"""The weights of `Prospects`: a row an input, a column a hidden unit.\n\nMade by:\n\n{made}\n"""\n\n'
        "# fmt: off\n# ruff: noqa: E501\nfrom ..perceptron import Network\n\nNETWORK = Network(\n"
        f"    own={rows(layer[:FEATURES])},\n    other={rows(layer[FEATURES : 2 * FEATURES])},\n    shared={rows(layer[2 * FEATURES :])},\n"
        f"    bias={row(bias)},\n    out={row(weights['out'])},\n)\n"
    )


def fit_weights(options):
    """Load, fit, say how well the weights predict, and write them."""
    data = load(options.files)
    data_made = [f"    {made_by(path)}" for path in files_of(options.files)]
    features, shared, won, games = data[0], data[1], data[3], data[4]
    centre = np.concatenate([np.tile(features.mean((0, 1)), 2), shared.mean(0)])
    width = np.concatenate([np.tile(features.std((0, 1)), 2), shared.std(0)]) + 1e-6
    data[0], data[1] = (features - centre[:FEATURES]) / width[:FEATURES], (shared - centre[2 * FEATURES :]) / width[2 * FEATURES :]
    kept = games % 5 == 0
    used = np.full(len(games), True) if options.output else ~kept
    began = time.perf_counter()
    weights = fit(data, used, options.hidden, options.epochs, options.rate, options.decay, options.seed)
    lead = logits(weights, data[0][:, 0], data[0][:, 1], data[1])[0]
    print(f"{len(games)} positions, {len(np.unique(games))} games, {time.perf_counter() - began:.0f} s")
    print(f"cross entropy of the results: {entropy(lead[used], won[used]):.4f} where fitted", end="")
    print("" if options.output else f", {entropy(lead[kept], won[kept]):.4f} in games kept apart")
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text_of(weights, centre, width, "\n".join([*data_made, f"    {shlex.join(sys.argv)}"])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("play", help="play games and keep their positions")
    games.add_argument("file")
    games.add_argument("--games", type=int, default=100)
    games.add_argument("--nodes", type=int, default=9000, help="a move")
    games.add_argument("--seed", type=int, default=1)
    fitting = commands.add_parser("fit", help="fit the weights to files of positions")
    fitting.add_argument("files", nargs="+")
    fitting.add_argument("-o", "--output", help="write the weights here, fitted to all games")
    fitting.add_argument("--hidden", type=int, default=32, help="units in the hidden layer")
    fitting.add_argument("--epochs", type=int, default=50)
    fitting.add_argument("--rate", type=float, default=0.01)
    fitting.add_argument("--decay", type=float, default=4e-5)
    fitting.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.command == "play":
        play_games(options.file, options.games, options.nodes, options.seed)
    else:
        fit_weights(options)


if __name__ == "__main__":
    main()
