"""`games`: the games there are to play."""

from typing import Any

import typer

from ..games.catalogue.games import usable_games
from ..system.tables import Column
from ..system.terminal import print_json, print_records


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
