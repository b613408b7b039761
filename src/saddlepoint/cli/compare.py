"""`compare`: all searches on one position, in one table, and how double oracle grows its matrix."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from ..games.catalogue.games import default_game
from ..system.terminal import Progress, print, print_json, print_table, print_wrapped
from ..system.text import Column
from .analyze import USUAL_SECONDS, read_asked_position, result_as_json, shares, signed
from .arena_options import grouped
from .common import GAME_HELP, POSITION_HELP, Aliases, read_limits

if TYPE_CHECKING:
    from ..algorithms import SearchResult
    from ..algorithms.analysis.fair import Comparison
    from ..algorithms.simultaneous.double_oracle import OracleTrace
    from ..game.base import Game


_SHARES, _STEPS = 3, 4
"""Actions of a strategy, and steps of a line, that the table shows."""


@grouped
def compare(
    file: str = typer.Argument(
        "moves:",
        metavar="[POSITION]",
        help=f"{POSITION_HELP[0].upper()}{POSITION_HELP[1:]}; without it the game's start.",
    ),
    algorithm: list[str] | None = typer.Option(
        None, help="A search: smab(table=false); may be repeated. Without it: all searches."
    ),
    game: str = typer.Option(default_game(), metavar="GAME", help=GAME_HELP),
    size: str | None = typer.Option(
        None, metavar="WxH", help="The size of the board, if the position does not say it: 16x16."
    ),
    seconds: float | None = typer.Option(
        None, "--time", metavar="SECONDS", help="For each search (1, if nothing else is limited)."
    ),
    depth: int | None = typer.Option(None, min=1, help="Depth limit, in plies."),
    nodes: int | None = typer.Option(None, min=1, help="Node limit of each search."),
    trace: bool = typer.Option(False, "--trace", help="Show how double oracle solves the position's matrix."),
    *,
    aliases: Aliases,
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Compare searches on one position: value, proof, strategies, nodes, time.

    All searches that are made for the game are asked one after the other, with the evaluator of `analyze`. Ctrl-C ends the search that
    runs; those that were finished are shown.

    Example: saddlepoint compare --game ./mygame.py:MyGame --trace

    Example: saddlepoint compare 'moves: up/left' --algorithm smab --depth 3
    """
    from ..algorithms import DoubleOracle, Limits
    from ..algorithms.analysis.fair import Comparison, all_searches
    from ..algorithms.simultaneous.double_oracle import check_stage
    from ..games.catalogue.make import search_of, stage_search_of

    limits = read_limits(nodes, depth, seconds) or Limits(seconds=USUAL_SECONDS)
    rules, state, board = read_asked_position(file, game, size)
    evaluator = stage_search_of(rules).algorithm.evaluator
    chosen, refused = all_searches(rules, evaluator)
    if algorithm:
        chosen, refused = [(text, search_of(rules, aliases.spec(text)).algorithm) for text in algorithm], {}
    if trace:
        check_stage(rules, state)
    if not as_json:
        print(f"{board}\n")
        for name, why in refused.items():
            print_wrapped(f"left out: {name}: {why}")
    tracer = (
        next((one for _, one in chosen if type(one) is DoubleOracle), DoubleOracle(evaluator))
        if trace
        else None
    )
    compared = Comparison(rules, state, chosen, tracer)
    with Progress(len(chosen)) as bar:
        compared.run(limits, bar.update)
    if as_json:
        print_json(_as_json(compared, refused))
    else:
        _print_results(compared)
        if unfinished := [label for label, _ in chosen[len(compared.results) :]]:
            print_wrapped(f"not finished: {', '.join(unfinished)}")
        if compared.trace is not None:
            _print_trace(rules, state, compared.trace)
    if compared.interrupted:
        raise KeyboardInterrupt


def _as_json(compared: "Comparison", refused: dict[str, str]) -> dict[str, Any]:
    from ..games.catalogue.make import described

    game, state = compared.game, compared.state
    return {
        "position": game.to_text(state),
        "interrupted": compared.interrupted,
        "agree": compared.agree,
        "searches": [
            {"search": label, "algorithm": described(game, algorithm), "stages": found.statistics.stages}
            | result_as_json(compared.form(algorithm), state, found)
            for (label, algorithm), found in zip(compared.searches, compared.results, strict=False)
        ],
        "refused": [{"search": name, "reason": why} for name, why in refused.items()],
        **({} if compared.trace is None else {"trace": _trace_as_json(game, state, compared.trace)}),
    }


