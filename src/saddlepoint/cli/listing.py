"""The commands `games`, `players` and `literature`: all games, named players, and published computations."""

import os
from typing import TYPE_CHECKING, Any

import typer

from ..games.catalogue.games import GAMES, usable_games
from ..games.catalogue.players import roster
from ..system.terminal import Progress, print, print_json, print_records, print_table
from ..system.text import Column
from .arena_options import AsJson
from .common import read_game

if TYPE_CHECKING:
    from ..games.literature import Measured, Row


def players(
    game: str | None = typer.Option(None, metavar="GAME", help="Only those that play this game."),
    as_json: bool = typer.Option(False, "--json", help="Print them as JSON."),
) -> None:
    """List the named players.

    Other players: human, ./FILE.py, cmd:COMMAND for a program, and every search (docs/algorithms.md).

    Example: saddlepoint players --game light_riders
    """
    measured = ""
    if game is not None and game not in GAMES:  # with parameters, as people call it, or in a file
        from ..games.catalogue.measured import kept_choice
        from ..games.catalogue.solved_games import solution_file

        played = read_game(game)
        game, choice = played.name, kept_choice(played)
        if solution_file(played).is_file():
            measured = "solved on this machine: an equilibrium of the whole game"
        elif choice is not None:
            measured = f"measured on this machine: {choice}"
    rows: list[dict[str, Any]] = [
        {"name": e.name, "game": e.game or "any"}
        | {key: getattr(e, key) for key in ("origin", "algorithm", "evaluator", "summary")}
        for e in roster()
        if game is None or e.game in ("", game)
    ]
    for row in rows:
        if row["name"] == "best" and row["game"] == "any":
            row["summary"] = measured or row["summary"]
    if as_json:
        print_json(rows)
        return
    columns = (
        Column("name", text=True),
        Column("game", weight=8, text=True),
        Column("origin", weight=1, wraps=True),
        Column("algorithm", weight=3, wraps=True),
        Column("evaluator", weight=2, wraps=True),
        Column("summary", wraps=True),
    )
    print_records(columns, rows)


# `games`: the games there are to play.


def games(as_json: bool = typer.Option(False, "--json", help="Print them as JSON.")) -> None:
    """List the games that can be played.

    Example: saddlepoint games
    """
    rows: list[dict[str, Any]] = [
        {"name": e.name, "title": e.title, "parameters": e.parameters, "summary": e.summary}
        for e in usable_games()
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        row["parameters"] = ", ".join(f"{key}={value}" for key, value in row["parameters"].items())
    print_records(
        (
            Column("name", text=True),
            Column("title", wraps=True),
            Column("parameters", weight=1, wraps=True),
            Column("summary", wraps=True),
        ),
        rows,
    )


# `literature`: the published figures of exact algorithms, and the same work done here.


def literature(
    rows: list[str] | None = typer.Argument(
        None, help="Only rows with one of these words in their names: goofspiel7, /do_alphabeta."
    ),
    everything: bool = typer.Option(
        False, "--all", help="The slow rows too: minutes here, hours as published."
    ),
    seconds: float = typer.Option(
        3600.0, "--time", min=0.001, metavar="SECONDS", help="After which a row is stopped."
    ),
    only_list: bool = typer.Option(False, "--list", help="Only print the names of the rows."),
    as_json: AsJson = False,
) -> None:
    """Redo published exact computations of simultaneous games, and compare times.

    Searches go without a table, as the published ones did; `solve` keeps every position once, and `value` finds the value alone.
    Times are CPU times of one core, without compilation. What the papers count as nodes are here stages: matrix games solved.

    Example: saddlepoint literature goofspiel5 tron6x6/solve
    """
    from ..games.literature import measure, rows_named

    chosen = rows_named(rows or [], everything or only_list)
    if only_list:
        _print_list(chosen, as_json)
        return
    made: list[Measured] = []
    before = os.getloadavg()[0]
    try:
        with Progress(len(chosen)) as progress:
            for row in chosen:
                progress.update(len(made), row.name)
                made.append(measure(row, seconds))
    finally:  # what was measured is shown when it is interrupted, too
        if as_json:
            print_json(
                {
                    "rows": [one.to_json() for one in made],
                    "load": [before, os.getloadavg()[0]],
                    "cores": os.cpu_count(),
                }
            )
        elif made:
            _print(made)
            print(
                f"CPU times of one core of {os.cpu_count()}; load {before:.1f} before, {os.getloadavg()[0]:.1f} after"
            )


def _print_list(chosen: "list[Row]", as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"name": row.name, "game": repr(row.game), "source": row.source, "slow": row.slow}
                for row in chosen
            ]
        )
        return
    print_table(
        [Column("row"), Column("game", wraps=True), Column("source"), Column("slow")],
        [[row.name, repr(row.game), row.source, "slow" if row.slow else ""] for row in chosen],
    )


def _print(made: "list[Measured]") -> None:
    from ..games.literature import COLUMNS, cells

    weights = {"source": 1, "nodes published": 2, "stages here": 3, "positions here": 4, "value": 0}
    print_table(
        [Column(name, weight=weights.get(name)) for name in COLUMNS],
        [[cells(one)[name] for name in COLUMNS] for one in made],
    )
