"""A tree of positions in which both players may move at once, in memory of a fixed size.

A position that is reached in several ways with equally many plies is one node (transpositions, Childs, Brodeur and Kocsis 2008),
where the game has a hash.

The memory is cells of 64 bytes, given out one after another and never freed. A node takes one cell; when it is opened, one for each
action of either player, and a table with the cell of every joint successor, 0 where there is none yet. So what is kept grows with what
is visited. The same memory is seen as nodes, as actions and as table places. Between two moves the part below the new root is copied to
the other half, and the old half begins anew.
"""

import math
from typing import Any

import numpy as np

from ...compiled import PLAIN_PYTHON, jit, jit_inline, jit_part, mix
from ...compiled.bits import empty_bytes
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS
from .playouts import sampled

NODE = np.dtype(
    [
        ("key", "u8"),
        ("total", "f8"),
        ("visits", "i8"),
        ("worth", "f8"),
        ("mass", "f8"),
        ("table", "i8"),
        ("first", "i4"),
        ("count0", "i4"),
        ("count1", "i4"),
        ("mover", "i2"),
        ("ply", "i2"),
    ],
    align=True,
)
"""`total` sums the results of the visits, scaled to player 0's 0 to 1. `worth` is a mean of them in which each counts by how likely the
choices below were without exploration, divided by how likely they were with it, and later ones more (weights that grow linearly); `mass`
sums these quotients. `first`: the cell of player 0's first action, player 1's follow; `table`: the place of the first joint successor, of
count0 rows and count1 columns. Both counts are 0 until the node is opened. Who does not move has the one action NO_ACTION; what chance
may do stands where player 0's actions would. `ply`: how far below the root."""

ACTION = np.dtype(
    [
        ("action", "i8"),
        ("visits", "f8"),
        ("total", "f8"),
        ("regret", "f8"),
        ("average", "f8"),
        ("prior", "f8"),
        ("spare0", "f8"),
        ("spare1", "f8"),
    ],
    align=True,
)
"""`visits`, and the `total` of their results, from 0 to 1 for the player whose action it is; `average`: its strategy is in
proportion to it; `prior`: a guess from before, adding up to 1, for outcomes of chance their probability. The rest is a selection's own."""

USED = 0
"""Place in the tree's counters of the number of cells given out; cell 0 is the root. What follows is a hash table of the nodes' cells."""
_PROBES = 8
"""Places of that table at which a position may stand; where others are there, it is not found again."""
_CELL = 64
_PLACES = _CELL // 4
_FARTHEST = 8
"""Plies below the old root at which the new one is looked for."""


def new_half(megabytes: float, ahead: bool = True) -> tuple[Any, Any, Any, Any]:
    """Memory for one of the two trees: its nodes, actions and table slots, and its counters.

    `ahead` as in `empty_bytes`.
    """
    cells = max(1, int(megabytes * 2**20 / (_CELL + 4) / 2))
    memory = empty_bytes((cells + 1) * _CELL, ahead)
    start = -memory.ctypes.data % _CELL
    memory = memory[start : start + cells * _CELL]
    nodes, actions = memory.view(NODE), memory.view(ACTION)
    if PLAIN_PYTHON:
        nodes, actions = nodes.view(np.recarray), actions.view(np.recarray)
    return nodes, actions, memory.view(np.int32), np.zeros(1 + (1 << (cells.bit_length() - 1)), np.int32)


@jit_inline
def place_of(key, mover, ply, nodes, counters):
    """Where a position's cell stands in the counters, or where there is room for it; 0 if nowhere."""
    mask = np.uint64(len(counters) - 2)
    start = mix(key + np.uint64(ply) * np.uint64(0x9E3779B97F4A7C15))
    for k in range(_PROBES):
        place = 1 + np.int64((start + np.uint64(k)) & mask)
        at = counters[place]
        if at == 0 or (nodes[at].key == key and nodes[at].mover == mover and nodes[at].ply == ply):
            return place
    return np.int64(0)


@jit_inline
def plant(game, state, ply, nodes, counters):
    """The node of a position so many plies below the root, a new one if there is none: its cell, -1 where there is no room."""
    key, mover = np.uint64(game.hash(state)), np.int64(game.current_player(state))
    place = np.int64(0)
    if key != np.uint64(0):
        place = place_of(key, mover, ply, nodes, counters)
        if place > 0 and counters[place] > 0:
            return np.int64(counters[place])
    index = np.int64(counters[USED])
    if index >= len(nodes):
        return np.int64(-1)
    counters[USED] = index + 1
    if place > 0:
        counters[place] = index
    node = nodes[index]
    node.key = key
    node.mover = mover
    node.ply = ply
    node.total = 0.0
    node.visits = 0
    node.worth = 0.5
    node.mass = 0.0
    node.first = 0
    node.table = 0
    node.count0 = 0
    node.count1 = 0
    return np.int64(index)


@jit_inline
def put_action(actions, cell, action, prior):
    """A new action in a cell."""
    own = actions[cell]
    own.action = action
    own.prior = prior
    own.visits = 0.0
    own.total = 0.0
    own.regret = 0.0
    own.average = 0.0
    own.spare0 = 0.0
    own.spare1 = 0.0


