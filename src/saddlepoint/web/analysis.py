"""The analysis: searches that run in threads, and the WebSocket on which their results are sent."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..algorithms import Limits, Memory, StopToken
from ..algorithms.algorithm import commits_first
from ..algorithms.analysis import Alternatives, Analysis, FoundDepth, Standing, find_alternatives
from ..algorithms.searcher import search
from ..compiled import KernelError
from ..evaluators.overlays import overlay
from ..game.base import TERMINAL
from ..play.review import review_finished, review_json
from ..system.patience import ANALYSIS_PLACE
from . import analysis_messages, messages
from .analysis_messages import AnalysisRequest, request_of
from .answers import RULES, missing
from .limits import Refused, first_line
from .messages import Examination, Joint, Review
from .queues import Outbox, Threads
from .service import Service

ANALYSES = 4
"""Analyses at the same time, of all clients together."""
_THREADS = 3
"""Of one analysis at most: the search, the alternatives, the overlays."""
_POLL = 0.02
_COMPILING_POLL = 0.25
_TICK = 0.1
"""Seconds between two looks at a running search's counters."""
_NODES_TO_WARM = 1000
_LINES = 5
"""Best moves of a player that have a line."""


class AnalysisJob:
    """One analysis of a client, from its message on."""

    def __init__(self, number: int, asked: Examination, outbox: Outbox) -> None:
        self.number, self.asked, self._outbox = number, asked, outbox
        self.is_review = isinstance(asked, Review)
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

    def send(self, kind: str, **content: Any) -> None:
        """Tell the client what is known already."""
        self.put(kind, lambda: content)


class Jobs:
    """All analyses of a server."""

    def __init__(
        self, service: Service, read: Callable[[Examination, Service], AnalysisRequest], most: int = ANALYSES
    ) -> None:
        self._service, self._read, self._most = service, read, most
        self._under_way = 0
        self._threads = Threads("saddlepoint analysis", _THREADS * most, 0)

    def close(self) -> None:
        """Let the threads end with what they do."""
        self._threads.close()

    async def run(self, job: AnalysisJob) -> None:
        """Run an analysis to its end; an error is sent to its client."""
        try:
            request = await self._service.calls.run(self._read, job.asked, self._service)
            if await self._is_compiled(job, request, RULES):
                await self._run_in_place(job, request)
            else:
                job.send("done", reason="stopped")
        except Refused as error:
            job.send("error", error=error.sentence)
        except Exception as error:
            if not isinstance(
                error, KernelError
            ):  # a mistake here, and not in the rules of somebody's own game
                logging.getLogger(__name__).exception("an analysis failed")
            job.send("error", error=f"this failed: {first_line(error)}")
        finally:
            job.stop()

    async def _is_compiled(self, job: AnalysisJob, request: AnalysisRequest, player: str | None) -> bool:
        """Wait until what a player needs is compiled; False where the client stops it. Without a player it is seen to later."""
        known = request.known
        while player is not None and not job.stopped:
            still = await self._service.calls.run(missing, self._service.preparation, known, player)
            if still is None:
                return True
            job.send("compiling", what=still.what, seconds=still.seconds, ahead=still.ahead)
            await asyncio.sleep(_COMPILING_POLL)
        return not job.stopped

    async def _run_in_place(self, job: AnalysisJob, request: AnalysisRequest) -> None:
        """Run it where there is a place for it."""
        waited = 0.0
        while self._under_way >= self._most and waited < ANALYSIS_PLACE:
            await asyncio.sleep(_POLL)
            waited += _POLL
        if self._under_way >= self._most:
            raise Refused(
                f"{self._most} analyses run on this server already; try again when one of them has ended", 503
            )
        self._under_way += 1
        try:
            states, moves = await self._service.calls.run(request.line, self._service)
            end = await (
                self._review(job, request, states, moves)
                if job.is_review
                else self._analyse(job, request, states[-1])
            )
            job.send("done", **end)
        finally:
            self._under_way -= 1

    async def _review(
        self, job: AnalysisJob, request: AnalysisRequest, states: list[Any], moves: Sequence[Joint]
    ) -> dict[str, Any]:
        if not await self._is_compiled(job, request, request.search.player):
            return {"reason": "stopped"}
        return await self._threads.run(_review, job, request, states, moves)

    async def _analyse(self, job: AnalysisJob, request: AnalysisRequest, state: Any) -> dict[str, Any]:
        """The search and what else is wanted, side by side; each begins as soon as it is compiled."""
        if request.known.game.current_player(state) == TERMINAL:
            await self._threads.run(_draw_overlays, job, request, state)
            raise Refused("the game is over in this position; nothing is left to analyse")
        analysis = Analysis(
            request.searched(state), state, request.search.algorithm, request.limits, stop=job.token
        )
        over = asyncio.gather(
            self._search(job, request, analysis), self._threads.run(_draw_overlays, job, request, state)
        )
        while not over.done():
            await asyncio.wait([over], timeout=_TICK)
            if not over.done() and analysis.is_running:
                job.put("counters", lambda: analysis_messages.counters(analysis.counters()))
        return {"reason": (await over)[0]}

    async def _search(self, job: AnalysisJob, request: AnalysisRequest, analysis: Analysis) -> str:
        if not await self._is_compiled(job, request, request.search.player):
            return "stopped"
        known = _Known(job, request, analysis)
        reason, _ = await asyncio.gather(
            self._threads.run(_search, job, request, analysis, known),
            self._find_alternatives(job, request, known),
        )
        return "stopped" if job.stopped else reason

    async def _find_alternatives(self, job: AnalysisJob, request: AnalysisRequest, known: "_Known") -> None:
        chosen = request.alternatives
        if chosen is not None and await self._is_compiled(job, request, chosen.player):
            await self._threads.run(_find_alternatives, job, request, known)


