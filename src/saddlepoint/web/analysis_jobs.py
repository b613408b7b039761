"""Analyses under way: their threads, and what is told of them."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..algorithms import Limits, Memory, StopToken
from ..algorithms.analysis import (
    Alternatives,
    Analysis,
    FoundDepth,
    Standing,
    find_alternatives,
)
from ..algorithms.searcher import search
from ..compiled import KernelError
from ..evaluators.overlays import overlay
from ..game import TERMINAL
from ..play.review import review_finished, review_json
from ..roster.analysing import commits_first
from . import analysis_messages as messages
from .analysis_requests import AnalysisRequest
from .bodies import BodyFields
from .errors import Refused, first_line
from .outbox import Outbox
from .preparation import RULES, missing
from .references import Joint
from .service import Service
from .threads import Threads

ANALYSES = 4
"""Analyses at the same time, of all clients together."""
_THREADS = 3
"""Of one analysis at most: the search, the alternatives, the overlays."""
_PATIENCE = 1.0
"""Seconds that an analysis waits for a place: what was stopped is about to end."""
_POLL = 0.02
_COMPILING_POLL = 0.25
_TICK = 0.1
"""Seconds between two looks at a running search's counters."""
_NODES_TO_WARM = 1000
_LINES = 5
"""Best moves of a player that have a line."""


class AnalysisJob:
    """One analysis of a client, from its message on."""

    def __init__(self, number: int, data: BodyFields, outbox: Outbox, is_review: bool) -> None:
        self.number, self.data, self.is_review, self._outbox = number, data, is_review, outbox
        self.token = StopToken()
        self._is_silent = False

    def silence(self) -> None:
        """Tell the client nothing more: another analysis has the number."""
        self._is_silent = True

    @property
    def stopped(self) -> bool:
        """Whether it is to end."""
        return self.token.stopped

    def stop(self) -> None:
        """End it within milliseconds."""
        self.token.stop()

    def put(self, kind: str, content: Callable[[], dict[str, Any]], part: Any = None) -> None:
        """Tell the client; the content is made when it is sent, so that what a newer one replaces costs nothing."""
        if not self._is_silent:
            self._outbox.put(self.number, kind, content, part)

    def tell(self, kind: str, **content: Any) -> None:
        """Tell the client what is known already."""
        self.put(kind, lambda: content)


class Jobs:
    """All analyses of a server."""

    def __init__(self, service: Service, read: Callable[[BodyFields, Service], AnalysisRequest], most: int = ANALYSES) -> None:
        self._service, self._read, self._most = service, read, most
        self._under_way = 0
        self._threads = Threads("saddlepoint analysis", _THREADS * most, 0)

    def close(self) -> None:
        """Let the threads end with what they do."""
        self._threads.close()

    async def run(self, job: AnalysisJob) -> None:
        """Run an analysis to its end; what goes wrong is told to its client."""
        try:
            request = await self._service.calls.run(self._read, job.data, self._service)
            if await self._is_compiled(job, request, RULES):
                await self._run_in_place(job, request)
            else:
                job.tell("done", reason="stopped")
        except Refused as error:
            job.tell("error", error=error.sentence)
        except Exception as error:
            if not isinstance(error, KernelError):  # a mistake here, and not in the rules of somebody's own game
                logging.getLogger(__name__).exception("an analysis failed")
            job.tell("error", error=f"this failed: {first_line(error)}")
        finally:
            job.stop()

    async def _is_compiled(self, job: AnalysisJob, request: AnalysisRequest, player: str | None) -> bool:
        """Wait until what a player needs is compiled; False where the client stops it. Without a player it is seen to later."""
        known = request.known
        while player is not None and not job.stopped:
            still = await self._service.calls.run(missing, self._service.preparation, known, player)
            if still is None:
                return True
            job.tell("compiling", what=still.what, seconds=still.seconds, ahead=still.ahead)
            await asyncio.sleep(_COMPILING_POLL)
        return not job.stopped

    async def _run_in_place(self, job: AnalysisJob, request: AnalysisRequest) -> None:
        """Run it where there is a place for it."""
        waited = 0.0
        while self._under_way >= self._most and waited < _PATIENCE:
            await asyncio.sleep(_POLL)
            waited += _POLL
        if self._under_way >= self._most:
            raise Refused(f"{self._most} analyses run on this server already; try again when one of them has ended", 503)
        self._under_way += 1
        try:
            states, moves = await self._service.calls.run(request.line, self._service)
            end = await (self._review(job, request, states, moves) if request.review else self._analyse(job, request, states[-1]))
            job.tell("done", **end)
        finally:
            self._under_way -= 1

    async def _review(self, job: AnalysisJob, request: AnalysisRequest, states: list[Any], moves: Sequence[Joint]) -> dict[str, Any]:
        if not await self._is_compiled(job, request, request.search.player):
            return {"reason": "stopped"}
        return await self._threads.run(_review, job, request, states, moves)

    async def _analyse(self, job: AnalysisJob, request: AnalysisRequest, state: Any) -> dict[str, Any]:
        """The search and what else is wanted, side by side; each begins as soon as it is compiled."""
        if request.known.game.current_player(state) == TERMINAL:
            await self._threads.run(_draw_overlays, job, request, state)
            raise Refused("the game is over in this position; nothing is left to analyse")
        analysis = Analysis(request.searched(state), state, request.search.algorithm, request.limits, stop=job.token)
        over = asyncio.gather(self._search(job, request, analysis), self._threads.run(_draw_overlays, job, request, state))
        while not over.done():
            await asyncio.wait([over], timeout=_TICK)
            if not over.done() and analysis.is_running:
                job.put("counters", lambda: messages.counters(analysis.counters()))
        return {"reason": (await over)[0]}

    async def _search(self, job: AnalysisJob, request: AnalysisRequest, analysis: Analysis) -> str:
        if not await self._is_compiled(job, request, request.search.player):
            return "stopped"
        known = _Known(job, request, analysis)
        reason, _ = await asyncio.gather(
            self._threads.run(_search, job, request, analysis, known), self._find_alternatives(job, request, known)
        )
        return "stopped" if job.stopped else reason

    async def _find_alternatives(self, job: AnalysisJob, request: AnalysisRequest, known: "_Known") -> None:
        chosen = request.alternatives
        if chosen is not None and await self._is_compiled(job, request, chosen.player):
            await self._threads.run(_find_alternatives, job, request, known)


