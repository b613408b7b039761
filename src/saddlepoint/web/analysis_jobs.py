"""Analyses under way: their threads, and what is told of them."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from ..algorithms import Limits, StopToken
from ..algorithms.analysis import Alternatives, Analysis, find_alternatives, review
from ..algorithms.searcher import search
from ..game import TERMINAL
from . import analysis_messages as messages
from .analysis_requests import Request
from .errors import Refused, first_line
from .outbox import Outbox

SEARCHES = 4
"""Analyses at the same time, of all clients together."""
_PATIENCE = 1.0
"""Seconds that an analysis waits for a place: what was stopped is about to end."""
_POLL = 0.02
_TICK = 0.1
"""Seconds between two looks at a running search's counters."""


class Job:
    """One analysis of a client."""

    def __init__(self, number: int, request: Request, outbox: Outbox) -> None:
        self.number, self.request, self._outbox = number, request, outbox
        self._token = StopToken()
        self._analysis: Analysis | None = None

    @property
    def stopped(self) -> bool:
        """Whether it is to end."""
        return self._token.stopped

    def stop(self) -> None:
        """End it, within milliseconds unless something is being compiled."""
        self._token.stop()

    def put(self, kind: str, content: Any = "", part: Any = None) -> None:
        """Tell the client."""
        self._outbox.put(self.number, kind, content, part)

    async def run(self) -> None:
        """Search in threads until all is over, and tell the client."""
        request = self.request
        if request.review:
            await _in_thread(self._review)
            return
        threads = [_in_thread(self._search)]
        if request.alternatives is not None:
            threads.append(_in_thread(self._find_alternatives))
        over = asyncio.gather(*threads)
        while not over.done():
            await asyncio.wait([over], timeout=_TICK)
            if self._analysis is not None and not over.done():
                self.put("counters", messages.counters(self._analysis.counters()))
        self.put("done", {"reason": (await over)[0]})

    def _search(self) -> str:
        request = self.request
        game, state = request.game, request.states[-1]
        if game.current_player(state) == TERMINAL:
            raise Refused("the game is over in this position; nothing is left to analyse")
        search(game, state, request.algorithm, Limits(depth=1), stop=self._token, variation=False)  # what is compiled costs no time
        analysis = Analysis(game, state, request.algorithm, request.limits, stop=self._token)
        self._analysis = analysis
        final = analysis.run(lambda found: self.put("search", lambda: messages.found_depth(game, state, found)))
        self.put("search", lambda: messages.found_depth(game, state, final))
        if self.stopped:
            return "stopped"
        return "exact" if final.exact else "depth" if final.counters.seconds < (request.limits.seconds or 0.0) * 0.98 else "time"

    def _find_alternatives(self) -> None:
        request = self.request
        game, state, algorithm = request.game, request.states[-1], request.alternatives
        assert algorithm is not None
        if game.current_player(state) == TERMINAL:
            return

        def tell(found: Alternatives) -> None:
            self.put("alternatives", lambda: messages.alternatives(game, state, found))

        find_alternatives(game, state, algorithm, Limits(depth=2, nodes=100), stop=self._token)
        find_alternatives(game, state, algorithm, request.limits, stop=self._token, on_update=tell)

    def _review(self) -> None:
        request = self.request
        game, states, algorithm = request.game, request.states, request.alternatives
        assert algorithm is not None
        turns = review(game, states, request.moves, algorithm, request.limits, stop=self._token)
        for turn in turns:
            self.put("review", messages.reviewed_turn(game, states[turn.step], turn), turn.step)
        self.put("done", {"reason": "stopped" if self.stopped else "time"})


class Jobs:
    """All analyses of a server."""

    def __init__(self, most: int = SEARCHES) -> None:
        self._most, self._under_way = most, 0

    async def run(self, job: Job) -> None:
        """Run an analysis when there is a place for it, or tell its client that there is none."""
        waited = 0.0
        while self._under_way >= self._most and waited < _PATIENCE:
            await asyncio.sleep(_POLL)
            waited += _POLL
        if self._under_way >= self._most:
            job.put("error", f"{self._most} analyses run here already; try again when one of them has ended")
            return
        self._under_way += 1
        try:
            await job.run()
        except Refused as error:
            job.put("error", error.sentence)
        except Exception as error:  # such as a rule of somebody's own game that fails
            job.put("error", first_line(error))
        finally:
            job.stop()
            self._under_way -= 1


async def _in_thread(function: Callable[[], Any]) -> Any:
    """What the function gives, called in a thread that nobody waits for when the server ends."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def tell(result: Any, error: BaseException | None) -> None:
        if not future.done():
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

    def work() -> None:
        result, failure = None, None
        try:
            result = function()
        except BaseException as error:  # raised where it is awaited
            failure = error
        try:
            loop.call_soon_threadsafe(tell, result, failure)
        except RuntimeError:  # the server has ended
            pass

    threading.Thread(target=work, name="analysis", daemon=True).start()
    return await future
