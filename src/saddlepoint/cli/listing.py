"""`games` and `players`: what there is to play, and who plays it under a name."""

from typing import Any

import typer

from ..games.catalogue.games import GAMES, usable_games
from ..games.catalogue.players import roster
from ..system.tables import Column
from ..system.terminal import print_json, print_records
from .common import read_game


def players(
    game: str | None = typer.Option(None, metavar="GAME", help="Only those that play this game."),
    as_json: bool = typer.Option(False, "--json", help="Print them as JSON."),
) -> None:
    """List the named players.

    Other players: human, ./FILE.py, cmd:COMMAND for a program, and every search (docs/algorithms.md).

    Example: saddlepoint players --game light_riders
    """
    if game is not None and game not in GAMES:  # with parameters, as people call it, or in a file
        game = read_game(game).name
    rows: list[dict[str, Any]] = [
        {"name": e.name, "game": e.game or "any"}
        | {key: getattr(e, key) for key in ("origin", "algorithm", "evaluator", "summary")}
        for e in roster()
        if game is None or e.game in ("", game)
    ]
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
    columns = (
        Column("name", text=True),
        Column("title", wraps=True),
        Column("parameters", weight=1, wraps=True),
        Column("summary", wraps=True),
    )
    print_records(columns, rows)
