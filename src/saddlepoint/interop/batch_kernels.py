"""Many games moved on by one call: compiled code on arrays that have a row for each game.

A game's random numbers are a stream of its own, so what chance does in it depends on no other game. Chance never has the turn between two
calls: what it does is drawn at once.
"""

import numpy as np

from ..algorithms.sampling.playouts import place_at
from ..compiled import borrowed, jit, jit_inline, jit_part, mix, put_words, state_from_words
from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL

DONE, ENDLESS_CHANCE, OVER_AT_THE_START, ACTION_BEYOND = -1, -2, -3, -4
"""The result of a call: all is done, or the promise that the game's rules break."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
TRIES = 1000
"""Starts that are drawn for one game until one is not over, or its player has a choice."""


@jit_inline
def next_share(streams, at):
    """The next number of a game's stream, from 0 to 1, 1 excluded: SplitMix64 (Steele, Lea, Flood 2014)."""
    streams[at] += _GOLDEN
    return (mix(streams[at]) >> np.uint64(11)) / 9007199254740992.0


@jit
def seed_streams(streams, base, first):
    """Begin the streams of the games `first`, `first` + 1, ...: the same ones whichever batch a game is in."""
    for at in range(len(streams)):
        streams[at] = mix(mix(base + np.uint64(first + at) * _GOLDEN) ^ base)


@jit
def find_illegal(movers, masks, actions, wanted):
    """The first action that is not legal, as game * sides + side; -1 where all are legal."""
    movers, masks, actions, wanted = borrowed(movers), borrowed(masks), borrowed(actions), borrowed(wanted)
    sides, most = masks.shape[1], masks.shape[2]
    for at in range(len(movers)):
        mover = movers[at]
        if not wanted[at] or mover == TERMINAL:
            continue
        for side in range(sides):
            if sides == 2 and mover != SIMULTANEOUS and mover != side:
                continue
            action = actions[at, side]
            if action < 0 or action >= most or not masks[at, side, action]:
                return at * sides + side
    return -1


@jit
def draw_actions(masks, streams, out):
    """Draw a uniformly random legal action for each player that has one, else NO_ACTION."""
    masks, streams, out = borrowed(masks), borrowed(streams), borrowed(out)
    for at in range(masks.shape[0]):
        for side in range(masks.shape[1]):
            count = 0
            for action in range(masks.shape[2]):
                if masks[at, side, action]:
                    count += 1
            out[at, side] = NO_ACTION
            if count == 0:
                continue
            left = np.int64(next_share(streams, at) * count)
            for action in range(masks.shape[2]):
                if masks[at, side, action]:
                    if left == 0:
                        out[at, side] = action
                        break
                    left -= 1


@jit_part
def settled(game, state, at, streams, outcomes, odds, most):
    """(the state after all of chance's moves there, its node kind).

    Still CHANCE where they do not end within `most`.
    """
    mover = np.int64(game.current_player(state))
    left = most
    while mover == CHANCE and left > 0:
        count = game.chance_outcomes(state, outcomes, odds)
        state = game.successor(
            state, outcomes[place_at(next_share(streams, at), odds, count)], np.int64(NO_ACTION)
        )
        mover = np.int64(game.current_player(state))
        left -= 1
    return state, mover


@jit_part
def begun(game, like, at, starts, streams, outcomes, odds, most):
    """(a start, its node kind): TERMINAL or CHANCE where there is no playable one."""
    state, mover = like, np.int64(TERMINAL)
    tries = 0
    while mover == TERMINAL and tries < TRIES:
        row = np.int64(next_share(streams, at) * starts.shape[0]) if starts.shape[0] > 1 else 0
        state, mover = settled(game, state_from_words(starts[row], like), at, streams, outcomes, odds, most)
        tries += 1
    return state, mover