class _Known:
    """What two threads have found of one position, told so that it agrees: a proof of one counts for the other."""

    def __init__(self, job: AnalysisJob, request: AnalysisRequest, analysis: Analysis) -> None:
        self.analysis = analysis
        self._job, self._request = job, request
        self._without_chance = request.searched(analysis.state) is not request.known.game
        self._lock = threading.Lock()
        self._alternatives: Alternatives | None = None
        self._proof: FoundDepth | None = None

    def searched(self, found: FoundDepth) -> None:
        """A finished depth of the search. One whose value is only a bound of the equilibrium's proves nothing of that."""
        one = self.analysis
        told = partial(messages.found_depth, one.game, one.state, found, one.algorithm, self._without_chance)
        self._job.put("search", told)
        if found.exact and commits_first(one.game, one.algorithm) is None:
            with self._lock:
                self._proof = found
                self._tell()

    def weighed(self, found: Alternatives) -> None:
        """What the alternatives are worth by now."""
        with self._lock:
            self._alternatives = found
            self._tell()

    def _tell(self) -> None:
        one, chosen = self.analysis, self._request.alternatives
        if chosen is not None and self._alternatives is not None:
            game = self._request.searched(one.state)
            self._job.put("alternatives", partial(
                messages.alternatives, game, one.state, self._alternatives, chosen.algorithm, self._proof, one.algorithm,
                self._without_chance,
            ))  # fmt: skip


def _search(job: AnalysisJob, request: AnalysisRequest, analysis: Analysis, known: _Known) -> str:
    """The search of a position; why it ended."""
    analysis.warm()
    note = known.searched

    final = analysis.run(note)
    note(final)
    if job.stopped:
        return "stopped"
    seconds = request.limits.seconds
    return "exact" if final.exact else "depth" if seconds is None or final.counters.seconds < 0.98 * seconds else "time"


def _find_alternatives(job: AnalysisJob, request: AnalysisRequest, known: _Known) -> None:
    state, chosen = known.analysis.state, request.alternatives
    game = request.searched(state)
    assert chosen is not None

    # What is to be loaded, or compiled here after all, costs none of its time.
    memory = Memory()
    search(game, state, chosen.algorithm, Limits(depth=1, nodes=_NODES_TO_WARM), stop=job.token, memory=memory, variation=False)
    find_alternatives(game, state, chosen.algorithm, request.limits, stop=job.token, memory=memory, on_update=known.weighed, lines=_LINES)


def _draw_overlays(job: AnalysisJob, request: AnalysisRequest, state: Any) -> None:
    drawn: list[dict[str, Any]] = []
    for name in request.overlays:
        if not job.stopped:
            drawn = [*drawn, overlay(request.known.game, state, name, stop=job.token).to_json()]
            job.tell("overlays", overlays=drawn)


def _review(job: AnalysisJob, request: AnalysisRequest, states: list[Any], moves: Sequence[Joint]) -> dict[str, Any]:
    """Look at the whole game; why it ended, the verdict and the moments that mattered."""
    played = request.finished(states, moves)

    def note(one: Standing, done: int, expected: int) -> None:
        job.put("review", partial(messages.reviewed_position, played, one, done, expected), one.step)

    found = review_finished(played, request.search.algorithm, request.limits, stop=job.token, on_standing=note)
    reason = {"reason": "stopped" if job.token.stopped else "depth"}
    return reason if found is None else reason | review_json(played, found)
