"""The backward sweep: layer after layer, all faces of a pattern at a time.

A turn has two halves, so a layer has two passes: `place` finds the value of a position whose flip is done,
from the layer with one more tile; `flip` finds the best flip, from those. In a pass all faces of a pattern
lead to one block of entries, and where in it is linear over GF(2): the block stays in the nearest cache.

A value is a small int for the side to move: 0 a draw, `won(plies)` a win, its negative a loss.
"""

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from ..interface import jit, jit_inline, popcount, run, trailing_zeros
from .patterns import (
    FULL,
    NEIGHBOURS,
    SQUARES,
    Layer,
    canonical_motion,
    enclosed,
    entries_per_class,
    face_number,
    has_three,
    moved,
    number_of_patterns,
    pattern_rank,
)

WON = 64
"""The value of a win that stands on the board; each ply before it is worth one less."""


LINES = np.array(
    [
        three
        for three in (1 << a | 1 << b | 1 << c for a, b, c in itertools.combinations(range(SQUARES), 3))
        if has_three(three)
    ],
    np.int64,
)
"""The 24 lines of three squares."""


@jit_inline
def won(plies):
    """The value of a win in `plies`; a loss is its negative."""
    return WON - plies


@jit_inline
def stepped_back(value):
    """The value one ply earlier, for the other side."""
    return -1 - value if value < 0 else 1 - value if value > 0 else 0


@jit_inline
def span(parts, count, constant, numbers):
    """Fill `numbers` [x] with the constant and parts[j] for every bit j of x, exclusively or-ed."""
    numbers[0] = constant
    for j in range(count):
        size = 1 << j
        part = parts[j]
        for x in range(size):
            numbers[size + x] = numbers[x] ^ part


@jit_inline
def face_squares(tiles0, tiles1, squares):
    """Fill `squares` with the tiles whose faces are the bits of a number of faces; returns how many."""
    count = 0
    for tiles in (tiles0, tiles1):
        rest = tiles & (tiles - 1)
        while rest != 0:
            squares[count] = rest & -rest
            count += 1
            rest &= rest - 1
    return count


@jit
def place(members, first, last, entries, next_classes, next_entries, next_values, out):
    """The values of entries of classes first .. last-1 if a tile is only placed, from the next layer's values."""
    squares, parts = np.empty(SQUARES, np.int64), np.empty(SQUARES, np.uint16)
    numbers, least = np.empty(entries, np.uint16), np.empty(entries, np.int8)
    for which in range(first, last):
        tiles0, tiles1 = members[which, 0], members[which, 1]
        count = face_squares(tiles0, tiles1, squares)
        second = popcount(np.uint64(tiles0)) > popcount(np.uint64(tiles1))
        least[:] = 127
        free = ~(tiles0 | tiles1) & FULL
        while free != 0:
            placed = free & -free
            free ^= placed
            more0, more1 = tiles0 if second else tiles0 | placed, tiles1 | placed if second else tiles1
            motion = canonical_motion(more0, more1)
            more0, more1 = moved(more0, motion), moved(more1, motion)
            start = next_classes[pattern_rank(more0, more1)] * next_entries
            block = next_values[start : start + next_entries]
            for j in range(count):
                parts[j] = face_number(more0, more1, moved(squares[j], motion))
            span(parts, count, np.uint16(0), numbers)
            turned = np.uint16(face_number(more0, more1, moved(placed, motion)))
            for x in range(entries):
                number = numbers[x]
                least[x] = min(least[x], block[number], block[number ^ turned])
        begin = which * entries
        for x in range(entries):
            out[begin + x] = stepped_back(least[x])


@jit
def flip(members, first, last, entries, classes, placed_values, rows_values, out):
    """The values of entries of classes first .. last-1: by the rows on the board, else by the best flip.

    `placed_values` is what `place` found for the whole layer; `rows_values` [rows] the value where some have a row (bit
    0 player 0, bit 1 player 1).
    """
    squares, parts = np.empty(SQUARES, np.int64), np.empty(SQUARES, np.uint16)
    numbers, best = np.empty(entries, np.uint16), np.empty(entries, np.int8)
    rows = np.empty(entries, np.uint8)
    for which in range(first, last):
        tiles0, tiles1 = members[which, 0], members[which, 1]
        occupied = tiles0 | tiles1
        count = face_squares(tiles0, tiles1, squares)
        second = popcount(np.uint64(tiles0)) > popcount(np.uint64(tiles1))
        begin = which * entries
        best[:] = -128
        flips = 0
        rest = tiles0 if second else tiles1
        while rest != 0:
            left = rest & -rest
            rest ^= left
            square = trailing_zeros(np.uint64(left))
            for direction in range(4):
                there = NEIGHBOURS[square, direction]
                if there < 0 or occupied >> there & 1:
                    continue
                flips += 1
                change = left | 1 << there
                after0, after1 = tiles0 ^ change if second else tiles0, tiles1 if second else tiles1 ^ change
                motion = canonical_motion(after0, after1)
                after0, after1 = moved(after0, motion), moved(after1, motion)
                start = classes[pattern_rank(after0, after1)] * entries
                block = placed_values[start : start + entries]
                turned = np.uint16(face_number(after0, after1, moved(1 << there, motion)))
                for j in range(count):
                    if squares[j] == left:
                        parts[j] = turned
                    else:
                        parts[j] = face_number(after0, after1, moved(squares[j], motion))
                span(parts, count, turned, numbers)
                for x in range(entries):
                    best[x] = max(best[x], block[numbers[x]])
        if flips == 0:
            best[:] = placed_values[begin : begin + entries]
        if mark_rows(tiles0, tiles1, squares, count, numbers, rows):
            for x in range(entries):
                if rows[x] != 0:
                    best[x] = rows_values[rows[x]]
        out[begin : begin + entries] = best


