"""`match` and `tournament`: many games between two players, or more by a schedule; their figures, with error bars, as tables."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from ..system.files import check_ledger
from ..system.terminal import Progress, print, print_table, print_wrapped, width_of_output
from ..system.text import Column
from .arena_options import (
    STATISTICS,
    AsJson,
    ConditionOptions,
    RunOptions,
    ScheduleOptions,
    grouped,
    number_of_player,
)
from .common import PLAYER_HELP, Aliases

if TYPE_CHECKING:
    from ..arena.standings import Standings


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
    aliases: Aliases,
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
    from .arena_runs import run_schedule, tell

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

    outcome, plan = run_schedule(
        RoundRobin(players),
        games,
        swap,
        conditions,
        asked,
        run,
        "match",
        show,
        None if test is None else decided,
    )
    data = match_summary(outcome, *players, test) | {"seed": str(plan.seed)}
    tell(
        data,
        print_match,
        aliases,
        as_json,
        outcome,
        run.ledger,
        f"the same command with {'--extend' if asked.extend else '--resume'} goes on",
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


# What both print of their games.


def print_faults(data: Mapping[str, Any]) -> None:
    """Print a summary's first games that were decided by a fault."""

    for fault in data["faults"][:5]:
        print_wrapped(fault, indent="  ")
    if data["fault_count"] > 5:
        print(f"  ... and {data['fault_count'] - 5} more games decided by a fault")


def rate_words(data: Mapping[str, Any]) -> str:
    """The speed of this run's games, after a comma; empty where none was played."""
    return "" if data["games_per_second"] is None else f", {data['games_per_second']:.2f} games/s"


def print_warnings(data: Mapping[str, Any]) -> None:
    for sentence in data["warnings"]:
        print_wrapped(f"warning: {sentence}")


def print_uncounted(data: Mapping[str, Any]) -> None:
    """Print a summary's counts of games that count once or not at all."""
    from ..arena.summary import alike_and_counted, voids_said

    if data["repeats"]:
        print_wrapped(
            f"{data['repeats']} of {data['games']} games repeat an earlier one, move for move, and count once: "
            f"different games {data['games'] - data['repeats']}"
        )
    if (found := alike_and_counted(data)) is not None:
        print_wrapped(
            f"{found[0]} of the {found[1]} games that count are the same as an earlier one in every move; they count, as a player was "
            "seen to vary or the rules left something to chance: the figures are of these openings alone"
        )
    if data["exhausted"]:
        print_wrapped(f"what was left was not played: {data['exhausted']}")
    if data["voids"]:
        print(voids_said(data["voids"]))
    for reason in data["void_reasons"][:5]:
        print(f"  {reason}")


# The standings and figures of a tournament as tables.


_WIDEST_CROSS_TABLE = 14  # players; with more nobody finds anything in it
_NARROWEST_NAME = 24  # characters of a player's name beside a cross table


Table = tuple[Sequence[Column], Sequence[Sequence[object]]]
"""Columns and rows."""


def standings_table(standings: "Standings", players: Sequence[str], aliases: Aliases) -> Table:
    from ..arena.standings import PlayerFigures

    columns = (
        Column("player", wraps=True),
        Column("games", weight=2),
        *(Column(name, weight=1) for name in ("won", "drawn", "lost")),
        Column("score"),
    )
    found = [(player, standings.players.get(player, PlayerFigures()).score) for player in players]
    return columns, [
        [
            aliases.name(player),
            score.games,
            score.wins,
            score.draws,
            score.losses,
            f"{100 * score.mean:.1f} %" if score.games else "-",
        ]
        for player, score in sorted(found, key=lambda row: -row[1].mean)
    ]


def show_standings(bar: Progress, done: int, so_far: Any, players: Sequence[str], aliases: Aliases) -> None:
    bar.update(
        done,
        f"{so_far.games_per_second:.1f} games/s",
        lambda: standings_table(so_far.standings, players, aliases),
    )


def print_tournament(data: dict[str, Any]) -> None:
    """The figures of `tournament_summary`."""
    print_warnings(data)
    asked = f" of {data['asked']}" if data["asked"] and data["games"] < data["asked"] else ""
    print(f"{data['games']}{asked} games{rate_words(data)}")
    print_uncounted(data)
    if not data["ratings"]:
        return
    print_table(*_ratings_table(data))
    if len(data["ratings"]) <= _WIDEST_CROSS_TABLE:
        _print_cross_table(data)
    for note in data["notes"]:
        print_wrapped(note)
    _print_cycles(data["cycles"])
    if data["mixture"] is not None:
        shares = {player: share for player, share in data["mixture"]["shares"].items() if share > 0.0005}
        mixed = ", ".join(
            f"{player} {100 * share:.1f} %"
            for player, share in sorted(shares.items(), key=lambda one: -one[1])
        )
        print_wrapped(f"Nash average (no player beats it): {mixed}")
    if set(data["reasons"]) - {"rules"}:
        print_wrapped(
            "lost by: " + ", ".join(f"{cause} {count}" for cause, count in sorted(data["reasons"].items()))
        )
    print_faults(data)


def _print_cycles(cycles: list[dict[str, Any]]) -> None:
    """Those beyond chance one by one. Of the others only how many there are: few games give many of them."""
    certain = [cycle["players"] for cycle in cycles if cycle["certain"]]
    for players in certain:
        print_wrapped(
            f"a cycle (each by more than chance explains): {' beats '.join([*players, players[0]])}"
        )
    if others := len(cycles) - len(certain):
        print_wrapped(f"cycles that may be chance: {others} (--json lists them)")


