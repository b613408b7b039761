"""Principal-variation search for games of turns, with chance: one recursion, whose refinements are all settings.

Values are player 0's throughout; the player to move is asked of the game at every step, so that nothing rests on
turns that alternate.
"""

import numpy as np

from ...compiled import borrowed, jit, jit_inline, prefetch
from ...game import CHANCE, NO_ACTION, TERMINAL
from ..table import table_key
from ..workspace import enter
from .chance_sampling import sample_outcomes
from .move_ordering import bring_best, remember_cutoff, score_actions, sort_by_number
from .shared_table import action_in, bucket_of, depth_in, keep, look_up, proven_in
from .workspace import AT_MOST, EXACT_VALUE, NOT_TRIED

_PASSED = -2
"""Played instead of an action by a null move."""


@jit_inline
def root_actions(game, state, player, actions, ws):
    """The root's actions, the preferred one first."""
    count = game.search_actions(state, player, actions)
    if not ws.static_order:
        sort_by_number(actions, count)
    for k in range(count):
        ws.root_known[k] = NOT_TRIED
        if actions[k] == ws.preferred[player]:
            place = k
            while place > 0:
                actions[place] = actions[place - 1]
                place -= 1
            actions[0] = ws.preferred[player]
    ws.root_count = count
    return count


@jit_inline
def note_result(result, ws):
    """Remember whether a result was met that is neither 0 nor at an end of the range."""
    if result != 0.0 and result != ws.worst and result != ws.best:
        ws.others = 1


@jit_inline
def static_bounds(game, state, ws):
    """The game's bounds of a value that loses a little with every move to come."""
    floor, ceiling = game.bounds(state)
    note_result(floor, ws)
    note_result(ceiling, ws)
    return (floor if floor < 0.0 else floor * ws.shrunk), (ceiling if ceiling > 0.0 else ceiling * ws.shrunk)


@jit_inline
def kept_action(game, action, is_image):
    """A position's action as the table has it, or the table's as the position has it."""
    return game.image_action(action) if is_image and action != NO_ACTION else action


@jit_inline
def extend_line(action, ply, ws):
    """The best line from here is this action and the best line behind it."""
    length = ws.line_length[ply + 1]
    ws.line[ply, 0] = action
    for k in range(length):
        ws.line[ply, k + 1] = ws.line[ply + 1, k]
    ws.line_length[ply] = length + 1


