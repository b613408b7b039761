"""Forced wins and losses, with their distances by looking one ply further at a time, or without them."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from ..interface import GameError, awaited, int_of, run
from .attack import AGE, FOLDING, NODES, STOPPED, new_control, new_drops, reaches_from
from .facts import new_facts
from .game import FOLDED_MOVES, Simplexity
from .state import RED_WON, UNDECIDED, WHITE_WON, State


class Forced(NamedTuple):
    """The forced result of a position, for the side to move."""

    value: int
    """1 a forced win, -1 a forced loss, 0 nothing found (a draw where `exact`)."""
    plies: int
    """To the end: of the quickest win, the slowest loss; 0 where nothing is forced."""
    searched: int
    """Neither side wins by force within this number of plies; what is beyond was not looked at, or is not there."""
    exact: bool
    """Whether the value is the game's: something is forced, or the search saw every end."""
    nodes: int
    seconds: float


class ForcedAnswer(NamedTuple):
    """The answer to one question of a position: does the side to move win, or does it not lose, within a number of plies?"""

    reached: bool | None
    """None where time was up."""
    plies: int
    """Fewer than asked for where a win or a loss is forced, or the game ends, sooner. Where time was up: none is forced within them."""
    exact: bool
    """Whether a longer look could not change it: a win or a loss is forced, or the search saw every end."""
    nodes: int
    seconds: float


