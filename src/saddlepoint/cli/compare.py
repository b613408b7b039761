"""`compare`: all searches on one position, in one table, and how double oracle grows its matrix."""

import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from ..console.tables import Column
from ..console.terminal import Progress, print, print_json, print_records, print_table, print_wrapped
from ..roster.games import default_game
from .aliases import Alias, Aliases, read_aliases
from .analyze import USUAL_SECONDS, read_asked_position, result_as_json, shares, variation_in_words
from .best_reading import signed
from .common import GAME_HELP, POSITION_HELP, read_limits

if TYPE_CHECKING:
    from ..algorithms import Algorithm, Limits, SearchResult
    from ..algorithms.simultaneous.oracle_trace import OracleTrace
    from ..compiled import Component
    from ..game import Game

_AGREE = 1e-9
"""Values of exact searches that are no further apart are the same."""
_SHARES, _STEPS = 3, 4
"""Actions of a strategy, and steps of a line, that the table shows."""
_NODES_TO_WARM = 1_000
_LOOKS = 0.1
"""Seconds between two looks at a running search."""


class _Compared(NamedTuple):
    """A search that was asked for, and what the table calls it."""

    label: str
    algorithm: "Algorithm"


def compare(
    file: str = typer.Argument(
        "moves:", metavar="[POSITION]", help=f"{POSITION_HELP[0].upper()}{POSITION_HELP[1:]}; without it the game's start."
    ),
    algorithm: list[str] | None = typer.Option(
        None, help="A search: smab(table=false); may be repeated. Without it: all searches."
    ),
    game: str = typer.Option(default_game(), metavar="GAME", help=GAME_HELP),
    size: str | None = typer.Option(None, metavar="WxH", help="The size of the board, if the position does not say it: 16x16."),
    seconds: float | None = typer.Option(None, "--time", metavar="SECONDS", help="For each search (1, if nothing else is limited)."),
    depth: int | None = typer.Option(None, min=1, help="Depth limit, in plies."),
    nodes: int | None = typer.Option(None, min=1, help="Node limit of each search."),
    trace: bool = typer.Option(False, "--trace", help="Show how double oracle solves the position's matrix."),
    alias: Alias = None,
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Compare searches on one position: value, proof, strategies, nodes, time.

    All searches that are made for the game are asked one after the other, with the evaluator of `analyze`. Ctrl-C ends the search that
    runs; those that were finished are shown.

    Example: saddlepoint compare --game ./mygame.py:MyGame --trace

    Example: saddlepoint compare 'moves: up/left' --algorithm smab --depth 3
    """
    from ..algorithms import Limits
    from ..algorithms.simultaneous.oracle_trace import check_stage
    from ..roster.analysing import described

    if depth is None and nodes is None and seconds is None:
        seconds = USUAL_SECONDS
    limits = read_limits(nodes, depth, seconds) or Limits()
    aliases = read_aliases(alias or ())
    rules, state, board = read_asked_position(file, game, size)
    if algorithm:
        chosen, refused = [_given(rules, text, aliases) for text in algorithm], {}
    else:
        chosen, refused = _all_searches(rules)
    if trace:
        check_stage(rules, state)
    if not as_json:
        print(f"{board}\n")
        for name, why in refused.items():
            print_wrapped(f"left out: {name}: {why}")
    _compile(rules, state, chosen, trace)
    found: dict[str, SearchResult] = {}
    traced: OracleTrace | None = None
    interrupted = False
    with Progress(len(chosen)) as bar:
        try:
            for done, one in enumerate(chosen):
                found[one.label] = _searched(rules, state, one, limits, lambda told, done=done: bar.update(done, told))
            if trace:
                traced = _traced(rules, state, chosen, found, limits, lambda told: bar.update(len(chosen), told))
        except KeyboardInterrupt:
            interrupted = True
    finished = [one for one in chosen if one.label in found]
    if as_json:
        print_json({
            "position": rules.to_text(state), "interrupted": interrupted, "agree": _agree([*found.values()]),
            "searches": [
                {"search": one.label, "algorithm": described(rules, one.algorithm), "stages": found[one.label].statistics.stages}
                | result_as_json(_form(rules, one.algorithm, state), state, found[one.label])
                for one in finished
            ],
            "refused": [{"search": name, "reason": why} for name, why in refused.items()],
            **({} if traced is None else {"trace": _trace_as_json(rules, state, traced)}),
        })  # fmt: skip
    else:
        _print_results(rules, state, finished, found)
        if interrupted and len(finished) < len(chosen):
            print_wrapped(f"not finished: {', '.join(one.label for one in chosen if one not in finished)}")
        if traced is not None:
            _print_trace(rules, state, traced)
    if interrupted:
        raise KeyboardInterrupt


def _given(game: "Game", text: str, aliases: Aliases) -> _Compared:
    """A search by its spec; raises SpecError in one sentence where there is none, or it is not made for the game."""
    from ..roster.analysing import search_of

    return _Compared(text, search_of(game, aliases.spec(text)).algorithm)


def _all_searches(game: "Game") -> tuple[list[_Compared], dict[str, str]]:
    """Every search of the catalogue that takes the game, and why the others do not; who commits first is a search of its own."""
    from ..algorithms import ALGORITHMS, SerialisedAlphaBeta
    from ..algorithms.algorithm import UnsupportedGameError
    from ..roster.analysing import stage_search_of

    evaluator = stage_search_of(game).algorithm.evaluator
    chosen: list[_Compared] = []
    refused: dict[str, str] = {}
    for name, kind in ALGORITHMS.items():
        made = kind(_asked_by(kind, evaluator))
        try:
            made.check(game)
        except UnsupportedGameError as error:
            refused[name] = str(error)
            continue
        if isinstance(made, SerialisedAlphaBeta) and not game.turn_based:
            chosen += [_Compared(f"{name}(first={first})", replace(made, first=first)) for first in (0, 1)]
        else:
            chosen.append(_Compared(name, made))
    return chosen, refused


def _asked_by(kind: type["Algorithm"], evaluator: "Component | None") -> "Component | None":
    """The evaluator for searches of a kind: none for those that play to the end instead of asking one."""
    return None if getattr(kind, "playouts", False) is True else evaluator


def _form(game: "Game", algorithm: "Algorithm", state: Any) -> "Game":
    from ..algorithms.analysis import searched_form

    return searched_form(game, algorithm, state)


def _oracle(chosen: list[_Compared], game: "Game") -> Any:
    """The double oracle that is traced: the one in the table, else one with the evaluator of the others."""
    from ..algorithms import DoubleOracle
    from ..roster.analysing import stage_search_of

    compared = next((one.algorithm for one in chosen if type(one.algorithm) is DoubleOracle), None)
    return compared or DoubleOracle(stage_search_of(game).algorithm.evaluator)


def _compile(game: "Game", state: Any, chosen: list[_Compared], trace: bool) -> None:
    """What has to be compiled is compiled before any clock runs."""
    from ..algorithms import Limits, search  # type: ignore[attr-defined]
    from ..matrix import solve_matrix

    for algorithm in dict.fromkeys([one.algorithm for one in chosen] + ([_oracle(chosen, game)] if trace else [])):
        search(_form(game, algorithm, state), state, algorithm, Limits(depth=1, nodes=_NODES_TO_WARM), variation=False)
    if trace:
        solve_matrix([[0.0, 1.0, 2.0]])


def _searched(game: "Game", state: Any, one: _Compared, limits: "Limits", tell: Callable[[str], None]) -> "SearchResult":
    """Run one search; `tell` is told how far it is."""
    from ..algorithms import Searcher, StopToken

    searcher, stop = Searcher(_form(game, one.algorithm, state), one.algorithm), StopToken()

    def standing() -> None:
        tell(f"{one.label}: depth {searcher.depth_under_way}, {searcher.counters().nodes:,} nodes")

    return _watched(lambda: searcher.search(state, limits, stop=stop), stop, standing)


def _traced(
    game: "Game", state: Any, chosen: list[_Compared], found: dict[str, "SearchResult"], limits: "Limits", tell: Callable[[str], None]
) -> "OracleTrace":  # fmt: skip
    """The trace, as deep as double oracle came in the table; where it is not there it is asked first."""
    from ..algorithms import StopToken
    from ..algorithms.simultaneous.oracle_trace import trace_double_oracle

    oracle = _oracle(chosen, game)
    label = next((one.label for one in chosen if one.algorithm is oracle), None)
    result = _searched(game, state, _Compared("do", oracle), limits, tell) if label is None else found[label]
    stop = StopToken()
    form, depth = _form(game, oracle, state), max(result.depth, 1)
    return _watched(lambda: trace_double_oracle(form, state, oracle, depth, stop=stop), stop, lambda: tell("double oracle, step by step"))


def _watched(work: Callable[[], Any], stop: Any, look: Callable[[], None]) -> Any:
    """What `work` returns, done in a thread of its own, so that Ctrl-C is heard meanwhile and progress is shown."""
    done: list[Any] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # it is raised below, in the thread that waits
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_LOOKS)
            look()
    except KeyboardInterrupt:
        stop.stop()
        thread.join()
        raise
    if failed:
        raise failed[0]
    return done[0]


def _agree(results: list["SearchResult"]) -> bool | None:
    """Whether all exact values are the same; None where there are not two."""
    values = [result.value for result in results if result.exact]
    return None if len(values) < 2 else max(values) - min(values) <= _AGREE


def _print_results(game: "Game", state: Any, chosen: list[_Compared], found: dict[str, "SearchResult"]) -> None:
    columns = (
        Column("search", text=True), Column("depth"), Column("nodes"), Column("stages", weight=3), Column("seconds", weight=5),
        Column("value"), Column("proven", text=True), Column("player 0", weight=4, text=True), Column("player 1", weight=4, text=True),
        Column("principal variation", weight=2, text=True),
    )  # fmt: skip
    rows: list[dict[str, object]] = []
    for label, algorithm in chosen:
        result = found[label]
        line = variation_in_words(_form(game, algorithm, state), state, result.principal_variation)
        rows.append({
            "search": label, "depth": result.depth, "nodes": f"{result.statistics.nodes:,}", "stages": f"{result.statistics.stages:,}",
            "seconds": f"{result.seconds:.3f}", "value": signed(result.value), "proven": _proven(result),
            "player 0": _strategy(game, state, 0, result), "player 1": _strategy(game, state, 1, result),
            "principal variation": " | ".join([*line[:_STEPS], *(["..."] if len(line) > _STEPS else [])]) or "-",
        })  # fmt: skip
    print_records(columns, rows)
    exact, agree = sum(result.exact for result in found.values()), _agree([*found.values()])
    if agree is not None:
        print()
        print(f"{exact} of {len(found)} values are exact; they {'are the same' if agree else 'DIFFER, which is a fault of this program'}")


def _proven(result: "SearchResult") -> str:
    low, high = result.bounds
    return "exact" if result.exact else f"{signed(low)} to {signed(high)}"


def _strategy(game: "Game", state: Any, player: int, result: "SearchResult") -> str:
    played = shares(game, state, player, result.strategies[player], 0)
    return ", ".join([*played[:_SHARES], *(["..."] if len(played) > _SHARES else [])]) or "-"


def _trace_as_json(game: "Game", state: Any, traced: "OracleTrace") -> dict[str, Any]:
    names = [{action: game.action_to_string(state, player, action) for action in traced.actions[player]} for player in (0, 1)]

    def step_as_json(step: dict[str, Any]) -> dict[str, Any]:
        step["actions"] = [[names[player][action] for action in step["actions"][player]] for player in (0, 1)]
        step["strategies"] = [{names[player][action]: share for action, share in step["strategies"][player].items()} for player in (0, 1)]
        step["responses"] = [None if action is None else names[player][action] for player, action in enumerate(step["responses"])]
        return step

    data = asdict(traced)
    return {"actions": [list(names[player].values()) for player in (0, 1)], "steps": [step_as_json(step) for step in data["steps"]]}


def _print_trace(game: "Game", state: Any, traced: "OracleTrace") -> None:
    """A small table a step: the restricted game with both mixtures at its edges, and what joins it."""
    sizes = [len(actions) for actions in traced.actions]
    print(f"\ndouble oracle, step by step: {sizes[0]} x {sizes[1]} joint actions; what they are worth to player 0 (left), who plays what")
    for number, step in enumerate(traced.steps, 1):
        rows, columns = step.actions
        x, y = step.strategies
        print(f"\nstep {number}: {len(rows)} x {len(columns)}, worth {signed(step.value)}")
        titles = [Column("", text=True), *(Column(game.action_to_string(state, 1, action)) for action in columns), Column("plays")]
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
