"""The table of solved positions: rows in the order in which they were solved, found by a hash and compared word by word.

A row has the packed words of a position and the bits of its value; its height, the moves of the longest way to an end, is kept
apart. Slots (open addressing, linear probing) hold a row's number, its height and a part of its hash; nothing is ever replaced,
and all arrays grow when they are full. Several threads may enter rows and look for them at the same time.

A position takes 20 bytes for a key of one word, its value and its height, and 11 to 21 bytes of slots: three quarters of these are taken
before there are twice as many. Rows are taken from a larger piece of memory, of which the system gives what is written to, so that they
seldom move as they grow.
"""

import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit, jit_part, mix, prefetch, read_again, run, set_if_zero
from .packing import Packing, least_packing, ranges_of, repack

BLOCK = 64
"""Rows that a thread takes at a time."""
HIGHEST = (1 << 20) - 1
"""A slot has 20 bits for a height, 32 for a row's number, and 12 for the hash."""
_AHEAD = 12
"""Rows whose slots are fetched while others are entered."""
_FIRST_ROWS = 3 << 11
"""Three quarters of the slots there are at first, and a number of whole blocks."""
_RESERVED = 8
"""So many times as many rows as are needed are asked of the system, when they move."""
_MOST_ROWS = (1 << 32) - BLOCK


@jit_part
def hash_of_key(key, width):
    """A hash of packed words."""
    found = mix(key[0])
    for k in range(1, width):
        found = mix(found + key[k])
    return found


@jit_part
def row_of(slot):
    """The number of the row to which a slot leads."""
    return np.int64(slot & np.uint64(0xFFFFFFFF)) - 1


@jit_part
def height_of(slot):
    """The height of the position to which a slot leads."""
    return np.int64((slot >> np.uint64(32)) & np.uint64(0xFFFFF))


@jit_part
def leads_to(slot, tag, key, width, rows):
    """Whether a slot is that of the position with this key."""
    if slot >> np.uint64(52) != tag:
        return False
    start = row_of(slot) * (width + 1)
    same = rows[start] == key[0]
    for k in range(1, width):
        if rows[start + k] != key[k]:
            same = False
    return same


@jit_part
def find(key, width, hashed, rows, slots):
    """The slot of the position with this key, or 0."""
    mask = len(slots) - 1
    at = np.int64(hashed & np.uint64(mask))
    tag = hashed >> np.uint64(52)
    slot = read_again(slots, at)
    while slot != np.uint64(0):
        if leads_to(slot, tag, key, width, rows):
            return slot
        at = (at + 1) & mask
        slot = read_again(slots, at)
    return slot


@jit_part
def enter_slot(key, width, hashed, row, height, rows, slots):
    """Let a slot lead to a row that is written; returns 0, or the slot of the same position where another thread was faster."""
    mask = len(slots) - 1
    at = np.int64(hashed & np.uint64(mask))
    tag = hashed >> np.uint64(52)
    entry = tag << np.uint64(52) | np.uint64(height) << np.uint64(32) | np.uint64(row + 1)
    while True:
        slot = read_again(slots, at)
        if slot == np.uint64(0):
            slot = set_if_zero(slots, at, entry)
            if slot == np.uint64(0):
                return slot
        if leads_to(slot, tag, key, width, rows):
            return slot
        at = (at + 1) & mask


@jit_part
def row_with(key, width, rows, slots):
    """The row of the position with this key, or -1."""
    return row_of(find(key, width, hash_of_key(key, width), rows, slots))


@jit_part
def enter(key, width, rows, heights, slots, used):
    """(the row of the position with this key, how many rows there are now); row -1: there is no room for one more."""
    hashed = hash_of_key(key, width)
    slot = find(key, width, hashed, rows, slots)
    if slot != np.uint64(0):
        return row_of(slot), used
    if used == len(heights):
        return np.int64(-1), used
    for k in range(width):
        rows[used * (width + 1) + k] = key[k]
    heights[used] = 1
    enter_slot(key, width, hashed, used, 1, rows, slots)
    return np.int64(used), used + 1


@jit
def fill_slots(rows, heights, used, width, slots):
    """Let empty slots lead to all rows; one without a height is none. Returns how many rows are there twice."""
    twice, mask = 0, np.uint64(len(slots) - 1)
    for row in range(used):
        if row + _AHEAD < used:
            prefetch(slots, np.int64(hash_of_key(rows[(row + _AHEAD) * (width + 1) :], width) & mask))
        if heights[row] != 0:
            key = rows[row * (width + 1) :]
            if enter_slot(key, width, hash_of_key(key, width), row, heights[row], rows, slots) != np.uint64(0):
                twice += 1
    return twice


class TooManyPositions(ValueError):
    """The solution does not fit."""


