"""`players`: the players that have a name."""

import typer

from .listings import list_players


def players(
    game: str | None = typer.Option(None, metavar="GAME", help="Only those that play this game."),
    as_json: bool = typer.Option(False, "--json", help="Print them as JSON."),
) -> None:
    """List the named players.

    Other players: human, ./FILE.py, cmd:COMMAND for a program, and every search (docs/algorithms.md).

    Example: saddlepoint players --game light_riders
    """
    list_players(game, as_json)
