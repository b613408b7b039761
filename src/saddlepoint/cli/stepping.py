"""How `play` and `show` show a game: on a screen of their own or as plain text, position by position."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ..system.terminal import ask, both_are_terminals, how_to_install, print, print_error, print_page

if TYPE_CHECKING:
    from ..play.replay import FinishedGame

Plain = Annotated[bool, typer.Option("--plain", help="Plain text, no screen of its own.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]


class Note(NamedTuple):
    """The texts of a position of a game that was played."""

    before: str
    """A line on how it came about."""
    after: str = ""
    """Lines that follow the position."""


def has_screen(plain: bool) -> bool:
    """Whether a screen can be opened: all three streams are one that a person sees and types at, and textual is installed.

    Where only textual is missing, a line says so.
    """
    if (
        plain
        or os.environ.get("TERM", "") == "dumb"
        or not all(_is_terminal(one) for one in (sys.stdin, sys.stdout, sys.stderr))
    ):
        return False
    if find_spec("textual") is None:
        _say_what_is_missing()
        return False
    return True


def only_ascii(wanted: bool) -> bool:
    """Whether the screen shall draw with ASCII alone: it is asked for, or the terminal's encoding has no more."""
    return wanted or "utf" not in (getattr(sys.stdout, "encoding", "") or "").lower()


def _is_terminal(stream: object) -> bool:
    try:
        return stream is not None and stream.isatty()  # type: ignore[attr-defined]
    except ValueError:  # it is closed
        return False


@cache
def _say_what_is_missing() -> None:
    print_error(
        f"saddlepoint: {how_to_install('terminal')} for a screen with arrow keys and analysis; --plain: not this line"
    )


def position_page(played: "FinishedGame", notes: Sequence[Note], at: int) -> str:
    """A position with its texts."""
    drawn = played.game.render(played.states[at])
    return "\n".join([notes[at].before, drawn, *filter(None, [notes[at].after])])


def step_through(
    played: "FinishedGame", notes: Sequence[Note], plain: bool = False, ascii_only: bool = False
) -> None:
    """Let a person at a terminal step through the positions, on a screen of its own unless `plain`.

    At a plain prompt Enter is the next, b the one before, a number that of a turn, q the end. Elsewhere they are printed one after the
    other.
    """
    if has_screen(plain):
        from .screen.replay import step_on_screen

        step_on_screen(played, notes, plain=only_ascii(ascii_only))
        return
    pages = [position_page(played, notes, at) for at in range(len(notes))]
    if not both_are_terminals():
        print("\n\n".join(pages))
        return
    at, word = 0, ""
    while at < len(pages) and word != "q":
        print_page(pages[at])
        try:
            word = ask("\nEnter next, b back, a number, q quit: ").lower()
        except EOFError:
            return
        if word.isdecimal():
            at = played.turns.nearest(int(word))
        else:
            at = max(at - 1, 0) if word == "b" else min(at + 1, len(pages) - bool(word))
