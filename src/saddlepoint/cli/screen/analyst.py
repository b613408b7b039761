"""Searches in a thread of their own, of the position that is on the screen."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...algorithms.analysis import Alternatives, Analysis, Counters, FoundDepth, find_alternatives
from ...algorithms.limits import Limits, StopToken
from ...algorithms.searcher import search

if TYPE_CHECKING:
    from ...algorithms import Algorithm
    from ...game import Game

_SECONDS = 60.0
"""A position is searched no longer."""
_WARMING = Limits(depth=2, nodes=1000)


@dataclass(frozen=True)
class Findings:
    """What is known of a position so far."""

    state: Any
    doing: str = ""
    """`compiling`, `searching`, or nothing when that is over."""
    found: FoundDepth | None = None
    alternatives: Alternatives | None = None
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
        self._wanted: tuple[Any, bool] | None = None
        self._fresh = self._closed = False
        self._token = StopToken()
        self._running: Analysis | None = None
        self._warm: set[bool] = set()
        self._thread: threading.Thread | None = None

    def look(self, state: Any, values: bool = False) -> None:
        """Search this position, or with `values` each of its moves; None ends the search."""
        with self._asked:
            before, wanted = self._wanted, None if state is None else (state, values)
            if before is wanted or (before and wanted and before[0] is state and before[1] == values):
                return
            self._wanted, self._fresh = wanted, wanted is not None
            self.findings = None if wanted is None else Findings(state, "searching")
            self._token.stop()
            self._running = None
            self._asked.notify_all()
            if self._thread is None and wanted is not None:
                self._thread = threading.Thread(target=self._run, name="saddlepoint analysis", daemon=True)
                self._thread.start()

    def counters(self) -> Counters | None:
        """What the search under way has done so far; None where none is."""
        running = self._running
        return None if running is None else running.counters()

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
                if self._closed or self._wanted is None:
                    return
                (state, values), self._fresh = self._wanted, False
                token = self._token = StopToken()
            try:
                self._analyse(state, values, token)
            except Exception as error:  # of the rules, or of a search that is not made for the game: the game goes on
                text = (str(error).splitlines() or [""])[0] or type(error).__name__
                self._tell(token, Findings(state, trouble=text))

    def _analyse(self, state: Any, values: bool, token: StopToken) -> None:
        from ..analyze import chosen_search

        game = self._game
        act = game.players_to_act(state)
        if not act and not game.chance_outcomes(state):
            self._tell(token, Findings(state))
            return
        turns, algorithm = chosen_search(game, state, None)
        if turns is not None:
            words = {1: "wins", 0: "draws", -1: "loses"}
            self._tell(token, Findings(state, known=tuple(
                (game.action_to_string(state, act[0], one.action),
                 words[one.outcome.result] + (f" in {one.outcome.plies} plies" if one.outcome.plies else ""))
                for one in turns
            )))  # fmt: skip
        elif values:
            self._weigh(state, token)
        elif algorithm is not None:
            self._search(state, algorithm, token)

    def _search(self, state: Any, algorithm: "Algorithm", token: StopToken) -> None:
        self._compile(False, state, token, lambda: search(self._game, state, algorithm, _WARMING, stop=token))
        analysis = self._running = Analysis(self._game, state, algorithm, Limits(seconds=_SECONDS), stop=token)
        so_far = Findings(state, "searching")
        self._tell(token, so_far)
        final = analysis.run(lambda found: self._tell(token, replace(so_far, found=found)))
        self._tell(token, Findings(state, found=final))

    def _weigh(self, state: Any, token: StopToken) -> None:
        """Find what every move is worth."""
        from ...roster.analysing import stage_search_of

        algorithm = stage_search_of(self._game).algorithm

        def weigh(limits: Limits, on_update: Callable[[Alternatives], None] | None = None) -> Alternatives:
            return find_alternatives(self._game, state, algorithm, limits, stop=token, on_update=on_update)

        self._compile(True, state, token, lambda: weigh(_WARMING))
        so_far = Findings(state, "searching")
        final = weigh(Limits(seconds=_SECONDS), lambda found: self._tell(token, replace(so_far, alternatives=found)))
        self._tell(token, Findings(state, alternatives=final))

    def _compile(self, kind: bool, state: Any, token: StopToken, once: Callable[[], object]) -> None:
        if kind not in self._warm:
            self._tell(token, Findings(state, "compiling"))
            with self._quiet():
                once()
            if not token.stopped:
                self._warm.add(kind)

    def _tell(self, token: StopToken, found: Findings) -> None:
        with self._asked:
            if token is not self._token or token.stopped or self._closed:
                return
            self.findings = found
        self._wake()
