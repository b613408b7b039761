"""One key for all positions that are the same but for the board's symmetries and for who is who."""

import numpy as np

from ....boards.bitboard import is_empty, lowest, single
from ....compiled import jit


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
