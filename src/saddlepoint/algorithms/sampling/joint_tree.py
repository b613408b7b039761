"""A tree of positions in which both players may move at once; random play-outs; several trees in threads."""

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...boards.limits import DEAF, note_sleep, share_deadline
from ...compiled import PLAIN_PYTHON, jit, jit_inline, jit_part, mix, python_monotonic_ns
from ...compiled.bits import empty_bytes
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL
from ..table import COUNTERS, enter


@jit_inline
def sampled(ws):
    """A number from 0 to 1, 1 excluded."""
    ws.random += np.uint64(0x9E3779B97F4A7C15)
    return (mix(ws.random) >> np.uint64(11)) / 9007199254740992.0


@jit_inline
def place_at(point, weights, count):
    """The place at which the first weights together exceed `point`, which is from 0 to their sum; the last one for what is left."""
    k = 0
    point -= weights[0]
    while point >= 0.0 and k < count - 1:
        k += 1
        point -= weights[k]
    return k


# Play-outs. They may learn while they play: what an action has brought so far wherever it was played, in the tree or below it, says how
# good it is (MAST, Finnsson and Bjornsson 2008), also as a reply to the other player (NST, Tak, Winands and Bjornsson 2012). With the
# probability `mast` a player takes the action with the best mean, else any.

SLOTS = 4096
"""What is known of actions is kept by the action's number modulo this."""
_PAIRS = 1 << 16
_LONGEST = 512
_ENOUGH = 7.0  # results of a pair of actions before they count (Tak, Winands and Bjornsson 2012)
_KEPT = 0.3
"""The share of what was learnt in the search before a move that counts in the next one."""

PLAYOUT_FIELDS: tuple[Any, ...] = (
    ("random", "u8"),
    ("scale", "f8"),
    ("learns", "u1"),
    ("trace_length", "i8"),
    ("moves", "i8", (_LONGEST, 2)),  # who moved, and the action
    ("pairs", "i8", (_LONGEST,)),
    ("last", "i8", (2,)),
    ("tried", "f8", (2, SLOTS)),
    ("tried_total", "f8", (2, SLOTS)),
    ("pair_tried", "f4", (2, _PAIRS)),
    ("pair_total", "f4", (2, _PAIRS)),
)
"""What a play-out reads and writes in a workspace. Results are counted from 0 to 1 for who moved."""


def fade(ws: Any, is_new: bool) -> None:
    """Before a search: what was learnt of actions in the one before counts less, and in a new game not at all."""
    for name in ("tried", "tried_total", "pair_tried", "pair_total") if ws["learns"] else ():
        ws[name] *= 0.0 if is_new else _KEPT


@jit_inline
def pair_of(ws, player, action):
    """The place for what is known of an action as a reply to the other player's last one."""
    return np.int64(
        mix(np.uint64(ws.last[1 - player] + 1) * np.uint64(0x9E3779B1) + np.uint64(action))
        & np.uint64(_PAIRS - 1)
    )


@jit_inline
def note_moves(ws, mover, action0, action1):
    """Keep the moves of one or both players until the result is known."""
    for player in range(2):
        if mover != 1 - player and ws.trace_length < _LONGEST:
            action = action1 if player else action0
            ws.moves[ws.trace_length, 0] = player
            ws.moves[ws.trace_length, 1] = action
            ws.pairs[ws.trace_length] = pair_of(ws, player, action)
            ws.trace_length += 1
    # Only now: who moves at the same time does not reply to the other.
    if mover != 1:
        ws.last[0] = action0
    if mover != 0:
        ws.last[1] = action1


@jit_inline
def begin_trace(ws):
    """Before a simulated game."""
    ws.trace_length = 0
    ws.last[0] = NO_ACTION
    ws.last[1] = NO_ACTION


@jit_inline
def learn_moves(ws, value):
    """Count the result, from 0 to 1 for player 0, for all moves of a simulated game."""
    for place in range(ws.trace_length):
        player, slot, pair = ws.moves[place, 0], ws.moves[place, 1] % SLOTS, ws.pairs[place]
        worth = 1.0 - value if player else value
        ws.tried[player, slot] += 1.0
        ws.tried_total[player, slot] += worth
        ws.pair_tried[player, pair] += 1.0
        ws.pair_total[player, pair] += worth


@jit_inline
def known_mean(ws, player, action, unknown):
    """The mean result of an action wherever it was played, also as a reply to the other's last one, from 0 to 1; `unknown` if never."""
    slot, pair = action % SLOTS, pair_of(ws, player, action)
    if ws.tried[player, slot] <= 0.0:
        return unknown
    mean = ws.tried_total[player, slot] / ws.tried[player, slot]
    if ws.pair_tried[player, pair] >= _ENOUGH:
        mean = 0.5 * (mean + ws.pair_total[player, pair] / ws.pair_tried[player, pair])
    return mean


@jit_inline
def drawn_action(game, state, player, out, ws):
    """A player's next action in a play-out."""
    count = game.search_actions(state, player, out)
    start = np.int64(sampled(ws) * count)
    if ws.mast <= 0.0 or sampled(ws) >= ws.mast:
        return out[start]
    best, chosen = -1.0, start
    for k in range(count):
        place = start + k if start + k < count else start + k - count
        mean = known_mean(ws, player, out[place], 1.0)
        if mean > best:
            best, chosen = mean, place
    return out[chosen]


