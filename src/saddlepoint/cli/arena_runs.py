"""The common parts of `match`, `tournament`, `league` and `tune`: they check players, make workers, play a
schedule.
"""

import secrets
import shlex
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing, contextmanager, nullcontext
from typing import Any

from ..arena.conditions import MatchConditions
from ..arena.ledger import Ledger
from ..arena.openings import make_openings
from ..arena.schedule import Plan, Schedule, find_extendable, find_unfinished, plan_of, settings_of
from ..arena.standings import Standings
from ..arena.tournament import TournamentOutcome, check_versions, run_tournament
from ..arena.workers import MatchPlayers, Workers, cores_of_game, make_workers, oversubscribed
from ..games.catalogue.commands import refuse_missing
from ..players.base import SEED_BITS
from ..system.cluster import usable_cores
from ..system.terminal import Progress, print, print_json, warn
from .arena_options import RunOptions, ScheduleOptions
from .common import Aliases
from .starting import compile_missing, say_how_contained, try_start

_NAMED = 3  # games that could not be played, each with its reason


def fresh_seed() -> int:
    """A seed that no player can guess."""
    return secrets.randbits(SEED_BITS)


def check_players(
    conditions: MatchConditions,
    players: tuple[str, ...],
    executor: str | None = None,
    made: MatchPlayers | None = None,
    *,
    ledger: str | None = None,
    others: Iterable[str] = (),
) -> None:
    """Raise SpecError or PlayerError, in one sentence, for a player that does not exist or does not start.

    In a trial programs see no more than in a game: not the ledger, nor the files that the `others` name. On a
    cluster the workers try the programs. The players are kept among those that are `made`, whose conditions
    hide what is to be hidden.
    """
    if made is None:
        conditions = conditions.hiding((*players, *others), ledger)
    with nullcontext(made) if made is not None else closing(MatchPlayers()) as kept:
        for spec in players:
            if spec == "human":
                raise ValueError("a match is between programs; `saddlepoint play` is for people")
            with kept.use(conditions, spec) as player:
                if executor is not None:
                    continue
                refuse_missing(spec)
                try_start(player, spec, conditions.game, conditions.isolation)


