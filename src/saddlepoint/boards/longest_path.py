"""The longest path of a rider alone in its area: exact by branch and bound, else between proven bounds, above by blocks and
checkerboard colours, below by a greedy walk.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..compiled import jit, jit_inline, jit_part, mix, run
from ..compiled.bits import bucket_of
from ..game.base import Game
from .bitboard import (
    board_of,
    contains,
    count,
    dark_cells,
    free_cells,
    is_empty,
    lowest,
    neighbours,
    single,
    words_of_board,
)
from .blocks import block_walk, local_cuts
from .flood import reachable, separated
from .grid import Grid, int_of, words_of
from .images import scratch, scratch_boards
from .limits import is_last_node, new_control

_CLOCK_INTERVAL = 1023  # nodes between two looks at the clock, as a mask
_TABLE_SLOTS = 1 << 16


@jit_inline
def colour(grid, cell):
    """The checkerboard colour of a cell, 0 or 1."""
    return (cell + cell // grid.stride) & 1


@jit_inline
def steps_within(unlike, like):
    """The most steps of a walk over that many cells of the other and of the same colour as where it starts."""
    return 2 * like + 1 if unlike > like else 2 * unlike


@jit_inline
def steps_through(unlike, like, ends_unlike):
    """As `steps_within`, for a walk that must end on one of those cells, of the other colour or of the same."""
    return 2 * min(unlike - 1, like) + 1 if ends_unlike else 2 * min(unlike, like)


@jit_inline
def parity_bound(grid, head, area):
    """The most steps over the cells `area` that can be reached, by colours alone: they alternate along a path."""
    dark = count(area & dark_cells(grid))
    light = count(area) - dark
    return steps_within(light, dark) if colour(grid, head) == 0 else steps_within(dark, light)


class _Bounds(NamedTuple):
    """The tables of `fillable_bound`, indexed by node or cell."""

    dark: Any
    """A part's dark cells, and its light ones; by node."""
    light: Any
    below: Any
    """The most steps onward from a cell, into the blocks that hang from it."""


@jit_part
def _count_part(grid, node, part, bounds):
    bounds.dark[node] = count(part & dark_cells(grid))
    bounds.light[node] = count(part) - bounds.dark[node]


@jit_part
def _begin_cell(grid, cell, bounds):
    bounds.below[cell] = 0


@jit_part
def _bound_block(grid, above, waiting, first, end, bounds):
    cells, below = 64 * grid.words, bounds.below
    start = colour(grid, above)
    unlike, like = 0, 0
    for k in range(first, end):
        node = waiting[k]
        if node >= cells:
            same, rest = bounds.dark[node], bounds.light[node]
            if start == 1:
                same, rest = rest, same
            like += same
            unlike += rest
        elif colour(grid, node) == start:
            like += 1
        else:
            unlike += 1
    best = steps_within(unlike, like)
    for k in range(first, end):
        node = waiting[k]
        if node < cells and below[node] > 0:
            best = max(best, below[node] + steps_through(unlike, like, colour(grid, node) != start))
    below[above] = max(below[above], best)


_bound_blocks = block_walk(_count_part, _begin_cell, _bound_block)


@jit_inline
def fillable_bound(grid, head, free):
    """An upper bound of the steps a rider at `head` can make over free cells, none of them twice.

    A path cannot come back through an articulation point, so it runs through a chain of blocks (biconnected
    components), from each to the next by the articulation point they share; within a block its colours alternate. The
    best chain bounds every path.
    """
    here = single(grid, head)
    area = reachable(grid, head, free)
    cuts = local_cuts(grid, area | here)
    if is_empty(cuts):
        return parity_bound(grid, head, area)
    bounds = _Bounds(scratch(grid, 2), scratch(grid, 2), scratch(grid, 1))
    bounds.below[head] = 0
    _bound_blocks(grid, head, area, (cuts & area) | here, bounds)
    return bounds.below[head]


@jit_inline
def greedy_fill(grid, head, free, path):
    """Walk on while it is possible, along the walls; writes the cells to `path`, returns their number: a lower bound.

    Each step goes to the cell with the fewest ways on (Warnsdorff's rule). Where the head stands between parts of the
    free cells that may fall apart, the step keeps the greatest `fillable_bound` first.
    """
    free = free & ~single(grid, head)
    steps = 0
    while True:
        here = single(grid, head)
        moves = neighbours(grid, here) & free
        if is_empty(moves):
            return steps
        divides = contains(grid, local_cuts(grid, free | here), head)
        chosen, best = -1, -1
        while not is_empty(moves):
            cell = lowest(moves)
            there = single(grid, cell)
            moves = moves & ~there
            score = 4 - count(neighbours(grid, there) & free)
            if divides:
                score += 8 * fillable_bound(grid, cell, free & ~there)
            if score > best:
                chosen, best = cell, score
        head = chosen
        free = free & ~single(grid, head)
        path[steps] = head
        steps += 1


@jit_inline
def narrowest(grid, moves, free):
    """The cell of `moves` with the fewest free neighbours (Warnsdorff's rule)."""
    chosen, fewest = -1, 5
    while not is_empty(moves):
        cell = lowest(moves)
        here = single(grid, cell)
        moves = moves & ~here
        ways = count(neighbours(grid, here) & free)
        if ways < fewest:
            chosen, fewest = cell, ways
    return chosen


@jit_inline
def counted_fill(grid, head, free, most, enough, nodes):
    """(lower, upper) bounds of the longest path from `head` over the free cells; equal where it is exact.

    `most` is a known upper bound. The search ends when it has found `enough` steps, or visited `nodes` nodes.
    """
    areas, moves = scratch_boards(grid, 1), scratch_boards(grid, 1)
    depth, best = 0, 0
    areas[0] = reachable(grid, head, free)
    moves[0] = neighbours(grid, single(grid, head)) & areas[0]
    while best < most and best < enough:
        if is_empty(moves[depth]):
            if depth == 0:
                return best, best
            depth -= 1
            continue
        if nodes == 0:
            return best, most
        nodes -= 1
        cell = narrowest(grid, moves[depth], areas[depth])
        here = single(grid, cell)
        moves[depth] = moves[depth] & ~here
        area = reachable(grid, cell, areas[depth] & ~here)
        best = max(best, depth + 1)
        if (
            depth + 1 + parity_bound(grid, cell, area) > best
            and depth + 1 + fillable_bound(grid, cell, area) > best
        ):
            depth += 1
            areas[depth] = area
            moves[depth] = neighbours(grid, here) & area
    return best, most


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
