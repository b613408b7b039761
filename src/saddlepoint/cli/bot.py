"""`bot`: our players in other people's contests and programs."""

import typer

from ..roster.protocols import protocols
from .bots import play_for_others

_SPOKEN = sorted((one for one in protocols() if one.bot or one.http), key=lambda one: not one.game)
"""The protocols that our players speak; those for one game first."""
_NAMES = ", ".join(f"{one.name} ({one.game or 'every game'})" for one in _SPOKEN)
_CONTESTS = ", ".join(f"{one.game} ({one.title})" for one in _SPOKEN if one.game)
_TCP, _HTTP = (" and ".join(one.game for one in _SPOKEN if getattr(one, side)) for side in ("serve", "http"))


def bot(
    game: str = typer.Argument(..., help=f"The game. With a contest's protocol: {_CONTESTS}."),
    player: str = typer.Option("", help="Who plays: best where the game has one, else random."),
    protocol: str = typer.Option("", help=f"{_NAMES}; the contest's own if there is one."),
    tcp: int | None = typer.Option(
        None, min=0, max=65535, metavar="PORT", help=f"{_TCP}: listen on this port of the loopback interface; 0: any free port."
    ),
    port: int | None = typer.Option(
        None, min=0, max=65535, help=f"{_HTTP}: the port (8000, or the next free one); 0: any free port."
    ),
    host: str | None = typer.Option(None, help=f"{_HTTP}: where to listen; 127.0.0.1, or 0.0.0.0 for other machines too."),
    colour: str | None = typer.Option(None, "--colour", "--color", help=f"{_HTTP}: the snake's colour, such as #3355aa."),
    head: str | None = typer.Option(None, help=f"{_HTTP}: the snake's head, by its official name."),
    tail: str | None = typer.Option(None, help=f"{_HTTP}: the snake's tail, by its official name."),
    author: str | None = typer.Option(None, help=f"{_HTTP}: whose snake it is: a name on the contest's site."),
) -> None:
    """Play for another program: speaks the protocol of the game's contest, or lines.

    `lines` is this library's own protocol, for every game: docs/protocol.md. Over stdin and stdout, unless a port is given.
    Where the contest's referee asks over HTTP, the player is a server.

    Example: saddlepoint bot light_riders --player best
    """
    said = {"port": port, "host": host, "colour": colour, "head": head, "tail": tail, "author": author}
    play_for_others(game, player, protocol, tcp, {name: value for name, value in said.items() if value is not None})
