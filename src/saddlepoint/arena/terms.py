"""What decides a game before its first move, and what is known of it after its last: plain data, sent between processes."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from ..algorithms.limits import Limits
from ..game import Game
from ..games.catalogue.own_games import described
from ..players.base import MoveStatistics
from ..players.clock import Clock
from ..players.fault import Fault
from ..programs.isolation import Isolation
from .load import Load

ENDLESS = Clock(math.inf, 0.0, math.inf)
RULES = "rules"
"""The cause of a game's end where no player was at fault."""


@dataclass(frozen=True)
class Terms:
    """The conditions that all games of a tournament share."""

    game: Game
    clock: Clock = ENDLESS
    limits: Limits | None = None
    """What bounds a searching player's move besides the clock."""
    tolerance: float = 0.0
    """Seconds a move may be late; see play_game."""
    isolate: bool = False
    """Whether every player has a process of its own. Programs and bot files have one anyway."""
    memory: int | None = None
    """Bytes that a player's own processes may hold together; None is no limit."""
    isolation_mode: str = "auto"
    """How players' processes are kept apart; see Isolation."""
    sandbox: str = ""
    """A command before every program's own; see Isolation."""
    logs: str | None = None
    """A folder for what is said to programs, one file a game and player. It decides nothing, and is not in the terms as data."""
    clocks: tuple[tuple[str, Clock], ...] = ()
    """Players, by their specs, whose clock is another one."""

    def clock_of(self, spec: str) -> Clock:
        """The clock of a player."""
        return dict(self.clocks).get(spec, self.clock)

    @property
    def timed(self) -> bool:
        """Whether a clock may decide what a player does."""
        limited = self.limits is not None and self.limits.seconds is not None
        return limited or any(math.isfinite(clock.bank) for clock in (self.clock, *(one for _, one in self.clocks)))

    @property
    def isolation(self) -> Isolation:
        """How players are kept apart."""
        return Isolation(self.memory, mode=self.isolation_mode, programs_only=not self.isolate, sandbox=self.sandbox)

    def to_json(self) -> dict[str, Any]:
        """The terms as plain data; equal terms give equal data."""
        data = {
            "game": described(self.game),
            "clock": _clock_json(self.clock),
            "limits": None if self.limits is None else asdict(self.limits),
        }
        if self.clocks:
            data["clocks"] = {spec: _clock_json(clock) for spec, clock in self.clocks}
        if self.isolation_mode != "auto" or self.sandbox:
            data["isolation"] = {"mode": self.isolation_mode, "sandbox": self.sandbox}
        return data | {"tolerance": self.tolerance, "isolate": self.isolate, "memory": self.memory}


def _clock_json(clock: Clock) -> dict[str, float | None]:
    return {key: value if value is None or math.isfinite(value) else None for key, value in asdict(clock).items()}


@dataclass(frozen=True)
class Job:
    """One game to be played. The terms and the job fix everything about it that is not a clock."""

    number: int
    """Within its tournament, from 0."""
    pair: int
    """The number of its pair's first game: a pair is the same players and the same opening, with sides swapped."""
    players: tuple[str, str]
    """Specs; player 0 first."""
    opening: str
    """The position it begins in, as the game's text."""
    seed: int
    """What the players' seeds and chance are drawn from; players never learn it."""


@dataclass(frozen=True)
class PlayedGame:
    """One game that was finished. Everything but the times follows from the job, unless clocks decide moves."""

    job: Job
    result: float
    """Player 0's, in the game's units; a player at fault has the worst result there is."""
    points: float
    """Player 0's: 1, 0.5 or 0."""
    reason: str
    faults: tuple[Fault | None, Fault | None] = (None, None)
    late: tuple[bool, bool] = (False, False)
    actions: tuple[tuple[int, int], ...] = ()
    """Joint actions, -1 for a player without a choice; a chance outcome in the first place."""
    times: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Seconds of each choice of each player."""
    searches: tuple[tuple[MoveStatistics | None, ...], tuple[MoveStatistics | None, ...]] = ((), ())
    """What each player told of the search behind each choice; None where it told nothing."""
    started: float = 0.0
    """Seconds since 1970."""
    seconds: float = 0.0
    chance: bool | None = None
    """Whether anything was left to chance by the rules; None where nobody wrote it down."""
    load: Load | None = None
    """How busy the machine was meanwhile."""

    @property
    def steps(self) -> int:
        """Rounds, or moves of either player."""
        return len(self.actions)

    @property
    def cause(self) -> str:
        """Why it ended, in a word or two: `rules`, or the kind of the first fault."""
        return next((fault.kind.value for fault in self.faults if fault is not None), RULES)


@dataclass(frozen=True)
class VoidGame:
    """One game without a result, because the machine failed: it counts for nobody, and is played again."""

    job: Job
    reason: str
    started: float = 0.0
    """Seconds since 1970."""
    seconds: float = 0.0
    load: Load | None = None
