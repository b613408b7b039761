"""The conditions of a match and its games as plain data, and the load of the machine."""

import functools
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import psutil

from ..algorithms.limits import Limits
from ..game.base import Game
from ..game.own_games import described
from ..game.spec import SNAKE, parse_spec
from ..players.base import Fault, MoveStatistics
from ..players.clock import ENDLESS, Clock
from ..players.programs.isolation import Hidden, Isolation
from ..players.waiting import system_tells
from ..system.cluster import usable_cores

_WINDOW = 1.0  # seconds at least between two readings: the system counts in hundredths
_STOLEN = 0.05  # the share of the cores' time that another virtual machine may take without a word


@dataclass(frozen=True)
class Load:
    """The machine's load around a game."""

    average: float
    """Processes that ran or wanted to, the mean of the last minute."""
    cores: int
    """Cores that the arena may use."""
    busy: float | None = None
    """The share of all cores' time that was used, in the last seconds; None where it is not known yet."""
    stolen: float | None = None
    """The share of it that went to other virtual machines."""

    def problem(self, wanted: int) -> str:
        """A sentence where there are fewer cores than games (of `wanted` threads) and others need; else an empty string."""
        if self.stolen is not None and self.stolen > _STOLEN:
            return f"other virtual machines take {100 * self.stolen:.0f} % of this machine's time"
        if self.average > max(self.cores, wanted) + 1 and (self.busy is None or self.busy > 0.95):
            return f"the load is {self.average:.1f} on {self.cores} core(s)"
        return ""


def unreported(players: Iterable[str]) -> str:
    """A warning that the time some of these players wait for a core on a busy machine cannot be measured.

    Else "".
    """
    remote = [
        spec
        for spec in map(parse_spec, dict.fromkeys(players))
        if spec.name == SNAKE and "url" in spec.options
    ]
    if remote:
        names = " and ".join(map(str, remote))
        return f"nobody tells how long {names} waits for a core: its time on the wall counts, and a busy machine may make it late"
    if not system_tells():
        return "this system does not tell how long a player waits for a core: the processor time counts"
    return ""


class _Meter:
    """Reads the system's counters once a second at most: a game may take less than a millisecond."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read_at = -math.inf
        self._times: Any = None
        self._load: Load | None = None

    def read(self) -> Load:
        """The machine's load now."""
        with self._lock:
            now = time.monotonic()
            if self._load is None or now - self._read_at >= _WINDOW:
                times = psutil.cpu_times()
                busy, stolen = (None, None) if self._times is None else _shares(self._times, times)
                self._load = Load(round(os.getloadavg()[0], 2), usable_cores(), busy, stolen)
                self._read_at, self._times = now, times
            return self._load


current_load = _Meter().read


def _shares(before: Any, after: Any) -> tuple[float | None, float | None]:
    spent = {
        name: getattr(after, name) - getattr(before, name)
        for name in after._fields
        if not name.startswith("guest")
    }
    total = sum(spent.values())
    if total <= 0:
        return None, None
    idle = spent.get("idle", 0.0) + spent.get("iowait", 0.0)
    return round(1 - idle / total, 3), round(spent.get("steal", 0.0) / total, 3)


# The conditions that all games of a match share, and one game of it: what fixes it before its first move, and what came of it.

