"""`bot`: our players in other people's contests."""

import os
import sys

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(bot)


def bot(
    game: str = typer.Argument(..., help="The contest's game: light_riders or simplexity."),
    player: str = typer.Option("best", help="Who plays."),
    tcp: int | None = typer.Option(
        None, min=0, max=65535, metavar="PORT", help="Simplexity: listen there, on this machine alone; 0 is any free port."
    ),
) -> None:
    """Play in a contest: speaks riddles.io's protocol (light_riders), or csl 1 of ColorShapeLinks (simplexity).

    Over stdin and stdout, unless a port is given.

    Example: saddlepoint bot light_riders --player best
    """
    from ..players.spec import parse_spec

    if game not in ("light_riders", "simplexity"):
        raise ValueError(f"a contest's protocol is known for light_riders and simplexity, not for {game!r}")
    if tcp is not None and game != "simplexity":
        raise ValueError("--tcp is for simplexity: riddles.io's protocol goes over stdin and stdout")
    parse_spec(player)
    # The bot of Simplexity says in its own words, a line at a time, what it prepares.
    os.environ.setdefault("SADDLEPOINT_QUIET", "1" if game == "simplexity" else "0")
    if not _run(game, player, tcp):
        # A compilation under way cannot be told to stop, and the engine does not wait.
        sys.stderr.flush()
        os._exit(0)


def _run(game: str, player: str, tcp: int | None) -> bool:
    if game == "light_riders":
        from ..protocols.riders_bot import run_bot

        return run_bot(player, sys.stdin.buffer, sys.stdout)
    from ..protocols.csl_server import run_pipe, run_tcp

    return run_tcp(player, tcp) if tcp is not None else run_pipe(player, sys.stdin.buffer, sys.stdout.buffer)
