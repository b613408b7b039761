"""A search in a thread of its own, on the position that is on the screen."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...algorithms.limits import Limits, StopToken
from ...algorithms.searcher import Searcher

if TYPE_CHECKING:
    from ...algorithms.result import Iteration, SearchResult
    from ...game import Game

_SECONDS = 60.0
"""A position is searched no longer."""
_WARMING_NODES = 1000


@dataclass(frozen=True)
class Findings:
    """What is known of a position so far."""

    state: Any
    doing: str = ""
    """`compiling`, `searching`, or nothing when that is over."""
    value: float | None = None
    """The expected result for player 0, in the game's units."""
    depth: int = 0
    exact: bool = False
    strategies: tuple[dict[int, float], dict[int, float]] = ({}, {})
    line: tuple[tuple[int, int], ...] = ()
    nodes: int = 0
    nodes_per_second: float = 0.0
    known: tuple[tuple[str, str], ...] = ()
    """Every move with what a database knows of it, in place of a search."""
    trouble: str = ""


class Analyst:
    """Searches the position it is shown, until it is shown another; `wake` is called from its thread at all news.

    `quiet` is the context in which it compiles, which takes seconds of Python's lock.
    """

    def __init__(
        self, game: "Game", wake: Callable[[], None], quiet: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self.findings: Findings | None = None
        self._game, self._wake, self._quiet = game, wake, quiet
        self._asked = threading.Condition()
        self._state: Any = None
        self._fresh = self._closed = False
        self._token = StopToken()
        self._searcher: Searcher | None = None
        self._thread: threading.Thread | None = None

    def look(self, state: Any) -> None:
        """Search this position; None ends the search."""
        with self._asked:
            if self._state is state:
                return
            self._state, self._fresh = state, state is not None
            self.findings = None if state is None else Findings(state, "searching")
            self._token.stop()
            self._asked.notify_all()
            if self._thread is None and state is not None:
                self._thread = threading.Thread(target=self._run, name="saddlepoint analysis", daemon=True)
                self._thread.start()

    def close(self, patience: float = 1.0) -> None:
        """End for good."""
        with self._asked:
            self._closed = True
            self._token.stop()
            self._asked.notify_all()
        if self._thread is not None:
            self._thread.join(patience)

    def _run(self) -> None:
        while True:
            with self._asked:
                self._asked.wait_for(lambda: self._fresh or self._closed)
                if self._closed:
                    return
                state, self._fresh, self._token = self._state, False, StopToken()
                token = self._token
            try:
                self._analyse(state, token)
            except Exception as error:  # of the rules, or of a search that is not made for the game: the game goes on
                text = (str(error).splitlines() or [""])[0] or type(error).__name__
                self._tell(token, Findings(state, trouble=text))

    def _analyse(self, state: Any, token: StopToken) -> None:
        from ..analyze import chosen_search

        game = self._game
        act = game.players_to_act(state)
        if not act and not game.chance_outcomes(state):
            self._tell(token, Findings(state))
            return
        turns, algorithm = chosen_search(game, state, None)
        if turns is not None:
            words = {1: "wins", 0: "draws", -1: "loses"}
            known = tuple(
                (game.action_to_string(state, act[0], one.action),
                 words[one.outcome.result] + (f" in {one.outcome.plies}" if one.outcome.plies else ""))
                for one in turns
            )  # fmt: skip
            best = turns[0].outcome.result
            self._tell(token, Findings(state, value=float(best if act[0] == 0 else -best), exact=True, known=known))
            return
        assert algorithm is not None
        if self._searcher is None:
            self._tell(token, Findings(state, "compiling"))
            with self._quiet():
                searcher = Searcher(game, algorithm)
                searcher.search(state, Limits(depth=1, nodes=_WARMING_NODES))
            self._searcher = searcher
        self._search(self._searcher, state, token)

    def _search(self, searcher: Searcher, state: Any, token: StopToken) -> None:
        counted = time.perf_counter()
        found = Findings(state, "searching")

        def on_iteration(one: "Iteration") -> None:
            nonlocal found
            nodes, seconds = found.nodes + one.nodes, max(time.perf_counter() - counted, 1e-6)
            found = replace(
                found, value=one.value, depth=one.depth, strategies=one.strategies, nodes=nodes, nodes_per_second=nodes / seconds
            )
            self._tell(token, found)

        result: SearchResult = searcher.search(state, Limits(seconds=_SECONDS), stop=token, on_iteration=on_iteration)
        nodes = result.statistics.nodes
        self._tell(token, Findings(
            state, "", result.value, result.depth, result.exact, result.strategies, result.principal_variation, nodes,
            nodes / max(result.seconds, 1e-6),
        ))  # fmt: skip

    def _tell(self, token: StopToken, found: Findings) -> None:
        with self._asked:
            if token is not self._token or token.stopped or self._closed:
                return
            self.findings = found
        self._wake()
