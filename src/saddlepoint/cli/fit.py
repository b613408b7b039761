"""`fit`: a game fits an evaluator of its own."""

import math
import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import typer

from ..game.spec import without_folders
from ..games.catalogue.games import default_game
from ..system.files import check_regular_output, write_lines
from ..system.terminal import Progress, fail, print, print_json, print_wrapped
from ..system.text import count_of, sparkline
from .arena_options import PLACE, AsJson
from .common import GAME_HELP, check_plot, read_game

if TYPE_CHECKING:
    from ..game.base import Game
    from ..learning.fit import FitOutcome, FitSettings, Generation, Step
    from ..learning.players import Comparison, GamePlayers

_PROOF_GAMES = 400
_LAST_TEST = 0.1  # of the time of a fit
_FITTED, _GAMES, _TEST = "What is fitted", "Its games", "Tests"


def fit(
    game: str = typer.Argument(default_game(), help=GAME_HELP),
    output: Path = typer.Option(..., "-o", "--output", help="The file for the weights: mygame.weights."),
    hours: float | None = typer.Option(
        None, "--hours", min=0.0, help="About how long: 1, unless --generations is given."
    ),
    minutes: float | None = typer.Option(None, "--minutes", min=0.0, help="The same in minutes."),
    generations: int | None = typer.Option(None, "--generations", min=1, help="At most so many."),
    seed: int = typer.Option(1, "--seed", min=0, help="Fixes every random choice."),
    resume: bool = typer.Option(
        False, "--resume", help="Go on with the same fit, in the folder beside the output."
    ),
    plot: str | None = typer.Option(
        None, "--plot", metavar="FILE", help="Draw the figures of all generations: fit.svg."
    ),
    as_json: AsJson = False,
    search: str | None = typer.Option(
        None,
        "--search",
        rich_help_panel=_FITTED,
        help="The search that uses it (pvs in turn, saddle where both move at once).",
    ),
    evaluator: str = typer.Option(
        "fitted",
        "--evaluator",
        rich_help_panel=_FITTED,
        help="Whose weights: of one that computes numbers, such as prospects.",
    ),
    units: int = typer.Option(
        32,
        "--units",
        rich_help_panel=_FITTED,
        help="Of a new first layer: 8, 16, 32, 64 or 128; more see more, and are slower.",
    ),
    trace: float = typer.Option(
        0.7,
        "--trace",
        min=0.0,
        max=1.0,
        rich_help_panel=_FITTED,
        help="A position is worth: 0 its search's value, 1 the result.",
    ),
    start: str | None = typer.Option(
        None,
        "--from",
        rich_help_panel=_GAMES,
        help="Evaluator of the first games, or none (the one fitted, the game's, or what `best` learnt).",
    ),
    openings: str | None = typer.Option(
        None,
        "--openings",
        rich_help_panel=_GAMES,
        help="Where half of the games begin: a file of positions, random:PLIES.",
    ),
    positions: int = typer.Option(
        100_000, "--positions", min=1000, rich_help_panel=_GAMES, help="Positions of each generation."
    ),
    nodes: int = typer.Option(
        1000, "--nodes", min=1, rich_help_panel=_GAMES, help="Nodes of a move's search."
    ),
    random_share: float = typer.Option(
        0.05,
        "--random",
        min=0.0,
        max=1.0,
        rich_help_panel=_GAMES,
        help="The share of random moves; 0.5 with --from none.",
    ),
    against: str = typer.Option(
        "best", "--against", rich_help_panel=_TEST, help="The player of the last test; none: no such test."
    ),
    games: int = typer.Option(
        _PROOF_GAMES, "--games", min=2, rich_help_panel=_TEST, help="Games of a test, at most."
    ),
    time: float = typer.Option(
        0.02, "--time", min=0.001, metavar="SECONDS", rich_help_panel=_TEST, help="For each move of a test."
    ),
    gate_nodes: int | None = typer.Option(
        None, "--gate-nodes", min=1, rich_help_panel=_TEST, help="For each move, in the place of time."
    ),
    exploit: int = typer.Option(
        20_000, "--exploit", min=0, rich_help_panel=_TEST, help="Most positions of a game for NashConv."
    ),
    processes: int | None = typer.Option(
        None, "-j", min=1, rich_help_panel=PLACE, help="Processes (one for each core)."
    ),
    executor: str | None = typer.Option(
        None,
        "--executor",
        metavar="ADDRESS",
        rich_help_panel=PLACE,
        help="dask://HOST:PORT: the games on a Dask cluster.",
    ),
) -> None:
    """Fit an evaluator to a game by games of its own search, and test it by games.

    A generation is kept where a sequential test accepts it, or where it is nearer to equilibrium, if that can be computed. What is kept
    so far is in the output at any time, and used as
    'saddle(evaluator=fitted("mygame.weights"))'. Ctrl-C ends it; --resume goes on.

    Example: saddlepoint fit ./mygame.py:MyGame -o mygame.weights --minutes 30
    """
    from ..evaluators.network.file import UNITS
    from ..games.catalogue.make import make_player
    from ..games.catalogue.measured import choice_among, quick_evaluator
    from ..games.catalogue.players import unfitted_best
    from ..games.catalogue.quick_fit import searches_with
    from ..learning.fit import Fit, FitSettings
    from ..learning.games import openings_of
    from ..learning.models import first_evaluator, model_of, player_spec, search_of
    from ..learning.players import GateSettings
    from ..system.cluster import cluster_address, usable_cores

    began = monotonic()
    if units not in UNITS:
        raise ValueError(f"--units takes one of {', '.join(map(str, UNITS))}, not {units}")
    if hours is not None and minutes is not None:
        raise ValueError("--hours and --minutes are the same limit: give one of them")
    hours = hours if minutes is None else minutes / 60
    lasting = 1.0 if hours is None and generations is None else hours
    check_regular_output(output)
    check_plot(plot)
    if executor is not None:
        cluster_address(executor)
    rules = read_game(game)
    wanted = search or ("pvs" if rules.turn_based else "saddle")
    gate = GateSettings(None if gate_nodes else time, gate_nodes, games)
    own = None if evaluator == "fitted" else evaluator
    model = model_of(own)
    start = start or model.start or (quick_evaluator(rules) if executor is None else None)
    settings = FitSettings(
        wanted,
        first_evaluator(rules, start),
        own,
        seed,
        lasting,
        generations,
        positions=positions,
        nodes=nodes,
        openings=None if openings is None else openings_of(rules, openings, seed),
        random_share=random_share,
        trace=trace,
        units=units,
        gate=gate,
        exploit_positions=exploit,
    )
    spec = player_spec(rules, wanted, model.spec(output))
    search_of(wanted, settings.start)
    # May measure for a minute: what is wrong with the command has been told.
    rival = unfitted_best(rules) if against == "best" else against
    left = None if lasting is None else max(lasting - (monotonic() - began) / 3600, 0.0)
    testing = None if left is None or rival == "none" else _LAST_TEST * left
    settings = replace(settings, hours=left if left is None or testing is None else left - testing)
    for player in (player_spec(rules, wanted, None), rival):
        if player != "none":
            make_player(player, rules).close()  # raises SpecError, in one sentence, for one that there is not
    count = processes or usable_cores()
    with Progress(None) as bar:

        def show(step: "Step") -> None:
            parts = (f"generation {step.generation}" if step.generation else "", step.what, step.standing)
            bar.update(step.done, ", ".join(filter(None, parts)), total=step.total or None)

        def draw() -> None:
            if plot is not None and made.generations:
                from ..interop.plots import plot_fit, svg_of

                title = f"A fit of {rules!r}"
                write_lines(plot, [svg_of(plot_fit(made.generations, title), title)])

        def tell(found: "Generation") -> None:
            bar.line(_in_words(found))
            draw()

        made = Fit(
            rules,
            settings,
            output,
            count,
            show,
            tell,
            None if executor is None else partial(_on_cluster, executor, rules, settings, bar),
        )
        try:
            outcome = made.run(resume)
            draw()  # also of a fit that was over already
        except KeyboardInterrupt:
            fail(f"interrupted; the same command with --resume goes on, with what {made.folder.path} has")
            raise
    proof = None
    if outcome.accepted is not None and rival != "none":
        try:
            if search is None:
                strongest = choice_among(rules, searches_with(rules, model.spec(output)), gate_nodes)
                spec = player_spec(rules, strongest.spec, None)
            proof = _proof(rules, spec, rival, settings, count, testing)
        except KeyboardInterrupt:
            fail(
                f"interrupted in the last test; {output} is whole, and the same command with --resume plays the test again"
            )
            raise
    if as_json:
        print_json(
            {
                "game": repr(rules),
                "output": str(output) if outcome.accepted else None,
                "reason": outcome.reason,
                "generations": outcome.generations,
                "accepted": outcome.accepted,
                "proof": None if proof is None else {"against": rival, **proof.to_json()},
            }
        )
        return
    _tell(outcome, output, spec, without_folders(rival), proof)


