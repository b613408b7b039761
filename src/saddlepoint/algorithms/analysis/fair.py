"""Searches for an analysis, which favour neither player, can be watched while they run, or are compared on one position."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...game.base import TERMINAL, Game
from ...matrix import solve_matrix
from ..algorithm import Algorithm, Memory, UnsupportedGameError, both_ways
from ..catalogue import ALGORITHMS
from ..chance import searched_form
from ..limits import Limits, StopToken, watched
from ..result import Iteration, Line, SearchResult, Strategies, Value, continued
from ..searcher import Searcher, search
from ..simultaneous.double_oracle import DoubleOracle, OracleTrace, trace_double_oracle

# Searches that favour neither player: one in which a player commits first is made both ways, and the mean is taken.


@dataclass(frozen=True, kw_only=True)
class MeanValue(Value):
    """The mean of searches of a position. Its bounds are the values when player 0 commits first, and when player 1 does, both to
    `depth`; the same where nobody does."""

    complete: bool
    nodes: int
    best: Strategies
    """Each player's strategy where it is the one that commits first."""


class MeanSearcher:
    """Searches of the same positions, of which the mean is taken: one, or one for each player that commits first."""

    def __init__(self, game: Game, algorithms: Sequence[Algorithm], memory: Memory | None = None) -> None:
        memory = memory if memory is not None else Memory()
        self._searchers = [Searcher(game, one, memory=memory) for one in algorithms]
        self.nodes = 0  # of all searches so far

    @property
    def ended(self) -> bool:
        """Whether the last search's value rests on ended games alone: no deeper one finds another."""
        return all(one.ended for one in self._searchers)

    def search(
        self, state: Any, limits: Limits, *, stop: StopToken | None = None, deepen: bool | None = None
    ) -> MeanValue:
        """As `Searcher.search`; two searches share the limits of nodes and seconds."""
        own = limits.times(1 / len(self._searchers))
        found: list[SearchResult] = []
        for searcher in self._searchers:
            found.append(searcher.search(state, own, stop=stop, deepen=deepen, variation=False))
            if found[-1].exact and found[-1].depth > 0:
                break
        nodes = sum(one.statistics.nodes for one in found)
        self.nodes += nodes
        first, last = found[0], found[-1]
        depth = min(one.depth for one in found)
        exact = last.exact or first.bounds[0] == last.bounds[1]
        values = (
            (last.value, last.value)
            if last.exact
            else (_value_at(first, depth, exact), _value_at(last, depth, exact))
        )
        return MeanValue(
            sum(values) / 2,
            values,
            depth,
            exact,
            complete=all(one.complete for one in found),
            nodes=nodes,
            best=(first.strategies[0], last.strategies[1]),
        )

    def variation(
        self, state: Any, depth: int, stop: StopToken | None = None, seconds: float | None = None
    ) -> Line:
        """The principal variation of a position that was searched to this depth, mostly from the table.

        `seconds` limits the search for the rest; where they are not enough, the line is empty.
        """
        if depth < 1 or self._searchers[0].game.current_player(state) == TERMINAL:
            return Line()
        found = self._searchers[0].search(state, Limits(depth, seconds=seconds), stop=stop, deepen=False)
        return found.principal_variation if seconds is None or found.complete else Line()


def _value_at(found: SearchResult, depth: int, exact: bool) -> float:
    """The value that a search found at a depth, or its last one where it did not reach it.

    A proven value has no depth.
    """
    return (
        found.value
        if exact
        else next((one.value for one in found.iterations if one.depth == depth), found.value)
    )


def fair_searcher(game: Game, algorithm: Algorithm) -> MeanSearcher:
    """A search of positions that favours neither player."""
    return MeanSearcher(game, both_ways(game, algorithm))


# A search that is watched: every finished depth as a value, and counters that any thread may read while the next one runs.

_LINE_SHARE = 0.02
"""Of the search's nodes so far, for following the principal variation of a depth, so that watching costs nearly nothing."""
_LINE_NODES = 2_000
_LONGEST_LINE = 24
_NODES_TO_WARM = 1_000
"""More than a search to depth 1 visits; a search that knows no depth ends there."""


