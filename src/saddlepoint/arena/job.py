"""One game: what fixes it before its first move, and what came of it. Plain data, sent between processes."""

from dataclasses import dataclass

from ..players.base import MoveStatistics
from ..players.fault import Fault
from .load import Load

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
    late: tuple[int, int] = (0, 0)
    """How many answers of each player were late; more than one where the contest forgives them."""
    actions: tuple[tuple[int, int], ...] = ()
    """Joint actions, -1 for a player without a choice; a chance outcome in the first place."""
    times: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Seconds of each choice of each player."""
    searches: tuple[tuple[MoveStatistics | None, ...], tuple[MoveStatistics | None, ...]] = ((), ())
    """What each player told of the search behind each choice; None where it told nothing."""
    started: float = 0.0
    """Seconds since 1970."""
    seconds: float = 0.0
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
