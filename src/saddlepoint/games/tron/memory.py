"""The memory of the value search: arrays, proven bounds by position, bounds of separated riders and of walks."""

from typing import Any, NamedTuple

import numpy as np

from ..interface import (
    Grid,
    borrowed,
    bucket_of,
    count,
    empty,
    fillable_bound,
    greedy_fill,
    grid_symmetries,
    is_empty,
    jit,
    jit_inline,
    jit_part,
    longest_path,
    lowest,
    mix,
    neighbours,
    position_key,
    reachable,
    scratch,
    single,
    stretched,
    words_of_board,
    work_size,
)

# What the search of a position's value works with: arrays made once, so that nothing is allocated on the way.
#
# Among them is what was proven of positions: bounds of their values in a table of fixed size, under keys that tell them apart bit by bit. A
# row is the position's key (its words and its heads), then as floats both bounds, how much work it was, and which walks were tried.

_BUCKET = 4


def new_facts(words: int, megabytes: float) -> Any:
    """An empty table of at most that size: uint64 (rows, words + 5); a bucket is `_BUCKET` rows that follow each other."""
    rows = 1 << max(3, int(megabytes * 2**20 / (8 * (words + 5))).bit_length() - 1)
    facts = np.zeros((rows, words + 5), np.uint64)
    facts[:] = 0  # touches every page now, not in the middle of a search
    return facts


