"""What every search keeps in the record that compiled code works in: counters, limits, the range of values, and its settings.

Compiled code gets one record, so that nothing is allocated per node and a recursive call passes one word. The families of
searches add arrays by ply, a search what is its own; its settings of type bool, int and float are fields of their name.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import numpy as np

from ..boards.limits import is_last_node
from ..compiled import PLAIN_PYTHON, jit_inline
from ..game import NO_ACTION, Game
from ..spec import name_of

DEEPEST = 256
"""Steps below the root that a search can look at."""

_CLOCK_INTERVAL, _CLOCK_WORK = 64, 4096
"""The most nodes between two looks at the clock; fewer where that many of them would have more joint actions in all."""

_ROOM = 16
"""Actions that a list has room for, where the game knows their number at run time only: more of them make it twice as long, and so on."""


def room_for_actions(game: Game) -> int:
    """The length of lists of actions: part of the type that a search is compiled for, so it must not follow the game's parameters."""
    return _room(game, "max_actions")


def room_for_outcomes(game: Game) -> int:
    """The length of lists of chance's outcomes; 1 where chance never moves."""
    return _room(game, "max_outcomes") if game.has_chance else 1


def _room(game: Game, limit: str) -> int:
    room = int(getattr(game, limit))
    return 1 << (max(room, _ROOM) - 1).bit_length() if game.is_run_time_value(limit) else room


def deepest_of(game: Game) -> int:
    """The depth that a search has memory for: a round takes a ply, and chance may take some more before the next one."""
    if game.turn_based or not game.has_chance or game.max_depth <= DEEPEST:
        return min(game.max_depth, DEEPEST)
    return DEEPEST // (1 + game.max_chance_plies)


def room_for_plies(game: Game) -> int:
    """The plies that a search has memory for, the root's and one below the deepest among them: the same for all where that is little."""
    plies = min(game.max_depth, DEEPEST)
    return (DEEPEST if game.is_run_time_value("max_depth") and room_for_actions(game) <= _ROOM else plies) + 2


COUNTERS = (
    "nodes", "leaves", "evaluations", "cells", "table_hits", "cutoffs", "saddle_stages", "closed_form_stages", "lp_stages",
)  # fmt: skip

_OF_THE_GAME = ("chance", "chance_samples")
"""Settings that decide which game is searched, and that no search asks for."""
_KINDS: dict[Any, str] = {bool: "u1", int: "i8", float: "f8"}


def new_record(game: Game, algorithm: Any, own: Iterable[Any]) -> Any:
    """A zeroed record with an algorithm's settings filled in; `own` are NumPy descriptions of the fields it adds.

    Raises ValueError where the game has too many actions.
    """
    own_settings = () if algorithm is None else (f for f in fields(algorithm) if f.name not in _OF_THE_GAME)
    settings = {f.name: type(f.default) for f in own_settings if type(f.default) in _KINDS}
    description: list[Any] = [
        # What differs comes first: Numba warns of a record that only goes on where another ends.
        *((name, _KINDS[kind]) for name, kind in settings.items()),
        *own,
        ("stop", "u1"), ("clock_mask", "i8"),
        ("node_limit", "i8"), ("deadline", "i8"), ("own_deadline", "i8"), ("latest", "i8"), ("listen", "i8"),
        *((counter, "i8") for counter in COUNTERS),
        ("estimates", "i8"),  # uses of values that rest on an evaluator, table hits included
        ("low", "f8"), ("high", "f8"),  # the range of values: the game's returns, and an evaluator's beyond them
        ("worst", "f8"), ("best", "f8"),  # the game's range of returns
        ("identity", "u8"),  # of the game and the algorithm, in every key of a table
        ("use_table", "u1"), ("age", "i8"), ("root_step", "i8"),
        ("preferred", "i8", (2,)),  # actions to try first at the root
    ]  # fmt: skip
    try:
        memory = np.zeros(1, np.dtype(description, align=True))
    except ValueError as error:  # a record of NumPy's has 2 GB at most
        if len({name for name, *_ in description}) < len(description):
            raise  # two fields of one name: a mistake of the search's author
        name = name_of(game)
        raise ValueError(f"{name} has up to {game.max_actions} actions: a search has no room for that") from error
    record = memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]
    record["low"], record["high"] = game.min_utility, game.max_utility
    record["worst"], record["best"] = game.min_utility, game.max_utility
    record["node_limit"] = np.iinfo(np.int64).max
    record["clock_mask"] = _clock_mask(game)
    record["preferred"] = NO_ACTION
    for name in settings:
        record[name] = getattr(algorithm, name)
    return record


def _clock_mask(game: Game) -> int:
    """As a mask, how many nodes a search visits between two looks at the clock: the work in a node grows with its joint actions."""
    joint = max(1, game.max_actions) ** (1 if game.turn_based else 2)
    return (1 << min(_CLOCK_INTERVAL, max(1, _CLOCK_WORK // joint)).bit_length() - 1) - 1


@jit_inline
def enter(ws):
    """Count a node; True where the search has to stop."""
    return is_last_node(ws, ws.clock_mask)
