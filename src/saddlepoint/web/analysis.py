"""The analysis: searches that run in threads, and the WebSocket on which their results are sent."""

import asyncio
import logging
import threading
from collections.abc import Callable
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
from ..play.replay import FinishedGame
from ..play.review import review_finished, review_json
from ..system.patience import ANALYSIS_PLACE
from ..system.text import error_line
from . import analysis_messages, limits, messages
from .analysis_messages import AnalysisRequest, request_of
from .answers import RULES, missing
from .limits import Outbox, Refused
from .messages import Analyse, Examination, Review
from .service import Service

_COMPILING_POLL = 0.25
_TICK = 0.1
"""Seconds between two looks at a running search's counters."""
_NODES_TO_WARM = 1000
_LINES = 5
"""Best moves of a player that have a line."""


class AnalysisJob:
    """One analysis of a client, from its message on."""

    request: AnalysisRequest
    states: list[Any]
    """The positions of the game, the last of which is analysed."""
    analysis: Analysis

    def __init__(self, asked: Examination, service: Service, outbox: Outbox) -> None:
        self.asked, self._service, self._outbox = asked, service, outbox
        self.token = StopToken()
        self.is_silent = False
        """Whether its client gets nothing more: another analysis has the number."""
        self._lock = threading.Lock()
        self._weighed: Alternatives | None = None
        self._proof: FoundDepth | None = None

    def _put(self, kind: str, content: Callable[[], dict[str, Any]], part: Any = None) -> None:
        """Tell the client; the content is made when it is sent, so that what a newer one replaces costs nothing."""
        if not self.is_silent:
            self._outbox.put(self.asked.id, kind, content, part)

    def _send(self, kind: str, **content: Any) -> None:
        """Tell the client what is known already."""
        self._put(kind, lambda: content)

    async def run(self) -> None:
        """Run it to its end; an error is sent to its client."""
        try:
            self.request = await self._service.calls.run(request_of, self.asked, self._service)
            end = await self._run_in_place() if await self._is_compiled(RULES) else {"reason": "stopped"}
            self._send("done", **end)
        except Refused as error:
            self._send("error", error=error.sentence)
        except Exception as error:
            if not isinstance(
                error, KernelError
            ):  # a mistake here, and not in the rules of somebody's own game
                logging.getLogger(__name__).exception("an analysis failed")
            self._send("error", error=f"this failed: {error_line(error)}")
        finally:
            self.token.stop()

    async def _is_compiled(self, player: str | None) -> bool:
        """Wait until what a player needs is compiled; False where the client stops it. Without a player it is seen to later."""
        while player is not None and not self.token.stopped:
            still = await self._service.calls.run(
                missing, self._service.preparation, self.request.known, player
            )
            if still is None:
                return True
            self._send("compiling", what=still.what, seconds=still.seconds, ahead=still.ahead)
            await asyncio.sleep(_COMPILING_POLL)
        return not self.token.stopped

    async def _run_in_place(self) -> dict[str, Any]:
        """Run it where there is a place for it; how it ended."""
        places = self._service.analysis_places
        try:
            await asyncio.wait_for(places.acquire(), ANALYSIS_PLACE)
        except TimeoutError:
            raise Refused(
                f"{limits.ANALYSES} analyses run on this server already; try again when one of them has ended",
                503,
            ) from None
        try:
            _, line = await self._service.calls.run(self._service.positions.line, self.asked)
            self.states = [place.state for place in line]
            if isinstance(self.asked, Analyse):
                return await self._analyse(self.asked)
            if not await self._is_compiled(self.request.search.player):
                return {"reason": "stopped"}
            return await self._service.analysing.run(self._review, self.asked)
        finally:
            places.release()

    # -- a position ------------------------------------------------------------------------------------------------------

    async def _analyse(self, asked: Analyse) -> dict[str, Any]:
        """The search and what else is wanted, side by side; each begins as soon as it is compiled."""
        request, state = self.request, self.states[-1]
        threads = self._service.analysing
        if request.known.game.current_player(state) == TERMINAL:
            await threads.run(self._draw_overlays, asked)
            raise Refused("the game is over in this position; nothing is left to analyse")
        self.analysis = analysis = Analysis(
            request.searched(state), state, request.search.algorithm, request.limits, stop=self.token
        )
        over = asyncio.gather(self._search_and_weigh(), threads.run(self._draw_overlays, asked))
        while not over.done():
            await asyncio.wait([over], timeout=_TICK)
            if not over.done() and analysis.is_running:
                self._put("counters", lambda: analysis_messages.counters(analysis.counters()))
        return {"reason": (await over)[0]}

    async def _search_and_weigh(self) -> str:
        if not await self._is_compiled(self.request.search.player):
            return "stopped"
        reason, _ = await asyncio.gather(self._service.analysing.run(self._search), self._weigh())
        return "stopped" if self.token.stopped else reason

    def _search(self) -> str:
        """The search of a position; why it ended."""
        self.analysis.warm()
        final = self.analysis.run(self._searched)
        self._searched(final)
        if final.exact:
            return "exact"
        seconds = self.request.limits.seconds
        return "depth" if seconds is None or final.counters.seconds < 0.98 * seconds else "time"

    def _searched(self, found: FoundDepth) -> None:
        """Send a finished depth of the search.

        A value that is only a bound of the equilibrium's proves no alternative.
        """
        one = self.analysis
        self._put(
            "search",
            partial(
                analysis_messages.found_depth,
                one.game,
                one.state,
                found,
                one.algorithm,
                one.game is not self.request.known.game,
            ),
        )
        if found.exact and commits_first(one.game, one.algorithm) is None:
            self._tell_alternatives(proof=found)

    async def _weigh(self) -> None:
        chosen = self.request.alternatives
        if chosen is not None and await self._is_compiled(chosen.player):
            await self._service.analysing.run(self._find_alternatives)

    def _find_alternatives(self) -> None:
        game, state, chosen = self.analysis.game, self.analysis.state, self.request.alternatives
        assert chosen is not None

        # What is to be loaded, or compiled here after all, costs none of its time.
        memory = Memory()
        search(
            game,
            state,
            chosen.algorithm,
            Limits(depth=1, nodes=_NODES_TO_WARM),
            stop=self.token,
            memory=memory,
            variation=False,
        )
        find_alternatives(
            game,
            state,
            chosen.algorithm,
            self.request.limits,
            stop=self.token,
            memory=memory,
            on_update=lambda found: self._tell_alternatives(weighed=found),
            lines=_LINES,
        )

    def _tell_alternatives(
        self, weighed: Alternatives | None = None, proof: FoundDepth | None = None
    ) -> None:
        """Send the alternatives' present values.

        Two threads compute them: a proof by one counts for the other.
        """
        one, chosen = self.analysis, self.request.alternatives
        with self._lock:
            self._weighed, self._proof = weighed or self._weighed, proof or self._proof
            if chosen is not None and self._weighed is not None:
                message = partial(
                    analysis_messages.alternatives,
                    one.game,
                    one.state,
                    self._weighed,
                    chosen.algorithm,
                    self._proof,
                    one.algorithm,
                    one.game is not self.request.known.game,
                )
                self._put("alternatives", message)

    def _draw_overlays(self, asked: Analyse) -> None:
        drawn: list[dict[str, Any]] = []
        for name in asked.overlays:
            if not self.token.stopped:
                found = overlay(self.request.known.game, self.states[-1], name, stop=self.token)
                drawn = [*drawn, found.to_json()]
                self._send("overlays", overlays=drawn)

    # -- a game ----------------------------------------------------------------------------------------------------------

    def _review(self, asked: Review) -> dict[str, Any]:
        """Look at the whole game; why it ended, the verdict and the moments that mattered.

        The game's result is that of the rules, or of the fault or the resignation that ended it.
        """
        game, states = self.request.known.game, self.states
        over = game.current_player(states[-1]) == TERMINAL
        result = float(game.returns(states[-1])) if over else asked.result
        played = FinishedGame(
            game,
            asked.players,
            states,
            list(asked.moves),
            result,
            faults=asked.faults,
            since=min(asked.since, len(asked.moves)),
        )

        def note(one: Standing, done: int, expected: int) -> None:
            self._put(
                "review", partial(analysis_messages.reviewed_position, played, one, done, expected), one.step
            )

        found = review_finished(
            played, self.request.search.algorithm, self.request.limits, stop=self.token, on_standing=note
        )
        reason = {"reason": "stopped" if self.token.stopped else "depth"}
        return reason if found is None else reason | review_json(played, found)


