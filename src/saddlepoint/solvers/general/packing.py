"""How a game's positions are packed: every number of a state gets as many bits as its values so far need.

The ranges are not known beforehand. A packing begins with no bits at all, and where a number does not fit it is widened.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit, jit_part, run

_ONES = (1 << 64) - 1


@dataclass(frozen=True)
class Packing:
    """Where each word of a state goes: arrays with an item for each of the state's words (`compiled.put_words`)."""

    base: NDArray[np.uint64]
    """The least value that fits; what is kept is the distance from it."""
    mask: NDArray[np.uint64]
    """The largest distance that fits: so many bits, all ones."""
    place: NDArray[np.int64]
    """The packed word that it is a part of."""
    shift: NDArray[np.uint64]
    """How far left it lies there."""

    @property
    def width(self) -> int:
        """How many words a packed position has."""
        return int(self.place.max(initial=0)) + 1

    @property
    def arrays(self) -> tuple[Any, ...]:
        """As compiled code takes it: base, mask, place, shift."""
        return self.base, self.mask, self.place, self.shift

    def packed(self, words: Any) -> list[int] | None:
        """The packed words of a state's words; None where one of them does not fit."""
        key = [0] * self.width
        for word, base, mask, place, shift in zip(words, *self.arrays, strict=True):
            distance = (int(word) - int(base)) & _ONES
            if distance > int(mask):
                return None
            key[int(place)] |= distance << int(shift)
        return key

    def unpacked(self, key: Any) -> NDArray[np.uint64]:
        """The state's words that were packed into this key."""
        words = [
            (((int(key[place]) >> int(shift)) & int(mask)) + int(base)) & _ONES
            for base, mask, place, shift in zip(*self.arrays, strict=True)
        ]
        return np.array(words, np.uint64)

    def is_like(self, other: "Packing") -> bool:
        """Whether all positions are packed in the same way."""
        return all(np.array_equal(a, b) for a, b in zip(self.arrays, other.arrays, strict=True))

    def fits(self, k: int, word: int) -> bool:
        """Whether word k of a state may have this value."""
        return ((word - int(self.base[k])) & _ONES) & ~int(self.mask[k]) == 0

    def widened(self, k: int, word: int) -> "Packing":
        """The packing in which word k of a state may have this value too: it takes twice as many values as before, or more."""
        low, span = int(self.base[k]), int(self.mask[k])
        distance = (word - low) & _ONES
        below = distance >> 63 != 0
        reach = span + ((low - word) & _ONES) if below else distance
        mask = (1 << reach.bit_length()) - 1
        bases, masks = [int(b) for b in self.base], [int(m) for m in self.mask]
        bases[k] = 0 if mask >= _ONES else (low + span - mask) & _ONES if below else low
        masks[k] = min(mask, _ONES)
        return arranged(bases, masks)

    def holds(self, k: int, other: "Packing") -> bool:
        """Whether all that fits into word k of another packing fits here, too: numbers go round at 2^64."""
        reach = ((int(other.base[k]) - int(self.base[k])) & _ONES) + int(other.mask[k])
        return int(self.mask[k]) == _ONES or reach <= int(self.mask[k])

    def united(self, other: "Packing") -> "Packing":
        """The packing in which all fits that fits into one of the two; this one where it will do."""
        wide = self
        for k in range(len(self.base)):
            low = int(other.base[k])
            for word in (low, (low + int(other.mask[k])) & _ONES):
                if not wide.fits(k, word):
                    wide = wide.widened(k, word)
            if not wide.holds(k, other):  # each lies around the other's end
                bases, masks = [int(b) for b in wide.base], [int(m) for m in wide.mask]
                bases[k], masks[k] = 0, _ONES
                wide = arranged(bases, masks)
        return wide


def arranged(bases: list[int], masks: list[int]) -> Packing:
    """The packing of words with these least values and ranges: each goes into the first packed word that has room."""
    used: list[int] = []
    places: list[int] = []
    shifts: list[int] = []
    for mask in masks:
        bits = mask.bit_length()
        place = next((k for k, full in enumerate(used) if full + bits <= 64), len(used))
        if place == len(used):
            used.append(0)
        places.append(place)
        shifts.append(used[place] if bits else 0)
        used[place] += bits
    return Packing(
        np.array(bases, np.uint64), np.array(masks, np.uint64), np.array(places, np.int64), np.array(shifts, np.uint64)
    )


def least_packing(low: Any, high: Any) -> Packing:
    """The packing of words that are, as signed numbers, between these."""
    spans = [int(above) - int(below) for below, above in zip(low, high, strict=True)]
    masks = [_ONES if span.bit_length() > 63 else (1 << span.bit_length()) - 1 for span in spans]
    bases = [0 if mask == _ONES else int(below) & _ONES for below, mask in zip(low, masks, strict=True)]
    return arranged(bases, masks)


def first_packing(words: Any) -> Packing:
    """The packing in which only this one state fits."""
    return arranged([int(word) for word in words], [0] * len(words))


@jit_part
def pack(words, count, base, mask, place, shift, width, key):
    """Write the packed words of a state of `count` words to `key`; returns -1, or which word does not fit."""
    beyond = np.uint64(0)
    if width == 1:  # most games: no detour through memory
        packed = np.uint64(0)
        for k in range(count):
            distance = words[k] - base[k]
            beyond |= distance & ~mask[k]
            packed |= distance << shift[k]
        key[0] = packed
    else:
        for k in range(width):
            key[k] = np.uint64(0)
        for k in range(count):
            distance = words[k] - base[k]
            beyond |= distance & ~mask[k]
            key[place[k]] |= distance << shift[k]
    if beyond != np.uint64(0):
        for k in range(count):
            if (words[k] - base[k]) & ~mask[k] != np.uint64(0):
                return k
    return -1


@jit_part
def unpack(key, count, base, mask, place, shift, words):
    """Write the state's words that `pack` packed."""
    for k in range(count):
        words[k] = ((key[place[k]] >> shift[k]) & mask[k]) + base[k]


@jit
def repack(rows, used, width, old, new_rows, new_width, new, words, done):
    """Copy `used` rows (packed words, then one more) from one packing to another; `old`, `new`: base, mask, place, shift.

    The new rows may lie where the old ones are: those that become wider are taken from the last one on. `done` counts them.
    """
    for k in range(used):
        index = used - 1 - k if new_width > width else k
        unpack(rows[index * (width + 1) :], len(words), old[0], old[1], old[2], old[3], words)
        last = rows[index * (width + 1) + width]
        pack(words, len(words), new[0], new[1], new[2], new[3], new_width, new_rows[index * (new_width + 1) :])
        new_rows[index * (new_width + 1) + new_width] = last
        done[0] = k + 1


@jit
def ranges(rows, heights, used, width, packing, low, high):
    """Write the least and the largest that each word of a state is, as a signed number, among the rows with a height."""
    words = np.empty(len(low), np.uint64)
    low[:], high[:] = np.iinfo(np.int64).max, np.iinfo(np.int64).min
    for row in range(used):
        if heights[row] != 0:
            unpack(rows[row * (width + 1) :], len(words), packing[0], packing[1], packing[2], packing[3], words)
            for k in range(len(words)):
                word = np.int64(words[k])
                low[k], high[k] = min(low[k], word), max(high[k], word)


def ranges_of(rows: Any, heights: Any, used: int, packing: Packing) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The least and the largest that each word of a state is among the rows with a height, packed like this."""
    low, high = (np.empty(len(packing.base), np.int64) for _ in range(2))
    run(ranges, rows, heights, used, packing.width, packing.arrays, low, high)
    return low, high
