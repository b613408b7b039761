"""Fit the weights of Othello's `Mobility` or Connect Four's `Threats` to the results of its own games.

    python benchmarks/fit_counts.py othello --games 20000 --rounds 3
    python benchmarks/fit_counts.py connect_four --games 20000 --rounds 3

Each round plays games between shallow searches with the present weights, after a random opening and with a random move
now and then, and fits the weights by least squares to the games' results. The last line says how the new weights do against
those of the library, in games with both colours.
"""

import argparse
from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares
from shallow_search import choose_move

from saddlepoint.compiled import jit, run
from saddlepoint.games.connect_four import ConnectFour, Threats
from saddlepoint.games.othello import Mobility, Othello


@jit
def play(game, first, second, start, depth, opening, noise, rng, features, actions):
    """One game: the number of positions whose counts were written to `features`, and the result."""
    state, count, steps = start, 0, 0
    while game.current_player(state) >= 0:
        player = game.current_player(state)
        if steps < opening or rng.random() < noise:
            moves = game.legal_actions(state, player, actions[depth])
            action = actions[depth, rng.integers(0, moves)]
        elif player == 0:
            action = choose_move(game, first, state, depth, actions, rng)
        else:
            action = choose_move(game, second, state, depth, actions, rng)
        found = first.counts(game, state)
        for k in range(len(found)):
            features[count, k] = found[k]
        features[count, -1] = 1.0 if player == 0 else -1.0
        count += 1
        steps += 1
        state = game.next_state(state, action)
    return count, game.returns(state)


def games_of(game, first, second, depth, number, noise, seed):
    """Counts of all positions and their games' results; the sum of the results."""
    rng = np.random.default_rng(seed)
    actions = np.zeros((depth + 1, game.max_actions), np.int64)
    room = np.zeros((game.max_depth, len(first.counts(game, game.initial_state())) + 1))
    rows, results, total = [], [], 0.0
    for _ in range(number):
        opening = int(rng.integers(2, 11))
        count, result = run(
            play, game, first, second, game.initial_state(), depth, opening, noise, rng, room, actions
        )
        rows.append(room[:count].copy())
        results += [result] * count
        total += result
    return np.concatenate(rows), np.array(results), total


def nearest(features, results, squash):
    """Weights whose squashed sum is nearest to the results."""
    return least_squares(
        lambda weights: squash(features @ weights) - results, np.full(features.shape[1], 0.05)
    ).x


def fitted_mobility(counts, results):
    """`Mobility` with new weights."""
    filled, features = counts[:, 10:11], counts[:, :10]
    weights = nearest(np.hstack([features * (1.0 - filled), features * filled]), results, np.tanh)
    return replace(Mobility(), at_start=rounded(weights[:10]), at_end=rounded(weights[10:]))


def fitted_threats(counts, results):
    """`Threats` with new weights: from positions where nobody wins at once, or cannot stop a win."""
    undecided = (counts[:, 5] == 0) & (counts[:, 6] == 0)
    features = counts[undecided][:, [0, 1, 2, 3, 4, 7]]
    return replace(
        Threats(), weights=rounded(nearest(features, results[undecided], lambda x: x / (1 + np.abs(x))))
    )


def rounded(weights):
    """As they are written down."""
    return tuple(round(float(weight), 3) for weight in weights)


KINDS = {
    "othello": (Othello(), Mobility(), fitted_mobility),
    "connect_four": (ConnectFour(), Threats(), fitted_threats),
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=sorted(KINDS))
    parser.add_argument("--games", type=int, default=5000, help="games a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--depth", type=int, default=3, help="plies of the players' searches")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game, old, fit = KINDS[options.game]
    new = old
    for number in range(options.rounds):
        counts, results, total = games_of(
            game, new, new, options.depth, options.games, 0.05, options.seed + number
        )
        new = fit(counts, results)
        print(
            f"round {number + 1}: {len(results)} positions, player 0 {total / options.games:+.3f}, {new}",
            flush=True,
        )
    half = options.games // 4
    lead = (
        games_of(game, new, old, options.depth, half, 0.0, 77)[2]
        - games_of(game, old, new, options.depth, half, 0.0, 77)[2]
    )
    print(f"new against old, {2 * half} games: {0.5 + 0.25 * lead / half:.3f} of the points")


if __name__ == "__main__":
    main()
