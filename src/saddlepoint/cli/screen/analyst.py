"""Searches in a thread of their own, of the position that is on the screen."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...algorithms.analysis import Alternatives, Analysis, Counters, FoundDepth, find_alternatives
from ...algorithms.limits import Limits
from ...algorithms.searcher import search
from ...play.timely import Question, Thinker

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


class _Look(Question):
    """A position that is wanted; with `values` what each of its moves is worth."""

    def __init__(self, state: Any, values: bool) -> None:
        super().__init__()
        self.state, self.values = state, values
        self.token = self.new_token()


class Analyst:
    """Searches the position it is shown, until it is shown another; `wake` is called from its thread at all news.

    `quiet` is the context in which it compiles, which takes seconds of Python's lock.
    """

    def __init__(
        self, game: "Game", wake: Callable[[], None], quiet: Callable[[], AbstractContextManager[None]] = nullcontext
    ) -> None:
        self.findings: Findings | None = None
        self._game, self._wake, self._quiet = game, wake, quiet
        self._lock = threading.Lock()
        self._look: _Look | None = None
        self._thinker: Thinker | None = None
        self._running: Analysis | None = None
        self._warm: set[bool] = set()

    def look(self, state: Any, values: bool = False) -> None:
        """Search this position, or with `values` each of its moves; None ends the search."""
        before = self._look
        if (before is None and state is None) or (before is not None and before.state is state and before.values == values):
            return
        if before is not None:
            before.stop()
        with self._lock:
            look = self._look = None if state is None else _Look(state, values)
            self.findings = None if state is None else Findings(state, "searching")
            self._running = None
        if look is not None:
            self._thinker = self._thinker or Thinker(lambda: (self._found, lambda: None), lambda *_: None)
            self._thinker.ask(look)

    def counters(self) -> Counters | None:
        """What the search under way has done so far; None where none is."""
        running = self._running
        return None if running is None else running.counters()

    def close(self, patience: float = 1.0) -> None:
        """End for good."""
        if self._look is not None:
            self._look.stop()
        if self._thinker is not None:
            self._thinker.close()
            self._thinker.ended(time.monotonic() + patience)

    def _found(self, look: _Look) -> None:
        try:
            self._analyse(look)
        except Exception as error:  # of the rules, or of a search that is not made for the game: the game goes on
            text = (str(error).splitlines() or [""])[0] or type(error).__name__
            self._tell(look, Findings(look.state, trouble=text))

    def _analyse(self, look: _Look) -> None:
        from ..analyze import chosen_search

        game, state = self._game, look.state
        act = game.players_to_act(state)
        if not act and not game.chance_outcomes(state):
            self._tell(look, Findings(state))
            return
        turns, algorithm = chosen_search(game, state, None)
        if turns is not None:
            words = {1: "wins", 0: "draws", -1: "loses"}
            self._tell(look, Findings(state, known=tuple(
                (game.action_to_string(state, act[0], one.action),
                 words[one.outcome.result] + (f" in {one.outcome.plies} plies" if one.outcome.plies else ""))
                for one in turns
            )))  # fmt: skip
        elif look.values:
            self._weigh(look)
        elif algorithm is not None:
            self._search(look, algorithm)

    def _search(self, look: _Look, algorithm: "Algorithm") -> None:
        state, token = look.state, look.token
        self._compile(look, lambda: search(self._game, state, algorithm, _WARMING, stop=token))
        analysis = self._running = Analysis(self._game, state, algorithm, Limits(seconds=_SECONDS), stop=token)
        so_far = Findings(state, "searching")
        self._tell(look, so_far)
        final = analysis.run(lambda found: self._tell(look, replace(so_far, found=found)))
        self._tell(look, Findings(state, found=final))

    def _weigh(self, look: _Look) -> None:
        """Find what every move is worth."""
        from ...roster.analysing import stage_search_of

        state, token = look.state, look.token
        algorithm = stage_search_of(self._game).algorithm

        def weigh(limits: Limits, on_update: Callable[[Alternatives], None] | None = None) -> Alternatives:
            return find_alternatives(self._game, state, algorithm, limits, stop=token, on_update=on_update)

        self._compile(look, lambda: weigh(_WARMING))
        so_far = Findings(state, "searching")
        final = weigh(Limits(seconds=_SECONDS), lambda found: self._tell(look, replace(so_far, alternatives=found)))
        self._tell(look, Findings(state, alternatives=final))

    def _compile(self, look: _Look, once: Callable[[], object]) -> None:
        if look.values not in self._warm:
            self._tell(look, Findings(look.state, "compiling"))
            with self._quiet():
                once()
            if not look.done:
                self._warm.add(look.values)

    def _tell(self, look: _Look, found: Findings) -> None:
        with self._lock:
            if look is not self._look or look.done:
                return
            self.findings = found
        self._wake()