def _print_results(compared: "Comparison") -> None:
    columns = (
        Column("search", text=True),
        Column("depth"),
        Column("nodes"),
        Column("stages", weight=3),
        Column("seconds", weight=5),
        Column("value"),
        Column("proven", text=True),
        Column("player 0", weight=4, text=True),
        Column("player 1", weight=4, text=True),
        Column("principal variation", weight=2, text=True),
    )
    game, state = compared.game, compared.state
    rows = [
        [
            label,
            found.depth,
            f"{found.statistics.nodes:,}",
            f"{found.statistics.stages:,}",
            f"{found.seconds:.3f}",
            signed(found.value),
            _proven(found),
            *(_first(shares(game, state, p, found.strategies[p], 0), _SHARES, ", ") for p in (0, 1)),
            _first(found.principal_variation.in_words(compared.form(algorithm), state), _STEPS, " | "),
        ]
        for (label, algorithm), found in zip(compared.searches, compared.results, strict=False)
    ]
    print_table(columns, rows)
    exact = sum(found.exact for found in compared.results)
    if compared.agree is not None:
        agree = "are the same" if compared.agree else "DIFFER, which is a fault of this program"
        print(f"\n{exact} of {len(compared.results)} values are exact; they {agree}")


def _first(texts: list[str], most: int, between: str) -> str:
    return between.join([*texts[:most], *(["..."] if len(texts) > most else [])]) or "-"


def _proven(result: "SearchResult") -> str:
    low, high = result.bounds
    return "exact" if result.exact else f"{signed(low)} to {signed(high)}"


def _trace_as_json(game: "Game", state: Any, traced: "OracleTrace") -> dict[str, Any]:
    names = [
        {action: game.action_to_string(state, player, action) for action in traced.actions[player]}
        for player in (0, 1)
    ]
    steps = [
        asdict(step)
        | {
            "actions": [[names[player][action] for action in step.actions[player]] for player in (0, 1)],
            "strategies": [
                {names[player][action]: share for action, share in step.strategies[player].items()}
                for player in (0, 1)
            ],
            "responses": [
                None if action is None else names[player][action]
                for player, action in enumerate(step.responses)
            ],
        }
        for step in traced.steps
    ]
    return {"actions": [list(names[player].values()) for player in (0, 1)], "steps": steps}


def _print_trace(game: "Game", state: Any, traced: "OracleTrace") -> None:
    """A small table a step: the restricted game with both mixtures at its edges, and what joins it."""
    sizes = [len(actions) for actions in traced.actions]
    print(
        f"\ndouble oracle, step by step: {sizes[0]} x {sizes[1]} joint actions; what they are worth to player 0 (left), who plays what"
    )
    for number, step in enumerate(traced.steps, 1):
        rows, columns = step.actions
        x, y = step.strategies
        print(f"\nstep {number}: {len(rows)} x {len(columns)}, worth {signed(step.value)}")
        titles = [
            Column("", text=True),
            *(Column(game.action_to_string(state, 1, action)) for action in columns),
            Column("plays"),
        ]
        table = [
            [game.action_to_string(state, 0, action), *map(signed, values), f"{100 * x[action]:.1f} %"]
            for action, values in zip(rows, step.matrix, strict=True)
        ]
        print_table(titles, [*table, ["plays", *(f"{100 * y[action]:.1f} %" for action in columns), ""]])
        low, high = step.bounds
        added = [
            f"player {player}'s best response is {game.action_to_string(state, player, action)}, which gets {signed(worth)}"
            for player, (action, worth) in enumerate(zip(step.responses, (high, low), strict=True))
            if action is not None
        ]
        print_wrapped("; ".join(added) or f"no action gains any more: the value is {signed(step.value)}")
        if added:
            print_wrapped(f"the value is between {signed(low)} and {signed(high)}")
    print()
    print(f"{traced.last.cells} of {sizes[0] * sizes[1]} joint actions were searched")
