"""What decides a game before its first move, and what is known of it after its last: plain data, sent between processes."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from ..game import Game
from ..players.base import MoveStatistics
from ..players.clock import Clock
from ..players.isolation import Isolation
from ..players.own_games import described
from ..search.limits import Limits

ENDLESS = Clock(math.inf, 0.0, math.inf)


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

    @property
    def isolation(self) -> Isolation | None:
        """How players are kept apart; None for those that play in the arena's own process."""
        return Isolation(self.memory) if self.isolate else None

    def to_json(self) -> dict[str, Any]:
        """The terms as plain data; equal terms give equal data."""
        data = {
            "game": described(self.game),
            "clock": {key: value if value is None or math.isfinite(value) else None for key, value in asdict(self.clock).items()},
            "limits": None if self.limits is None else asdict(self.limits),
        }
        return data | {"tolerance": self.tolerance, "isolate": self.isolate, "memory": self.memory}


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


@dataclass(frozen=True)
class PlayedGame:
    """One game that was finished. Everything but the times follows from the job, unless clocks decide moves."""

    job: Job
    result: float
    """Player 0's, in the game's units; a player at fault has the worst result there is."""
    points: float
    """Player 0's: 1, 0.5 or 0."""
    reason: str
    faults: tuple[str, str] = ("", "")
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

    @property
    def steps(self) -> int:
        """Rounds, or moves of either player."""
        return len(self.actions)

    @property
    def cause(self) -> str:
        """Why it ended, in a word or two: `rules`, or what the first fault was."""
        fault = next((fault for fault in self.faults if fault), "")
        return cause_of(fault)


_CAUSES = (
    ("late", "late"), ("no answer within", "late"), ("illegal", "illegal move"), ("is no move", "illegal move"),
    ("memory", "memory"), ("of output", "flood"), ("signal", "crash"), ("exited", "crash"), ("closed", "crash"),
)  # fmt: skip


def cause_of(fault: str) -> str:
    """The kind of a fault: `late`, `illegal move`, `memory`, `flood`, `crash` or `error`; `rules` without a fault."""
    if not fault:
        return "rules"
    return next((cause for words, cause in _CAUSES if words in fault), "error")
