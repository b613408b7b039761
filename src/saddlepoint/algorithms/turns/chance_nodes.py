"""Chance nodes: samples where there are too many outcomes, and what the outcomes so far tell of the node (Star1, Star2)."""

import numpy as np

from ...compiled import jit_inline, mix
from ...game import NO_ACTION
from .position_value import static_bounds


@jit_inline
def sample_outcomes(outcomes, chances, count, wanted, key):
    """Keep at most `wanted` outcomes in the arrays, with new probabilities; returns how many.

    Systematic sampling (Madow 1949): `wanted` equidistant points from a random start on the line of cumulative
    probabilities. The expectation is not biased, and outcomes of about the same kind that stand together are
    represented by their share.
    """
    point = (mix(key) >> np.uint64(11)) / 9007199254740992.0 / wanted
    total, kept, drawn = 0.0, 0, 0
    for k in range(count):
        total += chances[k]
        hits = 0
        while drawn < wanted and (point < total or k == count - 1):
            hits += 1
            drawn += 1
            point += 1.0 / wanted
        if hits > 0:
            outcomes[kept] = outcomes[k]
            chances[kept] = hits / wanted
            kept += 1
    return kept


@jit_inline
def open_outcomes(game, state, ply, ws):
    """(how many outcomes are followed, 1 if these are all, the least and the most the node can be worth)."""
    actions, chances, complete = ws.actions[ply], ws.chances[ply], 1
    count = game.chance_outcomes(state, actions, chances)
    if ws.samples > 0 and count > ws.samples:
        count = sample_outcomes(actions, chances, count, ws.samples, game.hash(state) ^ ws.seed)
        complete = 0
    least, most = 0.0, 0.0
    for k in range(count):
        ws.floors[ply, k], ws.ceilings[ply, k] = ws.low, ws.high
        if ws.use_bounds:
            ws.floors[ply, k], ws.ceilings[ply, k] = static_bounds(game, game.next_state(state, actions[k]), ws)
        least += chances[k] * ws.floors[ply, k]
        most += chances[k] * ws.ceilings[ply, k]
    ws.played[ply] = NO_ACTION
    return count, complete, least, most


@jit_inline
def outcome_window(game, state, outcome, probing, alpha, beta, least, most, ply, ws):
    """(whether to search, the position, who moves after the outcome, the window).

    Star1 (Ballard 1983): an outcome's window is what it would take to leave the node's window, were the others as good, or
    as bad, as they can still be. Star2 first probes: one action of the outcome's player bounds one side.
    """
    weight, floor, ceiling = ws.chances[ply, outcome], ws.floors[ply, outcome], ws.ceilings[ply, outcome]
    low = (alpha - (most - weight * ceiling)) / weight
    high = (beta - (least - weight * floor)) / weight
    child = game.next_state(state, ws.actions[ply, outcome])
    mover = game.current_player(child)
    if not probing:
        return True, child, mover, low if ws.star1 else -np.inf, high if ws.star1 else np.inf
    if mover != 0 and mover != 1:
        return False, child, mover, low, high
    game.search_actions(child, mover, ws.actions[ply + 1])
    first = ws.actions[ply + 1, 0]
    ws.played[ply + 1], ws.played_by[ply + 1] = first, mover
    if mover == 0:
        low = floor
    else:
        high = ceiling
    return low < high, game.next_state(child, first), mover, low * ws.stretch, high * ws.stretch


@jit_inline
def note_outcome(value, outcome, probing, mover, low, high, alpha, beta, least, most, ply, ws):
    """(the least and the most the node can be worth now, whether it is below, whether it is above its window)."""
    weight, floor, ceiling = ws.chances[ply, outcome], ws.floors[ply, outcome], ws.ceilings[ply, outcome]
    rest_low, rest_high = least - weight * floor, most - weight * ceiling
    if probing:
        if mover == 0 and value > floor:
            floor = min(value, ceiling)
        elif mover == 1 and value < ceiling:
            ceiling = max(value, floor)
        least, most = rest_low + weight * floor, rest_high + weight * ceiling
        below, above = most <= alpha, least >= beta
    else:
        below, above = value <= low + ws.noise, value >= high - ws.noise
        if not below:
            least, floor = rest_low + weight * value, value
        if not above:
            most, ceiling = rest_high + weight * value, value
    ws.floors[ply, outcome], ws.ceilings[ply, outcome] = floor, ceiling
    return least, most, below, above
