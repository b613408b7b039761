"""What every search does at a position before it looks any further: count it, know its end, ask the table; Star1 at chance nodes."""

import numpy as np

from ...compiled import jit_part, prefetch
from ...game import NO_ACTION, TERMINAL
from ...hash_table import bucket_of
from ..table import slot_of, table_key, usable
from ..workspace import enter


@jit_part
def ended(game, state, ws):
    """The result of a finished game."""
    ws.leaves += 1
    return game.returns(state)


@jit_part
def estimated(game, evaluator, state, ws):
    """The evaluator's estimate."""
    ws.leaves += 1
    ws.evaluations += 1
    ws.estimates += 1
    value = float(evaluator.evaluate(game, state))
    if game.has_bounds:
        low, high = game.bounds(state)
        value = min(max(value, low), high)
    return value


@jit_part
def estimated_once(game, evaluator, state, ws):
    """The evaluator's estimate, looked up where it was asked for not long ago; the search keeps `ws.kept_keys`, `ws.kept_values`."""
    if not ws.keep_estimates:
        return estimated(game, evaluator, state, ws)
    key = game.hash(state) | np.uint64(1)  # 0 marks an empty slot
    slot = bucket_of(ws.kept_keys, key, 1)
    if ws.kept_keys[slot] == key:
        ws.leaves += 1
        ws.estimates += 1
        return ws.kept_values[slot]
    value = estimated(game, evaluator, state, ws)
    ws.kept_keys[slot], ws.kept_values[slot] = key, value
    return value


@jit_part
def open_node(game, evaluator, state, depth, evaluate_terminal, ws):
    """(who moves, whether the value is known, the value): stopped (0.0), ended, or at the depth limit.

    With `evaluate_terminal` the evaluator judges ended games too.
    """
    if enter(ws):
        return np.int64(TERMINAL), True, 0.0
    node = game.current_player(state)
    if node == TERMINAL:
        return np.int64(node), True, estimated(game, evaluator, state, ws) if evaluate_terminal else float(ended(game, state, ws))
    if depth == 0:
        return np.int64(node), True, estimated(game, evaluator, state, ws)
    return np.int64(node), False, 0.0


@jit_part
def key_of(game, state, depth, frontier, salt, ws, table):
    """The position's key in the table, whose slot is fetched from memory while the search does something else.

    0 where positions are not kept: without a table, and down to the depth `frontier`, where it costs more than it spares.
    """
    if not ws.use_table or depth <= frontier:
        return np.uint64(0)
    key = table_key(game.hash(state) ^ ws.identity, salt)
    prefetch(table, slot_of(table, key, False))  # of a bucket the first slot looked at
    return key


@jit_part
def looked_up(key, depth, ply, alpha, beta, deeper, ws, table):
    """(whether the table settles the window, the value or 0.0, the best action of either player, as far as known).

    With `deeper`, what was looked at deeper than asked counts too. The root is always searched, for its strategies.
    """
    if key == np.uint64(0):
        return False, 0.0, np.int64(NO_ACTION), np.int64(NO_ACTION)
    slot = slot_of(table, key, ws.buckets)
    if table[slot].key != key:
        return False, 0.0, np.int64(NO_ACTION), np.int64(NO_ACTION)
    action0, action1 = np.int64(table[slot].action0), np.int64(table[slot].action1)
    if ply > 0 and ((deeper and table[slot].depth > depth) or usable(table, slot, key, depth)):
        lower, upper = table[slot].lower, table[slot].upper
        if lower >= upper or lower >= beta or upper <= alpha:
            ws.table_hits += 1
            ws.estimates += 1 - table[slot].proven
            return True, lower if lower >= beta else upper, action0, action1
    return False, 0.0, action0, action1


@jit_part
def probe(game, state, depth, frontier, ply, alpha, beta, deeper, salt, ws, table):
    """`key_of` and `looked_up` at once: (key, whether the table settles the window, the value, the best action of either player)."""
    key = key_of(game, state, depth, frontier, salt, ws, table)
    known, value, action0, action1 = looked_up(key, depth, ply, alpha, beta, deeper, ws, table)
    return key, known, value, action0, action1


@jit_part
def star1_window(alpha, beta, value, chance, rest, least, most):
    """The window of an outcome (Ballard 1983): what it would take to leave the whole node's window.

    `value` is the sum over the outcomes before it, `rest` the probability of those behind it, each worth `least` to `most`.
    """
    return (alpha - value - rest * most) / chance, (beta - value - rest * least) / chance


@jit_part
def star1_cut(found, low, high, value, rest, least, most, last):
    """(whether an outcome settles the node, its value, with a bound for the outcomes behind it if so)."""
    if not last and found <= low:
        return True, value + rest * most
    if not last and found >= high:
        return True, value + rest * least
    return False, value
