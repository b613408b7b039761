"""The positions that can come about from a start: all of them, by the solver's own walk without solving a stage; and about how many."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...compiled import (
    borrowed,
    hash_of_words,
    jit,
    jit_part,
    mix,
    put_words,
    run,
    state_from_words,
    word_count,
)
from ...compiled.states import as_machine_words
from ...game.base import CHANCE, TERMINAL, Game, GameError
from .certificate import BrokenSolution
from .induction import cells_of_a_stage, named, new_memory
from .packing import can_fold, fold, inverse
from .positions import TooManyPositions, row_with, slots_of
from .solution import Solution
from .solve import Induction, SolveCounts, solve_the_rest
from .successors import (
    BROKEN,
    FITS,
    KNOWN,
    borrowed_packing,
    fill_position,
    leave_unsolved,
    list_choices,
    read_position,
)


@jit
def row_of_key(key, width, rows, slots):
    return row_with(key, width, rows, slots)


class Positions:
    """Every position that is not ended, each once, numbered so that what follows from a position has smaller numbers.

    The start has the last number. rows: the packed words of each position and one word more, one after another; slots: the hash
    table that leads to them (`positions`).
    """

    def __init__(self, work: Induction) -> None:
        table = work.positions
        self.game, self.root, self.packing = work.game, work.root, table.packing
        self.rows, self.slots, self._count = table.rows, table.slots, table.filled
        self.table_bytes = int(table.rows.nbytes + table.slots.nbytes)
        self.counts = work.counts()

    def __len__(self) -> int:
        return self._count

    def state(self, number: int) -> Any:
        width = self.packing.width
        return state_from_words(self.packing.unpacked(self.rows[number * (width + 1) :][:width]), self.root)

    def number_of(self, state: Any) -> int:
        """A position's number; raises GameError for one that cannot come about from the start."""
        state = as_machine_words(state)
        words = np.zeros(word_count(state), np.uint64)
        put_words(state, words)
        key = self.packing.packed(words)
        found = -1
        if key is not None and self._count:
            found = int(run(row_of_key, np.array(key, np.uint64), self.packing.width, self.rows, self.slots))
        if found < 0:
            raise GameError(f"this position cannot come about from the start:\n{self.game.render(state)}")
        return found


def enumerate_positions(
    game: Game,
    state: Any = None,
    *,
    memory: float = float("inf"),
    on_progress: Callable[[SolveCounts], None] | None = None,
) -> Positions:
    """Every position that can come about from `state`, by default from the start; nothing is folded.

    `memory`: bytes of the table, beyond which TooManyPositions is raised. `on_progress` is called about every 0.2 s; what it raises
    ends the work. Raises UnsupportedGameError for a game that does not end within its `max_depth`.
    """

    def refuse(size: int) -> None:
        raise TooManyPositions(f"the positions of {game!r} take more than {memory / 1e6:,.0f} MB")

    work = Induction(
        game, state, memory=memory, on_disk=refuse, valued=False
    )  # one thread: what follows has smaller numbers
    solve_the_rest(work, on_progress)
    return Positions(work)


# Whether the positions of a solution can come about: rules are safe with no others, and those of a file may be anything.

_SLICE = 100_000
"""Positions between two moments in which Ctrl-C is heard."""


@jit_part
def mark(fit, key, table):
    """Mark a kept successor; BROKEN where it was not solved before."""
    rows, slots, order, width, index, reached = table
    found = row_with(key, width, rows, slots) if fit == FITS else np.int64(-1)
    if found < 0 or order[found] >= index:
        return np.int64(BROKEN), 0.0, 0.0, 0.0, 0.0
    reached[found] = 1
    return np.int64(KNOWN), 0.0, 0.0, 0.0, 0.0


@jit
def mark_reached(
    game, like, is_folded, rows, order, places, first, last, width, slots, packing, arrays, inner, cells, reached
):  # fmt: skip
    """Mark what follows the positions from `last` - 1 down to `first`; returns the first that was not reached or is not solved, or -1.

    Nor is one solved in which somebody has to choose and has nothing to choose. Positions are counted as they were solved: `places`
    has the row of each, `order` the contrary; `reached` is by rows.
    """
    memory, inner, packing, cells = named(arrays), named(inner), borrowed_packing(packing), borrowed(cells)
    rows, slots, order = borrowed(rows), borrowed(slots), borrowed(order)
    places, reached = borrowed(places), borrowed(reached)
    form = is_folded, -1, np.uint64(0), packing, width
    for index in range(last - 1, first - 1, -1):
        place = np.int64(places[index])
        if not reached[place]:
            return index
        position = read_position(
            game, like, rows[place * (width + 1) :], packing, memory.words[0], memory.actions[0], memory.x
        )
        table = rows, slots, order, width, index, reached
        why, _, _, _ = fill_position(
            game, like, position, form, mark, table, leave_unsolved, 0, memory, inner, cells
        )
        if why != KNOWN:
            return index
    return -1


