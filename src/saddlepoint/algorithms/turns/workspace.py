"""The memory of one running search of a turn-based game: a record as in `workspace`, with one action a step."""

from typing import Any

import numpy as np

from ...game import NO_ACTION, Game
from ..workspace import DEEPEST, new_record, room_for_actions, room_for_outcomes
from .move_ordering import ACTION_SLOTS

NOT_TRIED, EXACT_VALUE, AT_MOST = 0, 1, 2
"""What is known of a root action's value."""


def new_turn_workspace(game: Game, algorithm: Any = None, own: tuple[Any, ...] = (), **tables: Any) -> Any:
    """A zeroed record for searches of this game; fields and shapes below (A actions, D plies).

    `own` are an algorithm's own fields, `tables` its arrays by ply and action.
    """
    # The same shapes however long the game may last: they are part of the type that a search is compiled for.
    # An outcome of chance lies where an action would.
    actions, plies = max(room_for_actions(game), room_for_outcomes(game)), DEEPEST + 3
    record = new_record(game, algorithm, [
        *own,
        *((name, kind, (plies, actions)) for name, kind in tables.items()),
        ("proven", "i8"),  # of the value returned last: it rests on ended games alone
        ("expected", "f8"),  # the last iteration's value; nan before the first
        ("others", "i8"),  # whether a result was met that is neither 0 (the middle) nor at an end of the range
        ("horizon", "i8"),  # whether a line was given up as too long
        ("salt", "u8"), ("seed", "u8"), ("root_player", "i8"), ("last_ply", "i8"), ("use_bounds", "u1"),
        ("played", "i8", (plies,)), ("played_by", "i8", (plies,)),
        ("actions", "i8", (plies, actions)),
        ("chances", "f8", (plies, actions)),
        ("line", "i4", (plies, plies)), ("line_length", "i8", (plies,)),
        ("root_count", "i8"),
        ("root_values", "f8", (actions,)), ("root_known", "u1", (actions,)),
    ])  # fmt: skip
    record["last_ply"] = plies - 2
    forget(record)
    return record


def ordering_fields(actions: int) -> tuple[Any, ...]:
    """What tells which action to try first, and what bounds the outcomes of chance."""
    plies = DEEPEST + 3
    return (
        ("order", "i8", (plies, actions)),
        ("killer_actions", "i8", (plies, 2, 2)),
        ("history_scores", "i8", (2, ACTION_SLOTS)),
        ("answers", "i8", (2, 2, ACTION_SLOTS)),  # countermoves: by mover, by who moved before, by what that was
    )


def forget(ws: Any) -> None:
    """Before a new search: nothing is known of the root, nothing orders moves."""
    ws["estimates"] = ws["root_count"] = ws["line_length"] = 0
    ws["preferred"], ws["expected"] = NO_ACTION, np.nan
    for name, empty in (("killer_actions", NO_ACTION), ("answers", NO_ACTION), ("history_scores", 0)):
        if name in ws.dtype.names:
            ws[name] = empty
