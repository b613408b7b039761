"""The state of a server: its running games, its log, and the deadlines of answers.

An answer goes out before the game's timeout by one reserve, which is learnt from what was seen. Nothing else holds time back: the
player may think away all that the reserve leaves. It has three parts, one behind the other: a search ends and its answer is there
(`Machine.overrun`), the event loop sends it (`Machine.loop`), and it is on its way to the referee (`Way`). A restart may forget all this.
"""

import math
import os
import queue
import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import NamedTuple, TextIO

from ..interface import (
    Deadline,
    PlayerPool,
    one_line,
)
from .game import Battlesnake  # the rules are loaded before anybody asks
from .requests import Seen

_REMEMBERED = 60  # seconds
_ON_THE_WAY, _ON_THE_WAY_MOST = 0.08, 0.05
"""What the way to the referee and back may take before it is known: a share of the timeout, and seconds at most."""
_LEAST, _STALL, _STALL_MOST = 0.08, 0.02, 0.2
"""Held back for this machine in any case: a share of the timeout, or seconds up to a share of it, whichever is more. A busy machine
may give the cores to others for so long although it has not done so yet."""
_ENDING = 0.3
"""The share of this machine's part that is for the end of a search, at least: if it is not over then, another move goes out."""
_MOST = 0.5
"""The share of the timeout that is never held back."""
_CAUTION, _ROUNDING = 1.25, 0.002
_MAKING = 0.05
_TURN, _TURNS = 0.004, 0.04
"""Seconds that a search may wait for a core for each search more than there are cores, and at most."""
_NEVER_TOLD = 5
"""Answers of a game without a latency from the referee after which it is taken to send none: they were not late."""
CORES = os.cpu_count() or 1


class Rules(Battlesnake):
    """The parameters of a game, also of one whose board is too large or too small for players here."""

    def __post_init__(self) -> None:
        """Nothing is refused."""

    @property
    def compiled(self) -> "Rules":
        """The rules whose machine code serves these: what is no constant of it is read at run time."""
        return Rules(self.width, self.height, hazard_stack=self.hazard_stack)

    def __str__(self) -> str:
        return (
            f"{self.mode} {self.width}x{self.height}{' with piled hazards' if self.hazard_stack > 1 else ''}"
        )


class Setting(NamedTuple):
    """The rules and the spec of a player."""

    rules: Rules
    player: str

    @property
    def compiled(self) -> "Setting":
        """The setting whose compiled code serves this one: its players can play this one too."""
        return Setting(self.rules.compiled, self.player)


class Delays:
    """Delays of some kind, in seconds; what counts is the worst of the last while, in which there were any. Any thread may note one."""

    def __init__(self, usual: float = 0.0) -> None:
        self._usual = usual
        self._lock = threading.Lock()
        self.forget()

    def note(self, seconds: float) -> None:
        second = int(time.monotonic())
        with self._lock:
            before = self._worst[-1]
            if before[0] == second:
                self._worst[-1] = second, max(before[1], seconds)
            else:
                self._worst.append((second, max(0.0, seconds)))
        self.known = True

    def forget(self) -> None:
        with self._lock:
            self._worst = deque([(-1, self._usual)], maxlen=_REMEMBERED)  # of each second
        self.known = False

    @property
    def worst(self) -> float:
        with self._lock:
            return max(seconds for _, seconds in self._worst)


class Machine:
    """The delays of this process: all games share them. In the first minute of play they are at least those of a busy machine."""

    def __init__(self) -> None:
        self.loop = Delays(0.02)
        """Of the event loop, after the moment at which it was to do something."""
        self.making = Delays(_MAKING)
        """The same while a player is being made."""
        self.overrun = Delays(0.008)
        """Of searches, after the moment at which they were to end."""
        self.ways = Delays()
        """What the referees' clocks showed beyond our own, in all games. A new game begins with it, with 50 ms at most."""
        self.is_making = False
        """Whether a player is being made; that ends with its delays."""

    def note_loop(self, seconds: float) -> None:
        (self.making if self.is_making else self.loop).note(seconds)

    def deadline(self, timeout: float, way: "Way", searches: int = 1) -> Deadline:
        sending = max(self.loop.worst, self.making.worst if self.is_making else 0.0)
        return deadline(timeout, way.seconds(timeout), sending, self.overrun.worst, searches)