def _on_cluster(executor: str, game: "Game", settings: "FitSettings", bar: Progress) -> "GamePlayers":
    from ..learning.models import evaluator_spec, player_spec
    from ..learning.players import ClusterPlayers

    first = None if settings.start is None else evaluator_spec(settings.start)
    named = [first] if settings.evaluator is None else [first, evaluator_spec(settings.evaluator)]
    return ClusterPlayers(
        executor, bar.line, game, tuple(player_spec(game, settings.search, one) for one in named)
    )


def _proof(
    game: "Game", spec: str, against: str, settings: "FitSettings", processes: int, hours: float | None
) -> "Comparison":
    """The comparison with the player `against`, in that time where there is a limit."""
    from ..arena.workers import LocalWorkers
    from ..learning.players import compare

    with LocalWorkers(processes) as workers, Progress(settings.gate.games) as bar:

        def tell(done: int, standing: str) -> None:
            bar.update(done, f"{standing}, against {against}")

        until = math.inf if hours is None else monotonic() + hours * 3600
        return compare(game, spec, against, settings.gate, workers, settings.seed, tell, until)


def _in_words(found: "Generation") -> str:
    gate = found.gate
    distance = "" if found.nash_conv is None else f", NashConv {found.nash_conv:.4g}"
    if found.nash_conv_before is not None:
        distance += f" (before: {found.nash_conv_before:.4g})"
    kept = "kept" if gate.is_better else "kept, nearer to equilibrium" if found.is_nearer else "not kept"
    return (
        f"generation {found.number}: {count_of(found.positions, 'position')}, cross entropy {found.entropy:.4f} "
        f"({found.held_out:.4f} kept apart){distance}, gate +{gate.wins} ={gate.draws} -{gate.losses}: {kept}"
    )


