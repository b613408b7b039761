"""Compiled alpha-beta of the serialised game: one recursion for both orders of the players, settings for
refinements.
"""

import numpy as np

from ...compiled import borrowed, jit, jit_inline, jit_part
from ...game.base import CHANCE, NO_ACTION, TERMINAL
from ..result import note_result
from ..table import enter, store, to_front
from .stage import (
    ended,
    estimated,
    estimated_once,
    key_of,
    looked_up,
    stage_actions,
    star1_cut,
    star1_window,
)

_SALT = 21
_HAIR = 1e-12
"""The width of a null window."""


@jit_part
def open_serial(game, evaluator, decided, state, depth, budget, ply, ws):
    """(node kind, whether the value is known, player 0's value): stopped (0.0), terminal, decided, or at the
    depth limit.

    Nearer results count a little more where the `discount` setting says so.
    """
    if enter(ws):
        return np.int64(TERMINAL), True, 0.0
    node = game.current_player(state)
    if node == TERMINAL:
        result = ended(game, state, ws)
        note_result(result, ws)
        result = result if result != 0.0 else ws.drawn
        return np.int64(node), True, result * (1.0 - ws.discount * (ws.root_step + ply))
    if decided is not None:
        if ply > 0 and decided.is_decided(game, state):
            return np.int64(node), True, estimated(game, decided, state, ws)
    if depth <= 0 or (ws.budget > 0.0 and budget < 1.0):
        return np.int64(node), True, estimated_once(game, evaluator, state, ws)
    return np.int64(node), False, 0.0


@jit_part
def futile(game, evaluator, state, depth, ply, sign, alpha, beta, ws):
    """(whether the static value is so far outside the window that the last round is not looked at, what counts instead)."""
    if ws.futility > 0.0 and ply > 0 and depth <= ws.grain:
        # Sound only if no last round changes the static value by more than the margin.
        value = sign * estimated_once(game, evaluator, state, ws)
        if value - ws.futility >= beta:
            return True, value - ws.futility
        if value + ws.futility <= alpha:
            return True, value + ws.futility
    return False, 0.0


@jit_part
def outside_bounds(game, state, ply, first, alpha, beta, ws):
    """(whether the game's own bounds of the position settle it, the bound outside the window or the value)."""
    if game.has_bounds and ply > 0:
        floor, ceiling = game.bounds(state)
        note_result(floor, ws)
        note_result(ceiling, ws)
        if first == 1:
            floor, ceiling = -ceiling, -floor
        # Sound: the rules prove these bounds, and a bound outside the window says on which side of it the value is.
        if floor >= beta or floor >= ceiling or ceiling <= alpha:
            ws.leaves += 1
            return True, floor if floor >= beta or floor >= ceiling else ceiling
    return False, 0.0


@jit_inline
def full_window(first, ws):
    """The first mover's range of results: nothing lies outside, so values at its ends are exact and cut off."""
    return (ws.low, ws.high) if first == 0 else (-ws.high, -ws.low)


@jit_part
def joint(game, state, first, own, reply):
    """The successor after the first mover's action and the other's."""
    return game.successor(state, own, reply) if first == 0 else game.successor(state, reply, own)


@jit_inline
def sort_by_history(actions, count, scores):
    """Order by falling score, equals as they were (insertion sort: the lists are short).

    Action numbers may be larger than the number of scores; they then share one.
    """
    slots = len(scores)
    for k in range(1, count):
        action = actions[k]
        place = k
        while place > 0 and scores[actions[place - 1] % slots] < scores[action % slots]:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action


@jit_inline
def sort_statically(game, evaluator, state, first, own, owns, replies, count, ply, ws):
    """Order the first mover's actions by their least static value; returns how many survive forward pruning."""
    sign = 1.0 if first == 0 else -1.0
    values = ws.upper[ply, 0]
    best = -np.inf
    for i in range(owns):
        least = np.inf
        for j in range(count):
            child = joint(game, state, first, own[i], replies[j])
            if game.current_player(child) == TERMINAL:
                value = sign * game.returns(child)
            else:
                ws.evaluations += 1
                value = sign * float(evaluator.evaluate(game, child))
            least = min(least, value)
        action, place = own[i], i
        while place > 0 and values[place - 1] < least:
            own[place] = own[place - 1]
            values[place] = values[place - 1]
            place -= 1
        own[place] = action
        values[place] = least
        best = max(best, least)
    kept = owns
    # Not sound: an action that looks bad by its static value may be the best. So `bounds` proves nothing where it is used.
    while kept > 1 and values[kept - 1] < best - ws.prune_margin:
        kept -= 1
    return kept


