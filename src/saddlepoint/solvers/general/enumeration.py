"""All positions that can come about from a start, found by the solver's own walk, without solving a stage."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiled import jit, put_words, run, state_from_words, word_count
from ...compiled.states import as_machine_words
from ...game import Game, GameError
from .positions import TooManyPositions
from .slots import row_with
from .solve import Induction, SolveCounts, solve_the_rest


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
        """The position of that number."""
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
    game: Game, state: Any = None, *, memory: float = float("inf"), on_progress: Callable[[SolveCounts], None] | None = None
) -> Positions:
    """Every position that can come about from `state`, by default from the start; nothing is folded.

    `memory`: bytes of the table, beyond which TooManyPositions is raised. `on_progress` is called about every 0.2 s; what it raises
    ends the work. Raises UnsupportedGameError for a game that does not end within its `max_depth`.
    """

    def refuse(size: int) -> None:
        raise TooManyPositions(f"the positions of {game!r} take more than {memory / 1e6:,.0f} MB")

    work = Induction(game, state, memory=memory, on_disk=refuse, valued=False)  # one thread: what follows has smaller numbers
    solve_the_rest(work, on_progress)
    return Positions(work)