# The WebSocket of the analysis: searches that run in threads, and what they saw, sent as fast as the client takes it.

_ENDING = 4
"""Analyses of a client that were stopped and may still be about to end."""
_MOST: dict[type, tuple[int, str]] = {
    Analyse: (2, "2 analyses run on this connection already; stop one of them"),
    Review: (1, "1 review runs on this connection already; stop it"),
}
"""The jobs of a client at the same time: two algorithms side by side, and a review of a game."""
_TRY_LATER = 1013


async def analysis_endpoint(websocket: WebSocket, service: Service) -> None:
    """Serve one client until it goes: its searches end with it. Too many clients are sent away."""
    if service.sockets.locked():
        await websocket.close(_TRY_LATER, "the server has too many connections")
        return
    async with service.sockets:
        await websocket.accept()
        desk = _Desk(service)
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
    def __init__(self, service: Service) -> None:
        self.outbox = Outbox()
        self._service = service
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
            before = self._own.pop(number, None)
            if before is not None:  # one of the same number goes on about something else
                before.token.stop()
            if not isinstance(asked, messages.Stop):
                self._begin(asked)
                if before is not None:
                    before.is_silent = True  # its end would be taken for that of the new one
        except Refused as error:
            self.outbox.put(number, "error", partial(dict, error=error.sentence))

    async def settle(self) -> None:
        """Wait while too much of what was stopped has not ended yet: whoever changes its mind all the time is served more slowly."""
        while len(self._tasks) - len(self._own) > _ENDING:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)

    def _begin(self, asked: Examination) -> None:
        most, sentence = _MOST[type(asked)]
        if sum(type(one.asked) is type(asked) for one in self._own.values()) >= most:
            raise Refused(sentence)
        job = self._own[asked.id] = AnalysisJob(asked, self._service, self.outbox)
        task = asyncio.create_task(job.run())
        self._tasks.add(task)

        def over(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            if self._own.get(asked.id) is job:
                del self._own[asked.id]

        task.add_done_callback(over)

    def close(self) -> None:
        self.outbox.close()
        for job in self._own.values():
            job.token.stop()