@jit_inline
def first_row_of(facts, key):
    found = np.uint64(0x9E3779B97F4A7C15)
    for k in range(len(key)):
        found = mix(found ^ key[k]) + key[k]
    return np.int64(found & np.uint64(len(facts) // _BUCKET - 1)) * _BUCKET


@jit_inline
def row_of(facts, key, bucket):
    """The row that holds the key; -1 where none does. No key has a zero at its end."""
    last = len(key) - 1
    for row in range(bucket, bucket + _BUCKET):
        if facts[row, last] == key[last]:
            same = True
            for k in range(last):
                same = same and facts[row, k] == key[k]
            if same:
                return row
    return -1


@jit_inline
def keep_fact(facts, bounds, key, bucket, lower, upper, work, walked):
    """Write down the bounds of a position; it may take the place of one that was less work."""
    words = len(key)
    row = row_of(facts, key, bucket)
    if row < 0:
        row = bucket
        for other in range(bucket, bucket + _BUCKET):
            if bounds[other, words + 2] < bounds[row, words + 2]:
                row = other
        for k in range(words):
            facts[row, k] = key[k]
        bounds[row, words + 2] = 0.0
    bounds[row, words], bounds[row, words + 1] = lower, upper
    bounds[row, words + 2] += work
    bounds[row, words + 3] = float(walked)


_FILL_SLOTS = 1 << 18
_FRAMES_A_ROUND = 4
"""Questions about one position that may wait for each other, at most."""


class SolverArrays(NamedTuple):
    """Arrays; those of a frame belong to one question that is being answered."""

    facts: Any
    bounds: Any
    """The same memory as `facts`, as floats."""
    images: Any
    """int64 (symmetries, bits): where a symmetry of the board puts a cell; the identity first."""
    image: Any
    """uint64 (symmetries, words): scratch for the images of one position."""
    keys: Any
    """uint64 (frames, words + 1): the position's key."""
    moves: Any
    """int64 (frames, 2, 4): where both riders can go."""
    margins: Any
    """int64 (frames, 4, 4): how promising each joint move is for the rider whose question it is."""
    answers: Any
    """int64 (frames, 4, 4): what is known of each."""
    tries: Any
    """int64 (frames, 4, 4): how often it was given up for now."""
    lower: Any
    upper: Any
    """float64 (frames, 4, 4): bounds of each, where the stage has no pure answer."""
    x: Any
    y: Any
    work: Any
    path: Any
    fill_keys: Any
    fill_lengths: Any
    refuted_keys: Any
    refuted_bounds: Any
    counters: Any
    """int64: what was done, and whether a position that is its own image is known by that (see `POSITIONS`)."""


POSITIONS, SEPARATED, FILLS, MIXED, BY_SYMMETRY = range(5)
"""Positions looked into, separated ones met, exact longest paths searched, stages without a pure answer; then the setting."""


def carrier_of(grid: Grid) -> Grid:
    """The grid on which positions of a field are searched: one of three sizes, each compiled once for all fields within it."""
    side = next(side for side in (8, 16, 32) if max(grid.width, grid.height) <= side)
    return Grid(side, side)


def carried(grid: Grid, cell: int) -> int:
    """The index on the carrier of a cell of the field."""
    return carrier_of(grid).cell(*grid.position(cell))


def new_memory(field: Grid, megabytes: float) -> Any:
    """The arrays of `SolverArrays` as a plain tuple, with a table of at most that size."""
    grid = carrier_of(field)
    bits, frames = 64 * grid.words, _FRAMES_A_ROUND * (field.width * field.height // 2 + 2)
    symmetries = grid_symmetries(field)
    images = np.zeros((len(symmetries), bits), np.int64)
    for k, motion in enumerate(symmetries):
        for x in range(field.width):
            for y in range(field.height):
                images[k, grid.cell(x, y)] = carried(field, motion.cell(field.cell(x, y)))
    facts = new_facts(grid.words, megabytes)
    return (
        facts,
        facts.view(np.float64),
        images,
        np.zeros((len(images), grid.words), np.uint64),
        np.zeros((frames, grid.words + 1), np.uint64),
        np.zeros((frames, 2, 4), np.int64),
        np.zeros((frames, 4, 4), np.int64),
        np.zeros((frames, 4, 4), np.int64),
        np.zeros((frames, 4, 4), np.int64),
        np.zeros((frames, 4, 4)),
        np.zeros((frames, 4, 4)),
        np.zeros(4),
        np.zeros(4),
        np.zeros(work_size(5, 5)),
        np.zeros(bits, np.int64),
        np.zeros(_FILL_SLOTS, np.uint64),
        np.zeros(_FILL_SLOTS, np.int64),
        np.zeros(_FILL_SLOTS, np.uint64),
        np.zeros(_FILL_SLOTS, np.int64),
        np.zeros(5, np.int64),
    )


@jit_part
def named(arrays):
    """The arrays by their names: only compiled code may pass them on like this, which takes a NamedTuple for a state elsewhere."""
    return SolverArrays(
        borrowed(arrays[0]), borrowed(arrays[1]), borrowed(arrays[2]), borrowed(arrays[3]), borrowed(arrays[4]),
        borrowed(arrays[5]), borrowed(arrays[6]), borrowed(arrays[7]), borrowed(arrays[8]), borrowed(arrays[9]),
        borrowed(arrays[10]), borrowed(arrays[11]), borrowed(arrays[12]), borrowed(arrays[13]), borrowed(arrays[14]),
        borrowed(arrays[15]), borrowed(arrays[16]), borrowed(arrays[17]), borrowed(arrays[18]), borrowed(arrays[19]),
    )  # fmt: skip


@jit
def heads_code(first, second):
    """Two heads in one number, the lower one first; never 0."""
    return np.uint64(min(first, second) << 10 | max(first, second))


@jit
def put_key(grid, area, me, him, key, memory):
    """Write the position's key; (whether the riders change places in it, whether the position is its own image with them exchanged).

    The key is the least of the images under the symmetries of the board. Such an own image has the value 0: it is
    worth to one rider what it is worth to the other.
    """
    images, image = memory.images, memory.image
    count, words = images.shape[0], image.shape[1]
    image[:] = np.uint64(0)
    left = area
    while not is_empty(left):
        cell = lowest(left)
        left = left & ~single(grid, cell)
        for k in range(count):
            there = images[k, cell]
            image[k, there >> 6] |= np.uint64(1) << np.uint64(there & 63)
    best, swapped, balanced = 0, me > him, False
    code = heads_code(me, him)
    for k in range(1, count):
        mine, its = images[k, me], images[k, him]
        other = heads_code(mine, its)
        less, same = other < code, other == code
        same_as_first = mine == him and its == me
        for word in range(words):
            if same and image[k, word] != image[best, word]:
                less, same = image[k, word] < image[best, word], False
            same_as_first = same_as_first and image[k, word] == image[0, word]
        balanced = balanced or same_as_first
        if less:
            best, code, swapped = k, other, mine > its
    for word in range(words):
        key[word] = image[best, word]
    key[words] = code
    return swapped, balanced


# What proves a value without a search of moves.
#
# Separated riders: who can go on for longer, by bounds where they tell, else by exact longest paths that are remembered. Before that,
# walks that the other rider cannot stop: a rider who keeps to cells that the other one cannot reach before is sure of all its steps. The
# cells of its walk are lost to the other one, whose steps are bounded in what is left: if the walk is longer, it wins.


@jit
def least_and_most(grid, head, area, memory):
    """Bounds of the steps that a rider can make alone in the cells that it reaches."""
    most = fillable_bound(grid, head, area)
    least = greedy_fill(grid, head, area, memory.path)
    if least < most:
        least = stretched(grid, head, area, memory.path, least)
    return least, most


@jit
def exact_fill(grid, head, area, memory, control):
    """The most steps that a rider can make alone in the cells that it reaches."""
    key = position_key(grid, head, area)
    slot = bucket_of(memory.fill_keys, key, 1)
    if memory.fill_keys[slot] == key:
        return memory.fill_lengths[slot]
    memory.counters[FILLS] += 1
    length, _ = longest_path(
        grid,
        head,
        words_of_board(grid, area),
        memory.path,
        memory.refuted_keys,
        memory.refuted_bounds,
        control,
    )
    if control.stop == 0:
        memory.fill_keys[slot] = key
        memory.fill_lengths[slot] = length
    return length


@jit
def lead_of_fills(grid, my_area, me, his_area, him, goal, memory, control):
    """The sign of my steps less his, or as much of it as the goal asks: any number of the same side of it."""
    memory.counters[SEPARATED] += 1
    least, most = least_and_most(grid, me, my_area, memory)
    his_least, his_most = least_and_most(grid, him, his_area, memory)
    low, high = least - his_most, most - his_least
    if low > 0 or high < 0 or (low == 0 and (high == 0 or goal == 0)) or (high == 0 and goal == 1):
        return np.sign(low if low >= 0 else high)
    if least < most:
        least = exact_fill(grid, me, my_area, memory, control)
    if his_least < his_most:
        his_least = exact_fill(grid, him, his_area, memory, control)
    return np.sign(least - his_least)


ALONG_THE_FRONT, ALONG_THE_WALLS = 0, 1


@jit
def margin_of_walk(grid, area, me, him, alone, kind):
    """Steps of a walk that cannot be stopped, less the most that the other rider can make then.

    With `alone` no cell is one that the other rider may reach at the same time; without, both may crash there, a draw.
    """
    beside_him = neighbours(grid, single(grid, him)) & area
    distance, path = scratch(grid, 1), scratch(grid, 1)
    if kind == ALONG_THE_FRONT:
        fill_distances(grid, him, area, distance)
    danger = beside_him if alone else empty(grid)
    left = area
    head, steps = me, 0
    contested = True
    while contested:
        options = neighbours(grid, single(grid, head)) & left & ~danger
        if is_empty(options):
            break
        chosen, best = -1, 1 << 20
        while not is_empty(options):
            cell = lowest(options)
            here = single(grid, cell)
            options = options & ~here
            score = count(neighbours(grid, here) & left & ~danger)
            if kind == ALONG_THE_FRONT:
                score += 8 * distance[cell]
            if score < best:
                chosen, best = cell, score
        head = chosen
        left = left & ~single(grid, head)
        steps += 1
        danger = danger | ((neighbours(grid, danger) | beside_him) & left)
        own = reachable(grid, head, left & ~danger)
        if is_empty(neighbours(grid, danger) & own) and is_empty(beside_him & own):
            more = greedy_fill(grid, head, own, path)
            steps += more
            for k in range(more):
                left = left & ~single(grid, path[k])
            contested = False
    return steps - fillable_bound(grid, him, left)


@jit
def fill_distances(grid, start, area, distance):
    """Write the number of steps from `start` to each cell of the area; 1000 where none leads there."""
    left = area
    while not is_empty(left):
        cell = lowest(left)
        left = left & ~single(grid, cell)
        distance[cell] = 1000
    reached, left, steps = single(grid, start), area, 0
    while True:
        new = neighbours(grid, reached) & left
        if is_empty(new):
            return
        steps += 1
        reached, left = new, left & ~new
        while not is_empty(new):
            cell = lowest(new)
            new = new & ~single(grid, cell)
            distance[cell] = steps
