"""`solve tron`: the exact value of a start, of every start, or of a position, without its strategies."""

import time
from collections import Counter
from fractions import Fraction
from typing import Any

import typer

from ...system.terminal import Status, fail, print, print_json
from .. import interface


def tron(
    width: int = typer.Option(9, help="Cells across, 1 to 32."),
    height: int = typer.Option(9, help="Cells down, 1 to 32."),
    heads: str | None = typer.Option(None, help="Where the players start: '0,0 8,8'; else opposite corners."),
    position: str | None = typer.Option(
        None,
        help="In their place: a file with rows of '.', 'x', '0' and '1', - for stdin, or the moves on an open board: "
        "'moves: right/left'.",
    ),
    every_start: bool = typer.Option(
        False, "--every-start", help="All pairs of cells to start from: how many are won."
    ),
    symmetry: bool = typer.Option(
        True, help="Where symmetry exchanges the riders, the value is 0 without a search."
    ),
    seconds: float | None = typer.Option(None, "--time", metavar="SECONDS", help="At most."),
    memory: int = typer.Option(256, min=1, help="Megabytes for the table of positions."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Find the exact value of Tron, but not how it is played.

    Tron is also Light Riders without a limit of rounds. For player 0: 1 is a forced win, -1 a forced loss; both move at once, so it may be
    a fraction. For the strategies of smaller boards: `saddlepoint solve 'light_riders(width=6, height=6)'`.

    Example: saddlepoint solve tron --width 9 --height 9 --no-symmetry

    Example: saddlepoint solve tron --width 5 --height 5 --every-start
    """
    from .game import Tron
    from .solver import ValueSearch

    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError("--time takes seconds above 0")
    if every_start and (heads is not None or position is not None):
        raise ValueError("--every-start takes neither --heads nor --position")
    if heads is not None and position is not None:
        raise ValueError("a --position has its heads: leave --heads out")
    if heads is not None and len(heads.split()) != 2:
        raise ValueError(f"--heads takes two cells such as '0,0 8,8', not {heads!r}")
    game: Any = Tron(width, height)
    places: Any = heads and interface.read_places(heads, width, height, "--heads")
    state = game.initial_state(places)
    if position is not None:
        game, state = interface.read_fitted_position(game, position)
        if state.head0 == state.head1:
            raise ValueError("a position has both heads once, '0' and '1'")
    with Status("compiling") as status:
        try:
            search = ValueSearch(game, memory, symmetry)
            if every_start:
                result = _every_start(search, seconds, status)
            else:
                result = _one(search, state, seconds, status)
        except KeyboardInterrupt:
            fail("interrupted; the value is not known")
            raise
    if as_json:
        print_json(
            {
                "game": "tron",
                "width": game.width,
                "height": game.height,
                "by_symmetry": symmetry,
                **result,
            }
        )
    elif every_start:
        _show_starts(result)
    else:
        _show_one(result)


def _one(search: Any, state: Any, seconds: float | None, status: Status) -> dict[str, Any]:
    def on_wait(nodes: int, passed: float) -> None:
        status.update(f"{nodes:,} nodes, {passed:.0f} s")

    found = search.value(state, seconds=seconds, on_wait=on_wait)
    if found is None:
        raise ValueError(f"the value is not known after {seconds:g} s")
    return {"position": search.game.to_text(state), "fraction": str(simple(found.value)), **found._asdict()}


def _every_start(search: Any, seconds: float | None, status: Status) -> dict[str, Any]:
    from .solver import every_start

    starts = every_start(search.game)
    pairs: Counter[Fraction] = Counter()
    totals = Counter(nodes=0, positions=0, separated=0, fills=0, mixed=0)
    began = time.perf_counter()
    for done, start in enumerate(starts):

        def on_wait(nodes: int, passed: float, done: int = done) -> None:
            total = time.perf_counter() - began
            left = total / done * (len(starts) - done) if done else float("nan")
            status.update(f"{done:,} of {len(starts):,} starts, {total:.0f} s, about {left:.0f} s left")

        rest = None if seconds is None else seconds - (time.perf_counter() - began)
        found = search.value(start.state, seconds=rest, on_wait=on_wait) if rest is None or rest > 0 else None
        if found is None:
            raise ValueError(f"{done:,} of {len(starts):,} starts are known after {seconds:g} s")
        pairs[simple(found.value)] += start.pairs
        if start.exchanged:
            pairs[simple(-found.value)] += start.exchanged
        for name in totals:
            totals[name] += getattr(found, name)
    values = [
        {"value": float(value), "fraction": str(value), "starts": pairs[value]}
        for value in sorted(pairs, reverse=True)
    ]
    return {
        "starts": sum(pairs.values()),
        "classes": len(starts),
        "values": values,
        **totals,
        "seconds": time.perf_counter() - began,
    }


def simple(value: float) -> Fraction:
    return Fraction(value).limit_denominator(1000)


def _show_one(result: dict[str, Any]) -> None:
    print(result["position"], end="\n\n")
    words = {1.0: "player 0 wins by force", -1.0: "player 1 wins by force", 0.0: "a draw"}
    print(
        f"value {result['fraction']} for player 0"
        + (f": {words[result['value']]}" if result["value"] in words else "")
    )
    _show_work(result)


def _show_starts(result: dict[str, Any]) -> None:
    print(f"{result['starts']:,} pairs of cells, {result['classes']:,} without symmetries and exchange")
    for row in result["values"]:
        print(
            f"value {row['fraction']:>5} for player 0: {row['starts']:6,} ({100 * row['starts'] / result['starts']:.1f} %)"
        )
    _show_work(result)


def _show_work(row: dict[str, Any]) -> None:
    print(
        f"{row['positions']:,} positions searched, {row['separated']:,} separated ones compared, {row['fills']:,} longest paths, "
        f"{row['mixed']:,} mixed stages; {row['nodes']:,} nodes in {row['seconds']:.3g} s"
    )


SOLVER = interface.Solver(tron)
