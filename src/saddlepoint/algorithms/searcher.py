"""The one function to call: search a position with an algorithm within limits, deepening where the time or nodes allow."""

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, TypeVar, cast

import numpy as np

from ..boards.limits import set_deadline
from ..compiled import python_monotonic_ns
from ..compiled.clock import seconds_counted
from ..compiled.directory import warn_once
from ..compiled.rules import in_package
from ..game.base import NO_ACTION, TERMINAL, Game
from ..game.spec import name_of
from .algorithm import FACTS, QUIET, SAMPLE, Algorithm, Memory, check_numbers
from .chance import (
    leaves_out_chance,
    past_chance,
    searched_game,
    with_quiet_outcomes,
)
from .limits import Limits, StopToken
from .result import Iteration, Joint, Line, SearchResult, Statistics, Strategies, continued, most_probable
from .table import COUNTERS, DEEPEST, exact_search

_VARIATION_SHARE = 0.25  # of the search's own nodes, for working out the principal variation
_VARIATION_NODES = 20_000


Search = TypeVar("Search", bound=Callable[..., Any])


def search(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    limits: Limits | None = None,
    *,
    stop: StopToken | None = None,
    seed: int | None = None,
    memory: Memory | None = None,
    deepen: bool | None = None,
    variation: bool = True,
    root_step: int = 0,
    on_iteration: Callable[[Iteration], None] | None = None,
) -> SearchResult:
    """Value and strategies of a position.

    With a limit of nodes or seconds (or `deepen=True`) depths 1, 2, 3, ... are searched one after the other (iterative deepening),
    each ordered by the one before; else only `limits.depth`, or the whole game without any limit. A stopped search
    gives the last finished depth.

    - `game`: the rules.
    - `state`: the position, such as `game.initial_state()`.
    - `algorithm`: the search and its settings, such as `SMAB()`.
    - `limits`: when to stop; None: when the whole game was searched.
    - `stop`: cancels the search from another thread.
    - `seed`: for algorithms that sample (chance nodes, random playouts); the others ignore it.
    - `memory`: keeps tables from one call to the next; None: they are this call's own.
    - `deepen`: whether to search depths 1, 2, 3, ... in turn; None: with a limit of nodes or seconds.
    - `variation`: whether to work out the principal variation, which may cost a quarter of the search's nodes more, or 20,000.
    - `root_step`: how many plies were played before the root, for algorithms that discount results from the start of the game.
    - `on_iteration`: called with every finished depth.

    Raises UnsupportedGameError where the algorithm is not made for the game. Of a game that is not this library's:
    KernelError, with kernel, line and position, where a rule fails, and GameError where it gives what a rule must not, such as too many
    actions, or is seen not to end within `max_depth`.

    >>> from saddlepoint import SMAB, Goofspiel, search
    >>> game = Goofspiel(cards=3, order="descending")
    >>> result = search(game, game.initial_state(), SMAB())
    >>> result.exact, round(result.value, 6)
    (True, 0.0)
    """
    limits = limits or Limits()
    return Searcher(
        game, algorithm, memory=Memory.for_one_search(limits) if memory is None else memory
    ).search(
        state,
        limits,
        stop=stop,
        seed=seed,
        deepen=deepen,
        variation=variation,
        root_step=root_step,
        on_iteration=on_iteration,
    )


def watched(search: Search) -> Search:
    """A `Searcher.search` that does not trust the rules of games that are not this library's."""

    @functools.wraps(search)
    def watching(self: Any, state: Any, *args: Any, **kwargs: Any) -> Any:
        if in_package(type(self.game)):
            return search(self, state, *args, **kwargs)
        from .diagnosis import (
            distrusting,  # a search of a game of the library's starts without the checker of rules
        )

        return distrusting(search, self, state, *args, **kwargs)

    return cast(Search, watching)


