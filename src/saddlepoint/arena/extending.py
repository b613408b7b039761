"""More games, or more players, for a tournament that was played already."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from .conditions import MatchConditions
from .job import Job
from .ledger import Ledger, LedgerError, Tournament
from .schedule import Gauntlet, Plan, RoundRobin, Schedule

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
    raise LedgerError(f"{str(ledger.path)!r} has no {kind} that these players, games and settings would extend")


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

    Games are told by players and opening, because numbers depend on how many players and games there are. The missing half
    of a pair joins the half that is there.
    """
    left: defaultdict[tuple[tuple[str, str], str], int] = defaultdict(int)
    pairs: defaultdict[int, list[Job]] = defaultdict(list)
    following = 0
    for job in done:
        left[job.players, job.opening] += 1
        pairs[job.pair].append(job)
        following = max(following, job.number + 1)
    halves = {(job.players[::-1], job.opening): job.pair for found in pairs.values() if len(found) == 1 for job in found}
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
