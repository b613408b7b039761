"""`tournament`: more than two players, by a schedule."""

from typing import Any

import typer

from ..console.files import check_ledger
from ..console.reading import PLAYER_HELP
from .aliases import Alias, read_aliases
from .arena_options import (
    STATISTICS,
    AsJson,
    ConditionOptions,
    RunOptions,
    ScheduleOptions,
    grouped,
    number_of_player,
)
from .arena_runs import run_schedule, tell

_LARGEST_ELO = 1e5


@grouped
def tournament(
    players: list[str] = typer.Argument(..., help=f"{PLAYER_HELP} Two or more."),
    games: int = typer.Option(20, "-n", "--games", min=1, help="Games of each pairing."),
    swap: bool = typer.Option(True, "--swap/--no-swap", help="Play every opening twice, with sides swapped."),
    kind: str = typer.Option("round-robin", "--kind", help="round-robin, gauntlet (the first against all), knockout or ladder."),
    *,
    about: ConditionOptions,
    asked: ScheduleOptions,
    run: RunOptions,
    alias: Alias = None,
    as_json: AsJson = False,
    anchor: str | None = typer.Option(
        None, "--anchor", metavar="PLAYER=ELO", rich_help_panel=STATISTICS, help="Fixes this rating; the others are relative to it."
    ),
) -> None:
    """Play a tournament: ratings with error bars, and who beats whom.

    Example: saddlepoint tournament best random ./mybot.py -n 4 --ledger games.db
    """
    from ..arena.schedule import SCHEDULES
    from ..arena.summary import tournament_summary
    from .tournament_tables import print_tournament, show_standings

    if kind not in SCHEDULES:
        raise ValueError(f"--kind is {', '.join(SCHEDULES)}, not {kind!r}")
    aliases = read_aliases(alias or ())
    specs = [aliases.spec(player) for player in players]
    if len(specs) == 2 and specs[0] == specs[1]:
        raise ValueError(f"{players[0]} is there twice; every player of a tournament plays once, and `match` plays one against itself")
    schedule = SCHEDULES[kind](tuple(specs))
    check_ledger(run.ledger, asked.resume or asked.extend)
    conditions = about.conditions(run.logs, schedule.players, aliases.keyed(asked.time_of), aliases.keyed(asked.bank_of))
    form = "PLAYER=ELO, such as random=0"
    fixed = None if anchor is None else number_of_player("--anchor", form, aliases.keyed([anchor])[0], schedule.players)
    if fixed is not None and abs(fixed[1]) > _LARGEST_ELO:
        raise ValueError(f"--anchor takes {form}, not {anchor!r}")

    def show(bar: Any, so_far: Any) -> None:
        show_standings(bar, so_far.standings.games, so_far, schedule.players, aliases)

    outcome, plan = run_schedule(schedule, games, swap, conditions, asked, run, f"{kind} tournament", show)
    data = tournament_summary(outcome, schedule.players, fixed) | {"seed": str(plan.seed)}
    go_on = f"the same command with {'--extend' if asked.extend else '--resume'} goes on"
    tell(data, print_tournament, aliases, as_json, outcome, run.ledger, go_on, plan.seed if asked.seed is None else None)
