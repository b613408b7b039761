"""The table of solved positions: rows in the order in which they were solved, and the hash table from a key to its row."""

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit, jit_part, mix, prefetch, read_again, run, set_if_zero
from .packing import Packing, close_up, least_packing, ranges_of, repack, sort_by_words

# The way from a key to the row that has it: a hash table whose slots hold rows' numbers alone.
#
# A slot has 32 bits: a row's number, counted from 1, and above it, in the bits that no number needs, a part of the key's hash, so that few
# other keys are looked at. 0 is an empty slot. Slots are probed one after the other from the key's home (linear probing), and there may be
# any number of them: the home is as far from the first slot as the hash is from 0. Nothing is ever replaced. Several threads may enter rows
# and look for them at the same time.

MOST_SLOTS = (1 << 32) - 1
"""More could not be numbered."""
_FULL, _OF = 4, 5
"""The share of the slots that may be taken in a large table: the first number of the second."""
_FEW = 1 << 18
"""Up to this many rows have two slots each: there memory matters less than time."""
_AHEAD = 12
"""Rows whose slots are fetched while others are entered."""
_LOW = 0xFFFFFFFF


@jit_part
def hash_of_key(key, width):
    found = mix(key[0])
    for k in range(1, width):
        found = mix(found + key[k])
    return found


@jit_part
def home(hashed, slots):
    """The slot at which the search for a key with this hash begins."""
    return np.int64((hashed >> np.uint64(32)) * np.uint64(len(slots)) >> np.uint64(32))


@jit_part
def number_mask(slots):
    """The bits of a slot that a row's number may need."""
    mask = np.uint64(len(slots))
    mask |= mask >> np.uint64(1)
    mask |= mask >> np.uint64(2)
    mask |= mask >> np.uint64(4)
    mask |= mask >> np.uint64(8)
    return mask | mask >> np.uint64(16)


@jit_part
def is_row_of(row, key, width, rows):
    start = row * (width + 1)
    same = rows[start] == key[0]
    for k in range(1, width):
        if rows[start + k] != key[k]:
            same = False
    return same


@jit_part
def find(key, width, hashed, rows, slots):
    """The row of the position with this key, or -1."""
    numbers, at = number_mask(slots), home(hashed, slots)
    others = np.uint64(_LOW) & ~numbers
    slot = np.uint64(read_again(slots, at))
    while slot != np.uint64(0):
        if (slot ^ hashed) & others == np.uint64(0):
            row = np.int64(slot & numbers) - 1
            if is_row_of(row, key, width, rows):
                return row
        at += 1
        if at == len(slots):
            at = np.int64(0)
        slot = np.uint64(read_again(slots, at))
    return np.int64(-1)


@jit_part
def enter_slot(key, width, hashed, row, rows, slots):
    """Let a slot lead to a row that is written; returns -1, or the row of the same position where another thread was faster."""
    numbers, at = number_mask(slots), home(hashed, slots)
    others = np.uint64(_LOW) & ~numbers
    entry = np.uint32(hashed & others | np.uint64(row + 1))
    while True:
        slot = np.uint64(read_again(slots, at))
        if slot == np.uint64(0):
            slot = np.uint64(set_if_zero(slots, at, entry))
            if slot == np.uint64(0):
                return np.int64(-1)
        if (slot ^ hashed) & others == np.uint64(0):
            other = np.int64(slot & numbers) - 1
            if is_row_of(other, key, width, rows):
                return other
        at += 1
        if at == len(slots):
            at = np.int64(0)


@jit_part
def row_with(key, width, rows, slots):
    return find(key, width, hash_of_key(key, width), rows, slots)


@jit_part
def enter(key, width, rows, heights, slots, used):
    """(the row of the position with this key, how many rows there are now); row -1: there is no room for one more."""
    hashed = hash_of_key(key, width)
    row = find(key, width, hashed, rows, slots)
    if row >= 0:
        return row, used
    if used == len(heights):
        return np.int64(-1), used
    for k in range(width):
        rows[used * (width + 1) + k] = key[k]
    heights[used] = 1
    enter_slot(key, width, hashed, used, rows, slots)
    return np.int64(used), used + 1


@jit
def fill_slots(rows, heights, used, width, slots):
    """Let empty slots lead to all rows; one without a height is none, but where no heights are given. Returns how many are there twice."""
    twice = 0
    for row in range(used):
        if row + _AHEAD < used:
            prefetch(slots, home(hash_of_key(rows[(row + _AHEAD) * (width + 1) :], width), slots))
        if len(heights) == 0 or heights[row] != 0:
            key = rows[row * (width + 1) :]
            if enter_slot(key, width, hash_of_key(key, width), row, rows, slots) >= 0:
                twice += 1
    return twice


