"""A wanted move of the protocol `csl 1`, and the keeper of time that sees to it that each is answered."""

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .board import Position, quick_move

if TYPE_CHECKING:
    from ...algorithms.limits import StopToken

_SEARCH_RESERVE, _ANSWER_RESERVE = 0.045, 0.04
"""Seconds before the budget ends when the search is to be over, and when an answer goes out whatever the player does."""
_WORTH_SEARCHING = 0.005  # seconds
_PATIENCE = 0.5  # the share of the budget in which a player may yet become ready
_LOOKING = 0.01  # seconds for the quick move, and at most this share of the budget:
_LOOKING_SHARE = 1 / 40
_CROWD = 4096
_SHAPES = "rs"


class Request:
    """One `think`: answered once, or void. `answer` and `stop` may be called from any thread, in any order.

    `budget` in seconds, `asked` of time.monotonic(); `send` takes lines without the last one's end; `reserve` is what
    a busy engine holds back besides, in seconds.
    """

    def __init__(
        self, gid: str, rid: str, position: Position, board: str, budget: float, asked: float, send: Callable[[str], None],
        reserve: float = 0.0,
    ) -> None:  # fmt: skip
        self.gid, self.rid, self.position, self.board = gid, rid, position, board
        self.asked, self.budget = asked, budget
        self.done = self.void = self._cancelled = False
        self._send, self._reserve = send, reserve
        self._lock = threading.Lock()
        self._token: StopToken | None = None
        self.quick = position.moves()[0]

    def share(self, reserve: float) -> float:
        """The moment (time.monotonic()) a reserve before the budget ends; a short budget keeps more than half."""
        return self.asked + self.budget - min(reserve + self._reserve, 0.4 * self.budget)

    @property
    def search_until(self) -> float:
        """When the player is to be finished."""
        return self.share(_SEARCH_RESERVE)

    @property
    def worth_searching(self) -> bool:
        """Whether a search would have any time."""
        return not self.done and self.search_until - time.monotonic() > _WORTH_SEARCHING

    def look(self) -> None:
        """Find the quick move: it is the answer should the player have none in time."""
        self.quick = quick_move(self.position, time.monotonic() + min(_LOOKING, _LOOKING_SHARE * self.budget))

    def answer(self, move: tuple[int, int], remark: str = "") -> None:
        """Send the move unless an answer was sent or the request is void."""
        with self._lock:
            if self.done:
                return
            self.done = True
        info = f"info {self.gid} {self.rid} {remark}\n" if remark else ""
        self._send(f"{info}move {self.gid} {self.rid} {move[0]} {_SHAPES[move[1]]}")
        self.cancel()

    def answer_quickly(self) -> None:
        """Send the quick move, likewise."""
        self.answer(self.quick)

    def stop(self) -> None:
        """The request is void: no answer goes out any more."""
        with self._lock:
            if not self.done:
                self.done = self.void = True
        self.cancel()

    def report_stopped(self) -> None:
        """Tell that the search has ended, if the request is void."""
        if self.void:
            self._send(f"info {self.gid} {self.rid} stopped")

    def cancel(self) -> None:
        """End the search."""
        with self._lock:
            self._cancelled = True
            token = self._token
        if token is not None:
            token.stop()

    def cancels(self, token: "StopToken") -> None:
        """Let that token end with this request."""
        with self._lock:
            self._token = token
            cancelled = self._cancelled
        if cancelled:
            token.stop()


class Timekeeper:
    """Ends searches and sends quick moves when it is time, for all games, in a thread of its own."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Request, Callable[[Request], None]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="timekeeper", daemon=True).start()

    def watch(self, request: Request, is_ready: Callable[[], bool]) -> None:
        """See to it that this request is answered; at half time already if the player is not ready then."""

        def give_up(request: Request) -> None:
            if not is_ready():
                request.answer_quickly()

        with self._changed:
            if len(self._due) > _CROWD:
                self._due = [entry for entry in self._due if not entry[2].done]
                heapq.heapify(self._due)
            for when, step in (
                (request.asked + _PATIENCE * request.budget, give_up),
                (request.search_until, Request.cancel),
                (request.share(_ANSWER_RESERVE), Request.answer_quickly),
            ):
                heapq.heappush(self._due, (when, next(self._numbers), request, step))
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._due or self._due[0][0] > time.monotonic():
                    self._changed.wait(self._due[0][0] - time.monotonic() if self._due else None)
                _, _, request, step = heapq.heappop(self._due)
            if not request.done:
                step(request)
