"""Hold the matrix solver to HiGHS (scipy) over many random games of every kind; print the worst differences.

    python benchmarks/matrix_against_highs.py --count 100000 --seed 1

Every matrix is scaled to entries in [0, 1], so all differences are fractions of the range. HiGHS works to
1e-7, the library to 1e-9: where the two differ by more than that, the strategies of HiGHS show how far its
own value can be off, and the best-response gap of the library's strategies, computed here, shows the same for
the library's.
"""

import argparse
import secrets
import sys
import time

import numpy as np
from matrix_kinds import KINDS, draw
from rich.console import Console
from rich.progress import track
from rich.table import Table
from scipy.optimize import linprog

from saddlepoint.matrix import solve_matrix

PROMISE = 1e-9


def highs(matrix):
    """Return (value, how far it can be off by the strategies that come with it) according to HiGHS."""
    m, n = matrix.shape
    answer = linprog(
        np.r_[np.zeros(n), 1.0],
        A_ub=np.c_[matrix, -np.ones(m)],
        b_ub=np.zeros(m),
        A_eq=np.r_[np.ones(n), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs",
    )
    y = np.maximum(answer.x[:n], 0)
    x = np.maximum(-answer.ineqlin.marginals, 0)
    low, high = (x / x.sum() @ matrix).min(), (matrix @ (y / y.sum())).max()
    return answer.fun, max(high - low, abs(answer.fun - low), abs(answer.fun - high))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100_000, help="games in all (default 100000)")
    parser.add_argument("--seed", type=int, default=None, help="default: a fresh one, printed")
    parser.add_argument("--largest", type=int, default=10, help="most actions of a player (default 10)")
    options = parser.parse_args()
    seed = secrets.randbits(32) if options.seed is None else options.seed
    rng = np.random.default_rng(seed)
    solve_matrix(np.eye(3))

    # Per kind: games, worst gap, worst difference, the same where HiGHS is sharp, and how many those are.
    rows = {kind: [0, 0.0, 0.0, 0.0, 0] for kind in KINDS}
    broken = 0
    started = time.perf_counter()
    for number in track(range(options.count), description="games", console=Console(stderr=True)):
        kind = list(KINDS)[number % len(KINDS)]
        matrix = draw(rng, kind, options.largest)
        span = np.ptp(matrix)
        matrix = (matrix - matrix.min()) / (span if span > 0 else 1.0)
        solution = solve_matrix(matrix)
        gap = (matrix @ solution.column_strategy).max() - (solution.row_strategy @ matrix).min()
        theirs, doubt = highs(matrix)
        difference = abs(solution.value - theirs)
        row = rows[kind]
        row[0] += 1
        row[1] = max(row[1], gap)
        row[2] = max(row[2], difference)
        if doubt <= PROMISE / 10:
            row[3] = max(row[3], difference)
            row[4] += 1
            broken += difference > PROMISE
        broken += gap > PROMISE or difference > doubt + PROMISE

    table = Table(
        title=f"{options.count} games, seed {seed}, {time.perf_counter() - started:.0f} s; 1 = the range"
    )
    table.add_column("kind")
    for heading in ("games", "our worst gap", "worst difference", "... where HiGHS is sharp", "sharp"):
        table.add_column(heading, justify="right")
    for kind, (count, gap, difference, sharp, sharp_count) in rows.items():
        if count:
            share = f"{100 * sharp_count / count:.1f} %"
            table.add_row(kind, str(count), f"{gap:.1e}", f"{difference:.1e}", f"{sharp:.1e}", share)
    Console(width=110).print(table)
    print(
        f"promises broken: {broken} (gap above 1e-9, or further from HiGHS than HiGHS can be off plus 1e-9)"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
