"""The limits of a search: depth, nodes, seconds, and a token that cancels it from another thread."""

import math
import signal
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")
_RANGES = (
    ("depth", 0, "0 or more", 10**15),
    ("nodes", 1, "1 or more", 10**15),
    ("seconds", math.ulp(0.0), "above 0", 10**9),
)
"""Of each limit the least, in words too, and more than any search visits, in the range of compiled code, clocks and threads."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search; None is no limit.

    `depth` counts plies (rounds of a simultaneous-move game). A `nodes` budget makes a search reproducible to the
    last bit on any machine. `seconds` is wall-clock time from the call; in a game whose keeper of the
    clock forgives waits for a core (docs/ledger.md), the time in which the search has a core.

    >>> from saddlepoint import BackwardInduction, Goofspiel, Limits, search
    >>> game = Goofspiel(cards=4, order="descending")
    >>> search(game, game.initial_state(), BackwardInduction(), Limits(depth=2)).depth
    2
    >>> search(game, game.initial_state(), BackwardInduction(), Limits(nodes=200)).exact
    False
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, least, words, most in _RANGES:
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise ValueError(f"{name} must be {words}, not {value}")
            if value is not None and name != "seconds" and value % 1:
                raise ValueError(f"{name} must be a whole number, not {value}")
            if value is not None and value > most:
                raise ValueError(f"{name} must be {most:,} at most; leave it out for no limit")

    def times(self, share: float) -> "Limits":
        """These limits with that share of the nodes and the seconds, one node at least, and the same depth."""
        nodes = None if self.nodes is None else max(1, int(self.nodes * share))
        return Limits(self.depth, nodes, None if self.seconds is None else self.seconds * share)


class StopToken:
    """Cancels the searches it was given to, from any thread, within milliseconds; a stopped token stays stopped.

    >>> from saddlepoint import Goofspiel, StopToken, BackwardInduction, search
    >>> game, token = Goofspiel(cards=4), StopToken()
    >>> token.stop()
    >>> search(game, game.initial_state(), BackwardInduction(), stop=token).exact
    False
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal may meet this very thread within it
        self.stopped = False
        """Whether `stop` was called."""
        self._listening: list[Any] = []

    def stop(self) -> None:
        """Cancel every search that runs under this token, and every later one at once."""
        with self._lock:
            self.stopped = True
            for control in self._listening:
                control["stop"] = 1

    @contextmanager
    def at_interrupt(self) -> Generator[None]:
        """Ctrl-C stops the token meanwhile, so that a search gives what it has found so far; another Ctrl-C does what it did before.

        Where Ctrl-C is ignored it stays so, and in another thread than the main one nothing changes.
        """
        before = signal.getsignal(signal.SIGINT)
        if not callable(before) or threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(number: int, frame: FrameType | None) -> None:
            signal.signal(signal.SIGINT, before)
            self.stop()

        signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def attach(self, control: Any) -> None:
        """Let the token set the `stop` field of a running search's control record."""
        with self._lock:
            self._listening.append(control)
            if self.stopped:
                control["stop"] = 1

    def detach(self, control: Any) -> None:
        """The search is over."""
        with self._lock:
            self._listening = [c for c in self._listening if c is not control]


def watched(work: Callable[[], T], stop: StopToken, look: Callable[[], object]) -> T:
    """The result of `work`, which runs in another thread, so that this one hears Ctrl-C; `look` is called ten times a second."""
    with ThreadPoolExecutor(1) as worker:
        try:  # Ctrl-C may come while the work is handed over
            running = worker.submit(work)
            while not wait([running], 0.1).done:
                look()
            return running.result()
        finally:
            stop.stop()  # of an interruption the work must hear
