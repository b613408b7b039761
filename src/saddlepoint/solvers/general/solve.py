"""Solve a game: every position that can come about from a start, each once."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...algorithms.algorithm import UnsupportedGameError
from ...algorithms.simultaneous.solver_address import solver_addresses
from ...compiled import put_words, word_count
from ...compiled.call import run
from ...compiled.states import as_machine_words
from ...game import TERMINAL, Game, GameError
from .induction import (
    CELLS_FULL,
    SOLVED,
    TABLE_FULL,
    TOO_DEEP,
    TOO_NARROW,
    begin,
    induce,
    new_memory,
    new_record,
)
from .packing import first_packing
from .positions import Positions

_SLICE = 20_000
"""Positions between two looks at the clock, at first; later as many as take `_PAUSE` seconds."""
_PAUSE = 0.2


@dataclass(frozen=True)
class Counts:
    """What solving did."""

    positions: int
    """Distinct positions that are not ended, chance's among them: each was solved once."""
    chance_positions: int
    saddle_stages: int
    closed_form_stages: int
    lp_stages: int
    ends: int
    """Ended positions met, as often as they were met."""
    edges: int
    """Moves from one position to another, each once."""
    seconds: float

    @property
    def stages(self) -> int:
        """Stage matrices solved: one for each position at which a player chooses."""
        return self.saddle_stages + self.closed_form_stages + self.lp_stages


class Induction:
    """Backward induction over the positions that can come about from a start; it can pause anywhere.

    `memory` is in bytes: beyond it the table goes into a file without a name in `folder`, and `on_disk` is told its bytes.
    Raises UnsupportedGameError for a game without an end that can be told.
    """

    def __init__(
        self,
        game: Game,
        state: Any = None,
        *,
        memory: float = float("inf"),
        folder: Path | None = None,
        on_disk: Callable[[int], None] | None = None,
    ) -> None:
        if game.max_actions < 1 or game.max_depth < 1:
            raise ValueError(f"{type(game).__name__} must set max_actions and max_depth to be solved")
        self.game = game
        self.root = as_machine_words(game.initial_state() if state is None else state)
        words = np.zeros(word_count(self.root), np.uint64)
        put_words(self.root, words)
        self.positions = Positions(first_packing(words), memory, folder, on_disk)
        self.seconds = 0.0
        self._ws, self._arrays = new_record(), new_memory(game, len(words))
        self._ws["deepest"], self._ws["solver"] = game.max_depth, solver_addresses()[0]
        self._ended = game.current_player(self.root) == TERMINAL
        self._done = self._ended
        self._ws["depth"] = -1
        self._induce()  # nothing yet: what is compiled, or loaded, is ready before the time counts
        if not self._ended:
            run(begin, game, self.root, self._ws, self._arrays)

    @property
    def is_done(self) -> bool:
        """Whether all is solved."""
        return self._done

    @property
    def value(self) -> float:
        """Player 0's expected result from the start; meaningless before all is solved."""
        return float(self.game.returns(self.root) if self._ended else self._ws["value"])

    def counts(self) -> Counts:
        """What was done so far."""
        ws = self._ws
        names = ("chance_positions", "saddle_stages", "closed_form_stages", "lp_stages", "ends", "edges")
        return Counts(self.positions.filled, **{name: int(ws[name]) for name in names}, seconds=self.seconds)

    def go_on(self, positions: int) -> bool:
        """Solve about so many positions more; whether all is solved."""
        started = time.perf_counter()
        ws, table = self._ws, self.positions
        ws["pause"] = table.filled + positions
        while not self._done and table.filled < int(ws["pause"]):
            reason = self._induce()
            table.filled = int(ws["filled"])
            self._done = reason == SOLVED
            self._make_room(reason)
        self.seconds += time.perf_counter() - started
        return self._done

    def _induce(self) -> int:
        ws, table, packing = self._ws, self.positions, self.positions.packing
        ws["width"], ws["capacity"], ws["filled"] = packing.width, table.capacity, table.filled
        return run(
            induce, self.game, self.root, ws, table.rows, table.slots, table.rows.view(np.float64),
            (packing.base, packing.mask, packing.place, packing.shift), self._arrays,
        )  # fmt: skip

    def _make_room(self, reason: int) -> None:
        if reason == TABLE_FULL:
            self.positions.grow()
        elif reason == TOO_NARROW:
            k = int(self._ws["misfit"])
            words = self._arrays[2][int(self._ws["depth"]) + 1]
            self.positions.widen(self.positions.packing.widened(k, int(words[k])))
        elif reason == CELLS_FULL:
            *before, cells, rows, columns, x, y, work = self._arrays
            self._arrays = (*before, np.concatenate([cells, np.zeros(len(cells))]), rows, columns, x, y, work)
        elif reason == TOO_DEEP:
            raise UnsupportedGameError(
                f"{self.game!r} does not end within max_depth = {self.game.max_depth} moves from here, as solving from the end "
                "needs: a position may come back, or max_depth is too small"
            )


def solve_positions(
    game: Game,
    state: Any = None,
    *,
    memory: float = float("inf"),
    folder: Path | None = None,
    on_progress: Callable[[Counts], None] | None = None,
    on_disk: Callable[[int], None] | None = None,
) -> Induction:
    """Solve every position that can come about from `state`, by default from the start; for the other arguments see `Induction`.

    `on_progress` is called about every 0.2 s; what it raises ends the work.
    Raises GameError where a rule breaks its own limits.
    """
    work = Induction(game, state, memory=memory, folder=folder, on_disk=on_disk)
    slice_ = _SLICE
    while not work.is_done:
        before, started = work.positions.filled, time.perf_counter()
        work.go_on(slice_)
        if on_progress is not None:
            on_progress(work.counts())
        passed = time.perf_counter() - started
        speed = (work.positions.filled - before) / max(passed, 1e-9)
        slice_ = min(max(_SLICE, int(_PAUSE * speed)), 100 * slice_)
    return work


__all__ = ["Counts", "GameError", "Induction", "solve_positions"]
