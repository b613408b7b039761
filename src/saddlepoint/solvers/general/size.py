"""How large a game is before it is solved, and a run of the solver with its progress."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...compiled import PLAIN_PYTHON, hash_of_words, jit, mix
from ...compiled.call import run
from ...compiled.states import as_machine_words
from ...game.base import CHANCE, TERMINAL, Game
from ...system.cluster import usable_cores
from .certificate import BrokenSolution, Certificate
from .check import check_values
from .checkpoint import Checkpoints, checkpoint_path, load_checkpoint
from .packing import can_fold, fold
from .reached import check_reached
from .solution import Solution
from .solve import Induction, SolveCounts, Solver, solve_the_rest
from .stages import list_choices

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
    """Random walks from a position, which is not over; more of them tell more. The same every time."""

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
        """What so many walks in all tell."""
        done = len(self._hashes)
        fresh = np.zeros((max(0, walks - done), self._hashes.shape[1]), np.uint64)
        self._hashes = np.concatenate([self._hashes, fresh])
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


# A game solved from its end, or on from the checkpoint of an interrupted run, with its certificate.

Progress = Callable[[int, str, int | None], None]
"""Called with how many positions are done, what is done, and how many there are in all, where that is known."""

Found = tuple[SolveCounts, Solution, Certificate | None]
NOTHING_KEPT = "nothing was written"


def begun_checkpoints(output: Path | None, resume: bool, seconds: float) -> Checkpoints | None:
    """Where checkpoints go; raises ValueError where one is in the way, or the file is missing beside which they lie."""
    if output is None:
        if resume:
            raise ValueError("--resume goes on with the checkpoint beside --output FILE; give the file")
        return None
    path = checkpoint_path(output)
    if not resume and path.exists():
        raise ValueError(
            f"{path} is what an interrupted run has found: --resume goes on with it; to begin anew, delete it"
        )
    return Checkpoints(path, seconds)


def usual_threads() -> int:
    """One for every core that this process may use; plain Python runs one at a time."""
    return 1 if PLAIN_PYTHON else usable_cores()


class Run:
    """One game, from its start or its checkpoint to the solution. `warn` is called with a sentence for whoever runs it."""

    again = "the same command with --resume"
    """What goes on after an interruption."""

    def __init__(
        self, checkpoints: Checkpoints | None, on_progress: Progress, warn: Callable[[str], None]
    ) -> None:
        self._checkpoints, self._on_progress, self._warn, self._time_left = (
            checkpoints,
            on_progress,
            warn,
            TimeLeft(),
        )
        self._work: Solver | None = None

    def solve(
        self, game: Game, state: Any, *, resume: bool, check: bool, threads: int, **options: Any
    ) -> Found:
        """Solve every position, and check the certificate if `check`; for the other options see `Induction`.

        Raises ValueError where what a checkpoint has is wrong.
        """
        work, resumed = Induction(game, state, threads=threads, **options), False
        if resume and self._checkpoints is not None:
            resumed = self._checkpoints.path.exists()
            if resumed:
                load_checkpoint(self._checkpoints.path, work)
            else:
                self._warn(
                    f"there is no checkpoint {self._checkpoints.path}: the game is solved from its start"
                )
        self._work = work
        solve_the_rest(work, self._show)
        self._write_if_due()
        solution, certificate = Solution.of(work), None
        count = len(solution)
        try:
            if resumed:
                self._on_progress(count, "positions; looking whether all can come about", count)
                check_reached(solution)
            if check:
                self._on_progress(0, "positions; checking best responses", count)
                certificate = check_values(
                    solution,
                    lambda done: self._on_progress(done, "positions; checking best responses", count),
                    threads=threads,
                )
        except BrokenSolution as error:
            if self._checkpoints is None or not self._checkpoints.path.exists():
                raise ValueError(f"the solution is wrong: {error}") from error
            raise ValueError(
                f"{str(self._checkpoints.path)!r} is damaged: {error}; delete it to begin anew"
            ) from error
        return work.counts(), solution, certificate

    def keep(self) -> str:
        """Write what was found into the checkpoint, and say what can be done with it."""
        work = self._work
        if (
            work is None
            or self._checkpoints is None
            or work.positions.filled == 0
            or not work.positions.is_whole
        ):
            return NOTHING_KEPT
        self._checkpoints.write(work)
        return f"{self.again} goes on: {self._checkpoints.path} has {work.positions.filled:,} positions"

    def close(self) -> None:
        """Leave nothing under way."""

    def _show(self, counts: SolveCounts) -> None:
        speed = counts.positions / max(counts.seconds, 1e-9)
        standing = f"positions, {100 * counts.share_done:.0f} % of the branches, {speed:,.0f} a second, {counts.seconds:.0f} s"
        self._on_progress(
            counts.positions,
            standing,
            self._time_left.total(counts.seconds, counts.positions, counts.share_done),
        )
        self._write_if_due()

    def _write_if_due(self) -> None:
        if self._checkpoints is None or self._work is None:
            return
        try:
            self._checkpoints.write_if_due(self._work)
        except OSError as error:
            self._warn(f"no checkpoint could be written: {error.strerror or error}")


class TimeLeft:
    """Positions in all, estimated from the share of the branches that is done.

    A position is solved once, so later branches are often much faster than the first. The share gives the time only where it grows
    steadily: where half the time ago it gave about the same total.
    """

    _AGREE = 1.25
    _LEAST_SECONDS = 5.0

    def __init__(self) -> None:
        self._estimates: list[tuple[float, float]] = []

    def total(self, seconds: float, positions: int, share: float) -> int | None:
        """How many positions there will be, about; None where nobody can say."""
        if share <= 0 or seconds < self._LEAST_SECONDS:
            return None
        wanted = positions / share
        while len(self._estimates) > 1 and self._estimates[1][0] <= seconds / 2:
            self._estimates.pop(0)
        self._estimates.append((seconds, wanted))
        then, before = self._estimates[0]
        steady = then <= seconds / 2 and max(before, wanted) <= self._AGREE * min(before, wanted)
        return max(int(wanted), positions) if steady else None
