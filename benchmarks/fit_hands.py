"""Fit the weights of Goofspiel's `Hands` to exact values: to all positions of games that are solved.

    python benchmarks/fit_hands.py --points 11 --win 9

Two games are solved, one with points and one of who wins. Positions with at least four cards a hand are drawn from each solution.
The weights of either that fit best, the spread of who wins, and the root mean squares of values and errors are printed: of all
positions, and by the number of cards. The library has one set of weights, between the two.
"""

import argparse

import numpy as np
from scipy.optimize import least_squares

from saddlepoint import solve
from saddlepoint.games.goofspiel import Goofspiel, Hands

FEWEST, WEIGHTS = 4, 5


def drawn(game, number, draw):
    """Positions of chance with their values, numbers of `Hands` (five weights', squares, cards) and lead; shapes (positions, ...)."""
    solution = solve(game)
    numbers, values, leads, known = [], [], [], []
    for state in some(solution, number, draw):
        counts = Hands().counts(game, state)
        if counts[-1] >= FEWEST and state.prize < 0:
            numbers.append(counts)
            values.append(solution.value_of(state))
            leads.append(state.points)
            known.append(Hands().evaluate(game, state))
    return tuple(np.array(one, float) for one in (numbers, values, leads, known))


def some(solution, number, draw):
    """Positions that are kept, drawn at random."""
    chosen = set(draw.choice(len(solution), min(number, len(solution)), replace=False).tolist())
    return (state for place, state in enumerate(solution.kept_states()) if place in chosen)


def root_mean_square(errors):
    return float(np.sqrt((errors**2).mean()))


def told(what, weights, errors, values, known, cards):
    print(f"{what}: {', '.join(f'{one:.3f}' for one in weights)}")
    for count in (None, *np.unique(cards)):
        these = np.full(len(cards), True) if count is None else cards == count
        name = "all" if count is None else f"{count:.0f} cards"
        found = (
            root_mean_square(errors[these]),
            root_mean_square((known - values)[these]),
            root_mean_square(values[these]),
        )
        print(
            "  {}: error {:.3f}, of the library's weights {:.3f}, of values of {:.3f}, {} positions".format(
                name, *found, these.sum()
            )
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--points", type=int, default=10, help="cards of the game with points")
    parser.add_argument("--win", type=int, default=8, help="cards of the game of who wins")
    parser.add_argument("--positions", type=int, default=40_000, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw = np.random.default_rng(asked.seed)

    numbers, values, _, known = drawn(Goofspiel(asked.points, utility="points"), asked.positions, draw)
    weights = np.linalg.lstsq(numbers[:, :WEIGHTS], values, rcond=None)[0]
    told(
        f"points, {asked.points} cards, weights",
        weights,
        numbers[:, :WEIGHTS] @ weights - values,
        values,
        known,
        numbers[:, -1],
    )

    numbers, values, leads, known = drawn(Goofspiel(asked.win), asked.positions, draw)
    unsettled = np.sqrt(numbers[:, -2]) * (numbers[:, -1] - 1) / numbers[:, -1]

    def missed(parts):
        return (
            np.tanh((leads + numbers[:, :WEIGHTS] @ parts[:WEIGHTS]) / (parts[WEIGHTS] * unsettled)) - values
        )

    found = least_squares(missed, [*weights, Hands().spread])
    told(f"win, {asked.win} cards, weights and spread", found.x, found.fun, values, known, numbers[:, -1])


if __name__ == "__main__":
    main()
