"""`bot`: our players in other people's contests and programs."""

import typer

from ..roster.protocols import protocols
from .bots import play_for_others

_SPOKEN = sorted((one for one in protocols() if one.bot or one.http), key=lambda one: not one.game)
"""The protocols that our players speak; those for one game first."""
_NAMES = ", ".join(f"{one.name} ({one.game or 'every game'})" for one in _SPOKEN)
_CONTESTS = ", ".join(f"{one.game} ({one.title})" for one in _SPOKEN if one.game)
_TCP, _HTTP = (" and ".join(one.game for one in _SPOKEN if getattr(one, side)) for side in ("serve", "http"))
_SNAKE = f"For {_HTTP}"


def bot(
    game: str = typer.Argument(..., help=f"Any game; with a contest's protocol: {_CONTESTS}."),
    player: str = typer.Option("", help="Who plays: best where the game has one, else random."),
    protocol: str = typer.Option("", help=f"{_NAMES}; the contest's own if there is one."),
    tcp: int | None = typer.Option(
        None, min=0, max=65535, metavar="PORT", rich_help_panel=f"For {_TCP}", help="Listen on this port of this machine; 0: any free port."
    ),
    port: int | None = typer.Option(
        None, min=0, max=65535, rich_help_panel=_SNAKE, help="8000, or the next free one; 0: any."
    ),
    host: str | None = typer.Option(None, rich_help_panel=_SNAKE, help="Where to listen: 127.0.0.1, or 0.0.0.0 for other machines."),
    colour: str | None = typer.Option(None, "--colour", "--color", rich_help_panel=_SNAKE, help="#3355aa."),
    head: str | None = typer.Option(None, rich_help_panel=_SNAKE, help="By its official name."),
    tail: str | None = typer.Option(None, rich_help_panel=_SNAKE, help="By its official name."),
    author: str | None = typer.Option(None, rich_help_panel=_SNAKE, help="A name on the contest's site."),
) -> None:
    """Play for another program, in the protocol of the game's contest, or by lines.

    `lines` is this library's own protocol, for every game: docs/protocol.md. Over stdin and stdout, unless a port is given. Where the
    contest's referee asks over HTTP, the player is a server.

    Example: saddlepoint bot light_riders --player best
    """
    said = {"port": port, "host": host, "colour": colour, "head": head, "tail": tail, "author": author}
    play_for_others(game, player, protocol, tcp, {name: value for name, value in said.items() if value is not None})
