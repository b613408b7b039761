"""`players`: the players that have a name."""

from typing import Any

import typer

from .common import read_game
from .tables import Column
from .terminal import print_json, print_records


def players(
    game: str | None = typer.Option(None, help="Only those that play this game."),
    as_json: bool = typer.Option(False, "--json", help="Print them as JSON."),
) -> None:
    """List the named players. Other players: human, ./FILE.py, and cmd:COMMAND for a program.

    Example: saddlepoint players --game light_riders
    """
    from ..roster.catalogue import ROSTER

    if game is not None:
        game = read_game(game).name
    rows: list[dict[str, Any]] = [
        {"name": e.name, "game": e.game or "any"} | {key: getattr(e, key) for key in ("origin", "algorithm", "evaluator", "summary")}
        for e in ROSTER
        if game is None or e.game in ("", game)
    ]
    if as_json:
        print_json(rows)
    else:
        columns = (
            Column("name", text=True), Column("game", weight=8, text=True), Column("origin", weight=1, wraps=True),
            Column("algorithm", weight=3, wraps=True), Column("evaluator", weight=2, wraps=True), Column("summary", wraps=True),
        )  # fmt: skip
        print_records(columns, rows)
