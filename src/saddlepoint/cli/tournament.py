"""`tournament`: more than two players, by a schedule."""

from typing import Any

import typer

from . import arena_options as options
from .aliases import Alias, Aliases, read_aliases
from .common import PLAYER_HELP
from .terminal import Progress, print, print_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(tournament)


def tournament(
    players: list[str] = typer.Argument(..., help=f"{PLAYER_HELP} Two or more."),
    kind: str = typer.Option("round-robin", "--kind", help="round-robin, gauntlet (the first against all), knockout or ladder."),
    games: int = typer.Option(20, "-n", "--games", min=1, help="Games a pairing."),
    swap: bool = typer.Option(True, "--swap/--no-swap", help="Play every opening twice, with sides swapped."),
    anchor: str | None = typer.Option(None, "--anchor", help="PLAYER=ELO: ratings are given beside this one's."),
    game: options.Game = "light_riders",
    size: options.Size = None,
    openings: options.Openings = "starts",
    seed: options.Seed = None,
    seconds: options.Seconds = None,
    bank: options.Bank = None,
    time_of: options.TimeOf = [],  # noqa: B006
    bank_of: options.BankOf = [],  # noqa: B006
    nodes: options.Nodes = None,
    tolerance: options.Tolerance = options.TOLERANCE,
    isolate: options.Isolate = "auto",
    memory: options.Memory = None,
    sandbox: options.Sandbox = "",
    logs: options.Logs = None,
    concurrency: options.Concurrency = 0,
    executor: options.Executor = None,
    ledger: options.LedgerFile = None,
    alias: Alias = None,
    resume: bool = typer.Option(False, "--resume", help="Go on with the same tournament in --ledger, if it is not over."),
    extend: options.Extend = False,
    as_json: options.AsJson = False,
) -> None:
    """Play a tournament: ratings with error bars, and the table of who beats whom.

    Example: saddlepoint tournament best riders_smab riders_nash random -n 20 --time 0.02 --ledger games.db
    """
    from ..arena.openings import make_openings
    from ..arena.schedule import SCHEDULES, Plan
    from ..arena.summary import tournament_summary
    from ..arena.tournament import run_tournament
    from .tournament_tables import print_tournament, standings_table

    if kind not in SCHEDULES:
        raise ValueError(f"--kind is {', '.join(SCHEDULES)}, not {kind!r}")
    if (resume or extend) and ledger is None:
        raise ValueError(f"{'--resume' if resume else '--extend'} goes on with a tournament of --ledger FILE; give the file")
    aliases = read_aliases(alias or ())
    schedule = SCHEDULES[kind](tuple(aliases.spec(player) for player in players))
    conditions = options.read_conditions(
        game, size, seconds, bank, nodes, tolerance, isolate, memory, schedule.players, aliases.keyed(time_of),
        aliases.keyed(bank_of), sandbox, logs,
    )  # fmt: skip
    fixed = read_anchor(anchor, schedule.players, aliases)
    options.check_players(conditions, schedule.players, executor)

    def plan_for(seed: int) -> Plan:
        return Plan(games, tuple(make_openings(conditions.game, openings, (games + swap) // (1 + swap), seed)), swap, seed)

    plan = plan_for(options.fresh_seed() if seed is None else seed)
    with options.opened_ledger(ledger, create=not (resume or extend)) as book:
        begun, old_plan = options.begun(book, schedule, conditions, plan_for, seed, f"{kind} tournament", resume, extend)
        plan = old_plan or plan
        planned = schedule.planned(plan)
        machine = options.read_machine(conditions, schedule.players, concurrency, executor, planned)
        options.warn(machine.warning)
        with Progress(planned) as bar:

            def show(_: Any, so_far: Any) -> None:
                bar.update(
                    so_far.standings.games, f"{so_far.games_per_second:.1f} games/s",
                    lambda: standings_table(so_far.standings, schedule.players, aliases),
                )  # fmt: skip

            outcome = run_tournament(schedule, plan, conditions, machine.workers, book, begun, show, None, extend, options.warn)
    data = tournament_summary(outcome, schedule.players, fixed)
    data["seed"] = str(plan.seed)
    if as_json:
        print_json(aliases.beside(data))
    else:
        print_tournament(aliases.shown(data))
        if seed is None:
            print(f"to draw the same choices again: --seed {plan.seed}")
        options.say_how_to_replay(ledger, data["fault_count"])
    options.finish(outcome, ledger, f"the same command with {'--extend' if extend else '--resume'} goes on")


def read_anchor(text: str | None, players: tuple[str, ...], aliases: Aliases) -> tuple[str, float] | None:
    """The player whose rating is given, and the rating."""
    if text is None:
        return None
    player, mark, elo = text.rpartition("=")
    try:
        value = float(elo)
    except ValueError:
        mark = ""
        value = 0.0
    if not mark or abs(value) > 1e5:
        raise ValueError(f"--anchor takes PLAYER=ELO, such as random=0, not {text!r}")
    player = aliases.spec(player)
    if player not in players:
        names = ", ".join(aliases.name(one) for one in players)
        raise ValueError(f"--anchor names {player!r}, who does not play: the players are {names}")
    return player, value
