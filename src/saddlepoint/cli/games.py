"""`games`: the games there are to play."""

import typer

from .listings import list_games


def games(as_json: bool = typer.Option(False, "--json", help="Print them as JSON.")) -> None:
    """List the games that can be played.

    Example: saddlepoint games
    """
    list_games(as_json)
