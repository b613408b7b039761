"""`serve` and `export`: the page in the browser with a server, and without one; a game and a player without Python."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import typer

from ..game.spec import COMMAND, SpecError, name_of, parse_spec, suggestion
from ..games.catalogue.games import GAMES, find_game, shown_game, usable_games
from ..system.foreign import read_text
from ..system.terminal import Progress, print
from ..system.text import count_of
from .common import GAME_HELP, PAGE_PACKAGES, check_packages, read_game

_NETWORK = "Network"
_FRIENDS = "Games between people at two places"


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
    kept: Path | None = typer.Option(
        None,
        "--kept",
        metavar="FILE",
        rich_help_panel=_FRIENDS,
        help="The file that keeps these games; without it one of this port in the user's data folder.",
    ),
    people: int = typer.Option(
        200,
        "--people",
        min=2,
        max=10_000,
        rich_help_panel=_FRIENDS,
        help="People who play or look on at the same time.",
    ),
    rooms: int = typer.Option(
        1000, "--rooms", min=1, max=1_000_000, rich_help_panel=_FRIENDS, help="Games and rooms that are kept."
    ),
    hours: float = typer.Option(
        720.0,
        "--hours",
        min=0.1,
        rich_help_panel=_FRIENDS,
        help="How long a game is kept after its last move.",
    ),
) -> None:
    """Open a page in the browser to play, watch and analyse games.

    It stays on this machine; Ctrl-C ends it. Options that name games, players and files may be repeated.

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
    # It opens at what was named.
    view = f"#/?g={quote(next(iter(games)))}" if own else "#/replay?r=1" if replays else ""
    if weights:
        _check_weights(weights, [name_of(one) for one in games.values()])

    def tell(address: str) -> None:
        print(f"{address}\nCtrl-C ends the server", flush=True)

    serve_page(
        Served(
            games,
            tuple(player),
            tuple(weights),
            tuple(replays),
            tuple(ledger),
            tuple(fit),
            kept=kept,
            people=people,
            rooms=rooms,
            hours=hours,
            view=view,
        ),
        host,
        port,
        not no_browser,
        tell,
        origins,
    )


def _check_weights(files: list[str], own: list[str]) -> None:
    """Raise WeightsFileError for what holds no weights, or those of a game that the page will not have."""
    from ..evaluators.network.file import WeightsFileError, load_weights

    for file in files:
        game = load_weights(file).game["name"]
        if game not in GAMES and game not in own:
            raise WeightsFileError(
                f"{file!r} is fitted to {game}, which the page does not have: give --game ./FILE.py:CLASS too"
            )


def _check_player(text: str) -> None:
    """Raise SpecError for a player that there is not; whether it plays a game is checked when it is to play it."""
    from ..games.catalogue.players import entries_of, roster

    spec = parse_spec(text)
    if spec.name == COMMAND or entries_of(spec.name):
        return
    from ..algorithms import ALGORITHMS

    if spec.name not in ALGORITHMS:
        known = [*dict.fromkeys(entry.name for entry in roster()), *ALGORITHMS]
        raise SpecError(f"no player is called {spec.name!r}{suggestion(spec.name, known)}")


# `export`: a game and a player without Python, or the page of some games without a server.

_KINDS = {"wasm": "folder", "js": "file", "page": "folder"}


