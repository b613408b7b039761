"""Fit the weights of Goofspiel's `Hands`: to exact values where few cards are left, beyond to searches of one round.

    python benchmarks/fit_hands.py --positions 300

Positions are random cards of 13 for either hand, often nearly the same ones, and random prizes. Up to five cards a hand are solved;
of more the value is that of one round over the weights of one card less. A line for each number of cards gives the weights
that fit best, the root mean square of the values and of the errors, and the spread that fits who wins, which the library
has as one formula of the number of cards.
"""

import argparse
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize_scalar

from saddlepoint.algorithms import Limits, SaddlePruning, search
from saddlepoint.games.goofspiel import Goofspiel, Hands, State

CARDS, SOLVED = 13, 5


def random_hand(count, draw):
    """So many cards."""
    return sum(1 << int(card) for card in draw.choice(CARDS, count, replace=False))


def near_hand(hand, count, draw):
    """The hand with up to three other cards; now and then any."""
    if draw.random() < 0.3:
        return random_hand(count, draw)
    inside, outside = ([card for card in range(CARDS) if hand >> card & 1 == wanted] for wanted in (1, 0))
    number = min(len(outside), count, int(draw.integers(0, 4)))
    for old, new in zip(draw.permutation(inside)[:number], draw.permutation(outside)[:number], strict=True):
        hand = hand & ~(1 << int(old)) | 1 << int(new)
    return hand


def value_of(game, state, evaluator, count):
    """Exact with few cards, else by one round."""
    if count <= SOLVED:
        return search(game, state, SaddlePruning()).value
    return search(game, state, SaddlePruning(evaluator), Limits(depth=1)).value


def fitted_weights(count, number, evaluator, draw):
    """The weights that are nearest to the values of so many positions; the root mean square of values and of errors."""
    game, counts, values = Goofspiel(CARDS, utility="points"), [], []
    for _ in range(number):
        hand = random_hand(count, draw)
        state = State(hand, near_hand(hand, count, draw), random_hand(count, draw), -1, 0)
        counts.append(evaluator.counts(game, state)[:3])
        values.append(value_of(game, state, evaluator, count))
    weights = np.linalg.lstsq(np.array(counts), np.array(values), rcond=None)[0]
    errors = np.array(counts) @ weights - values
    return tuple(map(float, weights)), float(np.std(values)), float(np.sqrt((errors**2).mean()))


def fitted_spread(count, number, evaluator, draw):
    """The spread with which tanh of lead and expected points is nearest to the values of who wins."""
    game, leads, roots, values = Goofspiel(CARDS), [], [], []
    for _ in range(number):
        hand, prizes = random_hand(count, draw), random_hand(count, draw)
        size = np.sqrt(sum((card + 1) ** 2 for card in range(CARDS) if prizes >> card & 1))
        state = State(hand, near_hand(hand, count, draw), prizes, -1, int(draw.normal(0.0, 0.7 * size)))
        leads.append(evaluator.raw(game, state) + state.points)
        roots.append(size * (count - 1) / count)
        values.append(value_of(game, state, evaluator, count))
    parts = np.array(leads) / np.array(roots)
    found = minimize_scalar(lambda spread: ((np.tanh(parts / spread) - values) ** 2).mean(), bounds=(0.1, 3.0), method="bounded")
    return float(found.x), float(np.sqrt(found.fun))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=300, help="positions for each number of cards")
    parser.add_argument("--most", type=int, default=12, help="the most cards")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw, evaluator = np.random.default_rng(options.seed), Hands()
    for count in range(2, options.most + 1):
        weights, size, error = fitted_weights(count, options.positions, evaluator, draw)
        evaluator = replace(evaluator, weights=weights)
        spread, missed = fitted_spread(count, options.positions, evaluator, draw)
        found = ", ".join(f"{weight:.3f}" for weight in weights)
        print(f"{count} cards: weights {found}: {error:.2f} of {size:.2f} points; spread {spread:.3f}: {missed:.3f}", flush=True)


if __name__ == "__main__":
    main()
