"""The tasks of a worker: the successors of a chunk of positions, and the values of its positions.

Answers follow from the question alone. A worker that dies leaves nothing that cannot be asked again.
"""

import functools
import pickle
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algorithms.simultaneous.solver_address import solver_address
from ...compiled import put_words, word_count
from ...compiled.call import run
from ...compiled.states import as_machine_words
from ...game.base import Game
from ...game.own_games import described
from ...system.cluster import library_digest
from ..general.induction import InductionArrays, cells_of_a_stage, new_memory, new_record
from ..general.packing import Packing, first_packing, least_packing, ranges_of
from ..general.positions import PositionTable
from ..general.solution import rows_of
from ..general.solve import COUNTED as ALL_COUNTED
from ..general.successors import BROKEN, KNOWN
from .chunks import HEIGHT, TABLE_FULL, TOO_NARROW, enter_all, find_successors, solve_chunk

COUNTED = ALL_COUNTED[1:]
"""The counters of a worker: all but the positions."""
_SLICE = 256
"""Positions between two moments in which a worker asks whether anybody waits for it."""
_SAMPLE, _FORESIGHT = 64, 0.3
"""Positions of each level that are looked into for a packing, and seconds that this may take."""
_RULES = 4
"""Games that a worker keeps."""


class ChunkSuccessors(NamedTuple):
    """The successors of a chunk, each position once, in the order in which they are found."""

    packing: Packing
    keys: NDArray[np.uint64]
    """Shape (positions, width of the packing)."""
    seconds: float
    """CPU time."""


class ChunkValues(NamedTuple):
    """The values of a chunk's positions."""

    results: NDArray[np.float64]
    """Shape (positions, 2 or 4): VALUE, HEIGHT, LOW, HIGH; the height 0 where a successor is not known."""
    watch: NDArray[np.int32]
    """Of those a successor that is not known, by its number; else -1."""
    counted: tuple[int, ...]
    """COUNTED."""
    seconds: float


def pack_rules(game: Game, root: Any) -> bytes:
    """A game and its start for the workers, which keep it: the scheduler does not look into it."""
    return pickle.dumps((described(game), game, as_machine_words(root)))


@functools.lru_cache(_RULES)
def _unpacked(rules: bytes) -> tuple[Game, Any]:
    """The game and its start; raises ValueError where the game's own file is another here, since any worker may join at any time."""
    wanted, game, root = pickle.loads(rules)
    if described(game) != wanted:
        raise ValueError(
            f"a worker has another file for {game!r}: put the same at the same path, and start the workers again"
        )
    return game, root


def inspect_rules(rules: bytes) -> tuple[str, Any]:
    """The digest of this worker's library, and the game as it has it: a game's own file may differ between machines."""
    digest = library_digest()
    try:
        return digest, described(pickle.loads(rules)[1])
    except Exception as error:  # shown as it is: another version may fail in any way
        return digest, f"{type(error).__name__}: {error}"


def warm_rules(rules: bytes, is_folded: bool, bounded: bool) -> None:
    """Compile, or load, all that the chunks of a game need."""
    root = _unpacked(rules)[1]
    words = np.zeros(word_count(root), np.uint64)
    put_words(root, words)
    packing = first_packing(words)
    nothing = np.zeros((0, packing.width), np.uint64)
    _ranges(packing, nothing)
    expand(lambda: None, rules, is_folded, packing, nothing)
    evaluate(lambda: None, rules, is_folded, packing, nothing, np.zeros((0, 4 if bounded else 2)), nothing)


class _Desk:
    """The working data of a chunk: the rules, a record of counters, memory, and a table of successors."""

    def __init__(self, rules: bytes, is_folded: bool, packing: Packing, room: int) -> None:
        self.game, self.like = _unpacked(rules)
        self.record = new_record()
        self.arrays, self.inner = (new_memory(self.game, len(packing.base)) for _ in range(2))
        self.cells = np.zeros((2, 4, cells_of_a_stage(self.game)))
        self.record["folded"], self.record["solver"], self.record["width"] = (
            is_folded,
            solver_address(),
            packing.width,
        )
        self.packing = Packing(*(_own(array) for array in packing.arrays))
        self.table = PositionTable(self.packing)
        self.table.adopt(self.packing, *self.table.room_for(room, packing.width), 0)

    def make_room(self, reason: int) -> None:
        table = self.table
        table.used = table.filled = int(self.record["row"])
        if reason == TABLE_FULL:
            table.grow()
        elif reason == TOO_NARROW:
            k = int(self.record["misfit"])
            table.widen(table.packing.widened(k, int(InductionArrays(*self.arrays).words[1][k])))
            self.record["width"] = table.packing.width


