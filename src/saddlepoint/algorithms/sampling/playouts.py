"""Random games from a position to the end: play-outs.

They may learn while they play: what an action has brought so far wherever it was played, in the tree or below it, says how good it is
(MAST, Finnsson and Bjornsson 2008), also as a reply to the other player (NST, Tak, Winands and Bjornsson 2012). With the probability
`mast` a player takes the action with the best mean, else any.
"""

from typing import Any

import numpy as np

from ...compiled import jit, jit_inline, mix
from ...game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL
from ..table import enter


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
