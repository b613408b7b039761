"""The one walk over what follows from a position, as every solver takes it: its choices, and the key of each successor that is kept."""

import numpy as np

from ...compiled import borrowed, jit_part, put_words, state_from_words, word_count
from ...game import CHANCE, TERMINAL
from .folding import fold
from .packing import pack, unpack
from .stages import list_choices

FITS, ENDED, WITHIN = -1, -2, -3
"""Of a successor: its key is written; or it is over, or decided; or it is solved within the position before it, and not kept; else
which of its words does not fit into the packing."""


@jit_part
def lent(packing):
    """A packing's arrays without reference counts."""
    return borrowed(packing[0]), borrowed(packing[1]), borrowed(packing[2]), borrowed(packing[3])


@jit_part
def opened(game, like, key, packing, words, actions, chances):
    """(the position with this key, who moves, rows, columns): the actions are listed, or chance's outcomes and their probabilities."""
    base, mask, place, shift = packing
    unpack(key, word_count(like), base, mask, place, shift, words)
    state = state_from_words(words, like)
    node = np.int64(game.current_player(state))
    m, n = list_choices(game, state, node, actions[0], actions[1], chances)
    return state, node, m, n


@jit_part
def write_successor(game, state, action0, action1, is_folded, clock, start, packing, width, words, key):
    """Write the words and the key of what follows a joint action: (FITS, ENDED or the word, whether the players are exchanged, score).

    It is worth the score and what is kept under the key, or the score less that where the players are exchanged; ended, its result is the
    score. Folded, one whose bounds are equal counts as ended: whatever is played, it is worth that. A choice that follows a position of
    chance, in a game that says so (`chance_is_told`), has no key: it is WITHIN. `clock` is the word that is always `start`, or -1.
    """
    if is_folded and game.has_bounds:
        is_decided, value = decided_after(game, state, action0, action1)
        if is_decided:
            return np.int64(ENDED), False, value
    return write_undecided(game, state, action0, action1, is_folded, clock, start, packing, width, words, key)


@jit_part
def decided_after(game, state, action0, action1):
    """(whether the bounds of what follows a joint action are equal, what it is worth then)."""
    child = game.successor(state, action0, action1)
    if game.current_player(child) == TERMINAL:
        return False, 0.0
    low, high = game.bounds(child)
    return low == high, float(low)


@jit_part
def write_undecided(game, state, action0, action1, is_folded, clock, start, packing, width, words, key):
    """The same where it is not decided; for a walk that looks for it first, since most successors are there, and asks then."""
    child = game.successor(state, action0, action1)
    if clock >= 0:
        put_words(child, words)
        words[clock] = start
        child = state_from_words(words, state)
    if game.current_player(child) == TERMINAL:
        return np.int64(ENDED), False, float(game.returns(child))
    exchanged, score = False, 0.0
    if is_folded:
        child, exchanged, score = fold(game, child)
        if game.has_chance and game.chance_is_told:
            if game.current_player(state) == CHANCE and game.current_player(child) != CHANCE:
                put_words(child, words)
                return np.int64(WITHIN), exchanged, score
    put_words(child, words)
    base, mask, place, shift = packing
    return np.int64(pack(words, word_count(child), base, mask, place, shift, width, key)), exchanged, score
