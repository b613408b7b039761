"""`serve`: the page in the browser."""

from importlib.util import find_spec

import typer

from .common import read_game
from .terminal import print

_NEEDED = ("starlette", "uvicorn", "websockets")


def serve(
    files: list[str] = typer.Argument(None, metavar="[FILES]...", help="Replays to look at."),
    game: list[str] = typer.Option([], "--game", help="A game of your own, ./mygame.py:MyGame; that file is run. May be repeated."),
    ledger: list[str] = typer.Option([], "--ledger", help="A ledger to look at, also while it is written. May be repeated."),
    player: list[str] = typer.Option([], "--player", help="A further opponent, such as ./mybot.py or cmd:COMMAND. May be repeated."),
    host: str = typer.Option("127.0.0.1", "--host", help="Where to listen; other machines reach another address, with a token."),
    port: int | None = typer.Option(None, "--port", min=0, max=65535, help="The port (8000, or the next free one); 0: any."),
    no_browser: bool = typer.Option(False, "--no-browser", help="Do not open the page."),
) -> None:
    """Open a page in the browser to play, watch and analyse games. It stays on this machine; Ctrl-C ends it.

    Example: saddlepoint serve game.jsonl --ledger games.db
    """
    if any(find_spec(name) is None for name in _NEEDED):
        raise ValueError("the page needs a few packages more: pip install 'saddlepoint[web]'")
    from ..web.server import serve as serve_page
    from ..web.service import Given

    games = {text: read_game(text) for text in game}
    print("Ctrl-C ends the server")
    serve_page(
        Given(games, tuple(player), tuple(files or ()), tuple(ledger)), host, port, not no_browser, print
    )
