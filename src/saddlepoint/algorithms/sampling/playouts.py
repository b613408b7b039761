"""Random play-outs and random numbers of the searches that sample."""

import numpy as np

from ...compiled import jit, jit_inline, mix
from ...game import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL
from ..workspace import enter


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


@jit
def playout(game, state, own, others, chances, ws):
    """A play-out in which both players, and chance, act at random: player 0's result, 0.0 where stopped.

    Players take the actions that are worth searching, all alike, as the player `random` does. `own`, `others` and `chances` are room for
    lists of actions, and of probabilities.
    """
    while True:
        mover = game.current_player(state)
        if mover == TERMINAL:
            return float(game.returns(state))
        if enter(ws):
            return 0.0
        action0, action1 = np.int64(NO_ACTION), np.int64(NO_ACTION)
        if mover == CHANCE:
            count = game.chance_outcomes(state, own, chances)
            action0 = own[place_at(sampled(ws), chances, count)]
        if mover == SIMULTANEOUS or mover == 0:
            action0 = own[np.int64(sampled(ws) * game.search_actions(state, 0, own))]
        if mover == SIMULTANEOUS or mover == 1:
            action1 = others[np.int64(sampled(ws) * game.search_actions(state, 1, others))]
        state = game.successor(state, action0, action1)
