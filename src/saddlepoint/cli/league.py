"""`league`: a tournament without an end, which players may join and leave."""

import functools
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..game.spec import SpecError, name_of, spec_of
from ..system.files import check_ledger
from ..system.terminal import Progress, print_json, print_wrapped, warn
from .arena_options import AsJson, ConditionOptions, Openings, PlaceOptions, Rules, Seed, grouped, read_logs
from .common import PLAYER_HELP, Aliases

if TYPE_CHECKING:
    from ..arena.league import League

league = typer.Typer(
    no_args_is_help=True,
    help="Play a tournament without an end: players may join and leave while it runs.\n\n"
    "Example: saddlepoint league add league.db best --time 0.02",
)
LedgerArgument = Annotated[str, typer.Argument(help="The ledger that holds the league (SQLite).")]
PlayerArgument = Annotated[str, typer.Argument(help=PLAYER_HELP)]


@league.command()
@grouped
def add(
    ledger: LedgerArgument,
    player: PlayerArgument,
    about: ConditionOptions,
    seed: Seed = None,
    openings: Openings = "starts",
    *,
    aliases: Aliases,
) -> None:
    """Add a player to a league; the first one creates the league.

    The first one fixes the options of the game and the clock.

    Example: saddlepoint league add league.db best --time 0.02

    Example: saddlepoint league add league.db random
    """
    from ..arena.league import has_league, open_league
    from ..arena.ledger import Ledger
    from ..arena.openings import make_openings
    from ..arena.schedule import Plan, conditions_of
    from .arena_runs import check_players, fresh_seed

    check_ledger(ledger)
    player = aliases.spec(player)
    conditions = about.conditions(players=(player,))
    seed = fresh_seed() if seed is None else seed
    plan = Plan(2, tuple(make_openings(conditions.game, openings, 1000, seed)), True, seed)
    is_new = not Path(ledger).exists()
    if is_new:  # a player that cannot play leaves no ledger behind
        check_players(conditions, (player,))
    with Ledger(ledger) as book:
        if has_league(book):
            kept = conditions_of(book.tournament(open_league(book).number))
            if about.game != ConditionOptions.game and conditions.game != kept.game:
                raise ValueError(
                    f"the league of {ledger!r} plays {spec_of(kept.game)}, not {about.game}; leave --game out"
                )
            conditions = kept
        if not is_new:
            check_players(
                conditions,
                (player,),
                ledger=ledger,
                others=open_league(book).players if has_league(book) else (),
            )
        league = open_league(book, conditions, plan)
        league.add(player)
        told = f"{aliases.name(player)} is in the league of {name_of(conditions.game)}"
        print_wrapped(f"{told}; its players: {_names(league.players, aliases)}")


@league.command()
@grouped
def run(
    ledger: LedgerArgument,
    place: PlaceOptions,
    games: Annotated[
        int | None, typer.Option("-n", "--games", min=2, help="Stop after so many games.")
    ] = None,
    game: Rules = None,
    *,
    aliases: Aliases,
    as_json: AsJson = False,
) -> None:
    """Play the games of a league, until Ctrl-C.

    Players may be added and removed from another terminal meanwhile; finished games are kept.

    Example: saddlepoint league run league.db -n 20
    """
    from ..arena.league import run_league
    from ..arena.schedule import conditions_of, plan_of
    from ..arena.summary import tournament_summary
    from ..players.base import PlayerError
    from .arena_runs import check_players, tell, workers_for
    from .tournament import print_tournament, show_standings

    with _opened(ledger) as league:
        check_ledger(ledger)
        tournament = league.ledger.tournament(league.number)
        conditions, plan = replace(conditions_of(tournament), logs=read_logs(place.logs)), plan_of(tournament)

        @functools.cache
        def starts(spec: str) -> bool:
            """One that does not start is set aside until the next run, and reported: it must not end the others' games."""
            try:
                check_players(conditions, (spec,), place.executor, ledger=ledger, others=league.players)
            except (SpecError, PlayerError) as error:
                warn(f"{aliases.name(spec)} is set aside in this run: {error}")
                return False
            return True

        workers = workers_for(
            conditions, tuple(filter(starts, league.players)), place.concurrency, place.executor, games
        )
        with Progress(games) as bar:

            def show(_: Any, so_far: Any) -> None:
                show_standings(bar, so_far.played, so_far, tuple(so_far.standings.players), aliases)

            outcome = run_league(league, conditions, plan, games, workers, show, warn, starts)
        present = set(league.labels().values())
    tell(
        tournament_summary(outcome, tuple(outcome.standings.players), present=present),
        print_tournament,
        aliases,
        as_json,
        outcome,
        ledger,
        "`league run` goes on",
    )


@league.command()
@grouped
def show(ledger: LedgerArgument, *, aliases: Aliases, as_json: AsJson = False) -> None:
    """Print the standings of the league.

    Example: saddlepoint league show league.db
    """
    from ..arena.summary import tournament_summary
    from ..arena.tournament import TournamentOutcome
    from .tournament import print_tournament

    with _opened(ledger) as league:
        outcome = TournamentOutcome(league.standings(), None)
        inside = list(league.labels().values())
    data = tournament_summary(
        outcome, tuple(dict.fromkeys([*inside, *outcome.standings.players])), present=inside
    )
    data["in_the_league"] = inside
    if as_json:
        print_json(aliases.beside(data))
        return
    print_tournament(aliases.shown(data))
    print_wrapped(f"in the league: {_names(inside, aliases)}")


@league.command()
@grouped
def remove(ledger: LedgerArgument, player: PlayerArgument, *, aliases: Aliases) -> None:
    """Remove a player from a league; its games stay, in the ratings too.

    Example: saddlepoint league remove league.db random
    """
    with _opened(ledger) as league:
        league.remove(aliases.spec(player))
        print_wrapped(f"{player} left; its players: {_names(league.players, aliases)}")


@contextmanager
def _opened(ledger: str) -> "Generator[League]":
    from ..arena.league import open_league
    from ..arena.ledger import Ledger

    with Ledger(ledger, create=False) as book:
        yield open_league(book)


def _names(players: Iterable[str], aliases: Aliases) -> str:
    return ", ".join(map(aliases.name, players)) or "nobody"
