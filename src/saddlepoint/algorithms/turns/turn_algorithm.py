"""Base of the searches of turn-based games, the memory of one that runs, and the order of its actions."""

import math
from typing import Any, ClassVar

import numpy as np

from ...compiled import jit_inline
from ...game.base import NO_ACTION, Game
from ..algorithm import Algorithm
from ..result import Line, Partial, Strategies
from ..table import DEEPEST, new_record, room_for_actions, room_for_outcomes

_TABLE, _KILLER, _SECOND_KILLER, _ANSWER = 1 << 62, 1 << 60, 1 << 59, 1 << 58
ACTION_SLOTS = 4096
"""Statistics of actions are kept by the action's number modulo this."""
_SORTED = 12  # actions tried after these are late enough for their order not to matter


@jit_inline
def sort_by_number(actions, count):
    """Sort the actions by number."""
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


# Base of the searches of turn-based games, and the memory of one that runs.

NOT_TRIED, EXACT_VALUE, AT_MOST = 0, 1, 2
"""The knowledge of a root action's value."""


def new_turn_workspace(game: Game, algorithm: Any = None, own: tuple[Any, ...] = (), **tables: Any) -> Any:
    """A zeroed record for searches of this game; fields and shapes below (A actions, D plies).

    `own` are an algorithm's own fields, `tables` its arrays by ply and action.
    """
    # The same shapes however long the game may last: they are part of the type that a search is compiled for.
    # An outcome of chance lies where an action would.
    actions, plies = max(room_for_actions(game), room_for_outcomes(game)), DEEPEST + 3
    record = new_record(
        game,
        algorithm,
        [
            *own,
            *((name, kind, (plies, actions)) for name, kind in tables.items()),
            ("proven", "i8"),  # of the value returned last: it rests on ended games alone
            ("expected", "f8"),  # the last iteration's value; nan before the first
            (
                "others",
                "i8",
            ),  # whether a result was met that is neither 0 (the middle) nor at an end of the range
            ("horizon", "i8"),  # whether a line was given up as too long
            ("salt", "u8"),
            ("seed", "u8"),
            ("root_player", "i8"),
            ("last_ply", "i8"),
            ("use_bounds", "u1"),
            ("played", "i8", (plies,)),
            ("played_by", "i8", (plies,)),
            ("actions", "i8", (plies, actions)),
            ("chances", "f8", (plies, actions)),
            ("line", "i4", (plies, plies)),
            ("line_length", "i8", (plies,)),
            ("root_count", "i8"),
            ("root_values", "f8", (actions,)),
            ("root_known", "u1", (actions,)),
        ],
    )
    record["last_ply"] = plies - 2
    forget(record)
    return record


def forget(ws: Any) -> None:
    """Before a new search: nothing is known of the root, nothing orders moves."""
    ws["estimates"] = ws["root_count"] = ws["line_length"] = 0
    ws["preferred"], ws["expected"] = NO_ACTION, np.nan
    for name, empty in (("killer_actions", NO_ACTION), ("answers", NO_ACTION), ("history_scores", 0)):
        if name in ws.dtype.names:
            ws[name] = empty


# Base of the searches of turn-based games.


class TurnAlgorithm(Algorithm):
    """It finds one best action at the root."""

    turns_only: ClassVar[bool] = True

    def workspace(self, game: Game) -> Any:
        return new_turn_workspace(game, self)

    def reset(self, ws: Any) -> None:
        forget(ws)

    def begin(self, ws: Any) -> None:
        ws["root_known"] = NOT_TRIED

    def strategies(self, game: Game, state: Any, ws: Any) -> Strategies:
        player = game.current_player(state)
        if player not in (0, 1):
            return {}, {}
        best = int(ws["preferred"][player])
        mixture = {int(action): float(action == best) for action in ws["actions"][0, : int(ws["root_count"])]}
        return (mixture, {}) if player == 0 else ({}, mixture)

    def line(self, game: Game, state: Any, ws: Any) -> Line:
        joints: list[tuple[int, int]] = []
        for action in ws["line"][0, : int(ws["line_length"][0])]:
            player = game.current_player(state)
            joints.append((NO_ACTION, int(action)) if player == 1 else (int(action), NO_ACTION))
            state = game.next_state(state, *joints[-1])
        return Line(joints)

    def partial(self, ws: Any, depth: int) -> Partial:
        """The root actions that the unfinished iteration has searched; the one that leads, or is nearest to a proof."""
        player = int(ws["root_player"])
        cells: dict[tuple[int, int], tuple[float, float]] = {}
        for k in range(int(ws["root_count"])):
            known, value = int(ws["root_known"][k]), self.game_value(float(ws["root_values"][k]), ws)[0]
            if known == NOT_TRIED:
                continue
            action = int(ws["actions"][0, k])
            joint = (action, NO_ACTION) if player == 0 else (NO_ACTION, action)
            low = -math.inf if known == AT_MOST and player == 0 else value
            high = math.inf if known == AT_MOST and player == 1 else value
            cells[joint] = (low, high)
        best = (int(ws["preferred"][0]), int(ws["preferred"][1]))
        leads = player in (0, 1) and best[player] != NO_ACTION and (cells or not self.goes_by_depth)
        return Partial(depth, cells, best if leads else None)