def workers_for(
    conditions: MatchConditions,
    players: tuple[str, ...],
    concurrency: int,
    executor: str | None,
    games: int | None,
    made: MatchPlayers | None = None,
) -> Workers:
    """The workers that the options name; warns where this machine has too little to give them.

    Without a number of games at a time it is one that keeps the clocks honest: cores by those that a game needs. What is `made`
    already plays where the games are played in this process, and is closed where they are not.
    """
    made = made or MatchPlayers()
    if executor is not None:
        made.close()
        return make_workers(executor, concurrency, warn)
    say_how_contained(conditions.isolation, players)
    cores = cores_of_game(conditions, players, made)
    wanted = concurrency or max(1, usable_cores() // cores)
    wanted = wanted if games is None else max(1, min(wanted, games))
    if conditions.timed:
        warn(oversubscribed(wanted, cores))
    if conditions.isolation.programs_only:
        compile_missing(conditions.game, players)
    if wanted > 1:
        made.close()
    return make_workers(None, wanted, players=made)


@contextmanager
def opened_ledger(
    path: str | None, what: str, resume: bool = False, extend: bool = False
) -> Generator[Ledger | None]:
    """The ledger of --ledger, if it is given; closed afterwards. --resume and --extend, of a `what`, need one with games."""
    if path is None:
        if resume or extend:
            raise ValueError(
                f"{'--resume' if resume else '--extend'} goes on with a {what} of --ledger FILE; give the file"
            )
        yield None
        return
    if resume and extend:
        raise ValueError("--resume plays what is missing, --extend more than was planned: give one of them")
    with Ledger(path, create=not (resume or extend)) as ledger:
        yield ledger


def run_schedule(
    schedule: Schedule,
    games: int,
    swap: bool,
    conditions: MatchConditions,
    asked: ScheduleOptions,
    run: RunOptions,
    what: str,
    show: Callable[[Progress, TournamentOutcome], None],
    decided: Callable[[Standings], bool] | None = None,
) -> tuple[TournamentOutcome, Plan]:
    """Play this number of games a pairing, or those missing in the ledger; `what` names the run in messages.

    Raises SpecError or PlayerError for a player that does not exist or does not start.
    """

    def plan_for(seed: int) -> Plan:
        return Plan(
            games,
            tuple(make_openings(conditions.game, asked.openings, (games + swap) // (1 + swap), seed)),
            swap,
            seed,
        )

    conditions = conditions.hiding(schedule.players, run.ledger)
    with ExitStack() as stack:
        made = stack.enter_context(closing(MatchPlayers()))
        check_players(conditions, schedule.players, run.executor, made)
        plan = plan_for(fresh_seed() if asked.seed is None else asked.seed)
        book = stack.enter_context(opened_ledger(run.ledger, what, asked.resume, asked.extend))
        begun = None
        if book is not None and (asked.resume or asked.extend):
            begun, plan = _begun(book, schedule, conditions, plan_for, asked, what)
        planned = schedule.planned(plan)
        workers = workers_for(conditions, schedule.players, run.concurrency, run.executor, planned, made)
        with Progress(planned) as bar:
            outcome = run_tournament(
                schedule,
                plan,
                conditions,
                workers,
                book,
                begun,
                lambda _, so_far: show(bar, so_far),
                decided,
                asked.extend,
                warn,
            )
    return outcome, plan


def _begun(
    book: Ledger,
    schedule: Schedule,
    conditions: MatchConditions,
    plan_for: Callable[[int], Plan],
    asked: ScheduleOptions,
    what: str,
) -> tuple[int, Plan]:
    """The number and the plan of the tournament in the ledger that --resume or --extend goes on with."""
    if asked.resume:
        found = find_unfinished(
            book,
            schedule.kind,
            schedule.players,
            lambda seed: settings_of(conditions, plan_for(seed)),
            asked.seed,
            what,
        )
        return found.id, plan_of(found)
    wanted = plan_for(0 if asked.seed is None else asked.seed)
    found = find_extendable(book, schedule, conditions, wanted.games, wanted.swap, asked.seed)
    plan = plan_for(found.plan["seed"])
    check_versions(book, found.id, schedule.players)
    book.extend(found.id, schedule.players, settings_of(conditions, plan), schedule.planned(plan))
    return found.id, plan


def tell(
    data: dict[str, Any],
    show: Callable[[Any], None],
    aliases: Aliases,
    as_json: bool,
    outcome: Any,
    ledger: str | None,
    go_on: str,
    drawn: int | None = None,
) -> None:
    """Print the figures of an `outcome`, and what an interruption left or could not be played; raises as `main` expects.

    `drawn` is the seed where the user gave none, `go_on` says how the games in the ledger go on.
    """
    if as_json:
        print_json(aliases.beside(data))
    else:
        show(aliases.shown(data))
        if drawn is not None:
            print(f"to repeat the random choices: --seed {drawn}")
        if ledger is not None and data.get("fault_count"):
            print(f"to play these games again: saddlepoint ledger list {shlex.quote(ledger)} --cause fault")
    if outcome.interrupted:
        warn(f"{ledger} has the finished games; {go_on}" if ledger else "")
        raise KeyboardInterrupt
    if outcome.unplayable:
        raise ValueError(_not_played(outcome.unplayable, go_on if ledger is not None else ""))


def _not_played(why: list[str], go_on: str) -> str:
    """A message with the games that could not be played.

    `go_on` says how they can be played later, if they can.
    """
    shown = "; ".join(why[:_NAMED]) + (f" and {len(why) - _NAMED} more" if len(why) > _NAMED else "")
    text = f"{len(why)} game{'s' * (len(why) > 1)} could not be played, the others stand: {shown}"
    return f"{text}; {go_on}" if go_on else text
