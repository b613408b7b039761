"""The memory of searches: the record that compiled code works in, and transposition tables of fixed size."""

import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

import numpy as np

from ..boards.limits import is_last_node
from ..compiled import PLAIN_PYTHON, jit_inline, mix
from ..compiled.bits import bucket_of, empty_table
from ..compiled.directory import warn_once
from ..game.base import NO_ACTION, Game
from ..game.spec import name_of

# What every search keeps in the record that compiled code works in: counters, limits, the range of values, and its settings.
#
# Compiled code gets one record, so that nothing is allocated per node and a recursive call passes one word. The families of
# searches add arrays by ply, a search what is its own; its settings of type bool, int and float are fields of their name.

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
        ("stop", "u1"),
        ("clock_mask", "i8"),
        ("node_limit", "i8"),
        ("deadline", "i8"),
        ("own_deadline", "i8"),
        ("latest", "i8"),
        ("listen", "i8"),
        *((counter, "i8") for counter in COUNTERS),
        ("estimates", "i8"),  # uses of values that rest on an evaluator, table hits included
        ("low", "f8"),
        ("high", "f8"),  # the range of values: the game's returns, and an evaluator's beyond them
        ("worst", "f8"),
        ("best", "f8"),  # the game's range of returns
        ("identity", "u8"),  # of the game and the algorithm, in every key of a table
        ("use_table", "u1"),
        ("age", "i8"),
        ("root_step", "i8"),
        ("preferred", "i8", (2,)),  # actions to try first at the root
    ]
    try:
        memory = np.zeros(1, np.dtype(description, align=True))
    except ValueError as error:  # a record of NumPy's has 2 GB at most
        if len({name for name, *_ in description}) < len(description):
            raise  # two fields of one name: a mistake of the search's author
        name = name_of(game)
        raise ValueError(
            f"{name} has up to {game.max_actions} actions: a search has no room for that"
        ) from error
    record = memory.view(np.recarray)[0] if PLAIN_PYTHON else memory[0]
    record["low"], record["high"] = game.min_utility, game.max_utility
    record["worst"], record["best"] = game.min_utility, game.max_utility
    record["node_limit"] = np.iinfo(np.int64).max
    # As a mask: the work in a node grows with its joint actions.
    joint = max(1, game.max_actions) ** (1 if game.turn_based else 2)
    record["clock_mask"] = (1 << min(_CLOCK_INTERVAL, max(1, _CLOCK_WORK // joint)).bit_length() - 1) - 1
    record["preferred"] = NO_ACTION
    for name in settings:
        record[name] = getattr(algorithm, name)
    return record


@jit_inline
def to_front(actions, count, action):
    """Move an action to the front of its list, the others keeping their order."""
    for k in range(1, count):
        if actions[k] == action:
            while k > 0:
                actions[k] = actions[k - 1]
                k -= 1
            actions[0] = action
            break


@jit_inline
def enter(ws):
    """Count a node; True where the search has to stop."""
    return is_last_node(ws, ws.clock_mask)


# Transposition tables of fixed memory: entries of 32 bytes, replaced by the newer search or the deeper entry.
#
# A key has a slot of its own. Exact searches, which look for a game's end without a limit, use the slots beside it too (`ws.buckets`), four
# on two neighbouring cache lines: of the four an empty one is taken, then one of an earlier search, then the one that looked the least
# deep, so that what is newest is always kept. Otherwise, of two positions with the same slot one would be solved every time that it is
# met. Players' searches keep to the one slot.

ENTRY = np.dtype(
    [
        ("key", "u8"),
        ("lower", "f8"),
        ("upper", "f8"),
        ("depth", "i2"),
        ("action0", "i2"),
        ("action1", "i2"),
        ("proven", "u1"),
        ("age", "u1"),
    ],
    align=True,
)
BUCKET = 4
SAMPLED = 1024
"""Positions of a search of which it is counted how often they are solved."""
_SHARE_OF_KEYS = 15
"""As a mask: only such a share of the keys is looked at, so that not all are from the search's first moments."""


def new_table(entries: int, ahead: bool = True) -> Any:
    """An empty table of at least `entries` slots (a power of two, and a bucket); a slot takes 32 bytes. `ahead` as in `empty_bytes`."""
    return empty_table(ENTRY, BUCKET, (ENTRY.itemsize << max(0, entries - 1).bit_length()) / 2**20, ahead)


@jit_inline
def table_key(hash_, salt):
    """The key of a position for one kind of search; never 0, which marks an empty slot."""
    return mix(hash_ + np.uint64(salt) * np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)


@jit_inline
def slot_of(table, key, buckets):
    """The slot that holds a key, or the key's own; with `buckets` it may be in any of its bucket."""
    slot = bucket_of(table, key, 1)
    if buckets and table[slot].key != key:
        for k in range(1, BUCKET):
            if table[slot ^ k].key == key:
                return slot ^ k
    return slot


@jit_inline
def usable(table, slot, key, depth):
    """Whether the slot holds this position for this remaining depth (a proven entry holds for every depth)."""
    return table[slot].key == key and (table[slot].depth == depth or table[slot].proven != 0)


@jit_inline
def replaced_slot(table, slot, age):
    """The slot to take in a bucket without the key: an empty one, that of an earlier search, or the one that
    looked the least deep.
    """
    chosen, least = slot, np.int64(1 << 40)
    for k in range(BUCKET):
        entry = table[slot ^ k]
        depth = (
            np.int64(-2) if entry.key == 0 else np.int64(-1) if entry.age != age else np.int64(entry.depth)
        )
        if depth < least:
            chosen, least = slot ^ k, depth
    return chosen


@jit_inline
def count_solved(key, ws):
    """Count a sampled position that is solved, and one that was solved before and has been lost since."""
    if (key >> np.uint64(60)) & np.uint64(_SHARE_OF_KEYS) == 0:
        at = np.int64((key >> np.uint64(48)) & np.uint64(SAMPLED - 1))
        if ws.sampled[at] == 0:
            ws.sampled[at] = key
            ws.solved_once += 1
        elif ws.sampled[at] == key:
            ws.solved_again += 1


@jit_inline
def store(table, key, depth, lower, upper, action0, action1, proven, ws):
    """Keep bounds of a position's value; an entry of this search that looked deeper stays. Nothing under the key 0."""
    if key == np.uint64(0):
        return
    age, slot = ws.age, slot_of(table, key, ws.buckets)
    if ws.buckets and table[slot].key != key:
        count_solved(key, ws)
        slot = replaced_slot(table, slot, age)
    entry = table[slot]
    if entry.key == key and entry.depth == depth and entry.proven == proven:
        entry.lower = max(entry.lower, lower)
        entry.upper = min(entry.upper, upper)
        if entry.lower > entry.upper:  # rounding, or a collision: trust the newer
            entry.lower = lower
            entry.upper = upper
    elif ws.buckets or entry.key == 0 or entry.key == key or entry.age != age or entry.depth <= depth:
        entry.key = key
        entry.depth = depth
        entry.lower = lower
        entry.upper = upper
    else:
        return
    entry.action0 = action0
    entry.action1 = action1
    entry.proven = proven
    entry.age = age


# Exact searches whose table is too small: what is needed again is lost, and solved again and again, perhaps without an end.

_LEAST_AGAIN = 1000
"""Sampled positions, one in sixteen of at most 1,024, that are solved again before anything is said."""
_SECONDS = 1.0


@contextmanager
def exact_search(ws: Any, entries: int) -> Generator[None]:
    """Use the table in buckets meanwhile, and warn once if positions are mostly solved again."""
    ws["buckets"], ws["solved_once"], ws["solved_again"] = 1, 0, 0
    ws["sampled"] = 0
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_SECONDS) and not thrashes(ws):
            pass
        if thrashes(ws):
            _warn(entries)

    watcher = threading.Thread(target=watch, daemon=True)  # compiled code lets it run
    watcher.start()
    try:
        yield
    finally:
        ws["buckets"] = 0
        ended.set()
        watcher.join()


def thrashes(ws: Any) -> bool:
    """Whether most of the search is work that was done before and lost."""
    return int(ws["solved_again"]) >= _LEAST_AGAIN and int(ws["solved_again"]) > int(ws["solved_once"])


def _warn(entries: int) -> None:
    size = ENTRY.itemsize * entries
    memory = f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"
    warn_once(
        f"the search's table of {entries:,} entries ({memory}) is too small: most positions are lost and solved again; "
        f"give search(..., memory=Memory({8 * entries})), or use `saddlepoint solve`, whose table grows"
    )
