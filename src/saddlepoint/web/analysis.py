"""The WebSocket of the analysis: searches that run in threads, and what they saw, sent as fast as the client takes it."""

import asyncio
import json
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from .analysis_jobs import Job, Jobs
from .analysis_requests import Request, request_of
from .errors import Refused, first_line
from .outbox import Outbox

_MESSAGE = 65_536
SEARCHES_PER_SOCKET = 2


async def analysis_endpoint(websocket: WebSocket) -> None:
    """Serve one client until it goes: its searches end with it."""
    await websocket.accept()
    desk = _Desk(websocket)
    sender = asyncio.create_task(desk.outbox.send_all(websocket.send_text))
    try:
        while True:
            message = await websocket.receive()
            if message["type"] == "websocket.disconnect":
                break
            desk.take(message.get("text"))
    except (WebSocketDisconnect, RuntimeError):  # it went while something was sent to it
        pass
    finally:
        desk.close()
        sender.cancel()


class _Desk:
    """One client's analyses."""

    def __init__(self, websocket: WebSocket) -> None:
        self.outbox = Outbox()
        self._state: Any = websocket.app.state
        if not hasattr(self._state, "analysis_jobs"):
            self._state.analysis_jobs = Jobs()
        self._jobs: Jobs = self._state.analysis_jobs
        self._own: dict[Any, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, text: str | None) -> None:
        """Do what a message asks, or answer why not."""
        number: Any = None
        try:
            data = _parsed(text)
            number = data.get("id")
            if type(number) is not int or not -(2**53) < number < 2**53:
                number = None
                raise Refused("a message needs an id, a whole number")
            if data.get("do") == "stop":
                self._stop(number)
                return
            request = request_of(data, self._state)
            self._stop(number)
            if sum(not job.stopped for job in self._own.values()) >= SEARCHES_PER_SOCKET:
                raise Refused(f"{SEARCHES_PER_SOCKET} analyses run on this connection already; stop one of them")
            self._begin(number, request)
        except Refused as error:
            self.outbox.put(number, "error", error.sentence)
        except Exception as error:  # a client must not be able to end the connection of its page with a strange request
            self.outbox.put(number, "error", first_line(error))

    def _begin(self, number: int, request: Request) -> None:
        job = Job(number, request, self.outbox)
        self._own[number] = job
        task = asyncio.create_task(self._jobs.run(job))
        self._tasks.add(task)

        def over(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            if self._own.get(number) is job:
                del self._own[number]

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


def _parsed(text: str | None) -> dict[str, Any]:
    if text is None:
        raise Refused("a message must be text with JSON in it")
    if len(text) > _MESSAGE:
        raise Refused(f"the message is longer than {_MESSAGE} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("the message is no JSON") from None
    if not isinstance(data, dict):
        raise Refused("a message must be an object with the fields id and do")
    return data  # pyright: ignore[reportUnknownVariableType]
