"""The schedule of a tournament: its pairings and settings, and the jobs that are missing when it is extended."""

import json
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

from ..game.base import Game
from ..game.own_games import recorded_game
from ..games.catalogue.games import make_game
from ..players.base import derived_seed
from ..system.foreign import converted
from ..system.text import error_line
from .conditions import Job, MatchConditions
from .ledger import Ledger, LedgerError, Tournament

# Pairings: round robin, gauntlet, knock-out, ladder.
#
# A schedule is a row of stages; the games of a stage may be played in any order, the next stage may depend on their
# results. Every game has a number that never changes, so that an interrupted tournament knows what is missing.

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
    """The number of games of a pairing, their openings, and the seed of every random choice."""

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


# What a tournament's games follow from, besides its players: written into the ledger, and read back, here alone.


def settings_of(conditions: MatchConditions, plan: Plan, **more: Any) -> dict[str, Any]:
    """The settings as plain data, as they come out of a ledger again."""
    return json.loads(json.dumps({"terms": conditions.to_json(), "plan": asdict(plan), **more}))


def game_of(tournament: Tournament) -> Game:
    """The game a tournament is about; raises LedgerError where it cannot be made.

    A game in a user's file must have been loaded before: see `own_games`.
    """
    try:
        return recorded_game(tournament.conditions["game"], make_game)
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise LedgerError(
            f"tournament {tournament.id}: its game cannot be made: {error_line(error)}"
        ) from error


def conditions_of(tournament: Tournament) -> MatchConditions:
    """The conditions of a tournament's games."""
    return MatchConditions.from_json(tournament.conditions, game_of(tournament))


def plan_of(tournament: Tournament) -> Plan:
    """The plan of a tournament's games."""
    return converted(tournament.plan, Plan, f"tournament {tournament.id}: its plan", LedgerError)


def find_unfinished(
    ledger: Ledger,
    kind: str,
    players: tuple[str, ...],
    settings_for: Callable[[int], dict[str, Any]],
    seed: int | None,
    what: str = "",
) -> Tournament:
    """The last tournament of this kind that is not over, with the settings that its seed gives; `seed` None is any.

    Raises LedgerError, in which it is `what` the user calls it.
    """
    for one in reversed(ledger.tournaments()):
        is_like = one.kind == kind and one.finished is None and one.players == players
        if is_like and one.settings == settings_for(one.plan["seed"] if seed is None else seed):
            return one
    raise LedgerError(
        f"{str(ledger.path)!r} has no unfinished {what or kind} with these players and settings"
    )


# More games, or more players, for a tournament that was played already.

EXTENDABLE = (RoundRobin, Gauntlet)
"""The schedules whose pairings do not depend on results."""


def find_extendable(
    ledger: Ledger, schedule: Schedule, conditions: MatchConditions, games: int, swap: bool, seed: int | None
) -> Tournament:
    """The last tournament that these settings extend; raises LedgerError.

    It has the same kind, conditions and pairs, no player but these, and no more games a pairing; `seed` None is any.
    """
    kind = type(schedule).kind
    if not isinstance(schedule, EXTENDABLE):
        raise LedgerError(f"a {kind} cannot be extended, because its pairings depend on its results")
    for one in reversed(ledger.tournaments()):
        if one.kind != kind or not set(one.players) <= set(schedule.players):
            continue
        if isinstance(schedule, Gauntlet) and one.players[0] != schedule.players[0]:
            continue
        with suppress(LedgerError):  # what cannot be read is not extended
            plan = one.plan
            same = one.conditions == json.loads(json.dumps(conditions.to_json()))
            if same and plan["swap"] == swap and plan["games"] <= games and seed in (None, plan["seed"]):
                return one
    raise LedgerError(
        f"{str(ledger.path)!r} has no {kind} that these players, games and settings would extend"
    )


def goes_by_plan(jobs: Iterable[Job], done: Iterable[Job]) -> bool:
    """Whether the games done have the numbers that a plan gives them: those of a tournament that was extended have not."""
    left = {job.number: (job.players, job.opening) for job in done}
    for job in jobs:
        if not left:
            break
        if left.pop(job.number, (job.players, job.opening)) != (job.players, job.opening):
            return False
    return not left


def extending_jobs(jobs: Iterable[Job], plan: Plan, done: Iterable[Job]) -> Iterator[Job]:
    """The games of a larger plan that are not done, under new numbers.

    Games are recognised by players and opening, because numbers depend on how many players and games there are. The missing half
    of a pair joins the half that is there.
    """
    left: defaultdict[tuple[tuple[str, str], str], int] = defaultdict(int)
    pairs: defaultdict[int, list[Job]] = defaultdict(list)
    following = 0
    for job in done:
        left[job.players, job.opening] += 1
        pairs[job.pair].append(job)
        following = max(following, job.number + 1)
    halves = {
        (job.players[::-1], job.opening): job.pair
        for found in pairs.values()
        if len(found) == 1
        for job in found
    }
    following += following % 2
    names: dict[int, int] = {}
    for job in jobs:
        key = (job.players, job.opening)
        if left[key]:
            left[key] -= 1
            continue
        pair = halves.pop(key, None) if plan.swap else None
        if pair is None:
            pair = names.setdefault(job.pair, following)
        yield replace(job, number=following, pair=pair, seed=plan.seed_of(following))
        following += 1
