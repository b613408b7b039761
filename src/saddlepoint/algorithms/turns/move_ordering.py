"""Which action to try first: the table's, killers, countermoves, history, then the game's own order."""

from ...compiled import jit_inline
from ...game import NO_ACTION

_TABLE, _KILLER, _SECOND_KILLER, _ANSWER = 1 << 62, 1 << 60, 1 << 59, 1 << 58
ACTION_SLOTS = 4096
"""Statistics of actions are kept by the action's number modulo this."""
_SORTED = 12  # the actions tried after so many are late enough for their order not to matter


@jit_inline
def sort_by_number(actions, count):
    """The order of one who knows nothing of the game."""
    for k in range(1, count):
        action, place = actions[k], k
        while place > 0 and actions[place - 1] > action:
            actions[place] = actions[place - 1]
            place -= 1
        actions[place] = action


@jit_inline
def score_actions(actions, count, player, first, ply, ws):
    """Fill the ply's `order`: the higher the sooner. Returns whether anything but the game's order is known."""
    order = ws.order[ply]
    killer, second, answer = NO_ACTION, NO_ACTION, NO_ACTION
    if ws.killers:
        killer, second = ws.killer_actions[ply, player, 0], ws.killer_actions[ply, player, 1]
    if ws.countermoves and ply > 0 and ws.played[ply - 1] >= 0:
        answer = ws.answers[player, ws.played_by[ply - 1], ws.played[ply - 1] % ACTION_SLOTS]
    known = False
    for k in range(count):
        action = actions[k]
        score = ws.history_scores[player, action % ACTION_SLOTS] if ws.history else 0
        if action == first:
            score = _TABLE
        elif action == killer:
            score = _KILLER
        elif action == second:
            score = _SECOND_KILLER
        elif action == answer:
            score = _ANSWER
        order[k] = score
        if score != 0:
            known = True
    return known


@jit_inline
def bring_best(actions, count, place, ply, ws):
    """Move the best of the actions from `place` on to `place`; the others keep their order."""
    if place >= _SORTED:
        return
    order = ws.order[ply]
    chosen = place
    for k in range(place + 1, count):
        if order[k] > order[chosen]:
            chosen = k
    action, score = actions[chosen], order[chosen]
    while chosen > place:
        actions[chosen], order[chosen] = actions[chosen - 1], order[chosen - 1]
        chosen -= 1
    actions[place], order[place] = action, score


@jit_inline
def remember_cutoff(action, player, depth, ply, ws):
    """The action refuted this position: try it sooner in others."""
    if ws.killers and ws.killer_actions[ply, player, 0] != action:
        ws.killer_actions[ply, player, 1] = ws.killer_actions[ply, player, 0]
        ws.killer_actions[ply, player, 0] = action
    if ws.history:
        ws.history_scores[player, action % ACTION_SLOTS] += depth * depth
    if ws.countermoves and ply > 0 and ws.played[ply - 1] >= 0:
        ws.answers[player, ws.played_by[ply - 1], ws.played[ply - 1] % ACTION_SLOTS] = action
