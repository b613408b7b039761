"""The exact value of a position of Tron, without its strategies."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from ...interface import awaited, int_of, motions, new_control, run, solver_address, words_of
from ..game import State as TronState, Tron
from .memory import BY_SYMMETRY, FILLS, MIXED, POSITIONS, SEPARATED, SOLVER, carried, carrier_of, new_memory
from .value_search import VALUE, settle_from

_HEADER = "light_riders "


def read_position(text: str) -> tuple[Tron, TronState]:
    """The game and the position of rows of marks, as Tron has them; commas between them do not matter.

    A first line as Light Riders writes it is left out. Raises ValueError for anything else.
    """
    rows = [line.strip().replace(",", "") for line in text.strip().splitlines() if line.strip()]
    if rows and rows[0].startswith(_HEADER):
        rows = rows[1:]
    if not rows or len({len(row) for row in rows}) != 1:
        raise ValueError("a position is rows of equally many marks: '.', 'x', '0' and '1'")
    game = Tron(len(rows[0]), len(rows))
    state = game.from_text("\n".join(rows))
    if state.head0 == state.head1:
        raise ValueError("a position has both heads once, '0' and '1'")
    return game, state


class Start(NamedTuple):
    """A start without walls, and how many ordered pairs of cells are it or its image under a symmetry of the grid."""

    state: TronState
    pairs: int
    exchanged: int
    """As `pairs`, of those whose images are it with the riders exchanged (0 where these are among `pairs` already)."""


def every_start(game: Tron) -> list[Start]:
    """All pairs of cells to start from, those that are the same by symmetry or by exchange together."""
    grid = game.grid
    places = [(x, y) for y in range(grid.height) for x in range(grid.width)]
    seen: set[tuple[int, int]] = set()
    found: list[Start] = []
    for pair in permutations(places, 2):
        heads = grid.cell(*pair[0]), grid.cell(*pair[1])
        if heads in seen:
            continue
        images = {(motion.cell(heads[0]), motion.cell(heads[1])) for motion in motions(grid)}
        exchanged = {(second, first) for first, second in images} - images
        seen |= images | exchanged
        found.append(Start(game.initial_state(pair), len(images), len(exchanged)))
    return found


class FoundValue(NamedTuple):
    """What a position is worth, and what it took to find out."""

    value: float
    """Player 0's expected result."""
    nodes: int
    """Positions and steps of longest paths visited."""
    positions: int
    """Positions looked into: not ended, not separated, not in the table."""
    separated: int
    """Positions met in which the riders were separated."""
    fills: int
    """Longest paths of one rider that had to be searched."""
    mixed: int
    """Stages in which no pure action answered the question."""
    seconds: float


class ValueSearch:
    """Finds values of positions on a game's field; the table of `megabytes` keeps what was proven from search to search.

    With `by_symmetry` a position that a symmetry of the board maps to itself with the riders exchanged is known to be worth 0;
    without, it is searched as any other. Threads that share a search wait for each other.
    """

    def __init__(self, game: Tron, megabytes: float = 256, by_symmetry: bool = True) -> None:
        self.game = game
        self._carrier = carrier_of(game.grid)
        self._arrays = new_memory(game.grid, megabytes)
        self._counters = self._arrays[-1]
        self._counters[BY_SYMMETRY], self._counters[SOLVER] = by_symmetry, solver_address()
        self._lock = threading.Lock()
        self._settle(
            (0,) * self._carrier.words, 0, 1, new_control()
        )  # compiles, so that no clock runs while that goes on

    def value(
        self,
        state: TronState,
        *,
        seconds: float | None = None,
        on_wait: Callable[[int, float], None] | None = None,
    ) -> FoundValue | None:
        """The value for player 0, who has the first head; None where time was up.

        `on_wait` gets the nodes and the seconds so far, ten times a second. An interruption (Ctrl-C) goes through at once.
        """
        grid, blocked = self.game.grid, int_of(state.walls)
        cells = [grid.cell(x, y) for x in range(grid.width) for y in range(grid.height)]
        free = words_of(
            sum(1 << carried(grid, cell) for cell in cells if not blocked >> cell & 1), self._carrier.words
        )
        heads = carried(grid, int(state.head0)), carried(grid, int(state.head1))
        with self._lock, ThreadPoolExecutor(1) as worker:
            before = self._counters.copy()
            control = new_control()
            started = time.perf_counter()
            running = worker.submit(self._settle, free, *heads, control)

            def wait() -> None:
                if on_wait is not None:
                    on_wait(int(control["nodes"]), time.perf_counter() - started)

            try:
                value = awaited(running, wait, None if seconds is None else started + seconds)
                if value is None:
                    return None
            finally:
                control["stop"] = 1  # a search that still runs returns within microseconds
            did = self._counters - before
        positions, separated, fills, mixed = (
            int(did[place]) for place in (POSITIONS, SEPARATED, FILLS, MIXED)
        )
        passed = time.perf_counter() - started
        return FoundValue(float(value), int(control["nodes"]), positions, separated, fills, mixed, passed)

    def _settle(self, free: tuple[int, ...], head0: int, head1: int, control: Any) -> float:
        words = tuple(np.uint64(word) for word in free)
        return run(settle_from, self._carrier, words, head0, head1, VALUE, self._arrays, control)
