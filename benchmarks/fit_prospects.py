"""Fit the network of `Prospects` to the results of its own games of Light Riders.

    python benchmarks/fit_prospects.py play games1.npz --games 1000 --seed 1       # some minutes; several files, several cores
    python benchmarks/fit_prospects.py fit games*.npz                             # how well it predicts
    python benchmarks/fit_prospects.py fit games*.npz -o src/saddlepoint/evaluators/territory/prospects_weights.py

`play` lets the player `best` with the present weights play against itself and against the chamber search of
`riders_killer`, from the contest's starts and from others, after some random rounds and with a random move now and then;
a game ends once the riders are separated, and who can go on for longer has won. `fit` minimises the cross entropy of the
results, mixed with the values that the search of `best` found, by Adam (Kingma and Ba 2015). Every fifth game is kept
from the fit and only predicted, unless the weights are written.
"""

import argparse
import shlex
import sys

import numpy as np
from network_fit import add_fit, command_of, described_positions, files_of, fit_weights, together
from rich.progress import track

from saddlepoint.algorithms import Limits, SearchResult, SerialisedAlphaBeta
from saddlepoint.boards.bitboard import board_of
from saddlepoint.boards.flood import NOBODY, voronoi
from saddlepoint.boards.longest_path import solve_fill
from saddlepoint.compiled import jit, run
from saddlepoint.evaluators import Chambers
from saddlepoint.evaluators.territory.prospects import (
    FEATURES,
    SHARED_FEATURES,
    features_of,
    shared_features,
)
from saddlepoint.game import TERMINAL
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS
from saddlepoint.players.filling import are_separated, trails_search
from saddlepoint.players.searching import SearchPlayer

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
    best, other = ((SearchPlayer(trails_search(), limits=Limits(nodes=nodes)), True) for _ in range(2))
    killer = (SearchPlayer(SerialisedAlphaBeta(Chambers()), limits=Limits(nodes=nodes)), False)
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


def made_by(path):
    """The command that played a file's games; files had no such line at first."""
    file = np.load(path)
    return command_of(shlex.split(str(file["made"]))) if "made" in file else f"(not written down: {path})"


def load(files):
    """The positions of some files in which the riders are not separated."""
    parts = []
    for number, path in enumerate(files):
        file = np.load(path)
        size = len(file["heads"])
        features, shared = np.zeros((size, 2, FEATURES)), np.zeros((size, SHARED_FEATURES))
        touching = np.zeros(size, np.bool_)
        run(describe, LightRiders(), file["words"], file["heads"].astype(np.int64), features, shared, touching)
        positions = described_positions(file, number, features, shared, np.ones(size))
        parts.append([column[touching] for column in positions])
    return together(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("play", help="play games and keep their positions")
    games.add_argument("file")
    games.add_argument("--games", type=int, default=100)
    games.add_argument("--nodes", type=int, default=9000, help="a move")
    games.add_argument("--seed", type=int, default=1)
    add_fit(commands, hidden=32, epochs=50)
    options = parser.parse_args()
    if options.command == "play":
        play_games(options.file, options.games, options.nodes, options.seed)
    else:
        files = files_of(options.files)
        fit_weights(load(files), [made_by(path) for path in files], "Prospects", options)


if __name__ == "__main__":
    main()