@jit_part
def killers_to_front(actions, count, kind, ply, ws):
    """Try first what last cut off at this ply: own actions (kind 0) or replies (kind 1)."""
    if ws.killers:
        to_front(actions, count, ws.killer_actions[ply, kind, 1])
        to_front(actions, count, ws.killer_actions[ply, kind, 0])


@jit_part
def note_cutoff(action, kind, player, depth, ply, ws):
    """The action cut off: a killer at this ply, and history everywhere."""
    ws.cutoffs += 1
    if ws.killers and ws.killer_actions[ply, kind, 0] != action:
        ws.killer_actions[ply, kind, 1] = ws.killer_actions[ply, kind, 0]
        ws.killer_actions[ply, kind, 0] = action
    if ws.history and action >= 0:
        ws.history_scores[player, action % len(ws.history_scores[player])] += depth * depth


@jit_inline
def ordered_round(game, evaluator, state, best_own, best_reply, first, ply, ws):
    """Order both players' actions, the most promising first; returns how many the first mover and the other have."""
    own, replies = ws.actions[ply, first], ws.actions[ply, 1 - first]
    owns, count = ws.sizes[ply, first], ws.sizes[ply, 1 - first]
    if owns > 1 and count > 1:
        ws.joint = 1
    if ply < ws.sort_rounds:
        owns = sort_statically(game, evaluator, state, first, own, owns, replies, count, ply, ws)
    if ws.history:
        sort_by_history(own, owns, ws.history_scores[first])
        sort_by_history(replies, count, ws.history_scores[1 - first])
    killers_to_front(own, owns, 0, ply, ws)
    to_front(own, owns, best_own)
    to_front(replies, count, best_reply)
    if ply == 0:
        to_front(own, owns, ws.preferred[first])
        to_front(replies, count, ws.preferred[1 - first])
    return owns, count