def _own(array: Any) -> Any:
    """An array as compiled code takes it: what came from another process may be unaligned, or read only."""
    return np.require(array, requirements=["C", "A", "W"])


def expand(
    leave: Callable[[], None], rules: bytes, is_folded: bool, packing: Packing, keys: NDArray[np.uint64]
) -> ChunkSuccessors:
    """The successors of positions that are not ended; `leave` raises where the result is not wanted any more."""
    started, desk = time.thread_time(), _Desk(rules, is_folded, packing, 2 * len(keys))
    first, flat, source = 0, _own(keys).reshape(-1), desk.packing.arrays
    while True:
        leave()
        last, table = min(first + _SLICE, len(keys)), desk.table
        reason = run(
            find_successors,
            desk.game,
            desk.like,
            desk.record,
            flat,
            first,
            last,
            source,
            packing.width,
            table.rows,
            table.heights,
            table.slots,
            desk.table.packing.arrays,
            desk.arrays,
            desk.inner,
            desk.cells,
        )
        if reason == KNOWN:
            first = last
            if first == len(keys):
                break
        else:
            first = int(desk.record["depth"])
            desk.make_room(reason)
    desk.make_room(KNOWN)
    return ChunkSuccessors(
        desk.table.packing, np.ascontiguousarray(desk.table.words()), time.thread_time() - started
    )


def likely_packing(rules: bytes, is_folded: bool, packing: Packing, keys: NDArray[np.uint64]) -> Packing:
    """The least packing for these positions and a sample of what follows from them; another position may still need a wider one.

    To find it out while all positions are found would mean to pack them again whenever a number takes a new value.
    """
    until, chance = time.perf_counter() + _FORESIGHT, np.random.default_rng(0)
    least, most = _ranges(packing, keys)
    while time.perf_counter() < until:
        found = expand(lambda: None, rules, is_folded, packing, keys)
        packing, keys = found.packing, found.keys
        if not len(keys):
            break
        low, high = _ranges(packing, keys)
        least, most = np.minimum(least, low), np.maximum(most, high)
        if len(keys) > _SAMPLE:
            keys = keys[chance.choice(len(keys), _SAMPLE, replace=False)]
    return least_packing(least, most)


def _ranges(packing: Packing, keys: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The least and the largest that each word of a state is among these positions."""
    rows = rows_of(keys, np.zeros(len(keys)))
    return ranges_of(rows.reshape(-1), np.ones(len(keys), np.uint32), len(keys), packing)


def evaluate(
    leave: Callable[[], None],
    rules: bytes,
    is_folded: bool,
    packing: Packing,
    keys: NDArray[np.uint64],
    known: NDArray[np.float64],
    successors: NDArray[np.uint64] | None,
) -> ChunkValues:
    """The values of positions by `known`, the values of their successors.

    Without `successors` these are all that follow, in the order in which they are met, and all are known. Otherwise they have these
    keys; positions may follow from each other, and those that cannot be solved yet are left.
    """
    started, desk = time.thread_time(), _Desk(rules, is_folded, packing, len(known))
    table, record, known = desk.table, desk.record, _own(known)
    if successors is not None:
        run(
            enter_all,
            _own(successors).reshape(-1),
            0,
            len(successors),
            packing.width,
            table.rows,
            table.heights,
            table.slots,
            record,
            np.empty(len(successors), np.uint32),
        )
    results, watch = np.zeros((len(keys), known.shape[1])), np.full(len(keys), -1, np.int32)
    flat = _own(keys).reshape(-1)
    while True:
        solved = 0
        for first in range(0, max(len(keys), 1), _SLICE):
            leave()
            found = run(
                solve_chunk,
                desk.game,
                desk.like,
                record,
                flat,
                first,
                min(first + _SLICE, len(keys)),
                desk.table.packing.arrays,
                table.rows,
                table.heights,
                table.slots,
                known,
                desk.arrays,
                desk.inner,
                desk.cells,
                results,
                watch,
                successors is not None,
            )
            if found == BROKEN:
                raise ValueError(
                    f"{desk.game!r} tells other successors of a position than before: rules must tell always the same"
                )
            solved += found
        if solved == 0 or successors is None or (results[:, HEIGHT] != 0).all():
            return ChunkValues(
                results, watch, tuple(int(record[name]) for name in COUNTED), time.thread_time() - started
            )
