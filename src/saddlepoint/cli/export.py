"""`export`: a game and a player without Python."""

from pathlib import Path
from typing import Any

import typer

from ..console.terminal import print
from .common import GAME_HELP, read_game


def export(
    game: str = typer.Argument(..., help=GAME_HELP),
    output: Path = typer.Option(..., "-o", "--output", help="The folder, or with --to js the file."),
    player: str = typer.Option("best", "--player", help="Who plays: a player that searches."),
    to: str = typer.Option("wasm", "--to", help="wasm: a module for any host; js: one file, a bot for Node."),
    nodes: int | None = typer.Option(None, "--nodes", min=1, help="Nodes of a move's search. [as long as the clock allows]"),
    time: float | None = typer.Option(None, "--time", min=0.001, help="Seconds of a move. [as the clock allows]"),
) -> None:
    """Write a game and a player as WebAssembly, which plays without Python and without this library.

    It is compiled for a browser or Node, and linked by the packages of the extra `export`; what is written needs neither. With --to js it
    is one file without packages, for Node 18 or newer, that speaks the library's line protocol: docs/exporting.md.

    Example: saddlepoint export light_riders --to js -o bot.js
    """
    from ..algorithms.limits import Limits
    from ..export import files
    from ..export.player import planned
    from ..export.process import exported
    from ..export.webassembly import check_linker
    from ..roster.make import make_player

    if to not in ("wasm", "js"):
        raise ValueError(f"--to must be wasm or js, not {to!r}")
    if output.exists() and output.is_dir() == (to == "js"):
        raise ValueError(f"-o {output} is a {'folder' if to == 'js' else 'file'}; --to {to} writes a {'file' if to == 'js' else 'folder'}")
    check_linker()
    rules = read_game(game)
    limits: dict[str, Any] = {name: value for name, value in (("nodes", nodes), ("seconds", time)) if value is not None}
    plan = planned(rules, make_player(player, rules, Limits(**limits) if limits else None), player)
    made = exported(game, player, limits)
    if to == "js":
        text = files.bot_of(made)
        files.write(output, text.encode())
        print(f"{output}: {len(text):,} characters; the module in it is {len(made.module):,} bytes before it is compressed")
    else:
        for name, content in files.folder_of(made).items():
            files.write(output / name, content)
            print(f"{output / name}: {len(content):,} bytes")
    if plan.left_out:
        print(plan.left_out)