def check_reached(solution: Solution, on_progress: Callable[[int], None] | None = None) -> None:
    """Raise BrokenSolution where a position cannot come about from the start, or one that can is not there.

    `on_progress` is called now and then with how many positions are done.
    """
    game, root, packing = solution.game, solution.root, solution.packing
    count, width = len(solution), packing.width
    if count == 0:
        return
    rows, slots, reached = solution.rows.reshape(-1), slots_of(solution.rows), np.zeros(count, np.uint8)
    order, places = solution.order, inverse(solution.order)
    try:
        reached[solution.place_of(root)] = 1
    except GameError as error:
        raise BrokenSolution("the start is not among the positions") from error
    arrays, inner = (new_memory(game, len(packing.base)) for _ in range(2))
    cells = np.zeros((2, 3, cells_of_a_stage(game)))
    for last in range(count, 0, -_SLICE):
        found = run(
            mark_reached,
            game,
            root,
            solution.is_folded,
            rows,
            order,
            places,
            max(last - _SLICE, 0),
            last,
            width,
            slots,
            packing.arrays,
            arrays,
            inner,
            cells,
            reached,
        )
        if found >= 0:
            raise BrokenSolution(
                f"position {found + 1:,} of {count:,} cannot come about from the start, or one after it was not solved"
            )
        if on_progress is not None:
            on_progress(count - max(last - _SLICE, 0))


# How large a game is, by random walks: what cannot be solved soon is known to be too large without solving a part of it.
#
# Of N positions of one depth, n that are drawn at random have about n^2 / 2N pairs of equal ones (as people have birthdays on one day).
# Walks meet some positions more often than others, so that the numbers found are too small rather than too large.

_LONGEST = 512
"""Moves of a walk at most."""
_STRIDE = 0x9E3779B97F4A7C15


class Size(NamedTuple):
    """About how large a game is at least."""

    positions: float
    """That are kept."""
    solved: float
    """Those and what is solved within them."""
    cells: float
    """Joint actions, and outcomes of chance, of all that are solved."""


@jit
def _walk(game, root, is_folded, first, last, memory, hashes, cells, inner):
    """Walk at random from the root, by the numbers from `first` to `last`; a hash of each position and the size of its stage are kept.

    `inner` counts the positions of each step that would not be kept: choices that are solved within a position of chance.
    """
    actions, chances = memory
    for walk in range(first, last):
        state, drawn, after_chance = root, mix(np.uint64(walk) + np.uint64(1)), False
        for step in range(hashes.shape[1]):
            node = game.current_player(state)
            if node == TERMINAL:
                break
            if is_folded and step > 0 and game.has_bounds:
                low, high = game.bounds(state)
                if low == high:
                    break
            m, n = list_choices(game, state, np.int64(node), actions[0], actions[1], chances)
            kept = state
            if is_folded:
                kept, _, _ = fold(game, state)
            hashes[walk, step] = hash_of_words(kept) | np.uint64(1)
            cells[step] += m * n
            if is_folded and game.has_chance and game.chance_is_told:
                inner[step] += after_chance and node != CHANCE
                after_chance = node == CHANCE
            drawn = mix(drawn + np.uint64(_STRIDE))
            i = np.int64(drawn % np.uint64(m))
            j = np.int64((drawn >> np.uint64(32)) % np.uint64(n)) if node != CHANCE else np.int64(0)
            state = game.successor(state, actions[0, i], actions[1, j])


class Walks:
    """Random walks from a position that is not over, the same every time; more of them estimate better."""

    def __init__(self, game: Game, state: Any, fold: bool = True) -> None:
        self._game, self._root, self._folds = game, as_machine_words(state), fold and can_fold(game)
        choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
        self._memory = np.zeros((2, choices), np.int64), np.zeros(choices)
        steps = min(game.max_depth, _LONGEST)
        self._hashes, self._cells, self._inner = (
            np.zeros((0, steps), np.uint64),
            np.zeros(steps),
            np.zeros(steps),
        )

    def size(self, walks: int) -> Size:
        done, steps = self._hashes.shape
        self._hashes = np.concatenate([self._hashes, np.zeros((max(0, walks - done), steps), np.uint64)])
        run(
            _walk,
            self._game,
            self._root,
            self._folds,
            done,
            len(self._hashes),
            self._memory,
            self._hashes,
            self._cells,
            self._inner,
        )
        positions = solved = cells = 0.0
        for step, column in enumerate(self._hashes.T):
            met = column[column != 0]
            if not len(met):
                break
            counts = np.unique(met, return_counts=True)[1]
            equal = float((counts * (counts - 1)).sum()) / 2
            here = max(len(counts), len(met) * (len(met) - 1) / 2 / max(equal, 1.0))
            solved += here
            positions += here * (1 - self._inner[step] / len(met))
            cells += here * self._cells[step] / len(met)
        return Size(positions, solved, cells)
