"""A table of fixed size with proven facts about positions, valid for every later search of the same game.

A fact is a number of plies within which the side to move wins or loses by force, or within which it does not.
All four hold of the position, whatever the search was looking for, so they are never outdated.
"""

from typing import Any

import numpy as np

from ..interface import jit_inline, mix

_BUCKET = 4
_WINS, _WINS_NOT, _LOSES, _LOSES_NOT, _HORIZON = (np.uint64(6 * k) for k in range(5))
_DROP, _AGE, _CHECK = np.uint64(30), np.uint64(38), np.uint64(46)
_SIX_BITS, _BYTE = np.uint64(63), np.uint64(255)
"""A board has at most 62 cells, and a drop's number is below 126."""


def new_facts(megabytes: float) -> Any:
    """An empty table of at most that size: (slots, 2) words, a position's key, and its facts with more of the key; four slots a bucket."""
    buckets = 1 << max(0, int(megabytes * 2**20 / (16 * _BUCKET)).bit_length() - 1)
    memory = np.zeros(2 * _BUCKET * (buckets + 1), np.uint64)
    memory[:] = 0  # touches every page now, not in the middle of a search
    shift = (-memory.ctypes.data % 64) // 8
    return memory[shift : shift + 2 * _BUCKET * buckets].reshape(-1, 2)


@jit_inline
def key_of(first, second, third, fourth, supply):
    """A position's key and 18 bits more, from four sets and a number that identify it.

    With 63 bits alone, about one in ten searches of ten thousand million positions would take some position for another.
    """
    a = mix(first + supply * np.uint64(0xD1342543DE82EF95))
    b = mix(second ^ np.uint64(0x9E3779B97F4A7C15))
    c = mix(third ^ np.uint64(0x3C6EF372FE94F82A))
    d = mix(fourth ^ np.uint64(0xDAA66D2C7DDF743F))
    # Sets with the same sum are distinguished by what does not follow from the sum.
    turned = a ^ _turned(b, 16) ^ _turned(c, 32) ^ _turned(d, 48)
    return mix(a + b + c + d) | np.uint64(1), mix(turned) >> _CHECK


@jit_inline
def _turned(word, by):
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@jit_inline
def slot_of(table, key, check):
    """The slot that holds a position; -1 where none does."""
    first = np.int64((key >> np.uint64(1)) & np.uint64(len(table) // _BUCKET - 1)) * _BUCKET
    for slot in range(first, first + _BUCKET):
        if table[slot, 0] == key and table[slot, 1] >> _CHECK == check:
            return slot
    return -1


@jit_inline
def _plies(facts, place):
    """One of the numbers of plies in a word of facts."""
    return np.int64((facts >> place) & _SIX_BITS)


@jit_inline
def answer(facts, horizon, attacking):
    """1 where the mover is known to reach its goal, 0 where it is known not to, else -1.

    Attacking, the goal is to win within `horizon` plies; else, not to lose within them.
    """
    wins, loses = _plies(facts, _WINS), _plies(facts, _LOSES)
    if attacking:
        if wins != 0 and wins <= horizon:
            return 1
        return 0 if loses != 0 or _plies(facts, _WINS_NOT) >= horizon else -1
    if loses != 0 and loses <= horizon:
        return 0
    return 1 if wins != 0 or _plies(facts, _LOSES_NOT) >= horizon else -1


@jit_inline
def tried_first(facts):
    """The drop that was best: twice the cell, plus 1 for the other shape; 255 where none is known."""
    return np.int64((facts >> _DROP) & _BYTE)


@jit_inline
def keep_fact(table, key, check, horizon, attacking, reached, drop, age):
    """Add what was found to what is known of a position; it may take the place of one that was looked into less."""
    first = np.int64((key >> np.uint64(1)) & np.uint64(len(table) // _BUCKET - 1)) * _BUCKET
    chosen, least = first, np.int64(1000)
    facts = _BYTE << _DROP
    for slot in range(first, first + _BUCKET):
        known = table[slot, 1]
        if table[slot, 0] == key and known >> _CHECK == check:
            chosen, facts = slot, known
            break
        value = _plies(known, _HORIZON)
        if table[slot, 0] == np.uint64(0):
            value = np.int64(-1)
        elif np.int64((known >> _AGE) & _BYTE) != age:
            value = np.int64(0)
        if value < least:
            chosen, least = slot, value
    wins, wins_not = _plies(facts, _WINS), _plies(facts, _WINS_NOT)
    loses, loses_not = _plies(facts, _LOSES), _plies(facts, _LOSES_NOT)
    if attacking:
        if not reached:
            wins_not = max(wins_not, horizon)
        elif wins == 0 or wins > horizon:
            wins = horizon
    elif reached:
        loses_not = max(loses_not, horizon)
    elif loses == 0 or loses > horizon:
        loses = horizon
    if drop == 255:
        drop = tried_first(facts)
    table[chosen, 0] = key
    table[chosen, 1] = (
        (np.uint64(wins) << _WINS)
        | (np.uint64(wins_not) << _WINS_NOT)
        | (np.uint64(loses) << _LOSES)
        | (np.uint64(loses_not) << _LOSES_NOT)
        | (np.uint64(drop) << _DROP)
        | (np.uint64(horizon) << _HORIZON)
        | (np.uint64(age) << _AGE)
        | (check << _CHECK)
    )
