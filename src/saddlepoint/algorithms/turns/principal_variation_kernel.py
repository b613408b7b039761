"""Compiled principal-variation search for turn-based games, with chance: one recursion, settings for
refinements.

Values are player 0's throughout; the player to move is asked of the game at every step, so that nothing rests on
turns that alternate.
"""

import numpy as np

from ...compiled import borrowed, jit, jit_part, prefetch
from ...compiled.bits import bucket_of
from ...game.base import CHANCE, NO_ACTION, TERMINAL
from ..result import note_result
from ..table import enter, table_key, to_front
from .chance_nodes import (
    BUCKET,
    action_in,
    depth_in,
    keep,
    look_up,
    note_outcome,
    open_outcomes,
    outcome_window,
    proven_in,
    static_bounds,
)
from .turn_algorithm import (
    AT_MOST,
    EXACT_VALUE,
    NOT_TRIED,
    bring_best,
    remember_cutoff,
    score_actions,
    sort_by_number,
)

_PASSED = -2
"""Played instead of an action by a null move."""


@jit_part
def root_actions(game, state, player, actions, ws):
    """The root's actions, the preferred one first: the game's, or those that were asked for."""
    count = game.search_actions(state, player, actions)
    if ws.among_count > 0:
        count = ws.among_count
        for k in range(count):
            actions[k] = ws.among[k]
    if not ws.static_order:
        sort_by_number(actions, count)
    to_front(actions, count, ws.preferred[player])
    for k in range(count):
        ws.root_known[k] = NOT_TRIED
    ws.root_count = count
    return count


@jit_part
def kept_action(game, action, is_image):
    """A position's action as the table has it, or the table's as the position has it."""
    return game.image_action(action) if is_image and action != NO_ACTION else action


@jit_part
def extend_line(action, ply, ws):
    """The best line from here is this action and the best line behind it."""
    length = ws.line_length[ply + 1]
    ws.line[ply, 0] = action
    for k in range(length):
        ws.line[ply, k + 1] = ws.line[ply + 1, k]
    ws.line_length[ply] = length + 1


@jit_part
def settled_statically(game, values, state, node, ply, alpha, beta, ws):
    """(whether the game is over, or its own bounds settle the window, the value)."""
    if node == TERMINAL:
        ws.leaves += 1
        ws.proven = 1
        result = values.end(game, state, ws.root_player)
        note_result(result, ws)
        return True, result
    if ws.use_bounds and ply > 0:
        floor, ceiling = static_bounds(game, state, ws)
        # Sound: the rules prove these bounds, and a bound outside the window says on which side of it the value is.
        if floor >= beta or ceiling <= alpha or floor >= ceiling:
            ws.leaves += 1
            ws.proven = 1
            return True, floor if floor >= beta else ceiling
    return False, 0.0


@jit_part
def at_horizon(game, values, quiescence, state, node, depth, ply, alpha, beta, ws):
    """(the estimate, how many moves quiescence follows from here; without any the estimate is the value)."""
    ws.leaves += 1
    ws.evaluations += 1
    ws.proven = 0
    value = values.estimate(game, state, ws.root_player)
    if ws.use_bounds:
        floor, ceiling = static_bounds(game, state, ws)
        value = min(max(value, floor), ceiling)
    noisy = 0
    if quiescence is not None:
        if node != CHANCE and depth > -ws.quiescence_plies and ply > 0 and ply < ws.last_ply:
            content = value >= beta if node == 0 else value <= alpha
            noisy = quiescence.noisy_actions(game, state, node, ws.actions[ply])
            if ws.alpha_beta and content:
                noisy = 0
    return value, noisy


@jit_part
def position_key(game, state, ws, table):
    """(the position's key in the table, whether it is kept as its mirror image)."""
    hash_, is_image = np.uint64(0), False
    if ws.symmetry:
        hash_, is_image = game.canonical_hash(state)
    else:
        hash_ = game.hash(state)
    key = table_key(hash_ ^ ws.salt, 0)
    prefetch(table, bucket_of(table, key, BUCKET))
    return key, is_image


@jit_part
def generate(game, state, node, low, high, ply, ws):
    """(whether the next move settles it, the mover's value, how many actions there are)."""
    actions = ws.actions[ply]
    if ply == 0:
        return False, 0.0, root_actions(game, state, node, actions, ws)
    if ws.alpha_beta:
        # Sound: nobody can do better than to win, or worse than to lose, by the next move.
        top, bottom = (ws.high, ws.low) if node == 0 else (-ws.low, -ws.high)
        top, bottom = top * ws.keep, bottom * ws.keep
        if low >= top or high <= bottom:
            ws.proven = 1
            return True, (top if low >= top else bottom), 0
    if ws.winning_actions:
        if game.winning_actions(state, node, actions) > 0:
            ws.leaves += 1
            ws.proven = 1
            ws.line[ply, 0], ws.line_length[ply] = actions[0], 1
            return True, (ws.best if node == 0 else -ws.worst) * ws.keep, 0
    count = game.search_actions(state, node, actions)
    if not ws.static_order:
        sort_by_number(actions, count)
    return False, 0.0, count