class ForcedSearch:
    """Searches positions of one game on a board of at most 64 bits, (rows + 1) x cols.

    The table of `megabytes` is fixed; what it holds stays true from search to search. Threads that share a search wait
    for each other. Raises GameError for larger boards.
    """

    def __init__(self, game: Simplexity, megabytes: float = 128) -> None:
        if game.columns.words > 1:
            raise GameError(
                f"forced wins are searched on boards of at most 64 bits, (rows + 1) x cols, not {game.rows}x{game.cols}"
            )
        self.game = game
        self._table = new_facts(megabytes)
        self._drops = new_drops(game.columns)
        self._history = np.zeros((2, 2 * (game.rows + 1) * game.cols), np.int64)
        self._control = new_control(game)
        self._lock = threading.Lock()

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self._control[NODES])

    def search(
        self,
        state: State,
        plies: int | None = None,
        seconds: float | None = None,
        on_step: Callable[[int, int, float], None] | None = None,
        on_wait: Callable[[int], None] | None = None,
    ) -> Forced:
        """The forced result within `plies` (by default, to the end of the game), as far as `seconds` allow.

        After each ply `on_step` is called with the plies within which nothing is forced, the positions visited and the seconds; ten times
        a second `on_wait` with the positions visited.
        An interruption (Ctrl-C) goes through at once.
        """
        left = self.game.last_move - state.moves
        value, found, searched = _result(state), 0, 0
        with self._lock, ThreadPoolExecutor(1) as worker:
            self._prepare(state)
            started, before = time.perf_counter(), self.nodes
            deadline = None if seconds is None else started + seconds
            most = left if plies is None else min(plies, left)
            while value == 0 and state.result == UNDECIDED and searched < most:
                wins = self._ask(worker, state, searched + 1, True, deadline, on_wait)
                stays = (
                    None
                    if wins is None
                    else wins or self._ask(worker, state, searched + 1, False, deadline, on_wait)
                )
                if stays is None:
                    break
                if wins or not stays:
                    value, found = 1 if wins else -1, searched + 1
                    break
                searched += 1
                if on_step is not None:
                    on_step(searched, self.nodes - before, time.perf_counter() - started)
        exact = value != 0 or state.result != UNDECIDED or searched == left
        return Forced(value, found, searched, exact, self.nodes - before, time.perf_counter() - started)

    def ask(
        self,
        state: State,
        attacking: bool,
        plies: int | None = None,
        seconds: float | None = None,
        on_step: Callable[[int, int, float], None] | None = None,
        on_wait: Callable[[int], None] | None = None,
    ) -> ForcedAnswer:
        """Whether the side to move wins by force (`attacking`), or else does not lose, within `plies`; see `search`.

        Quicker than `search` where the distance does not matter: it looks four plies further at a time, so `plies` of the answer is none.
        """
        left = self.game.last_move - state.moves
        plies = left if plies is None else min(plies, left)
        if state.result != UNDECIDED:
            return ForcedAnswer(_result(state) > 0 if attacking else _result(state) >= 0, 0, True, 0, 0.0)
        with self._lock, ThreadPoolExecutor(1) as worker:
            self._prepare(state)
            started, before, within = time.perf_counter(), self.nodes, 0
            deadline = None if seconds is None else started + seconds
            reached: bool | None = not attacking
            for near in (
                *range(12, plies, 4),
                plies,
            ):  # what is found nearby orders the drops of the long search
                reached = self._ask(worker, state, near, attacking, deadline, on_wait)
                if reached is None:
                    break
                within = near
                if reached == attacking:
                    break
                if on_step is not None:
                    on_step(near, self.nodes - before, time.perf_counter() - started)
            exact = reached is not None and (reached == attacking or within == left)
            return ForcedAnswer(reached, within, exact, self.nodes - before, time.perf_counter() - started)

    def line(self, state: State, found: Forced) -> tuple[int, ...]:
        """The actions of best play, up to the end of the game, from a position where `found` is forced.

        The winner wins as soon as it can, the loser loses as late as it can; of equal actions the first.
        """
        actions: list[int] = []
        value, plies = found.value, found.plies
        with self._lock, ThreadPoolExecutor(1) as worker:
            self._prepare(state)
            while plies > 0:
                legal = self.game.legal_actions(state, state.moves & 1)
                action = next(a for a in legal if self._keeps(worker, state, a, value, plies))
                actions.append(action)
                state, value, plies = self.game.next_state(state, action), -value, plies - 1
        return tuple(actions)

    def _keeps(self, worker: Any, state: State, action: int, value: int, plies: int) -> bool:
        """Whether after the action the result is still the same, one ply nearer."""
        after = self.game.next_state(state, action)
        if after.result != UNDECIDED:
            return plies == 1 and _result(after) == -value
        if value > 0:
            return plies > 1 and not self._ask(worker, after, plies - 1, False)
        # Every action loses within that number of plies; this one must not lose sooner.
        return plies > 1 and not self._ask(worker, after, plies - 2, True)

    def _prepare(self, state: State) -> None:
        """For the searches of one position; compiles, so that no clock runs while that goes on."""
        control, game = self._control, self.game
        control[AGE] = (control[AGE] + 1) % 256
        control[FOLDING] = int(state.moves <= FOLDED_MOVES)
        columns = np.arange(self._history.shape[1]) // 2 // (game.rows + 1)
        self._history[:] = game.cols - np.abs(2 * columns - game.cols + 1)
        run(
            reaches_from,
            game.columns,
            *_words(state),
            0,
            True,
            self._table,
            self._drops,
            self._history,
            control,
        )

    def _ask(
        self,
        worker: Any,
        state: State,
        plies: int,
        attacking: bool,
        deadline: float | None = None,
        on_wait: Callable[[int], None] | None = None,
    ) -> bool | None:
        """Whether the side to move wins within `plies`, or else does not lose; None where time was up."""
        self._control[STOPPED] = 0
        arrays = self._table, self._drops, self._history, self._control
        try:  # Ctrl-C may come while the search is handed over
            running = worker.submit(
                run, reaches_from, self.game.columns, *_words(state), plies, attacking, *arrays
            )
            reached = awaited(running, lambda: None if on_wait is None else on_wait(self.nodes), deadline)
            return None if reached is None else bool(reached)
        finally:
            self._control[STOPPED] = 1  # a search that still runs returns within microseconds


def _words(state: State) -> tuple[np.uint64, np.uint64, np.uint64]:
    """(pieces in the colour of the side to move, pieces in its shape, all pieces)."""
    white, round_, filled = int_of(state.white), int_of(state.round), int_of(state.filled)
    if state.moves & 1:
        white, round_ = filled ^ white, filled ^ round_
    return np.uint64(white), np.uint64(round_), np.uint64(filled)


def _result(state: State) -> int:
    """For the side to move, where the game is over."""
    if state.result not in (WHITE_WON, RED_WON):
        return 0
    return 1 if (state.result == WHITE_WON) == (state.moves & 1 == 0) else -1
