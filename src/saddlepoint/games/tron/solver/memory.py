"""What the search of a position's value works with: arrays made once, so that nothing is allocated on the way."""

from typing import Any, NamedTuple

import numpy as np

from ....boards.grid import Grid
from ....boards.motions import motions
from ....compiled import borrowed, jit_part
from ....matrix import work_size
from .facts import new_facts

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
    """int64 (frames, 4, 4): how promising each joint move is for the one who asks."""
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


POSITIONS, SEPARATED, FILLS, MIXED, BY_SYMMETRY, SOLVER = range(6)
"""Positions looked into, separated ones met, exact longest paths searched, stages without a pure answer; then the setting, and
the address that `solve_at` takes."""


def carrier_of(grid: Grid) -> Grid:
    """The grid on which positions of a field are searched: one of three sizes, each compiled once for all fields within it."""
    side = next(side for side in (8, 16, 32) if max(grid.width, grid.height) <= side)
    return Grid(side, side)


def carried(grid: Grid, cell: int) -> int:
    """The index on the carrier of a cell of the field."""
    return carrier_of(grid).cell(*grid.position(cell))


def new_memory(field: Grid, megabytes: float) -> Any:
    """The arrays of `SolverArrays` as a plain tuple, with a table of at most so many megabytes."""
    grid = carrier_of(field)
    bits, frames = 64 * grid.words, _FRAMES_A_ROUND * (field.width * field.height // 2 + 2)
    symmetries = motions(field)
    images = np.zeros((len(symmetries), bits), np.int64)
    for k, motion in enumerate(symmetries):
        for x in range(field.width):
            for y in range(field.height):
                images[k, grid.cell(x, y)] = carried(field, motion.cell(field.cell(x, y)))
    facts = new_facts(grid.words, megabytes)
    return (
        facts, facts.view(np.float64), images, np.zeros((len(images), grid.words), np.uint64),
        np.zeros((frames, grid.words + 1), np.uint64), np.zeros((frames, 2, 4), np.int64),
        np.zeros((frames, 4, 4), np.int64), np.zeros((frames, 4, 4), np.int64), np.zeros((frames, 4, 4), np.int64),
        np.zeros((frames, 4, 4)), np.zeros((frames, 4, 4)), np.zeros(4), np.zeros(4), np.zeros(work_size(5, 5)),
        np.zeros(bits, np.int64), np.zeros(_FILL_SLOTS, np.uint64), np.zeros(_FILL_SLOTS, np.int64),
        np.zeros(_FILL_SLOTS, np.uint64), np.zeros(_FILL_SLOTS, np.int64), np.zeros(6, np.int64),
    )  # fmt: skip


@jit_part
def named(arrays):
    """The arrays by their names: only compiled code may pass them on like this, which takes a NamedTuple for a state elsewhere."""
    return SolverArrays(
        borrowed(arrays[0]), borrowed(arrays[1]), borrowed(arrays[2]), borrowed(arrays[3]), borrowed(arrays[4]),
        borrowed(arrays[5]), borrowed(arrays[6]), borrowed(arrays[7]), borrowed(arrays[8]), borrowed(arrays[9]),
        borrowed(arrays[10]), borrowed(arrays[11]), borrowed(arrays[12]), borrowed(arrays[13]), borrowed(arrays[14]),
        borrowed(arrays[15]), borrowed(arrays[16]), borrowed(arrays[17]), borrowed(arrays[18]), borrowed(arrays[19]),
    )  # fmt: skip