AT_ONCE = 100
"""A player's actions that are all looked at from a node's first visit on; more of them are in an order that is drawn."""


@jit_inline
def looked_at(node, count, ws):
    """How many of a player's actions a node looks at so far: more with more visits (progressive widening, Coulom 2007)."""
    if ws.widening <= 0.0 or count <= AT_ONCE:
        return count
    return min(count, np.int64(AT_ONCE + ws.widening * math.sqrt(np.float64(node.visits))))


@jit_inline
def shuffle(actions, count, ws):
    """Bring so many actions into an order that is drawn, where not all are looked at at once."""
    for k in range(count - 1 if ws.widening > 0.0 and count > AT_ONCE else 0, 0, -1):
        place = np.int64(sampled(ws) * (k + 1))
        actions[k], actions[place] = actions[place], actions[k]


@jit_part
def open_cells(game, state, index, ws, nodes, actions, table, counters):
    """Give a node its actions and an empty table of successors; False where there is no room for them."""
    node = nodes[index]
    mover = node.mover
    list0, list1 = ws.actions[0], ws.actions[1]
    count0, count1 = np.int64(1), np.int64(1)
    list0[0] = NO_ACTION
    list1[0] = NO_ACTION
    if mover == CHANCE:
        count0 = np.int64(game.chance_outcomes(state, list0, ws.chances))
    if mover == SIMULTANEOUS or mover == 0:
        count0 = np.int64(game.search_actions(state, 0, list0))
        shuffle(list0, count0, ws)
    if mover == SIMULTANEOUS or mover == 1:
        count1 = np.int64(game.search_actions(state, 1, list1))
        shuffle(list1, count1, ws)
    first = np.int64(counters[USED])
    behind = first + count0 + count1
    places = count0 * count1
    end = behind + (places + _PLACES - 1) // _PLACES
    if end > len(nodes):
        return False
    counters[USED] = end
    for k in range(count0):
        put_action(actions, first + k, list0[k], ws.chances[k] if mover == CHANCE else 1.0 / count0)
    for k in range(count1):
        put_action(actions, first + count0 + k, list1[k], 1.0 / count1)
    for k in range(places):
        table[behind * _PLACES + k] = 0
    node.first = first
    node.table = behind * _PLACES
    node.count0 = count0
    node.count1 = count1
    return True


@jit_inline
def count_result(node, value, share):
    """Count a result, from 0 to 1 for player 0; the choices that led to it are `share` times as likely without exploration."""
    node.total += value
    node.visits += 1
    node.mass += share
    if share > 0.0:
        node.worth += (value - node.worth) * 2.0 * share / (node.mass + share)


@jit
def copy_below(index, ply, old_nodes, old_actions, old_table, nodes, actions, table, counters):
    """Copy a node, `ply` plies below the new root, and all below it to empty memory of the same size; its new cell, which stays in the
    old node's `visits` as -1 less the cell.
    """
    old = old_nodes[index]
    if old.visits < 0:
        return np.int64(-1 - old.visits)
    copied = np.int64(counters[USED])
    counters[USED] = copied + 1
    nodes[copied] = old_nodes[index]
    nodes[copied].ply = ply
    old.visits = -1 - copied
    if old.key != np.uint64(0) and ply > 0:
        place = place_of(old.key, np.int64(old.mover), ply, nodes, counters)
        if place > 0:
            counters[place] = copied
    count0, count1 = np.int64(old.count0), np.int64(old.count1)
    if count0 == 0:
        return copied
    first = np.int64(counters[USED])
    behind, places = first + count0 + count1, count0 * count1
    counters[USED] = behind + (places + _PLACES - 1) // _PLACES
    nodes[copied].first = first
    nodes[copied].table = behind * _PLACES
    for k in range(count0 + count1):
        actions[first + k] = old_actions[old.first + k]
    for k in range(places):
        below = np.int64(old_table[old.table + k])
        if below > 0:
            below = copy_below(
                below, ply + 1, old_nodes, old_actions, old_table, nodes, actions, table, counters
            )
        table[behind * _PLACES + k] = below
    return copied


@jit
def move_joint_root(
    game, state, old_nodes, old_actions, old_table, old_counters, nodes, actions, table, counters
):
    """Begin the other half: with what is known below the position, or with the position alone."""
    for k in range(len(counters)):
        counters[k] = 0
    key, mover, found = np.uint64(game.hash(state)), np.int64(game.current_player(state)), np.int64(-1)
    if key != np.uint64(0) and old_counters[USED] > 0:
        if old_nodes[0].key == key and old_nodes[0].mover == mover and old_nodes[0].count0 > 0:
            found = np.int64(0)
        for ply in range(1, _FARTHEST + 1):
            place = place_of(key, mover, np.int64(ply), old_nodes, old_counters)
            at = np.int64(old_counters[place]) if place > 0 else np.int64(0)
            if found < 0 and at > 0 and old_nodes[at].count0 > 0:
                found = at
    if found < 0:
        plant(game, state, np.int64(0), nodes, counters)
    else:
        copy_below(found, np.int64(0), old_nodes, old_actions, old_table, nodes, actions, table, counters)
