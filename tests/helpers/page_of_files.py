"""The page without a server for tests: its files in a folder, a plain file server, and games to ask it about."""

import functools
import http.server
import random
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpers.recorded_games import random_game
from helpers.short_games import SHORT
from saddlepoint.cli.common import read_game
from saddlepoint.web.site import game_files, page_files, written

GAMES = tuple(name + parameters for name, parameters in SHORT.items())
MARGINS = "othello(size=4, utility=discs)"
OWN = f"{Path(__file__).parents[2] / 'examples' / 'undercut.py'}:Undercut"


def made_page(folder: Path, *games: str) -> Path:
    """The page of these games, written in a folder."""
    written(page_files([game_files(text, read_game(text)) for text in games], "goofspiel"), folder)
    return folder


@contextmanager
def serving(folder: Path) -> Generator[str]:
    """The address of a folder's files."""
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def random_moves(text: str, seed: int) -> list[list[int]]:
    """The moves of a game that is played at random to its end."""
    return [list(joint) for joint in random_game(read_game(text), random.Random(seed))[1]]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of requests."""
