"""The longest path of a rider alone in its area: exact by branch and bound, else between proven bounds."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiled import jit, jit_inline, mix, run
from ..compiled.bits import bucket_of
from ..game.base import Game
from .bitboard import (
    board_of,
    contains,
    count,
    free_cells,
    is_empty,
    lowest,
    neighbours,
    single,
    words_of_board,
)
from .fill_bounds import fillable_bound, greedy_fill, parity_bound
from .flood import reachable, separated
from .grid import Grid, int_of, words_of
from .images import scratch, scratch_boards
from .limits import is_last_node, new_control

_CLOCK_INTERVAL = 1023  # nodes between two looks at the clock, as a mask
_TABLE_SLOTS = 1 << 16


@dataclass(frozen=True)
class FillResult:
    """The number of steps a rider can make alone."""

    lower: int
    """Steps of `path`."""
    upper: int
    path: tuple[int, ...]
    """Cell indices, the first step first."""
    nodes: int

    @property
    def exact(self) -> bool:
        """Whether no path is longer."""
        return self.lower == self.upper


@jit_inline
def position_key(grid, head, free):
    """A hash of the free cells and the head; never 0, which marks an empty slot."""
    key = mix(np.uint64(head + 1) * np.uint64(0x9E3779B97F4A7C15))
    for word in words_of_board(grid, free):
        key = mix(key ^ word)
    return key | np.uint64(1)


@jit_inline
def order_moves(grid, cell, free, moves, depth):
    """Write the free neighbours to the four places of this depth, those with the fewest ways on first."""
    left = neighbours(grid, single(grid, cell)) & free
    found = 0
    while not is_empty(left):
        there = lowest(left)
        here = single(grid, there)
        left = left & ~here
        ways = count(neighbours(grid, here) & free)
        place = found
        while place > 0 and moves[4 * depth + place - 1] >> 10 > ways:
            moves[4 * depth + place] = moves[4 * depth + place - 1]
            place -= 1
        moves[4 * depth + place] = there | ways << 10
        found += 1
    return found


@jit_inline
def detour(grid, before, here, left):
    """Two adjacent free cells, the first beside `before`, the second beside its neighbour `here`; (-1, -1) if none."""
    across = grid.stride if abs(here - before) == 1 else 1
    for side in range(2):
        shift = across if side == 0 else -across
        first, second = before + shift, here + shift
        if 0 <= first < 64 * grid.words and 0 <= second < 64 * grid.words:
            # Bits outside the field are never free, so a shift round the edge of the board finds nothing ...
            if contains(grid, left, first) and contains(grid, left, second):
                # ... except where a row has no padding: there the shifted cell must still be a neighbour.
                if contains(grid, neighbours(grid, single(grid, before)), first):
                    if contains(grid, neighbours(grid, single(grid, here)), second):
                        return first, second
    return -1, -1


@jit_inline
def stretched(grid, head, free, path, length):
    """Lengthen a path by detours round pairs of free cells beside it, and at its end; returns the new length."""
    left = free
    for k in range(length):
        left = left & ~single(grid, path[k])
    grown = True
    while grown and not is_empty(left):
        grown = False
        k = 0
        while k < length:
            first, second = detour(grid, head if k == 0 else path[k - 1], path[k], left)
            if first < 0:
                k += 1
                continue
            for place in range(length - 1, k - 1, -1):
                path[place + 2] = path[place]
            path[k], path[k + 1] = first, second
            left = left & ~(single(grid, first) | single(grid, second))
            length += 2
            grown = True
        ahead = neighbours(grid, single(grid, head if length == 0 else path[length - 1])) & left
        if not is_empty(ahead):
            path[length] = lowest(ahead)
            left = left & ~single(grid, path[length])
            length += 1
            grown = True
    return length


@jit
def longest_path(grid, head, free_words, path, keys, bounds, control):
    """(lower, upper) bounds of the longest path from `head` over the free cells; its cells go to `path`.

    A greedy path is stretched; then lengths from the upper bound downwards are refuted by depth-first search until one
    is met. Left out is what `parity_bound` or `fillable_bound` shows to be too short, and positions (the head, and the
    cells it can reach) met before and refuted for no more steps than are needed now (`keys` uint64 and `bounds` int64, a
    power of two long, are that table). The bounds are equal unless `control` ended the search.
    """
    start = board_of(grid, free_words) & ~single(grid, head)
    start = reachable(grid, head, start)
    best = stretched(grid, head, start, path, greedy_fill(grid, head, start, path))
    upper = fillable_bound(grid, head, start)
    moves, counts, tried = scratch(grid, 4), scratch(grid, 1), scratch(grid, 1)
    current = scratch(grid, 1)
    areas = scratch_boards(grid, 1)
    cell, depth, entering = head, 0, True
    areas[0] = start
    while best < upper:
        if entering:
            if is_last_node(control, _CLOCK_INTERVAL):
                return best, upper
            counts[depth], tried[depth], current[depth] = 0, 0, cell
            if depth > best:
                best = depth
                for k in range(depth):
                    path[k] = current[k + 1]
                if best >= upper:
                    break
            need = upper - depth
            area = areas[depth]
            if depth > 0:
                area = reachable(grid, cell, area)
                areas[depth] = area
            if parity_bound(grid, cell, area) >= need:
                key = position_key(grid, cell, area)
                slot = bucket_of(keys, key, 1)
                refuted = keys[slot] == key and bounds[slot] <= need
                if not refuted and fillable_bound(grid, cell, area) >= need:
                    counts[depth] = order_moves(grid, cell, area, moves, depth)
        if tried[depth] < counts[depth]:
            cell = moves[4 * depth + tried[depth]] & 1023
            tried[depth] += 1
            areas[depth + 1] = areas[depth] & ~single(grid, cell)
            depth += 1
            entering = True
            continue
        if counts[depth] > 0:
            key = position_key(grid, current[depth], areas[depth])
            slot = bucket_of(keys, key, 1)
            keys[slot] = key
            bounds[slot] = upper - depth
        entering = False
        if depth == 0:
            upper -= 1
            cell, entering = head, True
            continue
        depth -= 1
    return best, upper


def solve_fill(
    grid: Grid,
    walls: tuple[int, ...],
    head: int,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    stop: Any = None,
) -> FillResult:
    """The longest path from `head` over the cells that are not in `walls` (words; bits outside do not matter).

    `nodes` and `seconds` limit the search; `stop` is a token with `attach` and `detach`, which may end it from another
    thread. Where it ends early the result holds the best path found and an upper bound.
    """
    blocked = int_of(walls) | int_of(grid.outside) | 1 << head
    free = tuple(np.uint64(word) for word in words_of(~blocked & ((1 << 64 * grid.words) - 1), grid.words))
    path = np.zeros(64 * grid.words, np.int64)
    keys, bounds = np.zeros(_TABLE_SLOTS, np.uint64), np.zeros(_TABLE_SLOTS, np.int64)
    control = new_control(nodes, seconds)
    if stop is not None:
        stop.attach(control)
    try:
        lower, upper = run(longest_path, grid, head, free, path, keys, bounds, control)
    finally:
        if stop is not None:
            stop.detach(control)
    return FillResult(int(lower), int(upper), tuple(path[:lower].tolist()), int(control["nodes"]))


@jit
def _separated(game: Any, state: Any) -> bool:
    return separated(
        game.grid, game.head(state, 0), game.head(state, 1), free_cells(game.grid, game.walls(state))
    )


def is_territorial(game: Game) -> bool:
    """Whether the game has heads and walls on a grid."""
    return "walls" in game.kernels and "head" in game.kernels and hasattr(game, "grid")


def are_separated(game: Game, state: Any) -> bool:
    """Whether no cell of a territorial game can be reached by both players."""
    return bool(run(_separated, game, state))
