"""A `saddlepoint serve` as a process, for tests and for programs that go through the page; the page without it, from files."""

import functools
import http.server
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpers.recorded_games import random_game
from helpers.short_games import SHORT
from saddlepoint.cli.common import read_game
from saddlepoint.web.site import game_files, page_files, written


class Server:
    """A server as a process, which keeps its port when it is started again."""

    def __init__(self, *arguments: str, port: int | None = 0, **environment: str) -> None:
        """Without a port it takes the usual one, or the next that is free."""
        # As plain Python nothing is compiled, which tests would wait for; budgets are small.
        self._environment = {
            **os.environ,
            "SADDLEPOINT_QUIET": "1",
            "NUMBA_DISABLE_JIT": "1",
            **environment,
        }
        self._arguments, self.port = arguments, port
        self.start()

    def start(self) -> None:
        """Start it; returns when it listens."""
        port = () if self.port is None else ("--port", str(self.port))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "saddlepoint", "serve", "--no-browser", *port, *self._arguments],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        lines = iter(self.process.stdout.readline, "")  # type: ignore[union-attr]
        found = next(filter(None, (re.search(r"http://\S+:(\d+)/\S*", line) for line in lines)), None)
        assert found, f"the server ended: {self.process.communicate()}"
        self.address, self.port = found[0], int(found[1])

    @property
    def url(self) -> str:
        """Its address on this machine, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """End it as Ctrl-C does, or by another signal: its exit code, and what it said on stderr."""
        self.process.send_signal(how)
        try:
            _, errors = self.process.communicate(timeout=60)
        finally:
            self.process.kill()
        return self.process.returncode, errors

    def kill(self) -> None:
        """End it as a crash does."""
        self.end(signal.SIGKILL)


@contextmanager
def page_server(ledger: Path, sources: Path | None = None) -> Generator[str]:
    """The address of one that has this ledger, and is the saddlepoint of that src folder, or of this environment."""
    server = Server("--ledger", str(ledger), **{**with_sources(sources), "NUMBA_DISABLE_JIT": "0"})
    try:
        yield server.address
    finally:
        server.end()


def with_sources(sources: Path | None) -> dict[str, str]:
    """The environment in which `python -m saddlepoint` is that of a src folder."""
    return {**os.environ} | ({} if sources is None else {"PYTHONPATH": str(sources)})


# -- the page from files -------------------------------------------------------------------------------------------------

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
