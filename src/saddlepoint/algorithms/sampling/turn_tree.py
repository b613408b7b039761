"""The tree of Monte-Carlo search in games in turn, in memory of a fixed size: children stand together, and nothing is ever freed.

Between two moves the part below the new root is copied to the other half, and the old half begins anew.
"""

from typing import Any

import numpy as np

from ...compiled import PLAIN_PYTHON, jit, jit_inline
from ...compiled.bits import empty_bytes
from ...game.base import CHANCE, NO_ACTION, TERMINAL

NODE = np.dtype(
    [
        ("key", "u8"), ("total", "f8"), ("lower", "f8"), ("upper", "f8"), ("weight", "f8"), ("visits", "i8"),
        ("first", "i8"), ("count", "i4"), ("action", "i4"), ("mover", "i4"), ("guess", "f4"),
        ("later", "f4"), ("later_total", "f4"), ("minimax", "f8"),
    ],
    align=True,
)  # fmt: skip
"""`total` sums player 0's results of the visits, `lower` and `upper` bound its value; `weight` is an outcome's chance. `later` counts
the simulations through the parent in which its mover played this action there or later, and `later_total` sums their results (AMAF).
`guess` is a value for player 0, from what the action brought elsewhere; `minimax` one of the evaluator's, backed up."""

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
    node.later = 0.0
    node.later_total = 0.0
    node.guess = 0.0
    node.minimax = 0.0
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
def expand(game, evaluator, state, index, ws, tree, counters):
    """Give a node its children; False where there is no room for them."""
    node, actions, chances = tree[index], ws.actions[0], ws.chances[0]
    count = (
        game.chance_outcomes(state, actions, chances)
        if node.mover == CHANCE
        else game.search_actions(state, node.mover, actions)
    )
    first = counters[USED]
    if first + count > len(tree):
        return False
    for k in range(count):
        weight = chances[k] if node.mover == CHANCE else 1.0
        after = game.next_state(state, actions[k])
        plant(game, after, actions[k], weight, first + k, ws.worst, ws.best, tree)
        if ws.implicit > 0.0 and tree[first + k].mover != TERMINAL:
            ws.evaluations += 1
            tree[first + k].minimax = np.float64(evaluator.evaluate(game, after))
    counters[USED] = first + count
    node.first = first
    node.count = count
    return True


@jit_inline
def tighten(index, tree):
    """Bound a node's value by its children's bounds (score-bounded MCTS, Cazenave and Saffidine 2010), and back up the evaluator's."""
    node = tree[index]
    if node.count == 0:
        return
    lower = upper = worth = -np.inf if node.mover == 0 else np.inf if node.mover == 1 else 0.0
    for k in range(node.first, node.first + node.count):
        child = tree[k]
        known = min(max(child.minimax, child.lower), child.upper)
        if node.mover == 0:
            lower, upper, worth = max(lower, child.lower), max(upper, child.upper), max(worth, known)
        elif node.mover == 1:
            lower, upper, worth = min(lower, child.lower), min(upper, child.upper), min(worth, known)
        else:
            lower, upper = lower + child.weight * child.lower, upper + child.weight * child.upper
            worth += child.weight * known
    node.lower = max(node.lower, lower)
    node.upper = max(node.lower, min(node.upper, upper))
    node.minimax = worth


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
