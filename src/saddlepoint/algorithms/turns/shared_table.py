"""A transposition table that threads share without locks: buckets of two entries, each with a checksum of its words.

Hyatt and Mann, A lockless transposition-table implementation for parallel search, ICGA Journal 25 (2002): a half
written entry does not check, so it is never used. The first entry of a bucket is kept while it is of this search and
looked deeper, the second is always replaced.
"""

import numpy as np

from ...compiled import float_bits, jit_inline
from ...hash_table import bucket_of

ENTRY = np.dtype([("check", "u8"), ("lower", "f8"), ("upper", "f8"), ("facts", "u8")])
BUCKET = 2


@jit_inline
def facts_of(action, depth, age, proven):
    """An entry's small numbers in one word."""
    return (
        np.uint64(action + 1)
        | (np.uint64(depth) << np.uint64(32))
        | (np.uint64(age) << np.uint64(48))
        | (np.uint64(proven) << np.uint64(56))
    )


@jit_inline
def action_in(facts):
    """The best action; -1 where none is known."""
    return np.int64(facts & np.uint64(0xFFFFFFFF)) - 1


@jit_inline
def depth_in(facts):
    """How deep the search looked."""
    return np.int64((facts >> np.uint64(32)) & np.uint64(0xFFFF))


@jit_inline
def age_in(facts):
    """The number of the search that wrote the entry, modulo 256."""
    return np.int64((facts >> np.uint64(48)) & np.uint64(0xFF))


@jit_inline
def proven_in(facts):
    """1 where the bounds rest on ended games alone."""
    return np.int64(facts >> np.uint64(56))


@jit_inline
def checksum(lower, upper, facts):
    """A word that follows from all of an entry; multiplied, for equal bounds of an exact value would cancel out."""
    return (
        float_bits(lower) * np.uint64(0x9E3779B97F4A7C15)
        ^ float_bits(upper) * np.uint64(0xBF58476D1CE4E5B9)
        ^ facts * np.uint64(0x94D049BB133111EB)
    )


@jit_inline
def look_up(table, key):
    """(found, lower bound, upper bound, facts) of a position."""
    first = bucket_of(table, key, BUCKET)
    for slot in range(first, first + BUCKET):
        lower, upper, facts = table[slot].lower, table[slot].upper, table[slot].facts
        if table[slot].check ^ checksum(lower, upper, facts) == key:
            return True, lower, upper, facts
    return False, -np.inf, np.inf, np.uint64(0)


@jit_inline
def keep(table, key, lower, upper, action, depth, age, proven):
    """Store bounds of a position's value, joined with what is known of it at the same depth.

    What was proven is not given up for what was not.
    """
    first = bucket_of(table, key, BUCKET)
    chosen = first + 1
    facts = table[first].facts
    if age_in(facts) != age or depth_in(facts) <= depth:
        chosen = first
    for slot in range(first, first + BUCKET):
        low, high, known = table[slot].lower, table[slot].upper, table[slot].facts
        if table[slot].check ^ checksum(low, high, known) == key:
            chosen = slot
            settled = proven_in(known)
            if settled > proven:
                lower, upper, depth, proven = low, high, depth_in(known), settled
            elif settled == proven and (proven != 0 or depth_in(known) == depth):
                if max(lower, low) <= min(upper, high):  # else rounding, or a collision: trust the newer
                    lower, upper = max(lower, low), min(upper, high)
            if action < 0:
                action = action_in(known)
            break
    facts = facts_of(action, depth, age, proven)
    entry = table[chosen]
    entry.lower = lower
    entry.upper = upper
    entry.facts = facts
    entry.check = key ^ checksum(lower, upper, facts)