class PositionTable:
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
        """How many positions it has."""
        self.used = 0
        """How many of its rows were given to threads; those without a height hold nothing."""
        self._memory, self._folder, self._on_disk = memory, folder, on_disk
        self.in_file = False
        """Whether its rows have moved to a file."""
        self._space = self._reserved(_FIRST_ROWS, packing.width)
        self.rows, self.heights = self._space[0][: _FIRST_ROWS * (packing.width + 1)], self._space[1][:_FIRST_ROWS]
        self._slots: Any = None

    @property
    def slots(self) -> Any:
        """What leads to the rows; made anew where it was dropped."""
        if self._slots is None:
            self._fill_slots()
        return self._slots

    def drop_slots(self) -> None:
        """Give back their memory until they are asked for again."""
        self._slots = None

    def _fill_slots(self) -> int:
        slots = np.zeros(_slots_for(self.capacity), np.uint64)
        twice = run(fill_slots, self.rows, self.heights, self.used, self.packing.width, slots) if self.used else 0
        self._slots = slots
        return twice

    @property
    def capacity(self) -> int:
        """How many rows there is room for."""
        return len(self.heights)

    def grow(self) -> None:
        """Twice the room."""
        capacity, items, width = 2 * self.capacity, self.used * (self.packing.width + 1), self.packing.width
        if capacity > _MOST_ROWS:
            raise TooManyPositions(f"more than {_MOST_ROWS:,} positions are more than the solver's table can number")
        space = self._space
        is_short = capacity > len(space[1]) or capacity * (width + 1) > len(space[0])
        if is_short or (self._goes_to_file(capacity, width) and not self.in_file):
            space = self._reserved(capacity, width)
            space[0][:items], space[1][: self.used] = self.rows[:items], self.heights[: self.used]
        self._go_over_to(self.packing, space, capacity)

    def room_for(self, count: int, width: int) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
        """Rows and heights for so many positions, to be filled and adopted."""
        capacity = _capacity_for(count)
        rows, heights = self._reserved(capacity, width)
        return rows[: capacity * (width + 1)], heights[:capacity]

    def adopt(self, packing: Packing, rows: NDArray[np.uint64], heights: NDArray[np.uint32], count: int) -> int:
        """Have the positions of another run, and no others; returns how many are there twice."""
        self.used, self.filled = -(-count // BLOCK) * BLOCK, count
        return self._go_over_to(packing, (rows, heights), len(heights))

    def widen(self, packing: Packing) -> None:
        """Go over to another packing, in which all rows fit."""
        rows, _ = self._reserved(self.capacity, packing.width)
        self._repack(packing, rows)
        self._go_over_to(packing, (rows, self._space[1]), self.capacity)

    def tight(self) -> tuple[Packing, NDArray[np.uint64], NDArray[np.uint32]]:
        """(packing, rows, heights) of all positions, in the least packing: the same however they were found.

        Rows have shape (positions, width + 1), the bits of the value last. They may be the table's own.
        """
        old = self.packing
        if self.filled == 0:
            return old, np.zeros((0, old.width + 1), np.uint64), np.zeros(0, np.uint32)
        packing = least_packing(*ranges_of(self.rows, self.heights, self.used, old))
        rows = self.rows[: self.used * (packing.width + 1)]
        if not packing.is_like(old):
            rows = np.empty(self.used * (packing.width + 1), np.uint64)
            self._repack(packing, rows)
        return packing, rows.reshape(-1, packing.width + 1)[self._present()], self.heights[self._present()]

    def words(self) -> Any:
        """All packed positions in the order of their rows, shape (positions, width)."""
        return self._table()[:, :-1]

    def values(self) -> Any:
        """Their values, in the same order."""
        return np.ascontiguousarray(self._table()[:, -1]).view(np.float64)

    def _present(self) -> Any:
        """Which rows hold a position: mostly the first, without a copy."""
        without_holes = self.heights[: self.filled].all()
        return slice(0, self.filled) if without_holes else np.flatnonzero(self.heights[: self.used])

    def _table(self) -> Any:
        row = self.packing.width + 1
        return self.rows[: self.used * row].reshape(-1, row)[self._present()]

    def _repack(self, packing: Packing, rows: Any) -> None:
        old = self.packing
        run(
            repack, self.rows, self.used, old.width, old.arrays, rows, packing.width,
            packing.arrays, np.empty(len(old.base), np.uint64),
        )  # fmt: skip

    def _go_over_to(self, packing: Packing, space: tuple[Any, Any], capacity: int) -> int:
        """Take the first rows of some space, which hold what they shall."""
        rows, heights = space[0][: capacity * (packing.width + 1)], space[1][:capacity]
        # At once: Ctrl-C leaves a whole table. The old slots go before there are new ones.
        self.packing, self._space, self.rows, self.heights, self._slots = packing, space, rows, heights, None
        return self._fill_slots()

    def _goes_to_file(self, capacity: int, width: int) -> bool:
        return 8 * (capacity * (width + 1) + _slots_for(capacity)) > self._memory

    def _reserved(self, capacity: int, width: int) -> tuple[Any, Any]:
        """Rows and heights for more positions than so many; what is not written to takes no memory, and no room on the disk."""
        times = _RESERVED if capacity > _FIRST_ROWS else 1  # most games that are solved again and again are small
        for most in (min(times * capacity, _MOST_ROWS), capacity):
            with suppress(MemoryError):  # of a system that lends no more than it has
                return self._new_rows(capacity, most * (width + 1), width), np.zeros(most, np.uint32)
        raise MemoryError(f"{capacity:,} positions do not fit into memory")

    def _new_rows(self, capacity: int, size: int, width: int) -> Any:
        if not self._goes_to_file(capacity, width):
            return np.empty(size, np.uint64)
        if not self.in_file and self._on_disk is not None:
            self._on_disk(8 * capacity * (width + 1))
        self.in_file = True
        with tempfile.TemporaryFile(dir=self._folder) as file:  # it has no name: it ends with its map, whatever happens
            file.truncate(8 * size)
            return np.memmap(file, np.uint64, "r+", shape=(size,)).view(np.ndarray)


def _slots_for(capacity: int) -> int:
    """How many slots so many rows have, a power of two: a quarter of them stays empty, at least."""
    return 1 << (capacity * 4 // 3 - 1).bit_length()


def _capacity_for(count: int) -> int:
    capacity = _FIRST_ROWS
    while capacity < count:
        capacity *= 2
    return capacity