def export(
    games: list[str] = typer.Argument(
        None, metavar="GAME...", help=f"{GAME_HELP} --to page: several; without one, all.", show_default=False
    ),
    output: Path = typer.Option(..., "-o", "--output", help="The folder, or with --to js the file."),
    player: str = typer.Option("best", "--player", help="Who plays: a player that searches."),
    to: str = typer.Option(
        "wasm", "--to", help="wasm: a module; js: one file, a bot for Node; page: the page without a server."
    ),
    loop: Path | None = typer.Option(
        None, "--loop", help="With --to js: your own `play(game)` in JavaScript, for another protocol."
    ),
    single_file: bool = typer.Option(
        False, "--single-file", help="With --to page: one HTML file, which works from disk."
    ),
    solution: Path | None = typer.Option(
        None,
        "--solution",
        metavar="FILE.sol",
        help="With --to page: the game solved, for a perfect opponent.",
    ),
    solved: bool = typer.Option(False, "--solve", help="With --to page: solve the game now, for the same."),
    nodes: int | None = typer.Option(
        None, "--nodes", min=1, help="Nodes of a move's search (as the clock allows)."
    ),
    time: float | None = typer.Option(
        None, "--time", min=0.001, help="Seconds of a move (as the clock allows)."
    ),
) -> None:
    """Write a player that needs no Python, or the page without a server.

    --to js: one file without packages, for Node 18 or newer, that speaks the library's line protocol. --to page: the page of
    `saddlepoint serve` as files for any static host. The packages of the extra `export` link it. docs/exporting.md has all of it.

    Example: saddlepoint export light_riders --to js -o bot.js
    """
    from ..export.webassembly import check_linker

    if to not in _KINDS:
        raise ValueError(f"--to must be wasm, js or page, not {to!r}")
    if single_file and to != "page":
        raise ValueError("--single-file is for --to page; --to js writes one file anyway")
    if loop is not None and to != "js":
        raise ValueError("--loop is for --to js")
    if (solution is not None or solved) and (to != "page" or len(games or []) != 1):
        raise ValueError("--solution and --solve are for --to page with one game")
    if solution is not None and solved:
        raise ValueError("--solve solves the game anew: leave it, or --solution, out")
    kind = "file" if single_file else _KINDS[to]
    if output.exists() and output.is_dir() == (kind == "file"):
        raise ValueError(
            f"-o {output} is a {'folder' if kind == 'file' else 'file'}; what is asked for is a {kind}"
        )
    limits: dict[str, Any] = {
        name: value for name, value in (("nodes", nodes), ("seconds", time)) if value is not None
    }
    if to == "page":
        if limits or player != "best":
            raise ValueError(
                "--to page takes no --player, --nodes or --time: a page has the levels of its games"
            )
        check_packages("the page", "web", *PAGE_PACKAGES)
        check_linker()
        _write_page(games or [], output, single_file, solution, solved)
        return
    if len(games or []) != 1:
        raise ValueError(f"--to {to} takes one game, not {len(games or [])}")
    check_linker()
    _write_player(games[0], player, limits, output, to, _loop(loop))


def _loop(path: Path | None) -> str | None:
    """The text of a loop; raises ValueError where it cannot be one."""
    if path is None:
        return None

    text = read_text(path)
    if "function play(" not in text:
        raise ValueError(f"{path} defines no `function play(game)`, which the bot would call")
    return text


def _write_player(
    game: str, player: str, limits: dict[str, Any], output: Path, to: str, loop: str | None
) -> None:
    from ..export import process as files
    from ..export.process import exported

    made = exported(game, player, limits)
    if to == "js":
        text = files.bot_of(made, loop)
        files.write(output, text.encode())
        print(
            f"{output}: {len(text):,} characters; the module in it is {len(made.module):,} bytes before it is compressed"
        )
    else:
        for name, content in files.folder_of(made).items():
            files.write(output / name, content)
            print(f"{output / name}: {len(content):,} bytes")
    if made.about["left_out"]:
        print(made.about["left_out"])


def _write_page(games: list[str], output: Path, single: bool, solution: Path | None, solved: bool) -> None:
    from ..export.solution import solution_from, solution_of
    from ..web.site import game_files, page_files, single_file, written

    texts = games or [entry.name for entry in usable_games()]
    chosen = [(text, read_game(text)) for text in texts]
    made, proof = [], None
    if solved or solution is not None:
        (_, rules), *_ = chosen
        with Progress(None) as progress:

            def show(done: int, what: str, total: int | None) -> None:
                progress.update(done, what, total=total)

            proof = solution_of(rules, show) if solution is None else solution_from(solution, rules, show)
    with Progress(len(chosen)) as progress:
        for text, game in chosen:
            progress.update(len(made), f"compiling {text}")
            made.append(game_files(text, game, proof))
    found = page_files(made, shown_game())
    if single:
        found = {output.name: single_file(found)}
    written(found, output.parent if single else output)
    for one in made:
        print("; ".join([f"{one.name}: {sum(map(len, one.files.values())):,} bytes", *one.said]))
    if proof is not None:
        print(
            f"solved: {proof.about['positions']:,} positions in {len(proof.content):,} bytes; best responses gain "
            f"{proof.about['gap']:.2g} at most; the file's SHA-256 is {proof.about['of']}"
        )
    if single:
        print(f"{output}: {len(found[output.name]):,} bytes; a browser opens it from disk")
        return
    print(f"{output}: {count_of(len(found), 'file')}, {sum(map(len, found.values())):,} bytes")
    print(f"Any web server can serve them; here: python -m http.server --directory {output}")
