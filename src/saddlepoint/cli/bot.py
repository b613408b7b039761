"""`bot`: our players in other people's contests and programs."""

import typer

from .bots import SPOKEN, play_for_others

_NAMES = ", ".join(f"{one.name} ({one.game or 'every game'})" for one in SPOKEN)


def bot(
    game: str = typer.Argument(..., help="The game: light_riders, simplexity, battlesnake, or any other one of `saddlepoint games`."),
    player: str = typer.Option("", help="Who plays: best where the game has one, else random."),
    protocol: str = typer.Option("", help=f"{_NAMES}; the contest's own if there is one."),
    tcp: int | None = typer.Option(
        None, min=0, max=65535, metavar="PORT", help="Simplexity: listen on this port of the loopback interface; 0: any free port."
    ),
    port: int | None = typer.Option(
        None, min=0, max=65535, help="Battlesnake: the port (8000, or the next free one); 0: any free port."
    ),
    host: str | None = typer.Option(None, help="Battlesnake: where to listen; 127.0.0.1, or 0.0.0.0 for other machines too."),
    colour: str | None = typer.Option(None, "--colour", "--color", help="Battlesnake: the snake's colour, such as #3355aa."),
    head: str | None = typer.Option(None, help="Battlesnake: the snake's head, by its official name."),
    tail: str | None = typer.Option(None, help="Battlesnake: the snake's tail, by its official name."),
    author: str | None = typer.Option(None, help="Battlesnake: whose snake it is: a name on the contest's site."),
) -> None:
    """Play for another program: speaks riddles.io's protocol (light_riders), csl 1 of ColorShapeLinks (simplexity), or lines.

    `lines` is this library's own protocol, for every game: docs/protocol.md. Over stdin and stdout, unless a port is given.
    A snake (battlesnake) is a server that a referee asks over HTTP: docs/battlesnake.md.

    Example: saddlepoint bot light_riders --player best
    """
    said = {"port": port, "host": host, "colour": colour, "head": head, "tail": tail, "author": author}
    play_for_others(game, player, protocol, tcp, {name: value for name, value in said.items() if value is not None})
