"""How long games with cycles take to solve: soccer with a draw, without one and with discounts, pursuit-evasion which ends.

    python benchmarks/cycle_solving.py             # CPU milliseconds of the whole work, the certificate included, compiled before
    python benchmarks/cycle_solving.py --no-fold   # all positions kept

The median of several times; finding the positions, the values and the certificate are counted, starting the program is not.
"""

import argparse
import os
import statistics
import time

from saddlepoint.game.base import Game
from saddlepoint.games import PursuitEvasion, Soccer
from saddlepoint.solvers.cycles import solve_cycles

GAMES: tuple[tuple[Game, float], ...] = (
    (Soccer(), 1.0),
    (Soccer(draw=0.0), 0.9),
    (Soccer(draw=0.0), 0.99),
    (Soccer(draw=0.0), 0.999),
    (Soccer(draw=0.0), 1.0),
    (Soccer(ball="loose"), 1.0),
    (Soccer(7, 6), 1.0),
    (PursuitEvasion(6, 6, 20), 1.0),
)
"""Each with its discount."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--no-fold", action="store_true", help="keep all positions")
    parser.add_argument("--times", type=int, default=9, help="how often each is solved")
    options = parser.parse_args()
    print(
        "| game | positions | stages solved | CPU ms | value | proven to | load |\n|---|---:|---:|---:|---:|---:|---:|"
    )
    for game, discount in GAMES:
        found, taken = solve_cycles(game, discount=discount, fold=not options.no_fold), list[float]()
        for _ in range(options.times):
            began = time.process_time()
            found = solve_cycles(game, discount=discount, fold=not options.no_fold)
            taken.append(1e3 * (time.process_time() - began))
        solution, state = found.solution, game.initial_state()
        if isinstance(game, Soccer):
            state = game.next_state(state, 0)
        named = repr(game) + (f" --discount {discount:g}" if discount < 1 else "")
        gap = 0.0 if found.certificate is None else found.certificate.gap
        print(
            f"| {named} | {found.counts.positions:,} | {found.counts.sweeps:,} times | {statistics.median(taken):.1f} | "
            f"{solution.value_of(state):.9f} | {gap:.1g} | {os.getloadavg()[0]:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