@jit_inline
def mark_rows(tiles0, tiles1, squares, count, numbers, rows):
    """Fill `rows` with the players that have a winning row, for each number of faces; False if none ever has."""
    locked = enclosed(tiles0 | tiles1)
    spanned = False
    for player in range(2):
        tiles = (tiles0 if player == 0 else tiles1) & locked
        for k in range(len(LINES)):
            line = np.uint16(LINES[k])
            if LINES[k] & ~tiles != 0:
                continue
            if not spanned:
                spanned = True
                rows[:] = 0
                numbers[0] = 0
                for j in range(count):
                    size = 1 << j
                    for x in range(size):
                        numbers[size + x] = numbers[x] | np.uint16(squares[j])
            mark = np.uint8(1 << player)
            for x in range(len(rows)):
                faces = numbers[x] & line
                if faces == 0 or faces == line:
                    rows[x] |= mark
    return spanned


@jit
def count_results(values, entries, first, last, members, tiles, out):
    """Add the positions behind those entries to `out` [value + 128]: every pattern and every face counted."""
    both = 1 if tiles == 0 else 2 if tiles == 1 else 4
    for which in range(first, last):
        tiles0, tiles1 = members[which, 0], members[which, 1]
        same = 0
        for motion in range(8):
            if moved(tiles0, motion) == tiles0 and moved(tiles1, motion) == tiles1:
                same += 1
        weight = both * 8 // same
        for x in range(which * entries, which * entries + entries):
            out[int(values[x]) + 128] += weight


def values_of_rows(tiles: int, double_lock_for_mover: int) -> Any:
    """The values, for the side to move with that many tiles on the board, of [-, row of 0, row of 1, both]."""
    row_of_0 = WON if tiles % 2 == 0 else -WON
    return np.array([0, row_of_0, -row_of_0, -WON * double_lock_for_mover], np.int8)


_ENTRIES_A_TASK = 1 << 19
"""A few milliseconds: that soon an interruption takes effect."""


class SolvedLayer(NamedTuple):
    """The values of a layer's entries (see `sweep`), and how many positions have each value."""

    layer: Layer
    values: Any
    positions: dict[int, int]
    """Value for the side to move -> positions, every one counted and not only every class."""


def total_entries(highest: int = SQUARES) -> int:
    """About the number of entries of all layers with at most `highest` tiles."""
    return sum(number_of_patterns(tiles) // 8 * entries_per_class(tiles) for tiles in range(highest + 1))


def solve_layers(
    double_lock_for_mover: int,
    *,
    lowest: int = 0,
    workers: int | None = None,
    after: tuple[Layer, Any] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[SolvedLayer]:
    """The layers from the full board down to `lowest` tiles, each as soon as it is solved.

    `double_lock_for_mover` is the result of a double lock for the player who made it: 0, -1 or 1. `after` begins below
    a layer whose values are known (or made up). `on_progress` gets the number of entries finished since the last call.
    Needs about 1 GB.
    """
    _compile(double_lock_for_mover)
    above, values_above = after if after is not None else (None, np.empty(0, np.int8))
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:

        def in_parallel(layer: Layer, work: Callable[[int, int], None], passes: int) -> None:
            classes, entries = len(layer.members), layer.entries_per_class
            step = max(1, _ENTRIES_A_TASK // entries)
            parts = [(first, min(first + step, classes)) for first in range(0, classes, step)]
            tasks = {pool.submit(work, *part): part[1] - part[0] for part in parts}
            left = set(tasks)
            try:
                while left:
                    done, left = wait(left, timeout=0.2, return_when=FIRST_EXCEPTION)
                    for task in done:
                        task.result()
                    if on_progress is not None:
                        on_progress(sum(tasks[task] for task in done) * entries // passes)
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

        for tiles in range(SQUARES if above is None else above.tiles - 1, lowest - 1, -1):
            layer = Layer(tiles)
            values = _solved(layer, above, values_above, double_lock_for_mover, in_parallel)
            yield SolvedLayer(layer, values, _counted(layer, values))
            above, values_above = layer, values


def _solved(layer: Layer, above: Layer | None, values_above: Any, mover: int, in_parallel: Any) -> Any:
    """The values of a layer's entries; `in_parallel(layer, work, passes)` does the work in parts, of which there are `passes` passes."""
    entries, passes = layer.entries_per_class, 1 if above is None else 2
    placed, values = np.zeros(layer.entries, np.int8), np.empty(layer.entries, np.int8)
    if above is not None:
        known = above.classes, above.entries_per_class, values_above
        in_parallel(layer, lambda a, b: run(place, layer.members, a, b, entries, *known, placed), passes)
    rest = layer.classes, placed, values_of_rows(layer.tiles, mover), values
    in_parallel(layer, lambda a, b: run(flip, layer.members, a, b, entries, *rest), passes)
    return values


def _counted(layer: Layer, values: Any) -> dict[int, int]:
    counts, members = np.zeros(256, np.int64), layer.members
    run(count_results, values, layer.entries_per_class, 0, len(members), members, layer.tiles, counts)
    return {int(place) - 128: int(counts[place]) for place in np.flatnonzero(counts)}


def _compile(double_lock_for_mover: int) -> None:
    """Compile before threads ask for it: with the smallest layers."""
    one, none = Layer(1), Layer(0)
    values = np.zeros(one.entries, np.int8)
    solved = _solved(none, one, values, double_lock_for_mover, lambda layer, work, passes: work(0, 1))
    _counted(none, solved)