@jit
def serial(game, evaluator, decided, state, node, depth, budget, ply, alpha, beta, first, ws, table):
    """The first mover's value within (alpha, beta), fail-soft, looking `depth` units ahead; 0.0 where stopped.

    `open_serial` has said that the value is not known at once, and who moves: of most positions it is, and these cost no call.
    A round costs `ws.costs` units, by the number of its joint actions; all cost one unless depth counts choices.
    """
    sign = 1.0 if first == 0 else -1.0
    known, value = futile(game, evaluator, state, depth, ply, sign, alpha, beta, ws)
    if known:
        return value
    key = key_of(game, state, depth, ws.grain, _SALT + first, ws, table)
    if node != CHANCE:
        # Before the table is asked, whose memory comes in the meantime.
        stage_actions(game, state, node, ply, ws)
    known, value, best_own, best_reply = looked_up(
        key, depth, ply, alpha, beta, ws.deeper_entries != 0, ws, table
    )
    if known:
        return value
    known, value = outside_bounds(game, state, ply, first, alpha, beta, ws)
    if known:
        return value
    estimates = ws.estimates
    best = -np.inf
    if node == CHANCE:
        outcomes, chances = ws.outcomes[ply], ws.chances[ply]
        best, count, rest = 0.0, game.chance_outcomes(state, outcomes, chances), 1.0
        least, most = full_window(first, ws)
        for k in range(count):
            if chances[k] == 0.0:
                continue
            rest -= chances[k]
            low, high = star1_window(alpha, beta, best, chances[k], rest, least, most)
            child = game.successor(state, outcomes[k], NO_ACTION)
            mover, known, value = open_serial(
                game, evaluator, decided, child, depth, budget / count, ply + 1, ws
            )
            found = sign * value
            if not known:
                found = serial(
                    game,
                    evaluator,
                    decided,
                    child,
                    mover,
                    depth,
                    budget / count,
                    ply + 1,
                    low,
                    high,
                    first,
                    ws,
                    table,
                )
            if ws.stop:
                return 0.0
            cut, best = star1_cut(
                found, low, high, best + chances[k] * found, rest, least, most, k == count - 1
            )
            if cut:
                break
    else:
        owns, count = ordered_round(game, evaluator, state, best_own, best_reply, first, ply, ws)
        own, replies = ws.actions[ply, first], ws.actions[ply, 1 - first]
        follower = 1 - first if ws.flip and ply == 0 else first
        turn = 1.0 if follower == first else -1.0
        share, less = budget / (owns * count), depth - ws.costs[owns * count]
        for i in range(owns):
            if i > 0:
                killers_to_front(replies, count, 1, ply, ws)
            low = max(alpha, best)
            # A later action is first searched with a null window: is it any better than the best?
            scouting = i > 0 and ws.null_windows != 0
            while True:
                wanted = min(beta, low + _HAIR) if scouting else beta
                worst, answer = np.inf, replies[0]
                for j in range(count):
                    child = joint(game, state, first, own[i], replies[j])
                    high = min(wanted, worst)
                    mover, known, value = open_serial(
                        game, evaluator, decided, child, less, share, ply + 1, ws
                    )
                    value *= sign
                    # So is a later reply: is it any worse for the first mover than the worst?
                    scouted = ws.null_windows != 0 and not scouting and j > 0
                    while not known:
                        floor = max(low, high - _HAIR) if scouted else low
                        value = turn * serial(
                            game,
                            evaluator,
                            decided,
                            child,
                            mover,
                            less,
                            share,
                            ply + 1,
                            floor if turn > 0.0 else -high,
                            high if turn > 0.0 else -floor,
                            follower,
                            ws,
                            table,
                        )
                        if ws.stop or not scouted or value >= high or value <= low:
                            break
                        scouted = False
                    if ws.stop:
                        return 0.0
                    if value < worst:
                        worst, answer = value, replies[j]
                    # Sound: more replies only lower the minimum, and the first mover has an action worth `low` already.
                    if worst <= low:
                        note_cutoff(answer, 1, 1 - first, depth, ply, ws)
                        break
                # Sound: within a null window a value is a bound; one inside the full window is searched again.
                if not scouting or worst <= low or worst >= beta:
                    break
                scouting = False
                to_front(replies, count, answer)
            if ply == 0:
                ws.lower[0, 0, i] = worst
                ws.known[0, 0, i] = 1 if worst > low else 2
            if worst > best:
                best, best_own, best_reply = worst, own[i], answer
                if ply == 0:
                    ws.preferred[first] = best_own
                    ws.preferred[1 - first] = best_reply
            # Sound: more actions only raise the maximum, and the other player has a way that holds it to beta elsewhere.
            if best >= beta:
                note_cutoff(best_own, 0, first, depth, ply, ws)
                break
    # A value outside the window is a bound only, and is stored as one.
    least = -np.inf if best <= alpha else best
    most = np.inf if best >= beta else best
    store(table, key, depth, least, most, best_own, best_reply, ws.estimates == estimates, ws)
    return best


@jit
def serial_from(game, evaluator, decided, state, depth, budget, ply, alpha, beta, first, ws, table):
    """`serial` of any position, known at once or not."""
    node, known, value = open_serial(game, evaluator, decided, state, depth, budget, ply, ws)
    if known:
        return value if first == 0 else -value
    return serial(game, evaluator, decided, state, node, depth, budget, ply, alpha, beta, first, ws, table)


@jit
def serial_root(game, evaluator, decided, state, depth, budget, ply, first, ws, table):
    """Player 0's value of the serialised game; pure strategies of the principal variation in ply 0.

    `ply` is 0: a literal here would make Numba compile a second search for it.
    """
    low, high = full_window(first, ws)
    value = serial_from(
        game, evaluator, decided, state, depth, budget, ply, low, high, first, ws, borrowed(table)
    )
    for k in range(ws.sizes[0, 0]):
        ws.x[0, k] = 1.0 if ws.actions[0, 0, k] == ws.preferred[0] else 0.0
    for k in range(ws.sizes[0, 1]):
        ws.y[0, k] = 1.0 if ws.actions[0, 1, k] == ws.preferred[1] else 0.0
    return value if first == 0 else -value