class _Known:
    """What two threads have found of one position, in agreement: a proof of one counts for the other."""

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
        message = partial(
            analysis_messages.found_depth, one.game, one.state, found, one.algorithm, self._without_chance
        )
        self._job.put("search", message)
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
            self._job.put(
                "alternatives",
                partial(
                    analysis_messages.alternatives,
                    game,
                    one.state,
                    self._alternatives,
                    chosen.algorithm,
                    self._proof,
                    one.algorithm,
                    self._without_chance,
                ),
            )


def _search(job: AnalysisJob, request: AnalysisRequest, analysis: Analysis, known: _Known) -> str:
    """The search of a position; why it ended."""
    analysis.warm()
    note = known.searched

    final = analysis.run(note)
    note(final)
    if job.stopped:
        return "stopped"
    seconds = request.limits.seconds
    return (
        "exact"
        if final.exact
        else "depth"
        if seconds is None or final.counters.seconds < 0.98 * seconds
        else "time"
    )


def _find_alternatives(job: AnalysisJob, request: AnalysisRequest, known: _Known) -> None:
    state, chosen = known.analysis.state, request.alternatives
    game = request.searched(state)
    assert chosen is not None

    # What is to be loaded, or compiled here after all, costs none of its time.
    memory = Memory()
    search(
        game,
        state,
        chosen.algorithm,
        Limits(depth=1, nodes=_NODES_TO_WARM),
        stop=job.token,
        memory=memory,
        variation=False,
    )
    find_alternatives(
        game,
        state,
        chosen.algorithm,
        request.limits,
        stop=job.token,
        memory=memory,
        on_update=known.weighed,
        lines=_LINES,
    )


def _draw_overlays(job: AnalysisJob, request: AnalysisRequest, state: Any) -> None:
    drawn: list[dict[str, Any]] = []
    for name in request.overlays:
        if not job.stopped:
            drawn = [*drawn, overlay(request.known.game, state, name, stop=job.token).to_json()]
            job.send("overlays", overlays=drawn)


def _review(
    job: AnalysisJob, request: AnalysisRequest, states: list[Any], moves: Sequence[Joint]
) -> dict[str, Any]:
    """Look at the whole game; why it ended, the verdict and the moments that mattered."""
    played = request.finished(states, moves)

    def note(one: Standing, done: int, expected: int) -> None:
        job.put("review", partial(analysis_messages.reviewed_position, played, one, done, expected), one.step)

    found = review_finished(
        played, request.search.algorithm, request.limits, stop=job.token, on_standing=note
    )
    reason = {"reason": "stopped" if job.token.stopped else "depth"}
    return reason if found is None else reason | review_json(played, found)


# The WebSocket of the analysis: searches that run in threads, and what they saw, sent as fast as the client takes it.

ANALYSES_A_SOCKET, REVIEWS_A_SOCKET = 2, 1
"""What a client may have at the same time: two algorithms side by side, and a game that is looked at as a whole."""
_ENDING = 4
"""Analyses of a client that were stopped and may still be about to end."""


async def analysis_endpoint(websocket: WebSocket) -> None:
    """Serve one client until it goes: its searches end with it."""
    await websocket.accept()
    state: Any = websocket.app.state
    if not hasattr(state, "analyses"):
        state.analyses = Jobs(state.service, request_of)
    desk = _Desk(state.analyses)
    sender = asyncio.create_task(desk.outbox.send_all(websocket.send_text))
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                break
            desk.take(message.get("text"))
            await desk.settle()
    except (WebSocketDisconnect, RuntimeError):  # it went while something was sent to it
        pass
    finally:
        desk.close()
        sender.cancel()


class _Desk:
    """One client's analyses."""

    def __init__(self, jobs: Jobs) -> None:
        self.outbox = Outbox()
        self._jobs = jobs
        self._own: dict[int, AnalysisJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, text: str | None) -> None:
        """Do what a message asks, or answer why not."""
        number: int | None = None
        try:
            if text is None:
                raise Refused("a message must be text with JSON in it")
            number = messages.read(text, messages.Numbered).id
            asked = messages.read_analysis(text)
            before = self._own.get(number)
            self._stop(number)  # one of the same number goes on about something else
            if not isinstance(asked, messages.Stop):
                self._begin(AnalysisJob(number, asked, self.outbox))
                if before is not None:
                    before.silence()  # its end would be taken for that of the new one
        except Refused as error:
            sentence = error.sentence
            self.outbox.put(number, "error", lambda: {"error": sentence})

    async def settle(self) -> None:
        """Wait while too much of what was stopped has not ended yet: whoever changes its mind all the time is served more slowly."""
        while len(self._tasks) - len(self._own) > _ENDING:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)

    def _begin(self, job: AnalysisJob) -> None:
        most = REVIEWS_A_SOCKET if job.is_review else ANALYSES_A_SOCKET
        if sum(one.is_review == job.is_review for one in self._own.values()) >= most:
            what = "review runs" if job.is_review else "analyses run"
            raise Refused(
                f"{most} {what} on this connection already; stop {'it' if most == 1 else 'one of them'}"
            )
        self._own[job.number] = job
        task = asyncio.create_task(self._jobs.run(job))
        self._tasks.add(task)

        def over(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            if self._own.get(job.number) is job:
                del self._own[job.number]

        task.add_done_callback(over)

    def _stop(self, number: int) -> None:
        job = self._own.pop(number, None)
        if job is not None:
            job.stop()

    def close(self) -> None:
        """The client has gone."""
        self.outbox.close()
        for job in self._own.values():
            job.stop()