@jit_part
def probe(game, table, key, is_image, depth, ply, alpha, beta, ws):
    """(whether the table settles the window, the value, the best action it knows)."""
    found, lower, upper, facts = look_up(table, key)
    if not found:
        return False, 0.0, np.int64(NO_ACTION)
    action, looked = np.int64(kept_action(game, action_in(facts), is_image)), depth_in(facts)
    enough = proven_in(facts) != 0 or looked == depth or (ws.deeper_entries and looked > depth)
    # Sound: bounds that meet are the value, and a bound outside the window says on which side of it the value is.
    if ply > 0 and enough and (lower >= upper or lower >= beta or upper <= alpha):
        ws.table_hits += 1
        ws.proven = proven_in(facts)
        return True, lower if lower >= beta else upper, action
    return False, 0.0, action


@jit_part
def null_move_allowed(depth, ply, low, high, ws):
    """Whether to ask if passing is good enough: in null windows, and not after a pass."""
    return (
        ws.null_move > 0
        and ply > 0
        and depth > ws.null_move
        and high - low <= 2.0 * ws.grain
        and ws.played[ply - 1] != _PASSED
    )


@jit_part
def first_look(i, depth, floor, high, ordered, ply, ws):
    """(depth, upper edge) of the first look at a move: later ones get a null window, late ones less depth too."""
    looking, top = depth - 1, high
    if ws.null_windows and i > 0:
        top = min(high, floor + ws.grain)
        if (
            ws.late_reduction > 0
            and i >= ws.late_moves
            and depth > 2
            and not (ordered and ws.order[ply, i] > 1 << 50)
        ):
            looking = max(1, looking - ws.late_reduction)
    return looking, top


@jit_part
def child_window(floor, top, node, ws):
    """A mover's window, as the position after the move has it: player 0's values, a move nearer to their end."""
    if not ws.alpha_beta:
        return -np.inf, np.inf
    return (floor if node == 0 else -top) * ws.stretch, (top if node == 0 else -floor) * ws.stretch


@jit_part
def look_again(value, looking, top, floor, high, depth, ws):
    """(whether a move that is better than expected is searched again, its depth, the upper edge): deeper, then wider."""
    if value > floor + ws.noise:
        if looking < depth - 1:
            return True, depth - 1, top
        if top < high and value < high - ws.noise:
            return True, looking, high
    return False, looking, top


@jit_part
def note_better(action, value, floor, high, node, ply, ws):
    """Whether a move is better than the window's lower edge: the root's choice, and the beginning of the best line."""
    if value <= floor + ws.noise:
        return False
    if ply == 0:
        ws.preferred[node] = action
    if value < high or ply == 0:
        extend_line(action, ply, ws)
    return True


@jit_part
def proven_value(best, best_proven, all_proven, failed_high, node, depth, chance, noisy, ws):
    """1 where the value of a node rests on ended games alone."""
    if failed_high:
        return best_proven
    if best_proven != 0 and all_proven == 0 and noisy == 0:
        # A result that no line beyond the horizon can better is proven whatever the other actions are worth. Where
        # chance mixes near ends with what lies beyond, only the best result at once is out of reach.
        beyond = 1
        if chance is None:
            beyond = depth + 1
        return np.int64(best >= (ws.high if node == 0 else -ws.low) * ws.keep**beyond)
    return all_proven


