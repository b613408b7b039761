"""Measure how many random zero-sum matrices a second are solved, one core, beside scipy's linprog.

    python benchmarks/matrix_speed.py [--json] [--entries normal] [--seconds 0.5]

The library's loop is compiled; linprog (HiGHS) is called from Python as it has to be, on the same matrices.
The figures for OpenSpiel and Nashpy were published for random 3 x 3 to 10 x 10 matrices and are printed only
there.
"""

import argparse
import json
import time

import numba
import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.optimize import linprog

from saddlepoint.matrix import FAILURES, solve, work_size

SIZES = (*range(2, 14), 16, 24, 32, 48, 64)
# Published for one core of a machine like a CI runner.
OPENSPIEL = 165
NASHPY = 215


@numba.njit(nogil=True)
def solve_all(matrices, rounds, x, y, work):
    """Return the sum of the values, so that nothing can be left out, and how often each method was used."""
    size = matrices.shape[1]
    total = 0.0
    methods = np.zeros(3)
    for _ in range(rounds):
        for k in range(matrices.shape[0]):
            value, method = solve(matrices[k], size, size, x, y, work)
            total += value
            methods[method] += 1
    return total, methods / methods.sum()


def games_per_second(matrices, seconds):
    """Return (games a second in the best of five runs, shares of the methods)."""
    count, size, _ = matrices.shape
    x, y, work = np.empty(size), np.empty(size), np.zeros(work_size(size, size))
    started = time.perf_counter()
    solve_all(matrices, 1, x, y, work)
    rounds = max(1, int(seconds / 5 / (time.perf_counter() - started)))
    best = np.inf
    for _ in range(5):
        started = time.perf_counter()
        _, shares = solve_all(matrices, rounds, x, y, work)
        best = min(best, time.perf_counter() - started)
    assert work[FAILURES] == 0
    return count * rounds / best, shares


def linprog_per_second(matrices, seconds):
    solved = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        matrix = matrices[solved % len(matrices)]
        m, n = matrix.shape
        linprog(
            np.r_[np.zeros(n), 1.0],
            A_ub=np.c_[matrix, -np.ones(m)],
            b_ub=np.zeros(m),
            A_eq=np.r_[np.ones(n), 0.0][None],
            b_eq=[1.0],
            bounds=[(0, None)] * n + [(None, None)],
            method="highs",
        )
        solved += 1
    return solved / (time.perf_counter() - started)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--entries", choices=("uniform", "normal"), default="uniform")
    parser.add_argument(
        "--seconds", type=float, default=0.5, help="time for each size and solver (default 0.5)"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    solve_all(np.eye(2)[None], 1, np.empty(2), np.empty(2), np.zeros(work_size(2, 2)))

    figures = []
    for size in SIZES:
        # Many different matrices, or the branch predictor learns them by heart.
        shape = (max(50, 60_000 // size**2), size, size)
        matrices = rng.uniform(size=shape) if options.entries == "uniform" else rng.normal(size=shape)
        ours, shares = games_per_second(matrices, options.seconds)
        theirs = linprog_per_second(matrices, options.seconds)
        published = 3 <= size <= 10
        figures.append(
            {
                "size": size,
                "saddlepoint": ours,
                "linprog": theirs,
                "ratio": ours / theirs,
                "openspiel_published": OPENSPIEL if published else None,
                "nashpy_published": NASHPY if published else None,
                "pure": shares[0],
            }
        )
    if options.json:
        print(json.dumps({"entries": options.entries, "seed": options.seed, "figures": figures}, indent=2))
        return
    table = Table(title=f"random matrices ({options.entries} entries) solved a second, one core")
    headings = (
        "size",
        "saddlepoint",
        "linprog (HiGHS), measured",
        "ratio",
        "OpenSpiel, published",
        "Nashpy, published",
        "saddle points",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for figure in figures:
        table.add_row(
            f"{figure['size']} x {figure['size']}",
            f"{figure['saddlepoint']:,.0f}",
            f"{figure['linprog']:,.0f}",
            f"{figure['ratio']:,.0f}",
            f"~{OPENSPIEL}" if figure["openspiel_published"] else "",
            f"~{NASHPY}" if figure["nashpy_published"] else "",
            f"{100 * figure['pure']:.1f} %",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
