"""One position of a game in turn: its value, proven, and the moves that keep it."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, TimeoutError as NotYet
from typing import Any, NamedTuple

from ...algorithms import Algorithm, Limits, Memory, Searcher, SearchResult, StopToken
from ...game import NO_ACTION, TERMINAL, Game
from .questions import AlphaBetaToTheEnd, ProofToTheEnd, least_step

METHODS = ("alpha_beta", "proof_number")


class TurnValue(NamedTuple):
    """What is proven of a position."""

    low: float
    """Player 0 gets at least that much."""
    high: float
    """Player 0 gets at most that much."""
    moves: tuple[int, ...]
    """Actions after which the value is the same: best first moves; none where the value is not proven, or the game is over."""
    all_moves: bool
    """Whether these are all of them."""
    nodes: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the value is proven: the bounds meet."""
        return self.low == self.high


class TurnSearch:
    """Searches one position of a game in turn to the end of the game.

    `method` is one of `METHODS`: "alpha_beta" proves any value by null windows, "proof_number" whether player 0 wins and whether it
    loses, which is the value where results are but the best, the worst and the one between. The table of `megabytes` is fixed;
    positions are told apart by a hash of 64 bits. Raises UnsupportedGameError for games that are not in turn, or have chance.
    """

    def __init__(self, game: Game, method: str = "alpha_beta", megabytes: float = 256) -> None:
        if method not in METHODS:
            raise ValueError(f"method must be {' or '.join(METHODS)}, not {method!r}")
        self.game, self.method, self.megabytes = game, method, megabytes
        self.low, self.high = float(game.min_utility), float(game.max_utility)
        """What is proven so far; any thread may read it."""
        self._memory, self._searched = Memory(), 0
        self._searcher = self._running = Searcher(game, self._algorithm(None, self._told), memory=self._memory)

    @property
    def nodes(self) -> int:
        """Positions visited so far, for the last position that was asked for."""
        return self._searched + self._running.counters().nodes

    def solve(
        self, state: Any, *, all_moves: bool = False, seconds: float | None = None, on_wait: Callable[[int], None] | None = None
    ) -> TurnValue:
        """Value and best first move of a position, as far as `seconds` allow; all best first moves with `all_moves`.

        `on_wait` is told ten times a second the positions visited. An interruption (Ctrl-C) goes through at once, and
        leaves what is proven in `low` and `high`.
        """
        game = self.game
        self.low, self.high = float(game.min_utility), float(game.max_utility)
        if game.current_player(state) == TERMINAL:
            self.low = self.high = float(game.returns(state))
            return TurnValue(self.low, self.high, (), True, 0, 0.0)
        _watched(self._searcher, state, Limits(nodes=1), lambda: None)  # compiles, so that no clock runs while that goes on
        started = time.perf_counter()

        def ask(searcher: Searcher, position: Any) -> SearchResult | None:
            left = None if seconds is None else started + seconds - time.perf_counter()
            if left is not None and left <= 0:
                return None
            return _watched(searcher, position, Limits(seconds=left), lambda: self._wait(on_wait))

        self._running, self._searched = self._searcher, 0
        result = ask(self._searcher, state)
        if result is not None and result.exact:
            self.low, self.high = result.bounds
        moves: tuple[int, ...] = ()
        whole = False
        if result is not None and self.low == self.high:
            player = game.current_player(state)
            moves, whole = self._first_move(state, player, result)
            if all_moves and not whole:
                moves, whole = self._all_moves(state, player, moves[0], ask)
        return TurnValue(self.low, self.high, moves, whole, self.nodes, time.perf_counter() - started)

    def _first_move(self, state: Any, player: int, result: SearchResult) -> tuple[tuple[int, ...], bool]:
        """A proven best move; of a lost position all moves are."""
        legal = tuple(self.game.legal_actions(state, player))
        worst = self.game.min_utility if player == 0 else self.game.max_utility
        if self.low == worst or len(legal) == 1:
            return legal, True
        return (result.best_action(player),), False

    def _all_moves(
        self, state: Any, player: int, first: int, ask: Callable[[Searcher, Any], SearchResult | None]
    ) -> tuple[tuple[int, ...], bool]:
        """Ask of every other move whether it keeps the value."""
        game, value = self.game, self.low
        target = value if player == 0 else value + 2 * least_step(game)
        kept: list[int] = []
        for action in game.legal_actions(state, player):
            after = game.advance(state, *((action, NO_ACTION) if player == 0 else (NO_ACTION, action)))
            if action == first:
                kept.append(action)
            elif game.current_player(after) == TERMINAL:
                kept += [action] if game.returns(after) == value else []
            else:
                found = [float(game.min_utility), float(game.max_utility)]

                def told(low: float, high: float, found: list[float] = found) -> None:
                    found[:] = low, high

                self._searched += self._running.counters().nodes
                self._running = Searcher(game, self._algorithm(target, told), memory=self._memory)
                ask(self._running, after)
                if found[0] < target <= found[1]:  # not known
                    return _with(kept, first), False
                if (found[0] >= target) == (player == 0):
                    kept.append(action)
        return tuple(kept), True

    def _algorithm(self, target: float | None, told: Callable[[float, float], None]) -> Algorithm:
        made = AlphaBetaToTheEnd if self.method == "alpha_beta" else ProofToTheEnd
        return made(megabytes=self.megabytes, target=target, told=told)

    def _told(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def _wait(self, on_wait: Callable[[int], None] | None) -> None:
        if on_wait is not None:
            on_wait(self.nodes)


def _with(kept: Sequence[int], first: int) -> tuple[int, ...]:
    return tuple(kept) if first in kept else (*kept, first)


def _watched(searcher: Searcher, state: Any, limits: Limits, on_wait: Callable[[], None]) -> SearchResult:
    """Search in another thread, so that this one hears Ctrl-C."""
    stop = StopToken()
    with ThreadPoolExecutor(1) as worker:
        try:  # Ctrl-C may come while the search is handed over
            running = worker.submit(searcher.search, state, limits, stop=stop, deepen=False, variation=False)
            while True:
                try:
                    return running.result(timeout=0.1)
                except NotYet:
                    on_wait()
        finally:
            stop.stop()
