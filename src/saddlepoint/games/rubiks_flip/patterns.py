"""The 4x4 board as 16 bits (square 4 * row + column, rows from the top), and patterns: the owner of each
square.
"""

from math import comb

import numpy as np

from ..interface import jit, jit_inline, popcount, trailing_zeros

SIDE, SQUARES, FULL = 4, 16, 0xFFFF


def _neighbours() -> np.ndarray:
    table = np.full((SQUARES, 4), -1, np.int64)
    for square in range(SQUARES):
        row, column = divmod(square, SIDE)
        for direction, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            if 0 <= row + down < SIDE and 0 <= column + right < SIDE:
                table[square, direction] = square + SIDE * down + right
    return table


NEIGHBOURS = _neighbours()
"""[square, direction] -> the square one step up, right, down or left; -1 outside the board."""


@jit_inline
def enclosed(occupied):
    """The occupied squares all of whose orthogonal neighbours on the board are occupied."""
    above = (occupied << 4) | 0x000F
    below = (occupied >> 4) | 0xF000
    left = ((occupied << 1) & 0xEEEE) | 0x1111
    right = ((occupied >> 1) & 0x7777) | 0x8888
    return occupied & above & below & left & right


@jit_inline
def has_three(squares):
    """Whether three of the squares stand in a row, column or diagonal (24 lines, the short diagonals included)."""
    across = squares & (squares >> 1) & (squares >> 2) & 0x3333
    down = squares & (squares >> 4) & (squares >> 8)
    falling = squares & (squares >> 5) & (squares >> 10) & 0x0033
    rising = squares & (squares >> 3) & (squares >> 6) & 0x00CC
    return (across | down | falling | rising) != 0


@jit_inline
def has_pair(squares):
    """Whether two of the squares are neighbours on one of the 24 lines: 12 + 12 + 14 pairs.

    The four diagonal pairs that cut a corner lie on no line of three.
    """
    across = squares & (squares >> 1) & 0x7777
    down = squares & (squares >> 4)
    falling = squares & (squares >> 5) & 0x0673
    rising = squares & (squares >> 3) & 0x06EC
    return (across | down | falling | rising) != 0


# Patterns, the owners of squares without the faces, and their classes under the board's eight motions.
#
# A position is numbered in two parts. Its pattern, turned so that (tiles0, tiles1) is smallest, is one of the layer's
# classes. Its faces, both players' exchanged so that the tile on their lowest square shows its first face, are the bits
# of the other tiles. The second part is linear over GF(2): however a pattern is moved or grows by a tile, the new number
# is the exclusive or of what every turned tile contributes. (A pattern that is its own image under a motion is not
# reduced any further; that would save less than 1 % of the entries and cost the linearity.)

_CHOOSE = np.array([[comb(n, k) for k in range(SQUARES + 1)] for n in range(SQUARES + 1)], np.int64)
MOTIONS = 8


def tiles_of(layer: int) -> tuple[int, int]:
    """The tiles of each player when that many are on the board."""
    return (layer + 1) // 2, layer // 2


def number_of_patterns(layer: int) -> int:
    """The patterns of a layer, every one counted."""
    first, second = tiles_of(layer)
    return comb(SQUARES, first) * comb(SQUARES - first, second)


def entries_per_class(layer: int) -> int:
    """The different faces of a pattern: all tiles but each player's lowest one show either."""
    return 1 << sum(max(0, tiles - 1) for tiles in tiles_of(layer))


@jit_inline
def moved(squares, motion):
    """A set of squares after one of the eight motions."""
    if motion & 1:
        squares = (
            (squares & 0x1111) << 3
            | (squares & 0x2222) << 1
            | (squares & 0x4444) >> 1
            | (squares & 0x8888) >> 3
        )
    if motion & 2:
        squares = (
            (squares & 0x000F) << 12
            | (squares & 0x00F0) << 4
            | (squares & 0x0F00) >> 4
            | (squares & 0xF000) >> 12
        )
    if motion & 4:
        squares = (squares & 0x8421) | (
            (squares & 0x0842) << 3
            | (squares & 0x0084) << 6
            | (squares & 0x0008) << 9
            | (squares & 0x4210) >> 3
            | (squares & 0x2100) >> 6
            | (squares & 0x1000) >> 9
        )
    return squares


