"""Answers in time, whatever the player does: it thinks until its limit, and what is late is answered by falling back.

The player lives in a thread of its own (`PlayerThread`), whoever asks in another. A `Question` is answered once; when that
happens its search is stopped, so that the next question is not held up. Nothing here loads the searches: a bot answers
while they are still being imported.
"""

import gc
import heapq
import itertools
import math
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..players.clock import Deadline

if TYPE_CHECKING:
    from ..algorithms.limits import StopToken
    from ..players.base import Answer, MakePlayer, Player
    from ..players.clock import Clock

LoadMaker = Callable[[], "MakePlayer"]
"""Gives what makes players. It is called in a player's thread, since its imports take long."""

SWITCH_INTERVAL = 0.001  # seconds: so a compilation in one thread does not hold up an answer in another
_WORTH_SEARCHING = 0.005  # seconds
_TURN = 0.02  # seconds between looks whether a question that waits is void
_MOST_DUE = 4096


class Question:
    """A wanted answer: given once, by the player or in its place, or void. All methods may be called from any thread.

    It was `asked` at a moment of time.monotonic(); `search_until` and `answer_until` are such moments too.
    """

    def __init__(self, deadline: Deadline, asked: float | None = None) -> None:
        self.asked = time.monotonic() if asked is None else asked
        self.ready_until = self.asked + deadline.ready
        self.search_until = self.asked + deadline.search
        self.answer_until = self.asked + deadline.answer
        self.why = "it has no answer in time"
        """Why the player's place is taken, should that happen."""
        self.done = self.void = self._cancelled = False
        self._lock = threading.Lock()
        self._token: StopToken | None = None

    def deliver(self, answer: Any) -> None:
        """Send the answer; None: the player has none, fall back. Called once at most. Here nobody waits for it."""

    @property
    def worth_searching(self) -> bool:
        """Whether a search would have any time."""
        return not self.done and self.search_until - time.monotonic() > _WORTH_SEARCHING

    def answer(self, answer: Any) -> None:
        """Deliver this answer unless there was one, or the question is void."""
        with self._lock:
            if self.done:
                return
            self.done = True
        self.deliver(answer)
        self.cancel()

    def fall_back(self, why: str = "") -> None:
        """Deliver the answer that needs no player, likewise; `why` the player has none."""
        self.why = why or self.why
        self.answer(None)

    def give_up(self) -> None:
        """The player was to be ready by now and is not."""
        self.fall_back("it is not ready yet")

    def stop(self) -> None:
        """The question is void: no answer goes out any more."""
        with self._lock:
            if not self.done:
                self.done = self.void = True
        self.cancel()

    def cancel(self) -> None:
        """End the search."""
        with self._lock:
            self._cancelled = True
            token = self._token
        if token is not None:
            token.stop()

    def cancels(self, token: "StopToken") -> None:
        """Let that token end with this question."""
        with self._lock:
            self._token = token
            cancelled = self._cancelled
        if cancelled:
            token.stop()

    def answer_of(self, player: "Player", state: Any, clock: "Clock") -> "Answer":
        """The player's answer in this position; a search of it ends with this question."""
        from ..algorithms import StopToken
        from ..players.base import Answer
        from ..players.searching import SearchPlayer

        if isinstance(player, SearchPlayer):
            player.stop = StopToken()
            self.cancels(player.stop)
        return Answer.of(player.choose(state, clock))


class PlayerThread:
    """A player in a thread of its own: prepared once, then asked; whoever asks may stop waiting at any time.

    `prepare` runs in that thread and gives what finds an answer to a question, and what ends the player; `report` is called with an
    exception, the first argument saying whether it was met while preparing. `places` bounds the searches at a time of several thinkers.
    """

    def __init__(
        self,
        prepare: Callable[[], tuple[Callable[[Any], Any], Callable[[], None]]],
        report: Callable[[bool, Exception], None],
        places: threading.Semaphore | None = None,
    ) -> None:
        self.ready = self.failed = False
        self.prepared = threading.Event()
        """Set as soon as it is ready, or has failed."""
        self.waiting = 0
        """Questions that the thread has not done with."""
        self._prepare, self._report, self._places = prepare, report, places
        self._lock = threading.Lock()
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
        self._thread.start()

    def ask(self, question: Question) -> None:
        """Let the player answer, after what it was asked before."""
        with self._lock:
            self.waiting += 1
        self._questions.put(question)

    def close(self) -> None:
        """Let the thread end when it has done with its questions."""
        self._questions.put(None)

    def ended(self, until: float) -> bool:
        """Whether the thread has ended by then."""
        self._thread.join(max(0.0, until - time.monotonic()))
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            think, end = self._prepare()
            gc.freeze()  # what was imported and compiled stays: to look through it for garbage would cost a move 0.1 s
            self.ready = True
        except Exception as error:
            self.failed = True
            self._report(True, error)
            return
        finally:
            self.prepared.set()
        while (question := self._questions.get()) is not None:
            found = self._found(think, question)
            with self._lock:  # before the answer: whoever gets it may ask again at once
                self.waiting -= 1
            question.answer(found)
        end()

    def _found(self, think: Callable[[Any], Any], question: Question) -> Any:
        """The player's answer; None where it has none, or it is too late to look for one."""
        if not self._place_for(question):
            return None
        try:
            return think(question)
        except Exception as error:
            self._report(False, error)
            return None
        finally:
            if self._places is not None:
                self._places.release()

    def _place_for(self, question: Question) -> bool:
        """Wait for one of the places there are for searches, as long as it is worth it."""
        while question.worth_searching:
            if self._places is None:
                return True
            if self._places.acquire(timeout=_TURN):
                if question.worth_searching:
                    return True
                self._places.release()
        return False


class Timekeeper:
    """Ends searches and falls back when it is time, for all questions, in a thread of its own; when it is closed it ends them all."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Question, Callable[[Question], None]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        threading.Thread(target=self._run, name="timekeeper", daemon=True).start()

    def watch(self, question: Question, is_ready: Callable[[], bool] = lambda: True) -> None:
        """See to it that this question is answered, early if the player is not ready in time."""

        def give_up(question: Question) -> None:
            if not is_ready():
                question.give_up()

        with self._changed:
            if len(self._due) > _MOST_DUE:
                self._due = [entry for entry in self._due if not entry[2].done]
                heapq.heapify(self._due)
            for when, step in (
                (question.ready_until, give_up),
                (question.search_until, Question.cancel),
                (question.answer_until, Question.fall_back),
            ):
                if when < math.inf:
                    heapq.heappush(self._due, (when, next(self._numbers), question, step))
            self._changed.notify()
            closed = self._closed
        if closed:
            question.cancel()

    def close(self) -> None:
        """End the searches of all questions there are, and of those that come."""
        with self._changed:
            self._closed = True
            questions = [question for _, _, question, _ in self._due]
            self._changed.notify()
        for question in questions:
            question.cancel()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._closed and (not self._due or self._due[0][0] > time.monotonic()):
                    self._changed.wait(self._due[0][0] - time.monotonic() if self._due else None)
                if self._closed:
                    return
                _, _, question, step = heapq.heappop(self._due)
            if not question.done:
                step(question)