@jit_part
def list_legal(game, state, mover, at, masks, legal):
    """Write the masks of legal actions; False where an action is beyond the masks."""
    sides, most = masks.shape[1], masks.shape[2]
    for side in range(sides):
        for action in range(most):
            masks[at, side, action] = 0
        if mover == TERMINAL or (sides == 2 and mover != SIMULTANEOUS and mover != side):
            continue
        count = game.legal_actions(state, mover if sides == 1 else side, legal)
        for k in range(count):
            if legal[k] < 0 or legal[k] >= most:
                return False
            masks[at, side, legal[k]] = 1
    return True


@jit
def reset_games(game, like, states, movers, masks, wanted, starts, streams, legal, outcomes, odds, most):
    """Begin the games that are wanted: (the game at which the rules are wrong, or DONE; what is wrong)."""
    states, movers, masks, wanted, starts = (
        borrowed(states),
        borrowed(movers),
        borrowed(masks),
        borrowed(wanted),
        borrowed(starts),
    )
    streams, legal, outcomes, odds = borrowed(streams), borrowed(legal), borrowed(outcomes), borrowed(odds)
    for at in range(len(movers)):
        if not wanted[at]:
            continue
        state, mover = begun(game, like, at, starts, streams, outcomes, odds, most)
        if mover in (TERMINAL, CHANCE):
            return at, OVER_AT_THE_START if mover == TERMINAL else ENDLESS_CHANCE
        put_words(state, states[at])
        movers[at] = mover
        if not list_legal(game, state, mover, at, masks, legal):
            return at, ACTION_BEYOND
    return DONE, DONE


@jit
def step_games(
    game,
    like,
    states,
    movers,
    masks,
    actions,
    wanted,
    resets,
    rewards,
    ended,
    last,
    starts,
    streams,
    legal,
    outcomes,
    odds,
    most,
):
    """Play the actions, which are legal, in the games that are wanted; what is returned is as of `reset_games`.

    `last` gets the words of those that end. With `resets` they begin again at once.
    """
    states, movers, masks, actions, wanted = (
        borrowed(states),
        borrowed(movers),
        borrowed(masks),
        borrowed(actions),
        borrowed(wanted),
    )
    rewards, ended, last, starts, streams = (
        borrowed(rewards),
        borrowed(ended),
        borrowed(last),
        borrowed(starts),
        borrowed(streams),
    )
    legal, outcomes, odds = borrowed(legal), borrowed(outcomes), borrowed(odds)
    sides = masks.shape[1]
    for at in range(len(movers)):
        rewards[at] = 0.0
        ended[at] = False
        mover = np.int64(movers[at])
        if not wanted[at] or mover == TERMINAL:
            continue
        action0, action1 = np.int64(NO_ACTION), np.int64(NO_ACTION)
        if mover != 1:
            action0 = actions[at, 0]
        if mover != 0:
            action1 = actions[at, sides - 1]
        state = game.successor(state_from_words(states[at], like), action0, action1)
        state, mover = settled(game, state, at, streams, outcomes, odds, most)
        if mover == TERMINAL:
            rewards[at] = game.returns(state)
            ended[at] = True
            put_words(state, last[at])
            if resets:
                state, mover = begun(game, like, at, starts, streams, outcomes, odds, most)
                if mover == TERMINAL:
                    return at, OVER_AT_THE_START
        if mover == CHANCE:
            return at, ENDLESS_CHANCE
        put_words(state, states[at])
        movers[at] = mover
        if not list_legal(game, state, mover, at, masks, legal):
            return at, ACTION_BEYOND
    return DONE, DONE


@jit
def show_games(game, like, states, wanted, planes, cells):
    """Write the planes of the games that are wanted, as either player sees them; `cells` is the same memory, a row a game."""
    states, wanted, planes, cells = borrowed(states), borrowed(wanted), borrowed(planes), borrowed(cells)
    for at in range(len(wanted)):
        if not wanted[at]:
            continue
        for k in range(cells.shape[1]):
            cells[at, k] = 0
        state = state_from_words(states[at], like)
        for player in range(2):
            game.planes(state, player, planes[at, player])