@jit_inline
def canonical_motion(tiles0, tiles1):
    """The motion that makes the pattern smallest (the first of several)."""
    best, least = 0, tiles0 << 16 | tiles1
    for motion in range(1, MOTIONS):
        key = moved(tiles0, motion) << 16 | moved(tiles1, motion)
        if key < least:
            best, least = motion, key
    return best


@jit_inline
def packed(squares, among):
    """The bits of `squares` at the set bits of `among`, moved together."""
    found, place = 0, 0
    while among != 0:
        lowest = among & -among
        if squares & lowest:
            found |= 1 << place
        place += 1
        among ^= lowest
    return found


@jit_inline
def set_rank(squares):
    """The number of smaller sets of the same size."""
    rank, k = 0, 0
    while squares != 0:
        k += 1
        rank += _CHOOSE[trailing_zeros(np.uint64(squares)), k]
        squares &= squares - 1
    return rank


@jit_inline
def pattern_rank(tiles0, tiles1):
    """The pattern's number among those with as many tiles of each player."""
    choices = _CHOOSE[SQUARES - popcount(np.uint64(tiles0)), popcount(np.uint64(tiles1))]
    return set_rank(tiles0) * choices + set_rank(packed(tiles1, ~tiles0 & 0xFFFF))


@jit_inline
def face_number(tiles0, tiles1, turned):
    """The faces' number in a pattern: linear in `turned` over GF(2)."""
    faces0, faces1 = turned & tiles0, turned & tiles1
    lowest0, lowest1 = tiles0 & -tiles0, tiles1 & -tiles1
    if faces0 & lowest0:
        faces0 ^= tiles0
    if faces1 & lowest1:
        faces1 ^= tiles1
    shift = popcount(np.uint64(tiles0)) - 1 if tiles0 != 0 else 0
    return packed(faces0, tiles0 ^ lowest0) | packed(faces1, tiles1 ^ lowest1) << shift


@jit_inline
def _unpacked(bits, among):
    """The inverse of `packed`."""
    found = 0
    while bits != 0:
        lowest = among & -among
        if bits & 1:
            found |= lowest
        bits >>= 1
        among ^= lowest
    return found


@jit
def _number_classes(count0, count1, classes, members):
    """Number the smallest patterns by rank in `classes` (others -1), write them to `members`; returns their number."""
    found, rank = 0, 0
    for tiles0 in range(1 << SQUARES):
        if popcount(np.uint64(tiles0)) != count0:
            continue
        for bits in range(1 << (SQUARES - count0)):
            if popcount(np.uint64(bits)) != count1:
                continue
            tiles1 = _unpacked(bits, ~tiles0 & 0xFFFF)
            classes[rank] = -1
            if canonical_motion(tiles0, tiles1) == 0:
                classes[rank] = found
                members[found] = tiles0, tiles1
                found += 1
            rank += 1
    return found


class Layer:
    """The classes of patterns with that many tiles.

    `classes` [rank] -> the class of a smallest pattern, -1 for others; `members` [class] -> its (tiles0, tiles1).
    """

    def __init__(self, tiles: int) -> None:
        self.tiles = tiles
        patterns = number_of_patterns(tiles)
        self.classes = np.empty(patterns, np.int32)
        members = np.empty((patterns, 2), np.int64)
        count = _number_classes(*tiles_of(tiles), self.classes, members)
        self.members = members[:count].copy()
        self.entries_per_class = entries_per_class(tiles)

    @property
    def entries(self) -> int:
        """The numbers that positions of the layer have."""
        return len(self.members) * self.entries_per_class


@jit_inline
def position_number(classes, entries, tiles0, tiles1, turned):
    """The number of a position in its layer.

    `classes` is the layer's table, `entries` the number of entries a class.
    """
    motion = canonical_motion(tiles0, tiles1)
    tiles0, tiles1, turned = moved(tiles0, motion), moved(tiles1, motion), moved(turned, motion)
    return classes[pattern_rank(tiles0, tiles1)] * entries + face_number(tiles0, tiles1, turned)