def deadline(
    timeout: float, way: float, sending: float, ending: float, searches: int = 1, cores: int = CORES
) -> Deadline:
    """The timeout less the reserve, and less the part of it that begins when the search has ended.

    `way`: what an answer takes to the referee. `sending`, `ending`: the worst delays of the event loop and of searches that were
    seen. `searches`: how many there are at a time. All in seconds.
    """
    turns = min(_TURN * max(0, searches - cores), _TURNS)
    least = max(_LEAST * timeout, min(_STALL, _STALL_MOST * timeout))
    here = max(least, _CAUTION * (sending + ending) + turns)
    end = max(_CAUTION * ending + turns, _ENDING * least)
    reserve = way + here
    share = min(1.0, _MOST * timeout / reserve)
    search = timeout - share * reserve
    return Deadline(search, answer=timeout - share * (reserve - end), ready=search)


class Way:
    """The time on the way in one game, which the referee's clock counts beyond ours: the network, and its
    machine.

    Of an answer that was late a referee may send the whole timeout, or 0 (the arena does); the official program sends what it waited.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._delays = Delays()
        self._answered: tuple[int, float] | None = None
        self._has_latency, self._missing = False, 0

    def answered(self, turn: int, seconds: float) -> None:
        self._answered = turn, seconds

    def note_latency(self, turn: int, latency: float, timeout: float) -> None:
        """Note the latency of the answer before, in seconds, as the request of this turn has it; 0: unknown, or it was late."""
        before, self._answered = self._answered, None
        if before is None or before[0] != turn - 1:
            return
        if latency <= 0:
            if before[1] > _MOST * timeout:
                self._missing += 1
                if self._has_latency or self._missing < _NEVER_TOLD:
                    self._note_late(before[1], timeout)
                elif self._missing == _NEVER_TOLD:
                    self._delays.forget()
            return
        self._has_latency = True
        if latency >= timeout:
            self._note_late(before[1], timeout, latency)
        else:
            self._note(latency - before[1])

    def seconds(self, timeout: float) -> float:
        if not self._delays.known:
            usual = min(_ON_THE_WAY * timeout, _ON_THE_WAY_MOST)
            return max(usual, min(self._machine.ways.worst, _ON_THE_WAY_MOST))
        return _CAUTION * self._delays.worst + _ROUNDING

    def _note(self, seconds: float) -> None:
        if math.isfinite(seconds):
            self._delays.note(seconds)
            self._machine.ways.note(seconds)

    def _note_late(self, ours: float, timeout: float, latency: float = 0.0) -> None:
        """Note an answer that was late after `ours` seconds here; the time on the way is not known."""
        self._note(max(latency - ours, timeout - ours, min(2 * self.seconds(timeout), _MOST * timeout)))


_MOST_LINES = 1000
"""Lines that wait for a slow reader; further ones are lost."""


class Log:
    """Lines on stderr, or on another stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST_LINES)
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def write(self, message: str) -> None:
        try:
            self._lines.put_nowait(f"saddlepoint bot: {one_line(message)}\n")
        except queue.Full:
            pass

    def close(self, seconds: float = 0.2) -> None:
        """Write what is left, as far as somebody reads it within `seconds`."""
        try:
            self._lines.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(seconds)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._stream.write(line)
                self._stream.flush()
            except (OSError, ValueError):  # nobody reads any more
                pass


_MOST_GAMES = 500
_OLD, _QUIET = 900.0, 60.0  # seconds without a question
_NAMES = 60  # characters

