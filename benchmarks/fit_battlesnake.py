"""Fits the weights of the evaluator `snake_prospects` to games: play games, fit a network to their results, write the weights.

    python benchmarks/fit_battlesnake.py play games.npz --games 400 --seed 1
    python benchmarks/fit_battlesnake.py fit games*.npz                    (tells the error in games kept apart)
    python benchmarks/fit_battlesnake.py fit games*.npz -o src/saddlepoint/evaluators/battlesnake/snake_prospects_weights.py

`play` lets the search of `best` play itself from the official starts, with new food as the rules bring it, after up to six random moves each,
and with a random move now and then. `fit` minimises the cross entropy of the results, mixed with the values that the search found, by Adam
(Kingma and Ba 2015). Every fifth game is kept from the fit and only predicted, unless the weights are written. Either takes a seed.
"""

import argparse
import shlex
import sys

import numpy as np
from rich.progress import track

from saddlepoint.algorithms import Limits, SearchResult
from saddlepoint.game import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.games.battlesnake import Battlesnake, State
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS
from saddlepoint.players.quiet_searching import QuietSearchPlayer
from saddlepoint.roster.named.battlesnake import best_search

LONGEST = 600
"""Rounds after which a game is given up as a draw."""
OPENING = 6
"""The most random moves of either side at the beginning."""
STRAY = 0.02
"""The probability of a random move of one of the two later on."""


# -- games ------------------------------------------------------------------------------------------------------------


def settled(game, state, rng):
    """The position after chance."""
    while game.current_player(state) == CHANCE:
        state = game.next_state(state, game.drawn_outcome(state, np.uint64(rng.integers(2**64, dtype=np.uint64))), NO_ACTION)
    return state


def numbers(state):
    """A position as one row of numbers."""
    row = []
    for field in state:
        row.extend(int(word) for word in field) if isinstance(field, tuple) else row.append(int(field))
    return row


def play(game, seats, rng):
    """One game: its positions, the value that the searches found in each, and its result for player 0."""
    state, rows, values = game.starts()[rng.integers(24)], [], []
    for number, player in enumerate(seats):
        player.begin(game, number, int(rng.integers(2**31)))
    for _ in range(int(rng.integers(0, OPENING + 1))):
        if game.current_player(state) != TERMINAL:
            state = settled(game, game.next_state(state, *(int(rng.choice(game.search_actions(state, p))) for p in (0, 1))), rng)
    while game.current_player(state) != TERMINAL and state.round < LONGEST:
        moves, found = [], []
        for player in seats:
            action, result, *_ = Answer.of(player.choose(state, ENDLESS))
            moves.append(action)
            if isinstance(result, SearchResult):  # a forced move is not searched
                found.append(result.value)
        rows.append(numbers(state))
        values.append(np.mean(found) if found else np.nan)
        if rng.random() < STRAY:
            player = int(rng.integers(2))
            moves[player] = int(rng.choice(game.search_actions(state, player)))
        state = settled(game, game.next_state(state, *moves), rng)
    return rows, values, float(game.returns(state)) if game.current_player(state) == TERMINAL else 0.0


def play_games(path, number, nodes, seed):
    """Play and write a file of positions."""
    game, rng = Battlesnake(), np.random.default_rng(seed)
    seats = [QuietSearchPlayer(best_search(), limits=Limits(nodes=nodes)) for _ in range(2)]
    positions, values, results, games = [], [], [], []
    for k in track(range(number), "games"):
        rows, seen, result = play(game, seats, rng)
        positions += rows
        values += seen
        results += [result] * len(rows)
        games += [k] * len(rows)
    np.savez_compressed(
        path, positions=np.array(positions, np.uint64), values=np.array(values), results=np.array(results), games=np.array(games),
        made=shlex.join(sys.argv),
    )  # fmt: skip
    print(f"{len(positions)} positions of {number} games in {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("play", help="play games and keep their positions")
    games.add_argument("file")
    games.add_argument("--games", type=int, default=100)
    games.add_argument("--nodes", type=int, default=2000, help="a move")
    games.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    play_games(options.file, options.games, options.nodes, options.seed)


if __name__ == "__main__":
    main()
