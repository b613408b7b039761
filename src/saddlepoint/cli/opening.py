"""Whether `play` and `show` open a screen of their own, or print plain text."""

import os
import sys
from functools import cache
from typing import Annotated

import typer

from .._extras import how_to_install
from ..console.terminal import print_error

Plain = Annotated[bool, typer.Option("--plain", help="Plain text, no screen of its own.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]


def has_screen(plain: bool) -> bool:
    """Whether a screen can be opened: all three streams are one that a person sees and types at, and textual is installed.

    Where only textual is missing, a line says so.
    """
    if plain or os.environ.get("TERM", "") == "dumb" or not all(_is_terminal(one) for one in (sys.stdin, sys.stdout, sys.stderr)):
        return False
    if _has_textual():
        return True
    _say_what_is_missing()
    return False


def only_ascii(wanted: bool) -> bool:
    """Whether the screen shall draw with ASCII alone: it is asked for, or the terminal's encoding has no more."""
    return wanted or "utf" not in (getattr(sys.stdout, "encoding", "") or "").lower()


def _is_terminal(stream: object) -> bool:
    try:
        return stream is not None and stream.isatty()  # type: ignore[attr-defined]
    except ValueError:  # it is closed
        return False


def _has_textual() -> bool:
    from importlib.util import find_spec

    return find_spec("textual") is not None


@cache
def _say_what_is_missing() -> None:
    print_error(f"saddlepoint: {how_to_install('terminal')} for a screen with arrow keys and analysis; --plain: not this line")