Key = tuple[str, str]
"""A game's id, and the id of our snake in it."""


class SnakeGame:
    """One game of one snake of ours."""

    def __init__(self, setting: Setting, key: Key, machine: Machine) -> None:
        self.setting, self.key, self.rules = setting.compiled, key, setting.rules
        self.way = Way(machine)
        self.against = ""
        self.timeout = 0.0
        self.turns = self.answers = 0
        self.slowest = 0.0
        """Seconds of our slowest answer, from the request's arrival here."""
        self.fallbacks: Counter[str] = Counter()
        """Answers that were not the player's, by the reason."""
        self.used = time.monotonic()
        self.is_asked = False
        """Whether a question is open."""
        self.is_known = False
        """Whether it was begun, or asked about before: what was not may be no game at all."""
        self.thought: list[float] = []
        """Seconds that the player has thought about each move."""

    def see(self, seen: Seen, timeout: float) -> None:
        self.used, self.timeout, self.turns = time.monotonic(), timeout, max(self.turns, seen.turn)
        if seen.others and not self.against:
            self.against = ", ".join(one.name or one.id for one in seen.others)[:_NAMES]

    def summary(self, result: str) -> str:
        """One line on the whole game."""
        slow = (
            f"slowest of {self.answers} answers {1000 * self.slowest:.0f} ms of {1000 * self.timeout:.0f}"
            if self.answers
            else "no move"
        )
        reasons = ", ".join(f"{why}: {times}" for why, times in self.fallbacks.most_common())
        stood_in = (
            f"{self.fallbacks.total()} by a safe move ({reasons})" if reasons else "none by a safe move"
        )
        thought = ""
        if self.thought:
            median, least = sorted(self.thought)[len(self.thought) // 2], min(self.thought)
            thought = f"; it thought {1000 * median:.0f} ms (median), {1000 * least:.0f} at least"
        return f"{self.name} {self.rules} against {self.against or 'nobody'}: {result}, turn {self.turns}; {slow}; {stood_in}{thought}"

    @property
    def name(self) -> str:
        return f"game {self.key[0][:8]}"


class RunningGames:
    """The games under way; an old one is dropped when a new one begins."""

    def __init__(self, pool: PlayerPool[Setting], machine: Machine, warn: Callable[[str], None]) -> None:
        self._pool, self._machine, self._warn = pool, machine, warn
        self._games: OrderedDict[Key, SnakeGame] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    @property
    def are_under_way(self) -> bool:
        """Whether something was heard of one not long ago."""
        return any(time.monotonic() - game.used < _QUIET for game in self._games.values())

    @property
    def are_played(self) -> bool:
        """Whether one of them has gone on for a while."""
        return any(
            game.answers > 1 and time.monotonic() - game.used < _QUIET for game in self._games.values()
        )

    def under(self, key: Key, setting: Setting) -> SnakeGame:
        """The game of that key, which may be new, or new to this process."""
        game = self._games.get(key)
        if game is None:
            self._drop_old()
            game = self._games[key] = SnakeGame(setting, key, self._machine)
        elif game.setting != setting.compiled:  # hazards were piled up meanwhile
            self._pool.release(game)
            game.setting = setting.compiled
        game.rules = setting.rules
        self._games.move_to_end(key)
        return game

    def known(self, key: Key) -> SnakeGame | None:
        return self._games.get(key)

    def end(self, key: Key) -> SnakeGame | None:
        game = self._games.pop(key, None)
        if game is not None:
            self._pool.release(game)
        return game

    def _drop_old(self) -> None:
        """Those of which nothing was heard for long, or that are too many."""
        while self._games:
            key, oldest = next(iter(self._games.items()))
            if len(self._games) < _MOST_GAMES and time.monotonic() - oldest.used < _OLD:
                return
            self.end(key)
            self._warn(oldest.summary("given up: no /end came"))