def curves(generations: list[dict[str, Any]]) -> Iterator[str]:
    """A line for each figure of a fit: the first number, a bar for each generation, the last number."""
    for name, key in (
        ("cross entropy kept apart", "held_out"),
        ("score in its test", "score"),
        ("NashConv", "nash_conv"),
    ):
        values = [one[key] for one in generations if one[key] is not None]
        if len(values) > 1:
            yield f"  {name:24}  {values[0]:.4g} {sparkline(values)} {values[-1]:.4g}"


def _tell(outcome: "FitOutcome", output: Path, spec: str, against: str, proof: "Comparison | None") -> None:
    print(f"ended: {outcome.reason}")
    for line in curves(outcome.generations):
        print(line)
    if outcome.accepted is None:
        print_wrapped(
            "no generation was kept, and nothing is written: docs/fitting.md says what to do when a game does not learn"
        )
        return
    print(f"generation {outcome.accepted} is in {output}; to play with it:")
    print(f"  {shlex.quote(spec)}")
    if proof is not None:
        says = {
            "H1": "it is better: accepted",
            "H0": "it is not better",
            "ahead": "it is better with 95 % (the time is over)",
            "continue": "not decided",
        }[proof.verdict]
        print(
            f"against {against}: {proof.wins} won, {proof.draws} drawn, {proof.losses} lost, {100 * proof.score:.1f} %; SPRT: {says} "
            f"(LLR {proof.ratio:.2f})"
        )
