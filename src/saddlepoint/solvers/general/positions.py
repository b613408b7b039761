"""The table of solved positions: rows in the order in which they were solved, found by a hash and compared word by word.

A row has the packed words of a position and the bits of its value. Slots (open addressing, linear probing) hold a row's number
and half of its hash; nothing is ever replaced, and both arrays grow when they are full.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...compiled import jit, jit_part, mix, run
from .packing import Packing, repack

_FIRST_ROWS = 1 << 12
_MOST_ROWS = (1 << 32) - 2
"""A slot has 32 bits for a row's number."""


@jit_part
def hash_of_key(key, width):
    """A hash of packed words."""
    found = mix(key[0])
    for k in range(1, width):
        found = mix(found + key[k])
    return found


@jit_part
def find(key, width, hashed, rows, slots):
    """The number of the row with this key, or -1."""
    mask = len(slots) - 1
    at = np.int64(hashed & np.uint64(mask))
    tag = hashed >> np.uint64(32)
    while slots[at] != np.uint64(0):
        slot = slots[at]
        if slot >> np.uint64(32) == tag:
            index = np.int64(slot & np.uint64(0xFFFFFFFF)) - 1
            start = index * (width + 1)
            same = rows[start] == key[0]
            for k in range(1, width):
                if rows[start + k] != key[k]:
                    same = False
            if same:
                return index
        at = (at + 1) & mask
    return -1


@jit_part
def enter_slot(hashed, index, slots):
    """Let the slots lead to a new row."""
    mask = len(slots) - 1
    at = np.int64(hashed & np.uint64(mask))
    while slots[at] != np.uint64(0):
        at = (at + 1) & mask
    slots[at] = ((hashed >> np.uint64(32)) << np.uint64(32)) | np.uint64(index + 1)


@jit
def fill_slots(rows, filled, width, slots):
    """Let empty slots lead to all rows."""
    for index in range(filled):
        enter_slot(hash_of_key(rows[index * (width + 1) :], width), index, slots)


class TooManyPositions(ValueError):
    """The solution does not fit."""


class Positions:
    """The table, growing. Beyond `memory` bytes its rows are in a file without a name in `folder`, mapped into memory.

    `on_disk` is told, with the bytes, when they go there.
    """

    def __init__(
        self,
        packing: Packing,
        memory: float = float("inf"),
        folder: Path | None = None,
        on_disk: Callable[[int], None] | None = None,
    ) -> None:
        self.packing = packing
        self.filled = 0
        self._memory, self._folder, self._on_disk = memory, folder, on_disk
        self.in_file = False
        """Whether its rows have moved to a file."""
        self.rows = self._new_rows(_FIRST_ROWS, packing.width)
        self.slots = np.zeros(2 * _FIRST_ROWS, np.uint64)

    @property
    def capacity(self) -> int:
        """How many rows there is room for."""
        return len(self.rows) // (self.packing.width + 1)

    def grow(self) -> None:
        """Twice the room."""
        capacity, row = 2 * self.capacity, self.packing.width + 1
        if capacity > _MOST_ROWS:
            raise TooManyPositions(f"more than {_MOST_ROWS:,} positions are more than the solver's table can number")
        old = self.rows
        self.rows = self._new_rows(capacity, self.packing.width)
        self.rows[: self.filled * row] = old[: self.filled * row]
        self._find_again(capacity)

    def widen(self, packing: Packing) -> None:
        """Go over to another packing, in which all rows fit."""
        old, rows, capacity = self.packing, self.rows, self.capacity
        self.rows = self._new_rows(capacity, packing.width)
        run(
            repack, rows, self.filled, old.width, (old.base, old.mask, old.place, old.shift), self.rows, packing.width,
            (packing.base, packing.mask, packing.place, packing.shift), np.empty(len(old.base), np.uint64),
        )  # fmt: skip
        self.packing = packing
        self._find_again(capacity)

    def words(self) -> Any:
        """All packed positions in the order of their rows, shape (positions, width)."""
        return self._table()[:, :-1]

    def values(self) -> Any:
        """Their values, in the same order."""
        return np.ascontiguousarray(self._table()[:, -1]).view(np.float64)

    def _table(self) -> Any:
        row = self.packing.width + 1
        return self.rows[: self.filled * row].reshape(-1, row)

    def _find_again(self, capacity: int) -> None:
        self.slots = np.zeros(2 * capacity, np.uint64)
        run(fill_slots, self.rows, self.filled, self.packing.width, self.slots)

    def _new_rows(self, capacity: int, width: int) -> Any:
        size = capacity * (width + 1)
        if 8 * (size + 2 * capacity) <= self._memory:
            return np.empty(size, np.uint64)
        if not self.in_file and self._on_disk is not None:
            self._on_disk(8 * size)
        self.in_file = True
        with tempfile.TemporaryFile(dir=self._folder) as file:  # it has no name: it ends with its map, whatever happens
            file.truncate(8 * size)
            return np.memmap(file, np.uint64, "r+", shape=(size,)).view(np.ndarray)