class Searcher:
    """An algorithm on a game with memory of its own, for many searches in a row.

    >>> from saddlepoint import Goofspiel, Limits, Searcher, SMAB
    >>> game = Goofspiel(cards=3, order="descending")
    >>> searcher = Searcher(game, SMAB())
    >>> start = game.initial_state()
    >>> searcher.search(start, Limits(depth=2)).depth
    2
    >>> searcher.search(start, Limits()).exact
    True
    """

    def __init__(self, game: Game, algorithm: Algorithm, *, memory: Memory | None = None) -> None:
        check_numbers(game)
        algorithm.check(game)
        self.game, self.algorithm = game, algorithm
        self._searched = searched_game(game, algorithm)
        """The game that is searched: itself, or a form of it without some outcomes of chance."""
        self._is_quiet = algorithm.chance == QUIET and game.has_chance
        self._root: Any = None
        self._seed = 0
        self.memory = memory if memory is not None else Memory()
        self._line = Line()
        self._workspace = algorithm.workspace(self._searched)
        # Raw evaluations may leave the range of results; an evaluator says by how much.
        reach = getattr(algorithm.leaf, "bound", 0.0)
        self._workspace["low"] = min(game.min_utility, -reach)
        self._workspace["high"] = max(game.max_utility, reach)
        self._identify()
        self.ended = False
        """Whether the last search's value rests on ended games alone."""
        self.depth_under_way = 0
        """The depth that is being searched, or was the last; may be read while a search runs."""

    def _identify(self) -> None:
        identity = self.algorithm.identity(self._searched)
        self._workspace["identity"] = identity
        self._facts = self.memory.keep(("facts", identity), lambda: np.zeros(len(FACTS), np.int64))

    def _draw(self, seed: int) -> None:
        """Draw the outcomes of chance for searches with that seed."""
        if (
            self.algorithm.chance == SAMPLE
            and leaves_out_chance(self.game, self.algorithm)
            and seed != self._seed
        ):
            self._seed, self._searched = seed, searched_game(self.game, self.algorithm, seed)
            self._identify()

    @property
    def noted_line(self) -> Line:
        """The beginning of the last finished depth's principal variation, as far as the search recorded it."""
        return with_quiet_outcomes(self.game, self._root, self._line) if self._is_quiet else self._line

    def counters(self) -> Statistics:
        """The statistics of the last search, or of the running one so far; any thread may ask."""
        return Statistics(**{name: int(self._workspace[name]) for name in COUNTERS})

    @watched
    def search(
        self,
        state: Any,
        limits: Limits,
        *,
        stop: StopToken | None = None,
        seed: int | None = None,
        deepen: bool | None = None,
        variation: bool = True,
        root_step: int = 0,
        on_iteration: Callable[[Iteration], None] | None = None,
        keep_going: Callable[[list[Iteration]], bool] | None = None,
        among: Sequence[int] = (),
    ) -> SearchResult:
        """As the function `search`; `keep_going`, asked between iterations, may end the deepening.

        With `among` a PrincipalVariation looks at these actions of the root alone, and without a principal variation.
        """
        started = seconds_counted()
        started_ns = python_monotonic_ns()
        self._draw(seed or 0)
        self._root = state
        passed: list[Joint] = []
        if self._is_quiet:
            state, passed = past_chance(self.game, state)
        if self.game.current_player(state) == TERMINAL:
            value = float(self.game.returns(state))
            return SearchResult(
                value,
                (value, value),
                exact=not passed,  # another outcome of chance may end otherwise
                strategies=({}, {}),
                principal_variation=Line(passed),
                complete=True,
                seconds=0.0,
                root=(self.game, self._root),
            )
        ws = self._reset(limits, started_ns, root_step)
        if "among" in ws.dtype.names:
            ws["among_count"] = len(among)
            ws["among"][: len(among)] = among
        if "seed" in ws.dtype.names:
            ws["seed"] = (seed or 0) % 2**64
        deepest = self.algorithm.deepest(self._searched)
        wanted = deepest if limits.depth is None else min(limits.depth, deepest)
        if deepen is None:
            deepen = limits.nodes is not None or limits.seconds is not None
        if stop is not None:
            stop.attach(ws)
        try:
            is_exact = (
                not deepen and wanted == deepest and self.algorithm.uses_table and "buckets" in ws.dtype.names
            )
            with exact_search(ws, self.memory.entries) if is_exact else nullcontext():
                iterations, value, solved = self._deepen(
                    state, wanted, deepen, ws, started, on_iteration, keep_going, variation
                )
            finished = not ws["stop"]
            partial = None if finished else self.algorithm.partial(ws, self.depth_under_way)
            low, high = self.algorithm.bounds(self.game, value, solved, ws)
            worst, best = float(self.game.min_utility), float(self.game.max_utility)
            bounds = min(max(float(low), worst), best), min(max(float(high), worst), best)
            if leaves_out_chance(self.game, self.algorithm):
                bounds = worst, best
            if not iterations:
                iterations = [self._emergency(state, among, started, bounds)]
            last = iterations[-1]
            self.ended = solved
            exact = bounds[0] == bounds[1]
            cut_off = not exact and self._is_cut_off(limits, wanted, last.depth, solved, ws)
            line = Line()
            statistics = self.counters()
            if variation and last.depth > 0 and not among:
                line = self._variation(state, last, solved, ws, started_ns, limits)
        finally:
            if stop is not None:
                stop.detach(ws)
        return SearchResult(
            bounds[0] if exact else self._within(bounds, last.value),
            bounds,
            last.depth,
            exact,
            last.plies,
            strategies=last.strategies,
            principal_variation=with_quiet_outcomes(self.game, self._root, line) if self._is_quiet else line,
            complete=finished and (solved or last.depth >= wanted) and not cut_off,
            seconds=seconds_counted() - started,
            statistics=statistics,
            iterations=tuple(iterations),
            partial=partial,
            root=(self.game, self._root),
        )

    def _within(self, bounds: tuple[float, float], value: float) -> float:
        """The value, or the nearest that is possible: the part of an unfinished iteration may have proven more.

        An evaluator's raw number may lie outside the game's results, where nothing is proven.
        """
        low, high = bounds
        value = max(value, low) if low > self.game.min_utility else value
        return min(value, high) if high < self.game.max_utility else value

    def _is_cut_off(self, limits: Limits, wanted: int, reached: int, solved: bool, ws: Any) -> bool:
        """Whether lines go on where the search has no memory to follow them, though no limit ends them there; it is said once."""
        longest = (
            self._searched.max_depth if limits.depth is None else min(limits.depth, self._searched.max_depth)
        )
        cut_off = (
            not solved and longest > wanted and reached >= wanted
            if self.algorithm.goes_by_depth
            else "horizon" in ws.dtype.names and bool(ws["horizon"])
        )
        if cut_off:
            most = wanted if self.algorithm.goes_by_depth else DEEPEST
            warn_once(
                f"{self.algorithm.name} follows a line for {most} moves, as many as it has memory for, and {name_of(self.game)} may last "
                f"{self.game.max_depth:,}: what it found is not proven; `solve` has no such limit"
            )
        return cut_off

    def _reset(self, limits: Limits, started_ns: int, root_step: int) -> Any:
        ws = self._workspace
        self._line, self.depth_under_way = Line(), 0
        for name in (*COUNTERS, "stop", "listen", "estimates"):
            ws[name] = 0
        kept = self.algorithm.uses_table
        for place, name in enumerate(FACTS):
            if name in ws.dtype.names:
                ws[name] = self._facts[place] if kept else 0
        ws["node_limit"] = np.iinfo(np.int64).max if limits.nodes is None else limits.nodes
        set_deadline(ws, limits.seconds, started_ns)
        self.algorithm.reset(ws)
        ws["root_step"] = root_step
        self.memory.age = (self.memory.age + 1) % 256
        ws["age"] = self.memory.age
        return ws

    def _deepen(
        self,
        state: Any,
        wanted: int,
        deepen: bool,
        ws: Any,
        started: float,
        on_iteration: Callable[[Iteration], None] | None,
        keep_going: Callable[[list[Iteration]], bool] | None,
        variation: bool,
    ) -> tuple[list[Iteration], float, bool]:
        """The finished iterations, the search's value of the last one, and whether that rests on ended games alone."""
        iterations: list[Iteration] = []
        latest = 0.0
        for depth in self.algorithm.depths(wanted, deepen):
            nodes, leaves, estimates = int(ws["nodes"]), int(ws["leaves"]), int(ws["estimates"])
            self.depth_under_way = depth
            self.algorithm.begin(ws)
            try:
                value = float(self.algorithm.iterate(self._searched, state, depth, ws, self.memory))
            finally:  # what a rule that failed left in the table is used later
                self._note_facts(ws)
            if ws["stop"]:
                return iterations, latest, False
            latest = value
            strategies = self.algorithm.strategies(self._searched, state, ws) if depth > 0 else ({}, {})
            if variation or on_iteration is not None:  # following it takes longer than a small search
                self._line = self.algorithm.line(self._searched, state, ws) if depth > 0 else Line()
            reported, plies = self.algorithm.game_value(value, ws, solved=int(ws["estimates"]) == estimates)
            if plies is not None and plies > self.game.max_depth:  # an average that looks like a far result
                reported, plies = value, None
            found = Iteration(
                depth,
                reported,
                int(ws["nodes"]) - nodes,
                int(ws["leaves"]) - leaves,
                seconds_counted() - started,
                strategies,
                plies,
            )
            iterations.append(found)
            if on_iteration is not None:
                on_iteration(found)
            if int(ws["estimates"]) == estimates:
                return iterations, latest, True
            for player, action in enumerate(most_probable(strategies)):
                if action != NO_ACTION:
                    ws["preferred"][player] = action
            if keep_going is not None and not keep_going(iterations):
                break
        return iterations, latest, False

    def _note_facts(self, ws: Any) -> None:
        """Add the facts of this search to those that hold of the table's entries."""
        for place, name in enumerate(FACTS):
            if name in ws.dtype.names:
                self._facts[place] |= int(ws[name])

    def _emergency(
        self, state: Any, among: Sequence[int], started: float, bounds: tuple[float, float]
    ) -> Iteration:
        """A legal answer for a search stopped before its first depth: the first action, with nothing known of its value but the bounds."""
        mixtures: list[dict[int, float]] = [{}, {}]
        for player in self._searched.players_to_act(state):
            actions = among or self._searched.search_actions(state, player)
            mixtures[player] = {action: float(k == 0) for k, action in enumerate(actions)}
        value = min(max(0.0, bounds[0]), bounds[1])
        return Iteration(0, value, 0, 0, seconds_counted() - started, (mixtures[0], mixtures[1]))

    def _variation(
        self, state: Any, last: Iteration, solved: bool, ws: Any, started_ns: int, limits: Limits
    ) -> Line:
        """Follow the line that the search noted, then the most probable joint actions.

        For these each successor is searched a step less deep while it is cheap.
        """
        if self.algorithm.line_is_complete:
            return self._line
        ws["node_limit"] = int(ws["nodes"]) + max(_VARIATION_NODES, int(_VARIATION_SHARE * int(ws["nodes"])))
        # What a table or a proof settled may go on beyond the depth.
        steps = min(self._searched.max_depth, DEEPEST) if solved else last.depth

        def look(state: Any, left: int) -> Strategies | None:
            if ws["stop"] or (
                limits.seconds is not None and python_monotonic_ns() - started_ns > limits.seconds * 0.9e9
            ):
                return None
            self._settle(state, max(1, last.depth - (steps - left)), solved, ws)
            return None if ws["stop"] else self.algorithm.strategies(self._searched, state, ws)

        return continued(self._searched, state, self._line, last.strategies, steps, look)

    def _settle(self, state: Any, depth: int, solved: bool, ws: Any) -> None:
        """Search a position of the line; one that is known exactly as deep as it takes to know it again."""
        while True:
            ws["preferred"] = NO_ACTION
            estimates = int(ws["estimates"])
            self.algorithm.iterate(self._searched, state, depth, ws, self.memory)
            self._note_facts(ws)
            if (
                ws["stop"]
                or not solved
                or int(ws["estimates"]) == estimates
                or depth >= self._searched.max_depth
            ):
                return
            depth += 1
