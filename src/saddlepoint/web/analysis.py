"""The WebSocket of the analysis: searches that run in threads, and what they saw, sent as fast as the client takes it."""

import asyncio
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from .analysis_jobs import AnalysisJob, Jobs
from .analysis_requests import DOES, request_of
from .bodies import parsed
from .errors import Refused
from .outbox import Outbox

ANALYSES_A_SOCKET, REVIEWS_A_SOCKET = 2, 1
"""What a client may have at the same time: two algorithms side by side, and a game that is looked at as a whole."""
_ENDING = 4
"""Analyses of a client that were stopped and may still be about to end."""
_LARGEST_ID = 2**53


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
            data = parsed(text)
            number = data.integer("id", -_LARGEST_ID, _LARGEST_ID)
            assert number is not None
            does = data.text("do", 20)
            if does not in DOES:
                raise Refused(f"do must be one of {', '.join(DOES)}")
            before = self._own.get(number)
            self._stop(number)  # one of the same number goes on about something else
            if does != "stop":
                self._begin(AnalysisJob(number, data, self.outbox, is_review=does == "review"))
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
            raise Refused(f"{most} {what} on this connection already; stop {'it' if most == 1 else 'one of them'}")
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