Finite = Annotated[float, msgspec.Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
"""What a ledger holds of it is refused where it is infinite, or no number."""
RULES = "rules"
"""The cause of a game's end where no player was at fault."""


@dataclass(frozen=True)
class Job:
    """One game to be played. The conditions and the job fix everything about it that is not a clock."""

    number: int
    """Within its tournament, from 0."""
    pair: int
    """The number of its pair's first game: a pair is the same players and the same opening, with sides swapped."""
    players: tuple[str, str]
    """Specs; player 0 first."""
    opening: str
    """The position it begins in, as the game's text."""
    seed: int
    """The seed of the players' seeds and of chance; players never learn it."""


@dataclass(frozen=True)
class PlayedGame:
    """One game that was finished. Everything but the times follows from the job, unless clocks decide moves."""

    job: Job
    result: Finite
    """Player 0's, in the game's units; a player at fault has the worst result there is."""
    points: float
    """Player 0's: 1, 0.5 or 0."""
    reason: str
    faults: tuple[Fault | None, Fault | None] = (None, None)
    late: tuple[int, int] = (0, 0)
    """How many answers of each player were late; more than one where the contest forgives them."""
    actions: tuple[tuple[int, int], ...] = ()
    """Joint actions, -1 for a player without a choice; a chance outcome in the first place."""
    times: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Seconds of each choice of each player."""
    searches: tuple[tuple[MoveStatistics | None, ...], tuple[MoveStatistics | None, ...]] = ((), ())
    """The statistics that each player reported for each choice; None where it reported nothing."""
    started: float = 0.0
    """Seconds since 1970."""
    seconds: Finite = 0.0
    chance: bool = True
    """Whether anything was left to chance by the rules; taken to be so where nobody says."""
    load: Load | None = None
    """How busy the machine was meanwhile."""

    @property
    def steps(self) -> int:
        """Rounds, or moves of either player."""
        return len(self.actions)

    @property
    def cause(self) -> str:
        """The cause of its end, in a word or two: `rules`, or the kind of the first fault."""
        return next((fault.kind.value for fault in self.faults if fault is not None), RULES)


@dataclass(frozen=True)
class VoidGame:
    """One game without a result, because the machine failed: it counts for nobody, and is played again."""

    job: Job
    reason: str
    started: float = 0.0
    """Seconds since 1970."""
    seconds: Finite = 0.0
    load: Load | None = None


# The conditions that all games of a match share, and short names in the place of players' specs.


def renamed(data: Any, name_of: Callable[[str], str]) -> Any:
    """Plain data with the name of every text in its place."""
    if isinstance(data, str):
        return name_of(data)
    if isinstance(data, dict):
        return {name_of(str(key)): renamed(value, name_of) for key, value in data.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(data, (list, tuple)):
        return [renamed(value, name_of) for value in data]  # pyright: ignore[reportUnknownVariableType]
    return data


def with_names(played: PlayedGame, names: Mapping[str, str]) -> PlayedGame:
    """The game with its players' names in the place of their specs."""
    a, b = (names.get(spec, spec) for spec in played.job.players)
    return (
        played if (a, b) == played.job.players else replace(played, job=replace(played.job, players=(a, b)))
    )


# The conditions that all games of a match share: made from options by the command line, entered in the ledger, read back.


@dataclass(frozen=True)
class MatchConditions:
    """The conditions of a game: all that it depends on besides players, openings and seeds."""

    game: Game
    clock: Clock = ENDLESS
    limits: Limits | None = None
    """The limits of a searching player's move besides the clock."""
    tolerance: float = 0.0
    """Seconds a move may be late; see play_game."""
    isolation: Isolation = Isolation(programs_only=True)
    """How players are isolated; programs and bot files have processes of their own anyway."""
    logs: str | None = None
    """A folder for what is said to programs, one file a game and player. It decides nothing, and is not in the plain data."""
    clocks: tuple[tuple[str, Clock], ...] = ()
    """Players with a clock of their own, by spec."""
    sequential: bool = False
    """Whether players that could be asked at once are asked one after the other."""

    def clock_of(self, spec: str) -> Clock:
        """The clock of a player."""
        return dict(self.clocks).get(spec, self.clock)

    def hiding(self, players: Iterable[str], ledger: str | Path | None = None) -> "MatchConditions":
        """The same for a run that begins now: programs see nothing that it writes, and of the files that specs name only their own.

        Conditions of a run that has begun are left as they are.
        """
        if self.isolation.hidden.since:
            return self
        return replace(
            self, isolation=replace(self.isolation, hidden=Hidden.of([self.logs], players, ledger))
        )

    @functools.cached_property
    def timed(self) -> bool:
        """Whether a clock may decide what a player does."""
        clocks = [self.clock, *(clock for _, clock in self.clocks)]
        limited = self.limits is not None and self.limits.seconds is not None
        return limited or any(math.isfinite(clock.bank) for clock in clocks)

    def to_json(self) -> dict[str, Any]:
        """The conditions as plain data; equal conditions give equal data."""
        data: dict[str, Any] = {
            "game": described(self.game),
            "clock": _clock_json(self.clock),
            "limits": None if self.limits is None else asdict(self.limits),
            "tolerance": self.tolerance,
            "isolate": not self.isolation.programs_only,
            "memory": self.isolation.memory,
        }
        if self.clocks:
            data["clocks"] = {spec: _clock_json(clock) for spec, clock in self.clocks}
        if self.sequential:
            data["sequential"] = True
        if self.isolation.mode != "auto" or self.isolation.sandbox:
            data["isolation"] = {"mode": self.isolation.mode, "sandbox": self.isolation.sandbox}
        if self.isolation.shown:
            data["shown"] = list(self.isolation.shown)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any], game: Game) -> "MatchConditions":
        """The inverse of `to_json`; the game is made by whoever may run its file."""
        return cls(
            game,
            _clock(data["clock"]),
            None if data["limits"] is None else Limits(**data["limits"]),
            data["tolerance"],
            Isolation(
                data["memory"],
                programs_only=not data["isolate"],
                shown=tuple(data.get("shown", ())),
                **data.get("isolation", {}),
            ),
            clocks=tuple((spec, _clock(clock)) for spec, clock in data.get("clocks", {}).items()),
            sequential=data.get("sequential", False),
        )


def in_words(data: dict[str, Any]) -> str:
    """Clocks and limits of conditions that are given as plain data, for people."""
    clock, limits = (
        found if isinstance(found, dict) else {} for found in (data.get("clock"), data.get("limits"))
    )
    said: list[str] = []
    if clock.get("bank") is not None:
        same = clock["bank"] == clock.get("increment")
        said.append(
            f"{clock['bank']} s a move"
            if same
            else f"{clock['bank']} s and {clock.get('increment')} s a move"
        )
    said += [f"{value} {name} a move" for name, value in limits.items() if value is not None]
    if data.get("clocks"):
        said.append("some players with clocks of their own")
    return ", ".join(said) or "no limit"


def _clock_json(clock: Clock) -> dict[str, float | None]:
    told = {"bank": clock.bank, "increment": clock.increment, "cap": clock.cap}
    return {key: value if value is None or math.isfinite(value) else None for key, value in told.items()}


def _clock(data: dict[str, Any]) -> Clock:
    bank = math.inf if data["bank"] is None else data["bank"]
    return Clock(
        bank, data["increment"], math.inf if data["bank"] is None and data["cap"] is None else data["cap"]
    )
