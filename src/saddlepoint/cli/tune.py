"""`tune`: find better numbers for a player, and test whether it is better for them."""

from typing import TYPE_CHECKING, Any

import typer

from ..game.spec import parse_spec
from ..system.files import check_ledger
from ..system.terminal import Progress, print, warn
from ..system.text import count_of
from .arena_options import FILES, AsJson, ConditionOptions, Openings, RunOptions, Seed, grouped
from .common import PLAYER_HELP, Aliases, check_packages

if TYPE_CHECKING:
    from ..arena.tuning import TuningOutcome

_TRIALS, _TEST = "Trials", "Finalists and the final test"
_SHOWN = 10  # trials


@grouped
def tune(
    player: str = typer.Argument(..., help=f"{PLAYER_HELP} Tuning starts from its numbers."),
    param: list[str] = typer.Option(
        ...,
        "--param",
        metavar="PATH=LOW..HIGH",
        help="What to tune: evaluator.k1=0..1, depth=1..8:int, c=0.1..10:log.",
    ),
    games: int = typer.Option(1000, "-n", "--games", min=2, help="Games of all trials."),
    *,
    about: ConditionOptions,
    seed: Seed = None,
    openings: Openings = "random:4",
    run: RunOptions,
    aliases: Aliases,
    as_json: AsJson = False,
    method: str = typer.Option(
        "tpe", "--method", rich_help_panel=_TRIALS, help="How Optuna proposes values: tpe or cmaes."
    ),
    against: list[str] = typer.Option(
        [],
        "--against",
        rich_help_panel=_TRIALS,
        help="The opponent of trials, else the original player; may be repeated.",
    ),
    trial_games: int = typer.Option(
        40,
        "--trial-games",
        min=2,
        rich_help_panel=_TRIALS,
        help="Games of a trial, against all opponents together.",
    ),
    pruner: str = typer.Option(
        "median", "--pruner", rich_help_panel=_TRIALS, help="Prune trials early: median, halving or none."
    ),
    finalists: int = typer.Option(
        4,
        "--finalists",
        min=0,
        rich_help_panel=_TEST,
        help="How many of the best trials play again; the highest lower confidence bound wins.",
    ),
    finalist_games: int = typer.Option(
        80, "--finalist-games", min=2, rich_help_panel=_TEST, help="Games of each finalist."
    ),
    sprt: str = typer.Option(
        "elo0=0 elo1=10",
        "--sprt",
        rich_help_panel=_TEST,
        help="The final test, of the tuned player against the original one.",
    ),
    sprt_games: int = typer.Option(
        1000, "--sprt-games", min=2, rich_help_panel=_TEST, help="Games of the test, at most."
    ),
    resume: bool = typer.Option(
        False, "--resume", rich_help_panel=FILES, help="Play what is missing of the same tuning in --ledger."
    ),
) -> None:
    """Tune the numbers in a player's spec by games, then test the result.

    Example: saddlepoint tune 'smab(depth=2)' --param depth=1..3:int -n 80
    """
    check_packages("tune", "tuning", "optuna")
    from ..arena.openings import make_openings
    from ..arena.schedule import Plan, find_unfinished
    from ..arena.statistics.sprt import Sprt
    from ..arena.tuning import KIND, run_tuning, tuning_settings, tuning_summary
    from ..arena.tuning_plan import Parameter, Tuning, check_parameters, compiled_in
    from .arena_runs import check_players, fresh_seed, opened_ledger, tell, workers_for

    player, opponents = aliases.spec(player), tuple(aliases.spec(one) for one in against)
    check_ledger(run.ledger, resume)
    conditions = about.conditions(run.logs, (player, *opponents))
    check_players(conditions, (player, *opponents), run.executor, ledger=run.ledger)

    def set_up(seed: int) -> tuple[Tuning, Plan]:
        tuning = Tuning(
            str(parse_spec(player)),
            tuple(Parameter.parse(text) for text in param),
            opponents,
            method,
            games,
            trial_games,
            pruner,
            finalists,
            finalist_games,
            Sprt.parse(sprt),
            sprt_games,
            seed,
        )
        return tuning, Plan(
            games, tuple(make_openings(conditions.game, openings, tuning.openings_needed, seed)), True, seed
        )

    tuning, plan = set_up(fresh_seed() if seed is None else seed)
    check_parameters(tuning.start, tuning.parameters, conditions.game, conditions.limits)
    needed = tuning.openings_needed
    if len(plan.openings) < needed:
        warn(
            f"{len(plan.openings)} openings for {needed} pairs of games: some are played again; random:PLIES gives more"
        )
    if constant := compiled_in(tuning.start, tuning.parameters, conditions.game, conditions.limits):
        warn(f"{', '.join(constant)}: compiled anew for every value, which takes seconds each time")
    with opened_ledger(run.ledger, "tuning", resume) as book:
        begun = None
        if resume and book is not None:
            found = find_unfinished(
                book,
                KIND,
                tuning.players,
                lambda seed: tuning_settings(*set_up(seed), conditions),
                seed,
                "tuning",
            )
            begun, (tuning, plan) = found.id, set_up(found.plan["seed"])
        workers = workers_for(
            conditions, (tuning.start, *tuning.opponents), run.concurrency, run.executor, games
        )
        with Progress(tuning.planned) as bar:
            outcome = run_tuning(
                tuning,
                plan,
                conditions,
                workers,
                book,
                begun,
                lambda so_far: bar.update(so_far.games, _standing(so_far)),
            )
    go_on, drawn = "the same command with --resume goes on", plan.seed if seed is None else None
    tell(tuning_summary(tuning, outcome), _print, aliases, as_json, outcome, run.ledger, go_on, drawn)


def _standing(outcome: "TuningOutcome") -> str:
    progress = outcome.progress
    return (
        f"test: game {outcome.test.standings.games}"
        if progress.tuned is not None
        else f"finalist {len(progress.finalists) + 1}"
        if progress.finalists
        else f"trial {len(progress.trials)}"
    )


def _print(data: dict[str, Any]) -> None:
    from .tournament import print_match

    print(f"{count_of(data['games'], 'game')}, {data['seconds']:.0f} s")
    whole = [trial for trial in data["trials"] if trial["games"]]
    if whole:
        pruned = sum(trial["pruned"] for trial in whole)
        print(
            f"{len(whole)} trials against {', '.join(data['opponents'])}, {pruned} of them pruned; the best:"
        )
        ranked = sorted((trial for trial in whole if not trial["pruned"]), key=lambda trial: -trial["score"])
        for trial in ranked[:_SHOWN]:
            print(f"  {_figures(trial)}")
    if data["finalists"]:
        print(
            "finalists, from other openings; the one with the highest lower confidence bound is recommended:"
        )
        for trial in data["finalists"]:
            print(f"  {_figures(trial)}")
    if data["tuned"] is None:
        return
    print(f"recommended: {data['tuned']}")
    if not data["changed"]:
        print("this is the original player: nothing better was found")
    if data["test"] is not None:
        print_match(data["test"])


def _figures(trial: dict[str, Any]) -> str:
    low, high = trial["interval95"]
    return (
        f"trial {trial['trial']}: {_written(trial['values'])}: {100 * trial['score']:.1f} % of {count_of(trial['games'], 'game')} "
        f"({100 * low:.1f} to {100 * high:.1f} %)"
    )


def _written(values: dict[str, float]) -> str:
    return ", ".join(f"{path}={value:g}" for path, value in values.items())
