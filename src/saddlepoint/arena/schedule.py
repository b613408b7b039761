"""Who plays whom: round robin, gauntlet, knock-out, ladder.

A schedule is a row of stages; the games of a stage may be played in any order, the next stage may depend on their
results. Every game has a number that never changes, so that an interrupted tournament knows what is missing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from ..players.seeds import derived_seed
from .job import Job

Points = Callable[[str, str], float]
"""Points that the first player has taken from the second in all their games."""


@dataclass(frozen=True)
class PairingStage:
    """Pairings that may be played at the same time, each with the same number of games."""

    pairings: tuple[tuple[str, str], ...]
    first: int = 0
    """The number of its first game."""


@dataclass(frozen=True)
class Plan:
    """How many games a pairing plays, from which openings, and what every random choice is drawn from."""

    games: int
    openings: tuple[str, ...]
    swap: bool = True
    """Whether each opening is played twice, with sides swapped."""
    seed: int = 1

    def jobs(self, stage: PairingStage) -> Iterator[Job]:
        """The games of a stage, all pairings in turn, so that they are equally far at any time."""
        if not self.openings:
            raise ValueError("a tournament needs at least one opening")
        each = 2 if self.swap else 1
        number = stage.first
        for begun in range(0, self.games, each):
            opening = self.openings[begun // each % len(self.openings)]
            for a, b in stage.pairings:
                pair = number
                for game in range(begun, min(begun + each, self.games)):
                    players = (b, a) if self.swap and game % 2 else (a, b)
                    yield Job(number, pair, players, opening, self.seed_of(number))
                    number += 1

    def seed_of(self, number: int) -> int:
        """The seed of a game's random choices."""
        return derived_seed(self.seed, "game", number)


@dataclass(frozen=True)
class Schedule(ABC):
    """The pairings of a tournament; `players` are specs, each of them once."""

    kind: ClassVar[str]
    players: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ValueError("a tournament needs at least two players")
        for player in self.players:
            if self.players.count(player) > 1 and len(self.players) > 2:
                raise ValueError(f"{player} is there twice; every player of a tournament plays once")

    @abstractmethod
    def stages(self, plan: Plan, points: Points) -> Iterator[PairingStage]:
        """The stages; each is asked for when all games before it are played."""

    def planned(self, plan: Plan) -> int:
        """Games in all: unless said otherwise, every player but one has one pairing that decides about it."""
        return plan.games * (len(self.players) - 1)


@dataclass(frozen=True)
class RoundRobin(Schedule):
    """Everybody against everybody."""

    kind = "round-robin"

    def stages(self, plan: Plan, points: Points) -> Iterator[PairingStage]:
        yield PairingStage(tuple(combinations(self.players, 2)))

    def planned(self, plan: Plan) -> int:
        return plan.games * len(self.players) * (len(self.players) - 1) // 2


@dataclass(frozen=True)
class Gauntlet(Schedule):
    """The first player against each of the others."""

    kind = "gauntlet"

    def stages(self, plan: Plan, points: Points) -> Iterator[PairingStage]:
        yield PairingStage(tuple((self.players[0], other) for other in self.players[1:]))


@dataclass(frozen=True)
class Knockout(Schedule):
    """The loser of a match is out. Players are given by strength: the first meets the last, and wins a drawn match."""

    kind = "knockout"

    def stages(self, plan: Plan, points: Points) -> Iterator[PairingStage]:
        left: Sequence[str] = self.players
        first = 0
        while len(left) > 1:
            # Until their number is a power of two, only the lowest of them play.
            size = 1 << (len(left) - 1).bit_length() - 1
            playing = left[-2 * (len(left) - size) :]
            pairings = tuple((playing[k], playing[-1 - k]) for k in range(len(playing) // 2))
            yield PairingStage(pairings, first)
            first += plan.games * len(pairings)
            out = {_loser(a, b, points) for a, b in pairings}
            left = [player for player in left if player not in out]


@dataclass(frozen=True)
class Ladder(Schedule):
    """Players are ranked, the first on top. The lowest two play; the winner plays the next one above, and so on to the top.

    The higher player keeps its rank in a drawn match.
    """

    kind = "ladder"

    def stages(self, plan: Plan, points: Points) -> Iterator[PairingStage]:
        climber, first = self.players[-1], 0
        for holder in reversed(self.players[:-1]):
            yield PairingStage(((holder, climber),), first)
            first += plan.games
            climber = holder if _loser(holder, climber, points) == climber else climber


def _loser(a: str, b: str, points: Points) -> str:
    return b if points(a, b) >= points(b, a) else a


SCHEDULES: dict[str, type[Schedule]] = {one.kind: one for one in (RoundRobin, Gauntlet, Knockout, Ladder)}
