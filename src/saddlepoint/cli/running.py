"""What a command says where nobody sees a bar: on a terminal a bar or a turning mark shows that it works, elsewhere one line does."""

import os
import shlex
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from threading import Timer

from ..console.terminal import warn

PATIENCE = 0.7
"""Seconds before a command is worth a line."""


@contextmanager
def said_when_long(arguments: Sequence[str]) -> Generator[None]:
    """Say on stderr what runs, once, if it takes long and stderr is no terminal; SADDLEPOINT_QUIET=1 keeps it silent."""
    timer = Timer(PATIENCE, _say, [arguments])
    timer.daemon = True
    quiet = os.environ.get("SADDLEPOINT_QUIET", "") not in ("", "0")
    if not quiet and sys.stderr is not None and not sys.stderr.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _say(arguments: Sequence[str]) -> None:
    waiting = sys.modules.get("saddlepoint.compiled.waiting_line")  # loading it here would load Numba
    if waiting is not None and waiting.is_shown():  # it says what is compiled, or solved, in a line without an end yet
        return
    warn(f"running: {shlex.join(takewhile(lambda word: not word.startswith('-'), arguments))} ...")