@dataclass(frozen=True)
class Counters:
    """The counters of a running search."""

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


@dataclass(frozen=True, kw_only=True)
class FoundDepth(Value):
    """The value of a finished depth of a search."""

    strategies: Strategies
    line: Line
    """The principal variation, as far as it was cheap to follow."""
    counters: Counters
    """Of the search so far."""


class Analysis:
    """A search of one position that can be watched from other threads.

    `run` searches in the thread that calls it; `counters` may be read in any other meanwhile: it reads numbers that the
    search counts anyway and slows nothing. A limit of nothing is refused: only `stop` would end it.
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: Algorithm,
        limits: Limits,
        *,
        stop: StopToken | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.game, self.state, self.algorithm, self.limits = game, state, algorithm, limits
        self.stop = stop or StopToken()
        self._memory = memory if memory is not None else Memory()
        self._searcher = Searcher(game, algorithm, memory=self._memory)
        self._follower: Searcher | None = None
        self._started = self._ended = 0.0
        self._latest = Line()  # the line of the last finished depth

    @property
    def is_running(self) -> bool:
        """Whether `run` has begun and not ended."""
        return self._started > 0.0 and self._ended == 0.0

    def counters(self) -> Counters:
        """The counters of the search so far; zeros before `run` has begun."""
        found, started, ended = self._searcher.counters(), self._started, self._ended
        seconds = 0.0 if not started else (ended or time.perf_counter()) - started
        return Counters(self._searcher.depth_under_way, found.nodes, found.leaves, found.table_hits, seconds)

    def warm(self) -> None:
        """Compile, or load, what the search needs, and make its tables: then `run` loses none of its time with that."""
        self._searcher.search(
            self.state, Limits(depth=1, nodes=_NODES_TO_WARM), stop=self.stop, variation=False
        )

    def run(self, on_depth: Callable[[FoundDepth], None] | None = None) -> FoundDepth:
        """Deepen until a limit, the stop, or everything is proven; `on_depth` is called with every finished depth.

        Returns the last finished depth with all that the search proved and its whole principal variation. Raises as `search`.
        """
        self._started, self._ended, self._latest = time.perf_counter(), 0.0, Line()

        def note(found: Iteration) -> None:
            if on_depth is not None:
                counters = self.counters()
                self._latest = self._line(found, counters.nodes)
                range_ = self.game.min_utility, self.game.max_utility
                value = Value(found.value, range_, found.depth, plies=found.plies)
                on_depth(_found_depth(value, found.strategies, self._latest, counters))

        deepen = self.game.current_player(self.state) != TERMINAL
        try:
            result = self._searcher.search(
                self.state,
                self.limits,
                stop=self.stop,
                deepen=deepen,
                on_iteration=note,
                variation=not self.stop.stopped,
            )
        finally:
            self._ended = time.perf_counter()
        # What is stopped has little of its own line.
        line = max(result.principal_variation, self._latest, key=len)
        return _found_depth(result, result.strategies, line, self.counters())

    def _line(self, found: Iteration, nodes: int) -> Line:
        """The line that the search noted, then the most probable actions, looked up with the table while that takes few nodes."""
        line = self._searcher.noted_line
        if self.algorithm.line_is_complete:
            return line
        left = max(_LINE_NODES, int(_LINE_SHARE * nodes))

        def look(state: Any, depth: int) -> Strategies | None:
            nonlocal left
            if left <= 0 or self.stop.stopped:
                return None
            if self._follower is None:
                self._follower = Searcher(self.game, self.algorithm, memory=self._memory)
            # Searched with the table as the running search filled it, and without making its entries old.
            self._memory.age = (self._memory.age - 1) % 256
            limits = Limits(max(1, depth), left)
            looked = self._follower.search(state, limits, stop=self.stop, deepen=False, variation=False)
            left -= looked.statistics.nodes
            return looked.strategies if looked.complete else None

        return continued(self.game, self.state, line, found.strategies, found.depth, look, _LONGEST_LINE)


def _found_depth(value: Value, strategies: Strategies, line: Line, counters: Counters) -> FoundDepth:
    return FoundDepth(**Value.to_json(value), strategies=strategies, line=line, counters=counters)


# Searches compared on one position, one after the other, and double oracle step by step.

_AGREE = 1e-9
"""Values of exact searches that are no further apart are the same."""
_WARMING = Limits(depth=1, nodes=1_000)

Labelled = tuple[str, Algorithm]
"""A search, and what it is called in a table."""
Progress = Callable[[int, str], None]
"""Called with how many searches are done, and how far the next one is."""


def all_searches(game: Game, evaluator: Any) -> tuple[list[Labelled], dict[str, str]]:
    """Every search of the catalogue that takes the game, and for each other one the reason why it does not.

    A search in which one player commits first is listed twice, once for each player.
    """
    chosen: list[Labelled] = []
    refused: dict[str, str] = {}
    for name, kind in ALGORITHMS.items():
        made = kind(
            None if getattr(kind, "playouts", False) is True else evaluator
        )  # which plays to the end instead of asking one
        try:
            made.check(game)
        except UnsupportedGameError as error:
            refused[name] = str(error)
            continue
        ways = both_ways(game, made)
        chosen += [(name if len(ways) == 1 else f"{name}(first={k})", way) for k, way in enumerate(ways)]
    return chosen, refused


class Comparison:
    """Some searches of one position; what has to be compiled is compiled when this is made, before any clock runs.

    With a `tracer` its stage is solved step by step, too, as deep as that search came among the others, or else comes first.
    """

    def __init__(
        self, game: Game, state: Any, searches: Sequence[Labelled], tracer: DoubleOracle | None = None
    ) -> None:
        self.game, self.state, self.searches, self._tracer = game, state, searches, tracer
        self.results: list[SearchResult] = []
        """Of the searches that are finished, in their order."""
        self.trace: OracleTrace | None = None
        self.interrupted = False
        """Whether Ctrl-C ended it."""
        for algorithm in dict.fromkeys(
            [algorithm for _, algorithm in searches] + ([] if tracer is None else [tracer])
        ):
            search(self.form(algorithm), state, algorithm, _WARMING, variation=False)
        if tracer is not None:
            solve_matrix([[0.0, 1.0, 2.0]])

    def form(self, algorithm: Algorithm) -> Game:
        """The form of the game that a search looks at."""
        return searched_form(self.game, algorithm, self.state)

    def run(self, limits: Limits, progress: Progress) -> None:
        """Run all searches, each within the limits; Ctrl-C ends the one that runs, and those before it stay."""
        try:
            for label, algorithm in self.searches:
                self.results.append(self._searched(label, algorithm, limits, progress))
            if self._tracer is not None:
                self.trace = self._traced(self._tracer, limits, progress)
        except KeyboardInterrupt:
            self.interrupted = True

    @property
    def agree(self) -> bool | None:
        """Whether all exact values are the same; None where there are not two."""
        values = [result.value for result in self.results if result.exact]
        return None if len(values) < 2 else max(values) - min(values) <= _AGREE

    def _searched(self, label: str, algorithm: Algorithm, limits: Limits, progress: Progress) -> SearchResult:
        searcher, stop = Searcher(self.form(algorithm), algorithm), StopToken()

        def look() -> None:
            progress(
                len(self.results),
                f"{label}: depth {searcher.depth_under_way}, {searcher.counters().nodes:,} nodes",
            )

        return watched(lambda: searcher.search(self.state, limits, stop=stop), stop, look)

    def _traced(self, tracer: DoubleOracle, limits: Limits, progress: Progress) -> OracleTrace:
        known = next(
            (found for (_, one), found in zip(self.searches, self.results, strict=True) if one is tracer),
            None,
        )
        depth = max((known or self._searched("do", tracer, limits, progress)).depth, 1)
        stop = StopToken()
        return watched(
            lambda: trace_double_oracle(self.form(tracer), self.state, tracer, depth, stop=stop),
            stop,
            lambda: progress(len(self.results), "double oracle, step by step"),
        )