@jit
def principal_variation(game, values, quiescence, chance, state, depth, ply, alpha, beta, ws, table):
    """Player 0's value within (alpha, beta), fail-soft, looking `depth` moves ahead; 0.0 where stopped.

    `ws.proven` then says whether what was returned (a value, or a bound outside the window) rests on ended games alone.
    What is nearer to the window's edge than `ws.noise` counts as outside: windows and values are rounded on their ways
    up and down, and a bound must never pass for a value. `quiescence` and `chance` are None where there is no quiescence and
    no chance: their part is then not even compiled.
    """
    if enter(ws):
        return 0.0
    ws.line_length[ply] = 0
    node = game.current_player(state)
    settled, value = settled_statically(game, values, state, node, ply, alpha, beta, ws)
    if settled:
        return value
    sign = -1.0 if node == 1 else 1.0
    low, high = (alpha, beta) if node == 0 else (-beta, -alpha)
    best, best_proven, all_proven, best_action = -np.inf, 0, 1, NO_ACTION
    count, noisy = 0, 0
    if depth <= 0 or ply >= ws.last_ply:
        value, noisy = at_horizon(game, values, quiescence, state, node, depth, ply, alpha, beta, ws)
        if noisy == 0:
            return value
        best, all_proven, count = sign * value, 0, noisy
    remembered = ws.use_table and depth > 1  # at the frontier a table costs more than it spares
    key, is_image = np.uint64(0), False
    if remembered:
        key, is_image = position_key(game, state, ws, table)
    if node != CHANCE and noisy == 0:
        settled, value, count = generate(game, state, node, low, high, ply, ws)
        if settled:
            return sign * value
    if remembered:
        settled, value, best_action = probe(game, table, key, is_image, depth, ply, alpha, beta, ws)
        if settled:
            return value
    if chance is not None:
        if node == CHANCE:
            count, all_proven, least, most = open_outcomes(game, state, ply, ws)
            below, above = most <= alpha, least >= beta
            for k in range(0 if ws.star2 and depth > 1 else count, 2 * count):
                outcome, probing = k % count, k < count
                if ws.chances[ply, outcome] <= 0.0 or below or above:
                    continue
                wanted, child, mover, low, high = outcome_window(
                    game, state, outcome, probing, alpha, beta, least, most, ply, ws
                )
                if not wanted:
                    continue
                further = 1 if probing else 0
                value = (ws.keep if probing else 1.0) * principal_variation(
                    game,
                    values,
                    quiescence,
                    chance,
                    child,
                    depth - further,
                    ply + 1 + further,
                    low,
                    high,
                    ws,
                    table,
                )
                if ws.stop:
                    return 0.0
                all_proven &= ws.proven
                least, most, below, above = note_outcome(
                    value, outcome, probing, mover, low, high, alpha, beta, least, most, ply, ws
                )
            best = most if below else least
            ws.cutoffs += below or above
            ws.proven, ws.line_length[ply] = all_proven, 0
            if remembered:
                keep(
                    table,
                    key,
                    -np.inf if below else best,
                    np.inf if above else best,
                    best_action,
                    depth,
                    ws.age,
                    all_proven,
                )
            return best
    if noisy == 0 and null_move_allowed(depth, ply, low, high, ws):
        ws.played[ply], ws.played_by[ply] = _PASSED, node
        value = sign * principal_variation(
            game,
            values,
            quiescence,
            chance,
            game.pass_turn(state),
            depth - 1 - ws.null_move,
            ply + 1,
            alpha,
            beta,
            ws,
            table,
        )
        if ws.stop:
            return 0.0
        # Sound only where some move is at least as good as a pass; so the value is never proven.
        if value >= high:
            ws.proven = 0
            return sign * value
    actions = ws.actions[ply]
    ordered = ply > 0 and score_actions(actions, count, node, best_action, ply, ws)
    ws.played_by[ply] = node
    for i in range(count):
        if ordered:
            bring_best(actions, count, i, ply, ws)
        action = actions[i]
        ws.played[ply] = action
        child = game.next_state(state, action)
        floor = max(low, best)
        looking, top = first_look(i, depth, floor, high, ordered, ply, ws)
        again = True
        while again:
            least, most = child_window(floor, top, node, ws)
            value = (
                sign
                * ws.keep
                * principal_variation(
                    game, values, quiescence, chance, child, looking, ply + 1, least, most, ws, table
                )
            )
            if ws.stop:
                return 0.0
            again, looking, top = look_again(value, looking, top, floor, high, depth, ws)
        if looking < depth - 1:
            ws.proven = 0
        all_proven &= ws.proven
        if ply == 0:
            ws.root_values[i] = sign * value
            ws.root_known[i] = AT_MOST if value <= floor + ws.noise and ws.alpha_beta else EXACT_VALUE
        if value > best:
            if note_better(action, value, floor, high, node, ply, ws):
                best_action = action
            best, best_proven = value, ws.proven
            # Sound: more moves only raise the maximum, and the other player has a way that holds it to the edge elsewhere.
            if best >= high - ws.noise and ws.alpha_beta:
                ws.cutoffs += 1
                if depth > 0:
                    remember_cutoff(action, node, depth, ply, ws)
                break
    failed_low, failed_high = best <= low + ws.noise, best >= high - ws.noise
    ws.proven = proven_value(best, best_proven, all_proven, failed_high, node, depth, chance, noisy, ws)
    if remembered:
        lower, upper = -np.inf if failed_low else best, np.inf if failed_high else best
        if node == 1:
            lower, upper = -upper, -lower
        keep(table, key, lower, upper, kept_action(game, best_action, is_image), depth, ws.age, ws.proven)
    return sign * best


@jit
def search_from(game, values, quiescence, chance, state, depth, ply, alpha, beta, ws, table):
    """`principal_variation` as Python calls it, with a table that Python holds."""
    return principal_variation(
        game, values, quiescence, chance, state, depth, ply, alpha, beta, ws, borrowed(table)
    )
