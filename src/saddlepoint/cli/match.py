"""`match`: many games between two players, with the error bar."""

from typing import Any

import typer

from ..system.files import check_ledger
from ..system.terminal import print, print_wrapped
from .arena_options import STATISTICS, AsJson, ConditionOptions, RunOptions, ScheduleOptions, grouped
from .arena_runs import print_faults, print_uncounted, print_warnings, rate_words, run_schedule, tell
from .common import PLAYER_HELP, Alias, read_aliases


@grouped
def match(
    player_a: str = typer.Argument(..., help=PLAYER_HELP),
    player_b: str = typer.Argument(..., help="The other player."),
    games: int = typer.Option(100, "-n", "--games", min=1, help="How many games."),
    swap: bool = typer.Option(False, "--swap", help="Play every opening twice, with sides swapped."),
    *,
    about: ConditionOptions,
    asked: ScheduleOptions,
    run: RunOptions,
    alias: Alias = None,
    as_json: AsJson = False,
    sprt: str | None = typer.Option(
        None,
        "--sprt",
        rich_help_panel=STATISTICS,
        help="Stop when decided: 'elo0=0 elo1=10 alpha=0.05 beta=0.05'.",
    ),
) -> None:
    """Play many games between two players: the score, with a 95 % interval.

    Example: saddlepoint match best random -n 20 --swap --seed 1
    """
    from ..arena.schedule import RoundRobin
    from ..arena.statistics.sprt import Sprt
    from ..arena.summary import match_summary

    aliases = read_aliases(alias or ())
    players = (aliases.spec(player_a), aliases.spec(player_b))
    check_ledger(run.ledger, asked.resume or asked.extend)
    conditions = about.conditions(
        run.logs, players, aliases.keyed(asked.time_of), aliases.keyed(asked.bank_of)
    )
    test = None if sprt is None else Sprt.parse(sprt)

    def show(bar: Any, so_far: Any) -> None:
        score = so_far.standings.between(*players).score
        bar.update(
            so_far.standings.games,
            f"+{score.wins} ={score.draws} -{score.losses}  {so_far.games_per_second:.1f} games/s",
        )

    def decided(standings: Any) -> bool:
        return test is not None and test.decide(standings.between(*players).counts) != "continue"

    until = None if test is None else decided
    outcome, plan = run_schedule(
        RoundRobin(players), games, swap, conditions, asked, run, "match", show, until
    )
    data = match_summary(outcome, *players, test) | {"seed": str(plan.seed)}
    go_on = f"the same command with {'--extend' if asked.extend else '--resume'} goes on"
    tell(
        data,
        print_match,
        aliases,
        as_json,
        outcome,
        run.ledger,
        go_on,
        plan.seed if asked.seed is None else None,
    )


def print_match(data: dict[str, Any]) -> None:
    """The figures of `match_summary`."""
    low, high = data["interval95"]
    print_warnings(data)
    if data["games"] < data["asked"]:
        print(f"{data['games']} of {data['asked']} games were played")
    print_uncounted(data)
    print_wrapped(
        f"{data['a']} against {data['b']}: {data['wins']} won, {data['draws']} drawn, {data['losses']} lost"
    )
    if not data["games"]:
        return
    print(f"score {100 * data['score']:.1f} %, 95 % interval {100 * low:.1f} to {100 * high:.1f} %")
    if (paired := data["paired"]) is not None:
        print_wrapped(
            f"Elo {_span(paired['elo'])}, normalised {_span(paired['normalised_elo'])}, LOS {100 * paired['los']:.1f} %; "
            f"pentanomial (0, 1/2, 1, 3/2, 2 points): {', '.join(str(count) for count in paired['pairs'])}"
        )
    if (test := data["sprt"]) is not None:
        print(
            f"SPRT {test['test']}: LLR {test['llr']:.2f} ({test['lower']:.2f}, {test['upper']:.2f}), {test['says']}"
        )
        if data["exhausted"] and test["decision"] == "continue":
            print("the test was stopped without a decision")
    print(
        f"{data['mean_length']:.1f} steps a game{rate_words(data)}; over time: {data['late']['a']} and {data['late']['b']}"
    )
    for side in ("a", "b"):
        if (latency := data["latency"][side]) is not None:
            median, p99, longest = (f"{1000 * latency[key]:.1f} ms" for key in ("median", "p99", "longest"))
            print_wrapped(f"{data[side]}: {median} a move (median), {p99} (99 %), {longest} at most")
    print_faults(data)


def _span(figures: dict[str, float | None]) -> str:
    value, low, high = (figures[key] for key in ("value", "low", "high"))

    def text(number: float | None, sign: str) -> str:
        return f"{sign}infinite" if number is None else f"{number:+.0f}"

    lost = value is None and high is not None
    return f"{text(value, '-' if lost else '+')} ({text(low, '-')} to {text(high, '+')})"
