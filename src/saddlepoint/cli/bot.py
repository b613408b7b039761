"""`bot`: our players in other people's contests and programs."""

import typer

from .bots import SPOKEN, play_for_others

_NAMES = ", ".join(f"{one.name} ({one.game or 'every game'})" for one in SPOKEN)


def bot(
    game: str = typer.Argument(..., help="The game: light_riders, simplexity, or any other one of `saddlepoint games`."),
    player: str = typer.Option("", help="Who plays: best where the game has one, else random."),
    protocol: str = typer.Option("", help=f"{_NAMES}; the contest's own if there is one."),
    tcp: int | None = typer.Option(
        None, min=0, max=65535, metavar="PORT", help="Simplexity: listen on this port of the loopback interface; 0: any free port."
    ),
) -> None:
    """Play for another program: speaks riddles.io's protocol (light_riders), csl 1 of ColorShapeLinks (simplexity), or lines.

    `lines` is this library's own protocol, for every game: docs/protocol.md. Over stdin and stdout, unless a port is given.

    Example: saddlepoint bot light_riders --player best
    """
    play_for_others(game, player, protocol, tcp)
