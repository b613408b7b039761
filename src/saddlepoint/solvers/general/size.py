"""How large a game is before it is solved."""

from typing import Any, NamedTuple

import numpy as np

from ...compiled import hash_of_words, jit, mix
from ...compiled.call import run
from ...compiled.states import as_machine_words
from ...game.base import CHANCE, TERMINAL, Game
from .packing import can_fold, fold
from .successors import list_choices

# How large a game is, by random walks: what cannot be solved soon is known to be too large without solving a part of it.
#
# Of N positions of one depth, n that are drawn at random have about n^2 / 2N pairs of equal ones (as people have birthdays on one day).
# Walks meet some positions more often than others, so that the numbers found are too small rather than too large.

_LONGEST = 512
"""Moves of a walk at most."""
_STRIDE = 0x9E3779B97F4A7C15


class Size(NamedTuple):
    """About how large a game is at least."""

    positions: float
    """That are kept."""
    solved: float
    """Those and what is solved within them."""
    cells: float
    """Joint actions, and outcomes of chance, of all that are solved."""


@jit
def _walk(game, root, is_folded, first, last, memory, hashes, cells, inner):
    """Walk at random from the root, by the numbers from `first` to `last`; a hash of each position and the size of its stage are kept.

    `inner` counts the positions of each step that would not be kept: choices that are solved within a position of chance.
    """
    actions, chances = memory
    for walk in range(first, last):
        state, drawn, after_chance = root, mix(np.uint64(walk) + np.uint64(1)), False
        for step in range(hashes.shape[1]):
            node = game.current_player(state)
            if node == TERMINAL:
                break
            if is_folded and step > 0 and game.has_bounds:
                low, high = game.bounds(state)
                if low == high:
                    break
            m, n = list_choices(game, state, np.int64(node), actions[0], actions[1], chances)
            kept = state
            if is_folded:
                kept, _, _ = fold(game, state)
            hashes[walk, step] = hash_of_words(kept) | np.uint64(1)
            cells[step] += m * n
            if is_folded and game.has_chance and game.chance_is_told:
                inner[step] += after_chance and node != CHANCE
                after_chance = node == CHANCE
            drawn = mix(drawn + np.uint64(_STRIDE))
            i = np.int64(drawn % np.uint64(m))
            j = np.int64((drawn >> np.uint64(32)) % np.uint64(n)) if node != CHANCE else np.int64(0)
            state = game.successor(state, actions[0, i], actions[1, j])


class Walks:
    """Random walks from a position, which is not over; more of them tell more. The same every time."""

    def __init__(self, game: Game, state: Any, fold: bool = True) -> None:
        self._game, self._root, self._folds = game, as_machine_words(state), fold and can_fold(game)
        choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
        self._memory = np.zeros((2, choices), np.int64), np.zeros(choices)
        steps = min(game.max_depth, _LONGEST)
        self._hashes, self._cells, self._inner = (
            np.zeros((0, steps), np.uint64),
            np.zeros(steps),
            np.zeros(steps),
        )

    def size(self, walks: int) -> Size:
        """What so many walks in all tell."""
        done = len(self._hashes)
        fresh = np.zeros((max(0, walks - done), self._hashes.shape[1]), np.uint64)
        self._hashes = np.concatenate([self._hashes, fresh])
        run(
            _walk,
            self._game,
            self._root,
            self._folds,
            done,
            len(self._hashes),
            self._memory,
            self._hashes,
            self._cells,
            self._inner,
        )
        positions = solved = cells = 0.0
        for step, column in enumerate(self._hashes.T):
            met = column[column != 0]
            if not len(met):
                break
            counts = np.unique(met, return_counts=True)[1]
            equal = float((counts * (counts - 1)).sum()) / 2
            here = max(len(counts), len(met) * (len(met) - 1) / 2 / max(equal, 1.0))
            solved += here
            positions += here * (1 - self._inner[step] / len(met))
            cells += here * self._cells[step] / len(met)
        return Size(positions, solved, cells)
