"""When an answer must go out: from the game's timeout, from what earlier answers took on their way, and from this machine's delays."""

import threading
import time
from collections import deque
from typing import NamedTuple

_REMEMBERED = 60  # seconds
_ON_THE_WAY, _ON_THE_WAY_MOST = 0.08, 0.05
"""What the way to the referee and back may take before it is known: a share of the timeout, and seconds at most."""
_ANSWER_LEAST, _SEARCH_LEAST = 0.12, 0.05
"""Shares of the timeout that are always left: for the answer, and for the search before that."""
_STALL, _STALL_MOST = 0.02, 0.2
"""Seconds left for the answer in any case, up to a share of the timeout: a busy machine may give the cores to others for so long."""
_ANSWER_MOST, _SEARCH_MOST = 0.5, 0.2
_SLOW = 0.01  # seconds
_CAUTION, _ROUNDING = 1.25, 0.002


class Delays:
    """Delays of some kind, in seconds; what counts is the worst of the last while, in which there were any. Any thread may note one."""

    def __init__(self, usual: float = 0.0) -> None:
        self._worst = deque([(-1, usual)], maxlen=_REMEMBERED)
        self._lock = threading.Lock()
        self.known = False

    def note(self, seconds: float) -> None:
        """One more."""
        second = int(time.monotonic())
        with self._lock:
            before = self._worst[-1]
            if before[0] == second:
                self._worst[-1] = second, max(before[1], seconds)
            else:
                self._worst.append((second, max(0.0, seconds)))
        self.known = True

    @property
    def worst(self) -> float:
        """The longest of them."""
        with self._lock:
            return max(seconds for _, seconds in self._worst)

    @property
    def worst_noted(self) -> float:
        """The longest that was noted; 0 before there is one."""
        with self._lock:
            return max((seconds for second, seconds in self._worst if second >= 0), default=0.0)


class Moments(NamedTuple):
    """Seconds after the question: the search ends, and an answer goes out whatever the player does."""

    search: float
    answer: float


class Machine:
    """The delays of this process: all games share them. In the first minute of play they are at least those of a busy machine."""

    def __init__(self) -> None:
        self.loop = Delays(0.025)
        """Of the event loop, after the moment at which it was to do something."""
        self.overrun = Delays(0.008)
        """Of searches, after the moment at which they were to end."""
        self.ways = Delays()
        """What the referees' clocks showed beyond our own, in all games. A new game begins with it, with 50 ms at most."""

    @property
    def is_slow(self) -> bool:
        """Whether a search may well end too late."""
        return max(self.loop.worst_noted, self.overrun.worst_noted) > _SLOW

    def moments(self, timeout: float, way: "Way", beside: float = 0.0) -> Moments:
        """What to keep to; `beside` are seconds to hold back for what else goes on."""
        least = max(_ANSWER_LEAST * timeout, min(_STALL, _STALL_MOST * timeout))
        held = _within(way.seconds(timeout) + _CAUTION * self.loop.worst + beside, least, _ANSWER_MOST * timeout)
        search = _within(self.overrun.worst, _SEARCH_LEAST * timeout, _SEARCH_MOST * timeout)
        return Moments(timeout - held - search, timeout - held)


class Way:
    """What the referee's clock shows beyond our own, in one game: the network, and its machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._delays = Delays()
        self._answered: tuple[int, float] | None = None

    def answered(self, turn: int, seconds: float) -> None:
        """Our answer in that turn took so many seconds here."""
        self._answered = turn, seconds

    def told(self, turn: int, latency: float, timeout: float) -> None:
        """The request of this turn says so many seconds of the answer before; 0: nothing."""
        before, self._answered = self._answered, None
        if before is None or before[0] != turn - 1 or latency <= 0:
            return
        seen = latency - before[1]
        if latency >= timeout:  # too late: nobody knows how much
            seen = max(seen, min(2 * self.seconds(timeout), _ANSWER_MOST * timeout))
        self._delays.note(seen)
        self._machine.ways.note(seen)

    def seconds(self, timeout: float) -> float:
        """What to expect."""
        if not self._delays.known:
            usual = min(_ON_THE_WAY * timeout, _ON_THE_WAY_MOST)
            return max(usual, min(self._machine.ways.worst, _ON_THE_WAY_MOST))
        return _CAUTION * self._delays.worst + _ROUNDING


def _within(seconds: float, least: float, most: float) -> float:
    return min(max(seconds, least), most)
