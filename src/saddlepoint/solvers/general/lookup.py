"""The values after all moves of a solved position, looked up in compiled code: a stage may have thousands of cells."""

from ...compiled import jit, jit_part, put_words, state_from_words, word_count
from ...game import TERMINAL
from .folding import fold
from .packing import pack


@jit_part
def place_of_key(words, key, width):
    """The row of sorted packed words that is this key, or -1."""
    low, high = 0, len(words)
    while low < high:
        middle = (low + high) >> 1
        is_less = False
        for k in range(width):
            if words[middle, k] != key[k]:
                is_less = words[middle, k] < key[k]
                break
        if is_less:
            low = middle + 1
        else:
            high = middle
    if low == len(words):
        return -1
    for k in range(width):
        if words[low, k] != key[k]:
            return -1
    return low


@jit
def fill_stage(game, state, first, second, is_folded, clock, start, packing, words, values, memory, cells):
    """Write the value after each joint action to `cells`; whether all of them are known.

    first, second: the actions of both, or chance's outcomes and no action. clock: the state's word that is always `start`, or -1.
    packing, words, values: those of the solution. memory: a state's words and a key.
    """
    count, width = word_count(state), words.shape[1]
    found, key = memory
    base, mask, place, shift = packing
    for i in range(len(first)):
        for j in range(len(second)):
            child = game.successor(state, first[i], second[j])
            if clock >= 0:
                put_words(child, found)
                found[clock] = start
                child = state_from_words(found, state)
            if game.current_player(child) == TERMINAL:
                cells[i, j] = game.returns(child)
                continue
            exchanged, score = False, 0.0
            if is_folded:
                child, exchanged, score = fold(game, child)
            put_words(child, found)
            if pack(found, count, base, mask, place, shift, width, key) >= 0:
                return False
            row = place_of_key(words, key, width)
            if row < 0:
                return False
            cells[i, j] = score - values[row] if exchanged else score + values[row]
    return True
