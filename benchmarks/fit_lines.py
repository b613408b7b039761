"""Fit the weights of `Lines` to the results of its own games.

    python benchmarks/fit_lines.py --games 20000 --rounds 3

Each round plays games of Simplexity between shallow searches with the present weights, after a random opening and with
a random move now and then, and fits the weights by least squares to the games' results, at positions where nobody wins
at once. The last line says how the new weights do against the present ones, in games with both colours.
"""

import argparse
from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares
from shallow_search import choose_move

from saddlepoint.compiled import jit, run
from saddlepoint.games.simplexity import Lines, Simplexity


@jit
def play(game, first, second, start, depth, opening, noise, rng, features, actions):
    """One game from `start`; the count of positions written to `features`, and the result."""
    state, count = start, 0
    while game.current_player(state) >= 0:
        player = game.current_player(state)
        if state.moves < opening or rng.random() < noise:
            moves = game.legal_actions(state, player, actions[depth])
            action = actions[depth, rng.integers(0, moves)]
        elif player == 0:
            action = choose_move(game, first, state, depth, actions, rng)
        else:
            action = choose_move(game, second, state, depth, actions, rng)
        found = first.counts(game, state)
        if not found[7] and not found[8] and state.moves >= 4:
            numbers = found[:7]
            for k in range(7):
                features[count, k] = numbers[k]
            features[count, 7] = 1.0 if player == 0 else -1.0
            count += 1
        state = game.next_state(state, action)
    return count, game.returns(state)


def games_of(game, first, second, depth, number, noise, seed):
    """Features of all positions and their games' results; the sum of the results."""
    rng = np.random.default_rng(seed)
    actions = np.zeros((depth + 1, game.max_actions), np.int64)
    room = np.zeros((game.max_depth, 8))
    rows, results, total = [], [], 0.0
    for _ in range(number):
        opening = int(rng.integers(2, 9))
        start = game.initial_state()
        count, result = run(play, game, first, second, start, depth, opening, noise, rng, room, actions)
        rows.append(room[:count].copy())
        results += [result] * count
        total += result
    return np.concatenate(rows), np.array(results), total


def fitted(features, results):
    """Weights whose x / (1 + |x|) is nearest to the results."""

    def errors(weights):
        x = features @ weights
        return x / (1 + np.abs(x)) - results

    return least_squares(errors, np.full(8, 0.05)).x


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=5000, help="games a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--depth", type=int, default=3, help="plies of the players' searches")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game, old = Simplexity(), Lines()
    new = old
    for number in range(options.rounds):
        features, results, total = games_of(
            game, new, new, options.depth, options.games, 0.05, options.seed + number
        )
        weights = tuple(round(float(weight), 3) for weight in fitted(features, results))
        print(
            f"round {number + 1}: {len(results)} positions, White {total / options.games:+.3f}, weights {weights}",
            flush=True,
        )
        new = replace(old, weights=weights)
    half = options.games // 4
    lead = (
        games_of(game, new, old, options.depth, half, 0.0, 77)[2]
        - games_of(game, old, new, options.depth, half, 0.0, 77)[2]
    )
    print(f"new against old, {2 * half} games: {0.5 + 0.25 * lead / half:.3f} of the points")


if __name__ == "__main__":
    main()
