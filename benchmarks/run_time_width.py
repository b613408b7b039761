"""What it would cost to know a board's width at run time only: the same flood fill and line test, with constants and with arguments.

python benchmarks/run_time_width.py
"""

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

WIDTH, ROWS = 17, 7
BOARDS = 20_000


def flood(width: Any) -> Callable[..., int]:
    """The number of steps until a flood fill over four words stands still, `width` bits to a row; a number makes it a constant."""

    @numba.njit
    def shifted(board, by):
        one, two, three, four = board
        rest = np.uint64(64) - by
        return (one << by, two << by | one >> rest, three << by | two >> rest, four << by | three >> rest)

    @numba.njit
    def back(board, by):
        one, two, three, four = board
        rest = np.uint64(64) - by
        return (one >> by | two << rest, two >> by | three << rest, three >> by | four << rest, four >> by)

    @numba.njit
    def filled(boards, given):
        by, steps, single = np.uint64(width if width else given), 0, np.uint64(1)
        for k in range(boards.shape[0]):
            free = (boards[k, 0], boards[k, 1], boards[k, 2], boards[k, 3])
            reached, before = (free[0] & -free[0], np.uint64(0), np.uint64(0), np.uint64(0)), np.uint64(0)
            while True:
                up, down, left, right = (
                    shifted(reached, by),
                    back(reached, by),
                    shifted(reached, single),
                    back(reached, single),
                )
                zero = (reached[0] | up[0] | down[0] | left[0] | right[0]) & free[0]
                one = (reached[1] | up[1] | down[1] | left[1] | right[1]) & free[1]
                two = (reached[2] | up[2] | down[2] | left[2] | right[2]) & free[2]
                three = (reached[3] | up[3] | down[3] | left[3] | right[3]) & free[3]
                reached, sum_ = (
                    (zero, one, two, three),
                    zero ^ (one << single) ^ (two << np.uint64(2)) ^ (three << np.uint64(3)),
                )
                steps += 1
                if sum_ == before:
                    break
                before = sum_
        return steps

    return filled


def lines(rows: Any) -> Callable[..., int]:
    """How many of the boards of one word have four in a row, `rows` bits to a column."""

    @numba.njit
    def found(boards, given):
        height, count = np.uint64(rows if rows else given), 0
        for k in range(boards.shape[0]):
            word = boards[k, 0]
            for step in (np.uint64(1), height - np.uint64(1), height, height + np.uint64(1)):
                pairs = word & word >> step
                if pairs & pairs >> (step + step):
                    count += 1
                    break
        return count

    return found


def seconds(function: Callable[..., int], boards: Any, given: int) -> float:
    """The least time for all boards."""
    function(boards, given)
    best = 1e9
    for _ in range(40):
        began = time.perf_counter()
        function(boards, given)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    boards = np.random.default_rng(1).integers(0, 2**64, (BOARDS, 4), np.uint64) | np.uint64(
        0x1111111111111111
    )
    for name, made, width in (
        ("flood fill, four words", flood, WIDTH),
        ("four in a row, one word", lines, ROWS),
    ):
        fixed, given = seconds(made(width), boards, width), seconds(made(0), boards, width)
        print(
            f"{name}: constant {fixed / BOARDS * 1e9:.1f} ns, argument {given / BOARDS * 1e9:.1f} ns a board: {given / fixed:.2f} times"
        )


if __name__ == "__main__":
    main()
