"""The tree of Monte-Carlo search in memory of a fixed size: children stand together, and nothing is ever freed.

Between two moves the part below the new root is copied to the other half, and the old half begins anew.
"""

from typing import Any

import numpy as np

from ...compiled import PLAIN_PYTHON, jit, jit_inline
from ...game import CHANCE, NO_ACTION, TERMINAL
from ...hash_table import empty_bytes

NODE = np.dtype(
    [
        ("key", "u8"), ("total", "f8"), ("lower", "f8"), ("upper", "f8"), ("weight", "f8"), ("visits", "i8"),
        ("first", "i8"), ("count", "i4"), ("action", "i4"), ("mover", "i8"),
    ],
    align=True,
)  # fmt: skip
"""`total` sums player 0's results of the visits, `lower` and `upper` bound its value; `weight` is an outcome's chance."""

USED = 0
"""Place in the tree's counters of the number of nodes; node 0 is the root."""


def new_tree(megabytes: float, ahead: bool = True) -> tuple[Any, Any, Any]:
    """Two halves and their counters, of that size together. `ahead` as in `empty_bytes`."""
    nodes = max(1, int(megabytes * 2**20 / NODE.itemsize / 2))
    halves = [empty_bytes(nodes * NODE.itemsize, ahead).view(NODE) for _ in range(2)]
    shown = [half.view(np.recarray) if PLAIN_PYTHON else half for half in halves]
    return shown[0], shown[1], np.zeros(1, np.int64)


@jit_inline
def plant(game, state, action, weight, index, low, high, tree):
    """A new node for a position; a finished game is known exactly."""
    node = tree[index]
    node.key = game.hash(state)
    node.total = 0.0
    node.weight = weight
    node.visits = 0
    node.first = 0
    node.count = 0
    node.action = action
    node.mover = game.current_player(state)
    if node.mover == TERMINAL:
        node.lower = game.returns(state)
        node.upper = node.lower
    elif game.has_bounds:
        floor, ceiling = game.bounds(state)
        node.lower = floor
        node.upper = ceiling
    else:
        node.lower = low
        node.upper = high


@jit_inline
def expand(game, state, index, actions, chances, low, high, tree, counters):
    """Give a node its children; False where there is no room for them."""
    node = tree[index]
    if node.mover == CHANCE:
        count = game.chance_outcomes(state, actions, chances)
    else:
        count = game.search_actions(state, node.mover, actions)
    first = counters[USED]
    if first + count > len(tree):
        return False
    for k in range(count):
        weight = chances[k] if node.mover == CHANCE else 1.0
        plant(game, game.next_state(state, actions[k]), actions[k], weight, first + k, low, high, tree)
    counters[USED] = first + count
    node.first = first
    node.count = count
    return True


@jit_inline
def tighten(index, tree):
    """Bound a node's value by its children's bounds (score-bounded MCTS, Cazenave and Saffidine 2010)."""
    node = tree[index]
    if node.count == 0:
        return
    lower, upper = (-np.inf, -np.inf) if node.mover == 0 else (np.inf, np.inf)
    if node.mover == CHANCE:
        lower, upper = 0.0, 0.0
    for k in range(node.first, node.first + node.count):
        if node.mover == 0:
            lower, upper = max(lower, tree[k].lower), max(upper, tree[k].upper)
        elif node.mover == 1:
            lower, upper = min(lower, tree[k].lower), min(upper, tree[k].upper)
        else:
            lower, upper = lower + tree[k].weight * tree[k].lower, upper + tree[k].weight * tree[k].upper
    node.lower = max(node.lower, lower)
    node.upper = max(node.lower, min(node.upper, upper))


@jit
def move_root(game, state, low, high, old, new, counters):
    """Copy what is known below a position to the other half; returns the visits it had, 0 where it begins anew."""
    key, found = game.hash(state), -1
    mover = game.current_player(state)
    if key != np.uint64(0):
        for k in range(counters[USED]):
            if old[k].key == key and old[k].mover == mover and old[k].count > 0:
                if found < 0 or old[k].visits > old[found].visits:
                    found = k
    counters[USED] = 1
    if found < 0:
        plant(game, state, np.int64(NO_ACTION), 1.0, 0, low, high, new)
        return 0
    new[0] = old[found]
    new[0].action = NO_ACTION
    k = 0
    while k < counters[USED]:
        first, count = new[k].first, new[k].count
        if count > 0:
            new[k].first = counters[USED]
            for child in range(count):
                new[counters[USED] + child] = old[first + child]
            counters[USED] += count
        k += 1
    return new[0].visits