def slot_count(count: int) -> int:
    """The number of slots for a number of rows: a fifth of them stays empty, at least."""
    return 2 * count + 1 if count <= _FEW else -(-_OF * count // _FULL) + 1


def slots_of(rows: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Slots that lead to all rows of an array, of shape (rows, width + 1)."""
    slots = np.zeros(slot_count(len(rows)), np.uint32)
    run(fill_slots, rows.reshape(-1), np.zeros(0, np.uint8), len(rows), rows.shape[1] - 1, slots)
    return slots


# The table of solved positions: rows in the order in which they were solved, and the slots that find them (`slots`).
#
# A row has the packed words of a position and the bits of its value. Its height, the moves of the longest way to an end, is kept apart, in
# as few bytes as the game's longest way needs. Nothing is ever replaced, and all arrays grow when they are full. Several threads may
# enter rows and look for them at the same time.
#
# A position takes 17 bytes for a key of one word, its value and a height below 256, and 5 to 6.3 bytes of slots: a large table grows by a
# quarter at a time. Its rows stay where they are meanwhile: they are taken from a larger piece of memory, of which the system gives what is
# written to. Nor do they move where they are packed otherwise, or sorted.

BLOCK = 64
"""Rows that a thread takes at a time."""
HIGHEST = (1 << 20) - 1
"""The greatest height that a position may have."""
_FIRST_ROWS = 96 * BLOCK
_SMALL = 1 << 18
"""Up to this many rows there are twice as many when they are full; later a quarter more."""
_RESERVED = 8
"""How many times the rows that are needed are asked of the system, where all that may fit into memory cannot be had."""
_MOST_ROWS = MOST_SLOTS * 3 // 4


class TooManyPositions(ValueError):
    """The solution does not fit."""


class PositionTable:
    """The table, growing. Beyond `memory` bytes its rows are in a file without a name in `folder`, mapped into memory.

    `on_disk` is called with the bytes when they go there. `highest` is the greatest height that there may be.
    """

    def __init__(
        self,
        packing: Packing,
        memory: float = float("inf"),
        folder: Path | None = None,
        on_disk: Callable[[int], None] | None = None,
        highest: int = 1,
    ) -> None:
        self.packing = packing
        self.filled = 0
        """How many positions it has."""
        self.used = 0
        """How many of its rows were given to threads; those without a height hold nothing."""
        self._memory, self._folder, self._on_disk = memory, folder, on_disk
        self._height = np.min_scalar_type(min(highest, HIGHEST))
        self.in_file = False
        """Whether its rows have moved to a file."""
        self._space = self._reserved(_FIRST_ROWS, packing.width)
        self.rows, self.heights = (
            self._space[0][: _FIRST_ROWS * (packing.width + 1)],
            self._space[1][:_FIRST_ROWS],
        )
        self._slots: Any = None

    @property
    def slots(self) -> Any:
        """The slots that lead to the rows; made anew where they were dropped."""
        if self._slots is None:
            self._fill_slots()
        return self._slots

    def _fill_slots(self) -> int:
        self._slots = None  # the old ones go before there are new ones
        slots = np.zeros(slot_count(self.capacity), np.uint32)
        twice = (
            run(fill_slots, self.rows, self.heights, self.used, self.packing.width, slots) if self.used else 0
        )
        self._slots = slots
        return twice

    @property
    def capacity(self) -> int:
        return len(self.heights)

    def grow(self) -> None:
        """More room: twice as much, or in a large table a quarter more."""
        capacity = _more_than(self.capacity)
        if capacity > _MOST_ROWS:
            raise TooManyPositions(
                f"more than {_MOST_ROWS:,} positions are more than the solver's table can number"
            )
        self._make_room(capacity, self.packing.width)
        self._fill_slots()

    def room_for(self, count: int, width: int) -> tuple[NDArray[np.uint64], NDArray[Any]]:
        """Rows and heights for a number of positions, to be filled and adopted."""
        capacity = _FIRST_ROWS
        while capacity < count:
            capacity = _more_than(capacity)
        rows, heights = self._reserved(capacity, width)
        return rows[: capacity * (width + 1)], heights[:capacity]

    def adopt(self, packing: Packing, rows: NDArray[np.uint64], heights: NDArray[Any], count: int) -> int:
        """Have the positions of another run, and no others; returns how many are there twice."""
        self.used, self.filled = -(-count // BLOCK) * BLOCK, count
        self._go_over_to(packing, (rows, heights), len(heights))
        return self._fill_slots()

    def widen(self, packing: Packing) -> None:
        """Go over to another packing, in which all rows fit."""
        self._slots = None
        self._make_room(self.capacity, max(packing.width, self.packing.width))
        self._repack(packing)
        self._fill_slots()

    def sort(self) -> tuple[NDArray[np.uint64], NDArray[Any]]:
        """(rows, heights) of all positions, packed as closely as can be and sorted: the same however they were found.

        Rows have shape (positions, width + 1), the bits of the value last. They are the table's own, which goes on with them as they are.
        """
        self._slots = None  # they would lead to other rows, and there is more need of the memory
        self.used = run(close_up, self.rows, self.heights, self.used, self.packing.width)
        if self.used:
            packing = least_packing(*ranges_of(self.rows, self.heights, self.used, self.packing))
            if not packing.is_like(self.packing):
                self._repack(packing)
            sort_by_words(self.rows, self.heights, self.used, packing.width)
        row = self.packing.width + 1
        return self.rows[: self.used * row].reshape(-1, row), self.heights[: self.used]

    def words(self) -> Any:
        """All packed positions in the order of their rows, shape (positions, width)."""
        row, heights = self.packing.width + 1, self.heights[: self.used]
        which = slice(0, self.filled) if heights[: self.filled].all() else np.flatnonzero(heights)
        return self.rows[: self.used * row].reshape(-1, row)[which, :-1]

    def _repack(self, packing: Packing) -> None:
        old, rows, done = self.packing, self._space[0], np.zeros(1, np.int64)
        try:
            run(
                repack,
                rows,
                self.used,
                old.width,
                old.arrays,
                rows,
                packing.width,
                packing.arrays,
                np.empty(len(old.base), np.uint64),
                done,
            )
        finally:  # Ctrl-C comes before compiled code or after it
            if done[0] == self.used:
                self._go_over_to(packing, self._space, self.capacity)

    def _go_over_to(self, packing: Packing, space: tuple[Any, Any], capacity: int) -> None:
        rows, heights = space[0][: capacity * (packing.width + 1)], space[1][:capacity]
        # At once: Ctrl-C leaves a whole table.
        self.packing, self._space, self.rows, self.heights, self._slots = packing, space, rows, heights, None

    def _make_room(self, capacity: int, width: int) -> None:
        """Have space for a number of rows of this width, and the rows that there are in it."""
        space, items = self._space, self.used * (self.packing.width + 1)
        is_short = capacity > len(space[1]) or capacity * (width + 1) > len(space[0])
        if is_short or (self._goes_to_file(capacity, width) and not self.in_file):
            space = self._reserved(capacity, width)
            space[0][:items], space[1][: self.used] = self.rows[:items], self.heights[: self.used]
        self._go_over_to(self.packing, space, capacity)

    def _goes_to_file(self, capacity: int, width: int) -> bool:
        return self._bytes_of(capacity, width) > self._memory

    def _bytes_of(self, capacity: int, width: int) -> int:
        return capacity * (8 * (width + 1) + self._height.itemsize) + 4 * slot_count(capacity)

    def _reserved(self, capacity: int, width: int) -> tuple[Any, Any]:
        """Rows and heights for more than `capacity` positions.

        Pages not written to take no memory, and no room on disk.
        """
        for most in (
            min(self._foreseen(capacity, width), _MOST_ROWS),
            min(_RESERVED * capacity, _MOST_ROWS),
            capacity,
        ):
            with suppress(MemoryError):  # on a system that does not overcommit memory
                return self._new_rows(capacity, most * (width + 1), width), np.zeros(most, self._height)
        raise MemoryError(f"{capacity:,} positions do not fit into memory")

    def _foreseen(self, capacity: int, width: int) -> int:
        """The number of rows to reserve where a given number is needed: all that fit into memory, so as not
        to move them again.
        """
        if capacity <= _FIRST_ROWS:  # most games that are solved again and again are small
            return capacity
        if self._goes_to_file(capacity, width):
            return _RESERVED * capacity
        memory = min(self._memory, _machine_memory())
        return (
            max(capacity, int(memory / self._bytes_of(1 << 20, width) * (1 << 20)))
            if memory
            else _RESERVED * capacity
        )

    def _new_rows(self, capacity: int, size: int, width: int) -> Any:
        if not self._goes_to_file(capacity, width):
            return np.zeros(size, np.uint64)
        if not self.in_file and self._on_disk is not None:
            self._on_disk(8 * capacity * (width + 1))
        self.in_file = True
        with tempfile.TemporaryFile(
            dir=self._folder
        ) as file:  # it has no name: it ends with its map, whatever happens
            file.truncate(8 * size)
            return np.memmap(file, np.uint64, "r+", shape=(size,)).view(np.ndarray)


def _more_than(capacity: int) -> int:
    more = capacity if capacity <= _SMALL else capacity // 4
    return capacity + -(-more // BLOCK) * BLOCK


def _machine_memory() -> int:
    """The bytes of memory that this machine has; 0 where it does not say."""
    with suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 0
