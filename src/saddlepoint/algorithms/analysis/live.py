"""A search that is watched: every finished depth as a value, and counters that any thread may read while the next one runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...game import TERMINAL, Game
from ..algorithm import Algorithm, Memory
from ..limits import Limits, StopToken
from ..result import Iteration, SearchResult
from ..searcher import Searcher
from ..variation import Joint, Strategies, continued

_LINE_SHARE = 0.02
"""Of the search's nodes so far, for following the principal variation of a depth, so that watching costs nearly nothing."""
_LINE_NODES = 2_000
_LONGEST_LINE = 24
_NODES_TO_WARM = 1_000
"""More than a search to depth 1 visits; a search that knows no depth ends there."""


@dataclass(frozen=True)
class Counters:
    """What a running search has done so far."""

    depth: int
    """The depth that is being searched."""
    nodes: int
    leaves: int
    table_hits: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        """Positions a second since the search began."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class FoundDepth:
    """A finished depth. Values are player 0's, in units of the game."""

    depth: int
    value: float
    bounds: tuple[float, float]
    """What is proven of the game's value."""
    exact: bool
    strategies: tuple[dict[int, float], dict[int, float]]
    line: tuple[Joint, ...]
    """The principal variation as far as it was cheap to tell: joint actions, -1 for who has no choice."""
    plies: int | None
    """To the end, where the value is a forced result."""
    counters: Counters
    """All of the search so far."""


class Analysis:
    """One search of one position, for those who watch it.

    `run` searches in the thread that calls it; `counters` may be read in any other meanwhile: it reads numbers that the
    search counts anyway and slows nothing. A limit of nothing is refused: only `stop` would end it.
    """

    def __init__(
        self, game: Game, state: Any, algorithm: Algorithm, limits: Limits, *,
        stop: StopToken | None = None, memory: Memory | None = None,
    ) -> None:  # fmt: skip
        self.game, self.state, self.algorithm, self.limits = game, state, algorithm, limits
        self.stop = stop or StopToken()
        self._memory = memory if memory is not None else Memory()
        self._searcher = Searcher(game, algorithm, memory=self._memory)
        self._follower: Searcher | None = None
        self._started = self._ended = 0.0
        self._latest: tuple[Joint, ...] = ()  # the line of the last finished depth

    @property
    def is_running(self) -> bool:
        """Whether `run` has begun and not ended."""
        return self._started > 0.0 and self._ended == 0.0

    def counters(self) -> Counters:
        """What was done so far; zeros before `run` has begun."""
        found, started, ended = self._searcher.counters(), self._started, self._ended
        seconds = 0.0 if not started else (ended or time.perf_counter()) - started
        return Counters(self._searcher.depth_under_way, found.nodes, found.leaves, found.table_hits, seconds)

    def warm(self) -> None:
        """Compile, or load, what the search needs, and make its tables: then `run` loses none of its time with that."""
        self._searcher.search(self.state, Limits(depth=1, nodes=_NODES_TO_WARM), stop=self.stop, variation=False)

    def run(self, on_depth: Callable[[FoundDepth], None] | None = None) -> FoundDepth:
        """Deepen until a limit, the stop, or everything is proven; `on_depth` is called with every finished depth.

        Returns the last finished depth with all that the search proved and its whole principal variation. Raises as `search`.
        """
        self._started, self._ended, self._latest = time.perf_counter(), 0.0, ()

        def note(found: Iteration) -> None:
            if on_depth is not None:
                on_depth(self._found(found))

        deepen = self.game.current_player(self.state) != TERMINAL
        try:
            result = self._searcher.search(
                self.state, self.limits, stop=self.stop, deepen=deepen, on_iteration=note,
                variation=not self.stop.stopped,
            )  # fmt: skip
        finally:
            self._ended = time.perf_counter()
        return self._final(result)

    def _found(self, found: Iteration) -> FoundDepth:
        counters = self.counters()
        self._latest = self._line(found, counters.nodes)
        return FoundDepth(
            found.depth, found.value, (self.game.min_utility, self.game.max_utility), False, found.strategies,
            self._latest, found.plies, counters,
        )  # fmt: skip

    def _final(self, result: SearchResult) -> FoundDepth:
        line = max(result.principal_variation, self._latest, key=len)  # what is stopped has little of the former
        return FoundDepth(
            result.depth, result.value, result.bounds, result.exact, result.strategies, line, result.plies,
            self.counters(),
        )  # fmt: skip

    def _line(self, found: Iteration, nodes: int) -> tuple[Joint, ...]:
        """The line that the search noted, then the most probable actions, looked up with the table while that takes few nodes."""
        line = self._searcher.noted_line
        if self.algorithm.line_is_complete:
            return line
        left = max(_LINE_NODES, int(_LINE_SHARE * nodes))

        def look(state: Any, depth: int) -> Strategies | None:
            nonlocal left
            if left <= 0 or self.stop.stopped:
                return None
            looked = self._look(state, depth, left)
            left -= looked.statistics.nodes
            return looked.strategies if looked.complete else None

        return continued(self.game, self.state, line, found.strategies, found.depth, look, _LONGEST_LINE)

    def _look(self, state: Any, depth: int, nodes: int) -> SearchResult:
        """Search a position of the line, with the table as the running search filled it, and without making its entries old."""
        if self._follower is None:
            self._follower = Searcher(self.game, self.algorithm, memory=self._memory)
        self._memory.age = (self._memory.age - 1) % 256
        limits = Limits(max(1, depth), max(1, nodes))
        return self._follower.search(state, limits, stop=self.stop, deepen=False, variation=False)
