"""`match`: many games between two players, with the error bar."""

from typing import Any

import typer

from . import arena_options as options
from .aliases import Alias, read_aliases
from .common import PLAYER_HELP
from .terminal import Progress, print, print_json, print_wrapped


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(match)


def match(
    player_a: str = typer.Argument(..., help=PLAYER_HELP),
    player_b: str = typer.Argument(..., help="The other player."),
    games: int = typer.Option(100, "-n", "--games", min=1, help="How many games."),
    swap: bool = typer.Option(False, "--swap", help="Play every opening twice, with sides swapped."),
    sprt: str | None = typer.Option(None, "--sprt", help="Stop when decided: 'elo0=0 elo1=10 alpha=0.05 beta=0.05'."),
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
    resume: bool = typer.Option(False, "--resume", help="Go on with the same match in --ledger, if it is not over."),
    extend: options.Extend = False,
    as_json: options.AsJson = False,
) -> None:
    """Play many games: wins, draws and losses with a 95 % interval, from the first player's view.

    Example: saddlepoint match best riders_smab -n 168 --swap --seed 1 --time 0.05
    """
    from ..arena.openings import make_openings
    from ..arena.schedule import Plan, RoundRobin
    from ..arena.statistics.sprt import Sprt
    from ..arena.summary import match_summary
    from ..arena.tournament import run_tournament

    aliases = read_aliases(alias or ())
    players = (aliases.spec(player_a), aliases.spec(player_b))
    conditions = options.read_conditions(
        game, size, seconds, bank, nodes, tolerance, isolate, memory, players, aliases.keyed(time_of), aliases.keyed(bank_of),
        sandbox, logs,
    )  # fmt: skip
    options.check_players(conditions, players, executor)
    test = None if sprt is None else Sprt.parse(sprt)
    if (resume or extend) and ledger is None:
        raise ValueError(f"{'--resume' if resume else '--extend'} goes on with a match of --ledger FILE; give the file")

    def plan_for(seed: int) -> Plan:
        return Plan(games, tuple(make_openings(conditions.game, openings, (games + swap) // (1 + swap), seed)), swap, seed)

    plan = plan_for(options.fresh_seed() if seed is None else seed)
    schedule = RoundRobin(players)
    with options.opened_ledger(ledger, create=not (resume or extend)) as book:
        begun, old_plan = options.begun(book, schedule, conditions, plan_for, seed, "match", resume, extend)
        plan = old_plan or plan
        machine = options.read_machine(conditions, players, concurrency, executor, games)
        options.warn(machine.warning)
        with Progress(games) as bar:

            def show(_: Any, so_far: Any) -> None:
                score = so_far.standings.between(*players).score
                bar.update(so_far.standings.games, f"+{score.wins} ={score.draws} -{score.losses}  {so_far.games_per_second:.1f} games/s")

            def decided(standings: Any) -> bool:
                return test is not None and test.decide(standings.between(*players).counts) != "continue"

            until = None if test is None else decided
            outcome = run_tournament(schedule, plan, conditions, machine.workers, book, begun, show, until, extend, options.warn)
    data = match_summary(outcome, *players, test)
    data["seed"] = str(plan.seed)
    if as_json:
        print_json(aliases.beside(data))
    else:
        print_match(aliases.shown(data))
        if seed is None:
            print(f"to draw the same choices again: --seed {plan.seed}")
        options.say_how_to_replay(ledger, data["fault_count"])
    options.finish(outcome, ledger, f"the same command with {'--extend' if extend else '--resume'} goes on")


def print_match(data: dict[str, Any]) -> None:
    """The figures of `match_summary`."""
    low, high = data["interval95"]
    if data["games"] < data["asked"]:
        print(f"{data['games']} of {data['asked']} games were played")
    print_uncounted(data)
    print_wrapped(f"{data['a']} against {data['b']}: {data['wins']} won, {data['draws']} drawn, {data['losses']} lost")
    if not data["games"]:
        return
    print(f"score {100 * data['score']:.1f} %, 95 % interval {100 * low:.1f} to {100 * high:.1f} %")
    if (paired := data["paired"]) is not None:
        print_wrapped(
            f"Elo {_span(paired['elo'])}, normalised {_span(paired['normalised_elo'])}, better with {100 * paired['los']:.1f} %; "
            f"pairs that took 0, 1/2, 1, 3/2, 2 points: {', '.join(str(count) for count in paired['pairs'])}"
        )
    if (test := data["sprt"]) is not None:
        print(f"SPRT {test['test']}: LLR {test['llr']:.2f} ({test['lower']:.2f}, {test['upper']:.2f}), {test['says']}")
        if data["exhausted"]:
            print(f"the test was given up: {data['exhausted']}")
    print(
        f"{data['mean_length']:.1f} steps a game, {data['games_per_second']:.2f} games/s; "
        f"late moves: {data['late']['a']} and {data['late']['b']}"
    )
    for side in ("a", "b"):
        if (latency := data["latency"][side]) is not None:
            print_wrapped(f"{data[side]}: {latency['median'] * 1000:.1f} ms a move (median), {latency['p99'] * 1000:.1f} ms (99 %)")
    for fault in data["faults"][:5]:
        print_wrapped(fault, indent="  ")
    if data["fault_count"] > 5:
        print(f"  ... and {data['fault_count'] - 5} more games decided by a fault")


def print_uncounted(data: dict[str, Any]) -> None:
    """Of a summary, the games that count once or not at all."""
    if data["repeats"]:
        print(f"{data['repeats']} of {data['games']} games repeat an earlier one, and count once: {data['games'] - data['repeats']} differ")
    if data["voids"]:
        print(f"{data['voids']} games were void, because the machine failed, and count for nobody:")
    for reason in data["void_reasons"][:5]:
        print(f"  {reason}")


def _span(figures: dict[str, float | None]) -> str:
    value, low, high = (figures[key] for key in ("value", "low", "high"))

    def text(number: float | None, sign: str) -> str:
        return f"{sign}infinite" if number is None else f"{number:+.0f}"

    lost = value is None and high is not None
    return f"{text(value, '-' if lost else '+')} ({text(low, '-')} to {text(high, '+')})"