@jit
def principal_variation(game, worth, quiet, chance, state, depth, ply, alpha, beta, ws, table):
    """Player 0's value within (alpha, beta), fail-soft, looking `depth` moves ahead; 0.0 where stopped.

    `ws.proven` then says whether what was returned (a value, or a bound outside the window) rests on ended games alone.
    What is nearer to the window's edge than `ws.noise` counts as outside: windows and values are rounded on their ways
    up and down, and a bound must never pass for a value. `quiet` and `chance` are None where there is no quiescence and
    no chance: their part is then not even compiled.
    """
    if enter(ws):
        return 0.0
    ws.line_length[ply] = 0
    node = game.current_player(state)
    if node == TERMINAL:
        ws.leaves += 1
        ws.proven = 1
        result = worth.end(game, state, ws.root_player)
        note_result(result, ws)
        return result
    if ws.use_bounds and ply > 0:
        floor, ceiling = static_bounds(game, state, ws)
        if floor >= beta or ceiling <= alpha or floor >= ceiling:
            ws.leaves += 1
            ws.proven = 1
            return floor if floor >= beta else ceiling
    best, best_proven, all_proven, best_action = -np.inf, 0, 1, NO_ACTION
    sign = -1.0 if node == 1 else 1.0
    noisy = 0
    if depth <= 0 or ply >= ws.last_ply:
        ws.leaves += 1
        ws.evaluations += 1
        ws.proven = 0
        value = worth.estimate(game, state, ws.root_player)
        if ws.use_bounds:
            floor, ceiling = static_bounds(game, state, ws)
            value = min(max(value, floor), ceiling)
        if quiet is None:
            return value
        else:
            if node == CHANCE or depth <= -ws.quiet_plies or ply == 0 or ply >= ws.last_ply:
                return value
            noisy = quiet.noisy_actions(game, state, node, ws.actions[ply])
            if noisy == 0 or (ws.alpha_beta and sign * value >= (beta if node == 0 else -alpha)):
                return value
            best, all_proven = sign * value, 0
    remembered = ws.use_table and depth > 1  # at the frontier a table costs more than it spares
    key, is_image = np.uint64(0), False
    if remembered:
        hash_ = np.uint64(0)
        if ws.fold:
            hash_, is_image = game.folded_hash(state)
        else:
            hash_ = game.hash(state)
        key = table_key(hash_ ^ ws.salt, 0)
        prefetch(table, bucket_of(table, key))
    actions = ws.actions[ply]
    low, high = (alpha, beta) if node == 0 else (-beta, -alpha)
    count = noisy
    if ply == 0 and node != CHANCE:
        count = root_actions(game, state, node, actions, ws)
    elif noisy == 0 and node != CHANCE:
        if ws.alpha_beta:
            # Nobody can do better than to win, or worse than to lose, by the next move.
            top, bottom = (ws.high, ws.low) if node == 0 else (-ws.low, -ws.high)
            top, bottom = top * ws.keep, bottom * ws.keep
            if low >= top or high <= bottom:
                ws.proven = 1
                return sign * (top if low >= top else bottom)
        if ws.wins:
            if game.winning_actions(state, node, actions) > 0:
                ws.leaves += 1
                ws.proven = 1
                ws.line[ply, 0], ws.line_length[ply] = actions[0], 1
                return (ws.best if node == 0 else ws.worst) * ws.keep
        count = game.search_actions(state, node, actions)
        if not ws.static_order:
            sort_by_number(actions, count)
    if remembered:
        found, lower, upper, facts = look_up(table, key)
        if found:
            best_action = kept_action(game, action_in(facts), is_image)
            looked = depth_in(facts)
            enough = proven_in(facts) != 0 or looked == depth or (ws.deeper_entries and looked > depth)
            if ply > 0 and enough and (lower >= upper or lower >= beta or upper <= alpha):
                ws.table_hits += 1
                ws.proven = proven_in(facts)
                return lower if lower >= beta else upper
    if chance is not None:
        if node == CHANCE:
            chances, floors, ceilings = ws.chances[ply], ws.floors[ply], ws.ceilings[ply]
            count = game.chance_outcomes(state, actions, chances)
            if ws.samples > 0 and count > ws.samples:
                count = sample_outcomes(actions, chances, count, ws.samples, game.hash(state) ^ ws.seed)
                all_proven = 0
            least, most = 0.0, 0.0
            for k in range(count):
                floors[k], ceilings[k] = ws.low, ws.high
                if ws.use_bounds:
                    floors[k], ceilings[k] = static_bounds(game, game.next_state(state, actions[k]), ws)
                least += chances[k] * floors[k]
                most += chances[k] * ceilings[k]
            # Star2 probes one action of each outcome's player; then Star1 (Ballard 1983): an outcome's window is what
            # it would take to leave the node's window, were the others as good, or as bad, as they can still be.
            failed_low, failed_high = most <= alpha, least >= beta
            ws.played[ply] = NO_ACTION
            for k in range(0 if ws.star2 and depth > 1 else count, 2 * count):
                outcome = k if k < count else k - count
                weight = chances[outcome]
                if weight <= 0.0 or failed_low or failed_high:
                    continue
                rest_low, rest_high = least - weight * floors[outcome], most - weight * ceilings[outcome]
                low, high = (alpha - rest_high) / weight, (beta - rest_low) / weight
                child = game.next_state(state, actions[outcome])
                if k < count:
                    mover = game.current_player(child)
                    if mover != 0 and mover != 1:
                        continue
                    game.search_actions(child, mover, ws.actions[ply + 1])
                    first = ws.actions[ply + 1, 0]
                    ws.played[ply + 1], ws.played_by[ply + 1] = first, mover
                    if mover == 0:
                        low = floors[outcome]
                    else:
                        high = ceilings[outcome]
                    if low >= high:
                        continue
                    value = ws.keep * principal_variation(
                        game, worth, quiet, chance, game.next_state(child, first), depth - 1, ply + 2, low * ws.stretch,
                        high * ws.stretch, ws, table,
                    )  # fmt: skip
                    if mover == 0 and value > low:
                        floors[outcome] = min(value, ceilings[outcome])
                    elif mover == 1 and value < high:
                        ceilings[outcome] = max(value, floors[outcome])
                    least, most = rest_low + weight * floors[outcome], rest_high + weight * ceilings[outcome]
                    failed_low, failed_high = most <= alpha, least >= beta
                else:
                    if not ws.star1:
                        low, high = -np.inf, np.inf
                    value = principal_variation(game, worth, quiet, chance, child, depth, ply + 1, low, high, ws, table)
                    failed_low, failed_high = value <= low + ws.noise, value >= high - ws.noise
                    if not failed_low:
                        least = rest_low + weight * value
                        floors[outcome] = value
                    if not failed_high:
                        most = rest_high + weight * value
                        ceilings[outcome] = value
                if ws.stop:
                    return 0.0
                all_proven &= ws.proven
            best = most if failed_low else least
            if failed_low or failed_high:
                ws.cutoffs += 1
            ws.proven = all_proven
            ws.line_length[ply] = 0
            if remembered:
                lower, upper = -np.inf if failed_low else best, np.inf if failed_high else best
                keep(table, key, lower, upper, best_action, depth, ws.age, all_proven)
            return best
    if ws.null_move > 0 and ply > 0 and noisy == 0:
        if depth > ws.null_move and high - low <= 2.0 * ws.grain and ws.played[ply - 1] != _PASSED:
            ws.played[ply], ws.played_by[ply] = _PASSED, node
            value = sign * principal_variation(
                game, worth, quiet, chance, game.pass_turn(state), depth - 1 - ws.null_move, ply + 1, alpha, beta, ws, table
            )
            if ws.stop:
                return 0.0
            if value >= high:
                ws.proven = 0
                return sign * value
    ordered = ply > 0 and score_actions(actions, count, node, best_action, ply, ws)
    ws.played_by[ply] = node
    for i in range(count):
        if ordered:
            bring_best(actions, count, i, ply, ws)
        action = actions[i]
        ws.played[ply] = action
        child = game.next_state(state, action)
        floor, top = max(low, best), high
        looking = depth - 1
        if ws.null_windows and i > 0:
            top = min(high, floor + ws.grain)
            if ws.late_reduction > 0 and i >= ws.late_moves and depth > 2 and not (ordered and ws.order[ply, i] > 1 << 50):
                looking = max(1, looking - ws.late_reduction)
        while True:
            if ws.alpha_beta:
                value = sign * ws.keep * principal_variation(
                    game, worth, quiet, chance, child, looking, ply + 1,
                    (floor if node == 0 else -top) * ws.stretch, (top if node == 0 else -floor) * ws.stretch, ws, table,
                )  # fmt: skip
            else:
                value = sign * ws.keep * principal_variation(
                    game, worth, quiet, chance, child, looking, ply + 1, -np.inf, np.inf, ws, table
                )
            if ws.stop:
                return 0.0
            if value <= floor + ws.noise:
                break
            if looking < depth - 1:
                looking = depth - 1
            elif top < high and value < high - ws.noise:
                top = high
            else:
                break
        if looking < depth - 1:
            ws.proven = 0
        all_proven &= ws.proven
        if ply == 0:
            ws.root_values[i] = sign * value
            ws.root_known[i] = AT_MOST if value <= floor + ws.noise and ws.alpha_beta else EXACT_VALUE
        if value > best:
            if value > floor + ws.noise:
                best_action = action
                if ply == 0:
                    ws.preferred[node] = action
                if value < high or ply == 0:
                    extend_line(action, ply, ws)
            best, best_proven = value, ws.proven
            if best >= high - ws.noise and ws.alpha_beta:
                ws.cutoffs += 1
                if depth > 0:
                    remember_cutoff(action, node, depth, ply, ws)
                break
    failed_low, failed_high = best <= low + ws.noise, best >= high - ws.noise
    if failed_high:
        ws.proven = best_proven
    elif best_proven != 0 and all_proven == 0 and noisy == 0:
        # A result that no line beyond the horizon can better is proven whatever the other actions are worth. Where
        # chance mixes near ends with what lies beyond, only the best result at once is out of reach.
        beyond = 1
        if chance is None:
            beyond = depth + 1
        ws.proven = np.int64(best >= (ws.high if node == 0 else -ws.low) * ws.keep**beyond)
    else:
        ws.proven = all_proven
    if remembered:
        lower, upper = -np.inf if failed_low else best, np.inf if failed_high else best
        if node == 1:
            lower, upper = -upper, -lower
        keep(table, key, lower, upper, kept_action(game, best_action, is_image), depth, ws.age, ws.proven)
    return sign * best


@jit
def search_from(game, worth, quiet, chance, state, depth, ply, alpha, beta, ws, table):
    """`principal_variation` as Python calls it, with a table that Python holds."""
    return principal_variation(game, worth, quiet, chance, state, depth, ply, alpha, beta, ws, borrowed(table))