def _ratings_table(data: dict[str, Any]) -> Table:
    figures = {row["player"]: row for row in data["players"]}
    columns = (
        Column(""),
        Column("player", wraps=True),
        Column("Elo"),
        Column("95 %", weight=8),
        Column("games", weight=7),
        Column("score"),
        Column("over time", weight=6),
        Column("median ms", weight=5),
        Column("99 % ms", weight=4),
        Column("nodes/s", weight=3),
    )

    def written(number: float | None, form: str, without: str = "-", times: int = 1) -> str:
        return without if number is None else format(times * number, form)

    def cells(rank: int, row: dict[str, Any]) -> list[object]:
        one = figures.get(row["player"], {})
        latency = one.get("latency", {})
        return [
            rank,
            row["player"],
            f"{row['elo']:+.0f}",
            f"{written(row['low'], '+.0f', '-∞')} to {written(row['high'], '+.0f', '∞')}",
            row["games"],
            f"{100 * row['points'] / row['games']:.1f} %" if row["games"] else "-",
            one.get("late_moves", ""),
            written(latency.get("median"), ".1f", times=1000),
            written(latency.get("p99"), ".1f", times=1000),
            written(one.get("nodes_per_second"), ",.0f"),
        ]

    return columns, [cells(rank, row) for rank, row in enumerate(data["ratings"], 1)]


def _print_cross_table(data: dict[str, Any]) -> None:
    """Print the cross table; one that is too wide has numbers for names, and comes in parts."""
    names = [row["player"] for row in data["ratings"]]
    cells = {(cell["player"], cell["opponent"]): cell for cell in data["cross_table"]}
    print("\nscore of the player on the left, per cent (games):")
    table = [
        [
            "."
            if other == name
            else "-"
            if (cell := cells.get((name, other))) is None
            else f"{100 * cell['score']:.0f} ({cell['games']})"
            for other in names
        ]
        for name in names
    ]
    widest = max(len(text) for row in table for text in row) + 2
    room = width_of_output() or 10_000
    whole = room - len(str(len(names))) - 2 - _NARROWEST_NAME >= widest * len(names)
    at_once = len(names) if whole else max(1, (room - len(str(len(names)))) // widest)
    for first in range(0, len(names), at_once):
        shown = range(first, min(first + at_once, len(names)))
        columns = [
            Column(""),
            *([Column("player", wraps=True)] if whole else []),
            *(Column(str(n + 1)) for n in shown),
        ]
        print_table(
            columns,
            [
                [rank, *([name] if whole else []), *(table[rank - 1][n] for n in shown)]
                for rank, name in enumerate(names, 1)
            ],
        )


# `tournament`: more than two players, by a schedule.

_LARGEST_ELO = 1e5


@grouped
def tournament(
    players: list[str] = typer.Argument(..., help=f"{PLAYER_HELP} Two or more."),
    games: int = typer.Option(20, "-n", "--games", min=1, help="Games of each pairing."),
    swap: bool = typer.Option(True, "--swap/--no-swap", help="Play every opening twice, with sides swapped."),
    kind: str = typer.Option(
        "round-robin", "--kind", help="round-robin, gauntlet (the first against all), knockout or ladder."
    ),
    *,
    about: ConditionOptions,
    asked: ScheduleOptions,
    run: RunOptions,
    aliases: Aliases,
    as_json: AsJson = False,
    anchor: str | None = typer.Option(
        None,
        "--anchor",
        metavar="PLAYER=ELO",
        rich_help_panel=STATISTICS,
        help="Fixes this rating; the others are relative to it.",
    ),
) -> None:
    """Play a tournament: ratings with error bars, and who beats whom.

    Example: saddlepoint tournament best random ./mybot.py -n 4 --ledger games.db
    """
    from ..arena.schedule import SCHEDULES
    from ..arena.summary import tournament_summary
    from .arena_runs import run_schedule, tell

    if kind not in SCHEDULES:
        raise ValueError(f"--kind is {', '.join(SCHEDULES)}, not {kind!r}")
    specs = [aliases.spec(player) for player in players]
    if len(specs) == 2 and specs[0] == specs[1]:
        raise ValueError(
            f"{players[0]} is there twice; every player of a tournament plays once, and `match` plays one against itself"
        )
    schedule = SCHEDULES[kind](tuple(specs))
    check_ledger(run.ledger, asked.resume or asked.extend)
    conditions = about.conditions(
        run.logs, schedule.players, aliases.keyed(asked.time_of), aliases.keyed(asked.bank_of)
    )
    form = "PLAYER=ELO, such as random=0"
    fixed = (
        None
        if anchor is None
        else number_of_player("--anchor", form, aliases.keyed([anchor])[0], schedule.players)
    )
    if fixed is not None and abs(fixed[1]) > _LARGEST_ELO:
        raise ValueError(f"--anchor takes {form}, not {anchor!r}")

    def show(bar: Any, so_far: Any) -> None:
        show_standings(bar, so_far.standings.games, so_far, schedule.players, aliases)

    outcome, plan = run_schedule(schedule, games, swap, conditions, asked, run, f"{kind} tournament", show)
    data = tournament_summary(outcome, schedule.players, fixed) | {"seed": str(plan.seed)}
    go_on = f"the same command with {'--extend' if asked.extend else '--resume'} goes on"
    tell(
        data,
        print_tournament,
        aliases,
        as_json,
        outcome,
        run.ledger,
        go_on,
        plan.seed if asked.seed is None else None,
    )
