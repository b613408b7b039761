"""Positions packed into words, and sorted."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compiled import jit, jit_part, run
from ...game.base import Game

_FEW = 24
"""So few rows are sorted one by one."""
_DIGITS = 256


@jit
def close_up(rows, heights, used, width):
    """Move rows up to where one without a height holds nothing; returns how many there are. Whatever was left has no height."""
    kept = 0
    for row in range(used):
        if heights[row] != 0:
            if kept != row:
                for k in range(width + 1):
                    rows[kept * (width + 1) + k] = rows[row * (width + 1) + k]
                heights[kept], heights[row] = heights[row], 0
            kept += 1
    return kept


@jit_part
def exchange(rows, heights, one, other, stride):
    for k in range(stride):
        first, second = one * stride + k, other * stride + k
        rows[first], rows[second] = rows[second], rows[first]
    heights[one], heights[other] = heights[other], heights[one]


@jit_part
def sort_few(rows, heights, first, last, word, stride):
    """Sort a few rows with equal words before this one by insertion."""
    for row in range(first + 1, last):
        at = row
        while at > first:
            k = word
            while k < stride - 2 and rows[at * stride + k] == rows[(at - 1) * stride + k]:
                k += 1
            if rows[at * stride + k] >= rows[(at - 1) * stride + k]:
                break
            exchange(rows, heights, at - 1, at, stride)
            at -= 1


@jit
def sort_rows(rows, heights, count, width, waiting):
    """Sort `count` rows, and their heights with them, by their packed words: radix sort in place, first byte
    first.

    Rows with the same byte come together by exchanges alone (American flag sort: McIlroy, Bostic, McIlroy 1993), and are sorted by the
    next one later. waiting: shape (2048 * width, 3), memory for what is to be sorted later.
    """
    stride = width + 1
    begins, ends = np.empty(_DIGITS, np.int64), np.empty(_DIGITS, np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, count, 0
    left = 1
    while left > 0:
        left -= 1
        first, last, level = waiting[left, 0], waiting[left, 1], waiting[left, 2]
        word, shift = level >> 3, np.uint64(56 - 8 * (level & 7))
        if last - first <= _FEW:
            sort_few(rows, heights, first, last, word, stride)
            continue
        ends[:] = 0
        for row in range(first, last):
            ends[np.int64(rows[row * stride + word] >> shift & np.uint64(255))] += 1
        at = first
        for digit in range(_DIGITS):
            size = ends[digit]
            begins[digit], ends[digit] = at, at + size
            if size > 1 and level + 1 < 8 * width:
                waiting[left, 0], waiting[left, 1], waiting[left, 2] = at, at + size, level + 1
                left += 1
            at += size
        for digit in range(_DIGITS):
            while begins[digit] < ends[digit]:
                row = begins[digit]
                other = np.int64(rows[row * stride + word] >> shift & np.uint64(255))
                if other != digit:
                    exchange(rows, heights, row, begins[other], stride)
                begins[other] += 1


@jit
def fill_order(heights, starts, order):
    """Number all positions by their heights, those of one height as they come. starts: one more than the greatest height, of zeros."""
    for height in heights:
        starts[height] += 1
    before = 0
    for height in range(len(starts)):
        starts[height], before = before, before + starts[height]
    for place in range(len(heights)):
        order[place] = starts[heights[place]]
        starts[heights[place]] += 1


def sort_by_words(
    rows: NDArray[np.uint64], heights: NDArray[np.unsignedinteger], count: int, width: int
) -> None:
    """Sort the first `count` rows, one after another in `rows`, by their packed words."""
    run(sort_rows, rows, heights, count, width, np.zeros((8 * _DIGITS * width, 3), np.int64))


def order_by_height(heights: NDArray[np.unsignedinteger]) -> NDArray[np.uint32]:
    """Each position's place when those nearer to the end come first, and those of one height as they are."""
    order = np.empty(len(heights), np.uint32)
    run(fill_order, heights, np.zeros(int(heights.max(initial=0)) + 1, np.int64), order)
    return order


