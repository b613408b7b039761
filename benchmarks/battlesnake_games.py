"""Whole games of Battlesnake between two serialised alpha-beta searches, in compiled code: for the fit and for comparing settings.

A player's call costs more than a thousand nodes do; here a move costs its nodes and nothing else, and a game repeats move for move.
"""

from dataclasses import replace

import numpy as np

from saddlepoint.algorithms.algorithm import Memory
from saddlepoint.algorithms.simultaneous.serialised_kernel import serial_root
from saddlepoint.compiled import jit, jit_inline, mix, run, with_item
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.games.battlesnake import State

ENTRIES = 1 << 14
_STEP = 0x9E3779B97F4A7C15


def row_width(game):
    """Numbers of a position as a row: its boards, without stacked hazards, and six more."""
    return 6 * game.grid.words + 6


class Side:
    """One player: a search for either seat, and its memory."""

    def __init__(self, game, search, nodes):
        self.nodes, self.evaluator = nodes, search.leaf
        self.seats = []
        for first in (0, 1):
            algorithm = replace(search, first=first)
            ws = algorithm.workspace(game.quiet())
            ws["identity"] = algorithm.identity(game.quiet())
            bound = getattr(search.leaf, "bound", 1.0)
            ws["low"], ws["high"] = min(-1.0, -bound), max(1.0, bound)
            memory = Memory(ENTRIES)
            algorithm.reset(ws)
            self.seats.append((ws, algorithm.table_in(memory), memory))

    def seat(self, first):
        """The workspace and the emptied table."""
        ws, table, memory = self.seats[first]
        memory.clear()
        return ws, table


def game_between(game, side0, side1, state, seed, opening=0, stray=0.0, longest=600, rows=None, values=None):
    """(result for player 0, the last position, positions written, mean depth of either) of one game from `state`.

    Up to `opening` random moves of either come first, and later a random one with the probability `stray`. `rows` and `values` get the
    positions with a choice, and the mean value that the two searches found.
    """
    rows = np.zeros((1, row_width(game)), np.uint64) if rows is None else rows
    values = np.zeros(len(rows)) if values is None else values
    (ws0, table0), (ws1, table1) = side0.seat(0), side1.seat(1)
    return run(
        _game_between,
        game,
        game.quiet(),
        side0.evaluator,
        side1.evaluator,
        None,
        state,
        side0.nodes,
        side1.nodes,
        np.uint64(seed),
        opening,
        stray,
        longest,
        ws0,
        table0,
        ws1,
        table1,
        rows,
        values,
    )


@jit_inline
def think(game, evaluator, decided, state, nodes, first, ws, table):
    """(action, player 0's value or NaN where the move is forced, depth)."""
    actions = ws.actions[0, first]
    if game.search_actions(state, first, actions) == 1:
        return actions[0], np.nan, 0
    ws.stop, ws.nodes, ws.node_limit, ws.root_step = 0, 0, nodes, state.round
    ws.age = (ws.age + 1) % 256
    ws.preferred[0] = NO_ACTION
    ws.preferred[1] = NO_ACTION
    ws.killer_actions[:] = NO_ACTION
    ws.history_scores[:] = 0
    depth, value = 0, np.nan
    ply = ws.node_limit * 0
    while depth < 120:
        ws.known[0] = 0
        estimates = ws.estimates
        found = serial_root(
            game, evaluator, decided, state, (depth + 1) * ws.grain, 0.0, ply, first, ws, table
        )
        if ws.stop:
            break
        depth, value = depth + 1, found
        if ws.estimates == estimates:
            break
    action = ws.preferred[first] if ws.preferred[first] != NO_ACTION else actions[0]
    return action, value, depth


@jit
def _game_between(
    game,
    quiet,
    evaluator0,
    evaluator1,
    decided,
    state,
    nodes0,
    nodes1,
    seed,
    opening,
    stray,
    longest,
    ws0,
    table0,
    ws1,
    table1,
    rows,
    values,
):
    word, written, depth0, depth1, moves0, moves1 = seed, 0, 0, 0, 0, 0
    word = mix(word + np.uint64(_STEP))
    left = np.int64(word % np.uint64(opening + 1))
    out = np.zeros(4, np.int64)
    player = ws0.node_limit * 0
    while True:
        node = game.current_player(state)
        if node == TERMINAL or state.round >= longest:
            break
        word = mix(word + np.uint64(_STEP))
        if node == CHANCE:
            state = game.next_state(state, game.drawn_outcome(state, word), NO_ACTION)
            continue
        if left > 0:
            left -= 1
            action0 = out[np.int64((word >> np.uint64(8)) % np.uint64(game.search_actions(state, 0, out)))]
            action1 = out[np.int64((word >> np.uint64(24)) % np.uint64(game.search_actions(state, 1, out)))]
            state = game.next_state(state, action0, action1)
            continue
        action0, value0, reached0 = think(quiet, evaluator0, decided, state, nodes0, player, ws0, table0)
        action1, value1, reached1 = think(quiet, evaluator1, decided, state, nodes1, player + 1, ws1, table1)
        if reached0 > 0:
            depth0, moves0 = depth0 + reached0, moves0 + 1
        if reached1 > 0:
            depth1, moves1 = depth1 + reached1, moves1 + 1
        if (reached0 > 0 or reached1 > 0) and written < len(rows):
            note(state, rows[written])
            values[written] = (
                value1 if np.isnan(value0) else value0 if np.isnan(value1) else 0.5 * (value0 + value1)
            )
            written += 1
        if (word >> np.uint64(40)) < np.uint64(stray * 2**24):
            if word & np.uint64(1):
                action0 = out[
                    np.int64((word >> np.uint64(8)) % np.uint64(game.search_actions(state, 0, out)))
                ]
            else:
                action1 = out[
                    np.int64((word >> np.uint64(8)) % np.uint64(game.search_actions(state, 1, out)))
                ]
        state = game.next_state(state, action0, action1)
    result = game.returns(state) if node == TERMINAL else 0.0
    return result, state, written, depth0 / max(1, moves0), depth1 / max(1, moves1)


@jit_inline
def note(state, row):
    """A position as a row of numbers."""
    words = len(state.body0)
    for k in range(words):
        row[k], row[words + k], row[2 * words + k], row[3 * words + k] = (
            state.body0[k],
            state.body1[k],
            state.low[k],
            state.high[k],
        )
        row[4 * words + k], row[5 * words + k] = state.food[k], state.hazards[k]
    row[6 * words] = state.stacked[0]
    row[6 * words + 1], row[6 * words + 2] = np.uint64(state.snake0), np.uint64(state.snake1)
    row[6 * words + 3], row[6 * words + 4] = np.uint64(state.round), np.uint64(state.due)
    row[6 * words + 5] = np.uint64(state.taken)


@jit_inline
def _board(row, first, like):
    """The board that is in a row from `first` on, of as many words as `like`."""
    for k in range(len(like)):
        like = with_item(like, k, row[first + k])
    return like


@jit_inline
def noted(row, like):
    """The position that `note` wrote; `like` is any position of the same board."""
    words = len(like.body0)
    rest = 6 * words
    return State(
        _board(row, 0, like.body0),
        _board(row, words, like.body1),
        _board(row, 2 * words, like.low),
        _board(row, 3 * words, like.high),
        _board(row, 4 * words, like.food),
        _board(row, 5 * words, like.hazards),
        _board(row, rest, like.stacked),
        np.int64(row[rest + 1]),
        np.int64(row[rest + 2]),
        np.int64(row[rest + 3]),
        np.int64(row[rest + 4]),
        np.int64(row[rest + 5]),
    )
