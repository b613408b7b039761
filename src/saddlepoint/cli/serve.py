"""`serve`: the page in the browser."""

from pathlib import Path

import typer

from ..game.spec import COMMAND, SpecError, name_of, parse_spec, suggestion
from ..games.catalogue.games import GAMES, find_game
from ..system.terminal import print
from .common import PAGE_PACKAGES, check_packages, read_game

_NETWORK = "Network"


def serve(
    files: list[str] = typer.Argument(
        None, metavar="[FILES]...", help="Replays to look at, and games of your own, ./mygame.py:MyGame."
    ),
    game: list[str] = typer.Option(
        [], "--game", metavar="GAME", help="Your own game, ./mygame.py:MyGame; that file is run."
    ),
    ledger: list[str] = typer.Option(
        [], "--ledger", metavar="FILE", help="A ledger to look at, also while it is written."
    ),
    player: list[str] = typer.Option([], "--player", help="A further opponent: ./mybot.py or cmd:COMMAND."),
    weights: list[str] = typer.Option(
        [],
        "--weights",
        metavar="FILE",
        help="Weights that `saddlepoint fit` wrote: a level of their game, and an evaluator.",
    ),
    fit: list[str] = typer.Option(
        [], "--fit", metavar="FILE", help="The file that a running `saddlepoint fit` writes: its figures."
    ),
    host: str = typer.Option(
        "127.0.0.1",
        "--host",
        rich_help_panel=_NETWORK,
        help="Where to listen; with a token, if others reach it.",
    ),
    port: int | None = typer.Option(
        None, "--port", min=0, max=65535, rich_help_panel=_NETWORK, help="8000, or the next free one; 0: any."
    ),
    origin: list[str] = typer.Option(
        [],
        "--origin",
        metavar="ADDRESS",
        rich_help_panel=_NETWORK,
        help="Of a proxy before this server: https://games.example.org/path.",
    ),
    no_browser: bool = typer.Option(False, "--no-browser", help="Do not open the page."),
) -> None:
    """Open a page in the browser to play, watch and analyse games.

    It stays on this machine; Ctrl-C ends it. Every option but --host, --port and --no-browser may be repeated.

    Example: saddlepoint serve

    Example: saddlepoint serve game.jsonl
    """
    check_packages("the page", "web", *PAGE_PACKAGES)
    from ..game.own_games import split_file
    from ..web.app import serve as serve_page
    from ..web.limits import Served
    from ..web.security import read_origin

    origins = [read_origin(text) for text in origin]
    # A game in a file whose class is left out is one too: `read_game` has the sentence for it.
    own = [text for text in files or () if split_file(text) is not None or text.endswith(".py")]
    replays = [text for text in files or () if text not in own]
    for path in (*replays, *ledger):
        if not Path(path).is_file():
            is_game = find_game(path.partition("(")[0]) is not None
            hint = (
                "; every game of the library is in the page's list: `saddlepoint serve` alone"
                if is_game
                else ""
            )
            raise ValueError(f"there is no file {path!r}{hint}")
    for text in player:
        _check_player(text)
    games = {":".join(split_file(text) or (text,)): read_game(text) for text in (*own, *game)}
    if weights:
        _check_weights(weights, [name_of(one) for one in games.values()])

    def tell(address: str) -> None:
        print(f"{address}\nCtrl-C ends the server", flush=True)

    given = Served(games, tuple(player), tuple(weights), tuple(replays), tuple(ledger), tuple(fit))
    serve_page(given, host, port, not no_browser, tell, origins)


def _check_weights(files: list[str], own: list[str]) -> None:
    """Raise WeightsFileError for what holds no weights, or those of a game that the page will not have."""
    from ..evaluators.network.file import WeightsFileError, load_weights
    from ..web.own_weights import OwnWeights

    for file in files:
        game = load_weights(file).game["name"]
        if game not in GAMES and game not in own:
            raise WeightsFileError(
                f"{file!r} is fitted to {game}, which the page does not have: give --game ./FILE.py:CLASS too"
            )
    OwnWeights(files)


def _check_player(text: str) -> None:
    """Raise SpecError for a player that there is not; whether it plays a game is told when it is to play it."""
    from ..games.catalogue.players import entries_of, roster

    spec = parse_spec(text)
    if spec.name == COMMAND or entries_of(spec.name):
        return
    from ..algorithms import ALGORITHMS

    if spec.name not in ALGORITHMS:
        known = [*dict.fromkeys(entry.name for entry in roster()), *ALGORITHMS]
        raise SpecError(f"no player is called {spec.name!r}{suggestion(spec.name, known)}")