def inverse(order: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Which position has each place: each is there once."""
    places = np.empty_like(order)
    places[order] = np.arange(len(order), dtype=np.uint32)
    return places


# How a game's positions are packed into bits, and which of those that are worth the same is kept.

# How a game's positions are packed: every number of a state gets as many bits as its values so far need.
#
# The ranges are not known beforehand. A packing begins with no bits at all, and where a number does not fit it is widened.

_ONES = (1 << 64) - 1


@dataclass(frozen=True)
class Packing:
    """The place of each word of a state: arrays with an item for each of the state's words
    (`compiled.put_words`).
    """

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
        return int(self.place.max(initial=0)) + 1

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays for compiled code: base, mask, place, shift."""
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
        words = [
            (((int(key[place]) >> int(shift)) & int(mask)) + int(base)) & _ONES
            for base, mask, place, shift in zip(*self.arrays, strict=True)
        ]
        return np.array(words, np.uint64)

    def is_like(self, other: "Packing") -> bool:
        return all(np.array_equal(a, b) for a, b in zip(self.arrays, other.arrays, strict=True))

    def fits(self, k: int, word: int) -> bool:
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
    used, places, shifts = list[int](), list[int](), list[int]()
    for mask in masks:
        bits = mask.bit_length()
        place = next((k for k, full in enumerate(used) if full + bits <= 64), len(used))
        if place == len(used):
            used.append(0)
        places.append(place)
        shifts.append(used[place] if bits else 0)
        used[place] += bits
    return Packing(
        np.array(bases, np.uint64),
        np.array(masks, np.uint64),
        np.array(places, np.int64),
        np.array(shifts, np.uint64),
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
        pack(
            words, len(words), new[0], new[1], new[2], new[3], new_width, new_rows[index * (new_width + 1) :]
        )
        new_rows[index * (new_width + 1) + new_width] = last
        done[0] = k + 1


@jit
def ranges(rows, heights, used, width, packing, low, high):
    """Write the least and the largest that each word of a state is, as a signed number, among the rows with a height."""
    words = np.empty(len(low), np.uint64)
    low[:], high[:] = np.iinfo(np.int64).max, np.iinfo(np.int64).min
    for row in range(used):
        if heights[row] != 0:
            unpack(
                rows[row * (width + 1) :], len(words), packing[0], packing[1], packing[2], packing[3], words
            )
            for k in range(len(words)):
                word = np.int64(words[k])
                low[k], high[k] = min(low[k], word), max(high[k], word)


def ranges_of(
    rows: Any, heights: Any, used: int, packing: Packing
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The least and the largest that each word of a state is among the rows with a height, packed like this."""
    low, high = (np.empty(len(packing.base), np.int64) for _ in range(2))
    run(ranges, rows, heights, used, packing.width, packing.arrays, low, high)
    return low, high


# Positions that are worth the same, or the same but for a score or a sign, are kept once: which one is kept, and what tells the rest.
#
# A game's own rules say which: `canonical` of images, `without_score` of equal positions with other scores, `relabelled` of those
# whose actions merely have other numbers. Where its `bounds` are equal a position is decided, and none is kept. Nor is a choice
# that follows chance, where the game says that no other position of chance leads there (`chance_is_told`): it is solved within chance's.


class Folded(NamedTuple):
    """A position as it is kept: the one asked for is worth score + value, or score - value where the players are exchanged."""

    state: Any
    exchanged: bool
    score: float

    def worth(self, value: float) -> float:
        """The value of the original position, from the value of the kept one."""
        return self.score - value if self.exchanged else self.score + value


def can_fold(game: Game) -> bool:
    """Whether a game says which of its positions are worth the same, or what some are worth."""
    return (
        game.has_canonical or game.has_score or game.has_relabelled or game.has_bounds or tells_chance(game)
    )


def folds_images_alone(game: Game) -> bool:
    """Whether images are all that a game folds, as games with cycles need it.

    There scores would grow for ever, a discount counts the moves to a decided result, and every position is a state of its own.
    """
    return game.has_canonical and not (game.has_score or game.has_bounds or tells_chance(game))


def tells_chance(game: Game) -> bool:
    """Whether a choice that follows chance is solved within chance's position, where positions are folded."""
    return bool(game.has_chance and game.chance_is_told)


@jit_part
def fold(game, state):
    """(position that is kept, whether the players are exchanged in it, score)."""
    bare, score = game.without_score(state)
    image, exchanged = game.canonical(game.relabelled(bare))
    return image, exchanged, score


@jit
def _fold(game, state):
    return fold(game, state)


def folded(game: Game, state: Any) -> Folded:
    image, exchanged, score = run(_fold, game, state)
    return Folded(image, bool(exchanged), float(score))


def decided(game: Game, state: Any) -> float | None:
    """The value of an unfinished position whose bounds are equal; None where play may matter."""
    if not game.has_bounds:
        return None
    low, high = run(game.kernels["bounds"], game, state)
    return float(low) if low == high else None