@jit
def playout(game, evaluator, state, own, others, chances, ws):
    """A play-out: player 0's result, 0.0 where stopped.

    Players take the actions that are worth searching, all alike unless they learn, and chance acts by its probabilities. `own`, `others`
    and `chances` are room for lists of actions, and of probabilities. After `cut` plies, if that is above 0, the evaluator says the result
    (early termination, Lorentz 2008).
    """
    plies = 0
    while True:
        mover = game.current_player(state)
        if mover == TERMINAL:
            return float(game.returns(state))
        if plies == ws.cut > 0:
            ws.evaluations += 1
            return float(evaluator.evaluate(game, state))
        plies += 1
        if enter(ws):
            return 0.0
        action0, action1 = np.int64(NO_ACTION), np.int64(NO_ACTION)
        if mover == CHANCE:
            count = game.chance_outcomes(state, own, chances)
            action0 = own[place_at(sampled(ws), chances, count)]
        if mover == SIMULTANEOUS or mover == 0:
            action0 = drawn_action(game, state, 0, own, ws)
        if mover == SIMULTANEOUS or mover == 1:
            action1 = drawn_action(game, state, 1, others, ws)
        if ws.learns and mover != CHANCE:
            note_moves(ws, mover, action0, action1)
        state = game.successor(state, action0, action1)


# A tree of positions in which both players may move at once, in memory of a fixed size. A position that is reached in several ways with
# equally many plies is one node (transpositions, Childs, Brodeur and Kocsis 2008), where the game has a hash.
#
# The memory is cells of 64 bytes, given out one after another and never freed. A node takes one cell; when it is opened, one for each
# action of either player, and a table with the cell of every joint successor, 0 where there is none yet. So what is kept grows with what
# is visited. The same memory is seen as nodes, as actions and as table places. Between two moves the part below the new root is copied to
# the other half, and the old half begins anew.

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


# Several trees of one position at once, each in a thread of its own, whose roots are added up ("root parallelisation").

_LOOK = 0.002
"""Seconds between two looks at whether somebody has stopped the search, while its own thread waits for the others."""
_LEAST = 1000
"""Nodes that are worth a further thread: a thread counts one or two beyond its share."""


def prepare(others: list[Any], ws: Any) -> None:
    """Let the other threads' workspaces begin as this one does, with nothing counted; in a new search each with a seed of its own."""
    for number, other in enumerate(others, 1):
        if ws["is_new"]:
            other["is_new"] = 1
            other["seed"] = np.random.SeedSequence([int(ws["seed"]), number]).generate_state(1, np.uint64)[0]
        for name in ("identity", "low", "high", "root_step"):
            other[name] = ws[name]
        for name in (*COUNTERS, "stop"):
            other[name] = 0
        other["listen"] = DEAF
    share_deadline(ws, others)


def run_together(
    grow: Callable[[int], None], workspaces: list[Any], is_used_up: Callable[[Any], bool]
) -> bool:
    """Call `grow` for every workspace at once, for 0 in this thread.

    Returns whether 0 has used up its limits.

    What is left of the limit of nodes is shared out, so that each comes to its own end, and the same seed to the same trees; where little
    is left, among fewer threads. What the others count is added to the first. Whoever stops the first stops all, and so does an error of
    the first; an error of another is raised when all have come to their end.
    """
    ws, *others = workspaces
    limit, before = int(ws["node_limit"]), int(ws["nodes"])
    left = max(limit - before, 0)
    others = others[: max(left // _LEAST - 1, 0)]
    share = left // (1 + len(others))
    ws["node_limit"] = before + share
    for other in others:
        other["node_limit"] = share
    errors: list[BaseException] = []

    def guarded(thread: int) -> None:
        try:
            grow(thread)
        except BaseException as error:
            errors.append(error)

    # Nobody waits for them where the program ends.
    threads = [
        threading.Thread(target=guarded, args=(number,), daemon=True) for number in range(1, 1 + len(others))
    ]
    stopped = True  # by an error or Ctrl-C, unless what follows comes to its end
    try:
        for thread in threads:
            thread.start()
        grow(0)
        # The first thread's limits stop it alone: from here on its `stop` is what somebody else says. Who said so in this very moment is
        # not heard; the others then end at their own limits.
        limited = bool(ws["stop"]) and is_used_up(ws)
        if limited:
            ws["stop"] = 0
        asleep = python_monotonic_ns()
        while any(thread.is_alive() for thread in threads) and not ws["stop"]:
            time.sleep(_LOOK)
        note_sleep(ws, asleep)
        stopped = bool(ws["stop"])
        ws["stop"] |= limited
    finally:
        for other in others:
            other["stop"] |= stopped
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        used_up = is_used_up(ws)
        ws["node_limit"] = limit
    if errors:
        raise errors[0]
    for name in COUNTERS:
        ws[name] += sum(int(other[name]) for other in others)
    return used_up
