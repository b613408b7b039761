"""The memory of one running search of a game of turns: a record as in `workspace`, but with one action a step."""

from typing import Any

import numpy as np

from ...compiled import PLAIN_PYTHON
from ...game import NO_ACTION, Game
from ..workspace import COUNTERS, DEEPEST
from .move_ordering import ACTION_SLOTS

NOT_TRIED, EXACT_VALUE, AT_MOST = 0, 1, 2
"""What is known of a root action's value."""


def new_turn_workspace(
    game: Game, numbers: tuple[str, ...] = (), values: tuple[str, ...] = (), words: tuple[str, ...] = (), **tables: Any
) -> Any:
    """A zeroed record for searches of this game; fields and shapes below (A actions, D plies).

    `numbers`, `values` and `words` are an algorithm's own ints, floats and unsigned ints, `tables` its arrays by ply and action.
    """
    # The same shapes however long the game may last: they are part of the type that a search is compiled for.
    actions, plies = game.max_actions, DEEPEST + 3
    fields: list[Any] = [
        # First, because Numba warns of a record that only goes on where another ends.
        *((number, "i8") for number in numbers), *((value, "f8") for value in values), *((word, "u8") for word in words),
        *((name, kind, (plies, actions)) for name, kind in tables.items()),
        ("stop", "u1"), ("node_limit", "i8"), ("deadline", "i8"),
        *((counter, "i8") for counter in COUNTERS),
        ("estimates", "i8"),  # above 0 where the root's value rests on an evaluator
        ("proven", "i8"),  # of the value returned last: it rests on ended games alone
        ("low", "f8"), ("high", "f8"),  # the range of values
        ("worst", "f8"), ("best", "f8"),  # the range of results
        ("keep", "f8"), ("stretch", "f8"),  # what a value loses a move further from its end, and the inverse
        ("grain", "f8"),  # the width of a null window
        ("noise", "f8"),  # what rounding may make of a difference of 0
        ("shrunk", "f8"),  # what is left of a value as far away as can be
        ("expected", "f8"),  # the last iteration's value; nan before the first
        ("identity", "u8"),  # of the game and the algorithm
        ("others", "i8"),  # whether a result was met that is neither 0 (the middle) nor at an end of the range
        ("horizon", "i8"),  # whether a line was given up as too long
        ("salt", "u8"), ("seed", "u8"), ("age", "i8"), ("root_player", "i8"), ("root_step", "i8"),
        ("last_ply", "i8"),
        *((switch, "u1") for switch in (
            "alpha_beta", "null_windows", "use_table", "fold", "deeper_entries", "killers", "history", "countermoves",
            "static_order", "wins", "use_bounds", "star1", "star2",
        )),
        ("late_moves", "i8"), ("late_reduction", "i8"), ("null_move", "i8"), ("quiet_plies", "i8"), ("samples", "i8"),
        ("preferred", "i8", (2,)),  # the root action to try first
        ("killer_actions", "i8", (plies, 2, 2)),
        ("history_scores", "i8", (2, ACTION_SLOTS)),
        ("answers", "i8", (2, 2, ACTION_SLOTS)),  # countermoves: by mover, by who moved before, by what that was
        ("played", "i8", (plies,)), ("played_by", "i8", (plies,)),
        ("actions", "i8", (plies, actions)),
        ("order", "i8", (plies, actions)),
        ("chances", "f8", (plies, actions)),
        ("floors", "f8", (plies, actions)), ("ceilings", "f8", (plies, actions)),  # of a chance node's outcomes
        ("line", "i4", (plies, plies)), ("line_length", "i8", (plies,)),
        ("root_count", "i8"),
        ("root_values", "f8", (actions,)), ("root_known", "u1", (actions,)),
    ]  # fmt: skip
    memory = np.zeros(1, np.dtype(fields, align=True))
    record = memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]
    record["low"], record["high"] = game.min_utility, game.max_utility
    record["last_ply"] = plies - 2
    forget(record)
    return record


def forget(ws: Any) -> None:
    """Before a new search: nothing is known of the root, nothing orders moves."""
    ws["estimates"] = 0
    ws["preferred"] = NO_ACTION
    ws["killer_actions"] = NO_ACTION
    ws["answers"] = NO_ACTION
    ws["history_scores"] = 0
    ws["expected"] = np.nan
    ws["root_count"] = 0
    ws["line_length"] = 0
