"""A line typed at a terminal, key by key, so that the arrow keys can mean something."""

import os
from collections.abc import Mapping, Sequence
from typing import TextIO

_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_END, _ERASE_LINE = "\x04", "\x15"
_BACKSPACE = ("\x7f", "\b")


def has_keys(source: TextIO, screen: TextIO) -> bool:
    """Whether keys can be read one at a time: both streams are terminals, and the system has termios."""
    try:
        import termios
    except ImportError:
        return False
    try:
        if not (source.isatty() and screen.isatty()):
            return False
        termios.tcgetattr(source.fileno())
    except (OSError, ValueError, termios.error):
        return False
    return True


def read_with_keys(
    question: str, source: TextIO, screen: TextIO, moves: Mapping[str, str], choices: Sequence[str]
) -> str:
    """The line that is typed, with its end; an empty text where the input ends.

    An arrow key that has a move among `moves` is that move at once, as long as nothing is typed; else up and down put the
    `choices` into the line, one after the other. The terminal is as it was before when this returns or raises, also by
    Ctrl-C (KeyboardInterrupt).
    """
    import termios
    import tty

    descriptor = source.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        # Keys come at once and are not echoed; Ctrl-C is a signal as ever.
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        return _Line(question, screen, moves, choices).read(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class _Line:
    """The line as it stands."""

    def __init__(self, question: str, screen: TextIO, moves: Mapping[str, str], choices: Sequence[str]) -> None:
        self._question, self._screen, self._moves, self._choices = question, screen, moves, choices
        self._text, self._at = "", -1

    def read(self, descriptor: int) -> str:
        """Take in keys until the line ends."""
        self._write(self._question)
        while True:
            key = _key(descriptor)
            if key in ("\n", "\r"):
                self._write("\n")
                return self._text + "\n"
            if key in ("", _END):
                if key and self._text:
                    continue
                self._write("\n")
                return ""
            if key in self._moves and not self._text:
                self._write(self._moves[key] + "\n")
                return self._moves[key] + "\n"
            self._edit(key)

    def _edit(self, key: str) -> None:
        if key in ("up", "down") and self._choices:
            self._at = (self._at + (1 if key == "down" else -1 if self._at >= 0 else 0)) % len(self._choices)
            self._replace(self._choices[self._at])
        elif key in _BACKSPACE:
            self._replace(self._text[:-1])
        elif key == _ERASE_LINE:
            self._replace("")
        elif len(key) == 1 and key.isprintable():
            self._text += key
            self._write(key)

    def _replace(self, text: str) -> None:
        gone = len(self._text)
        self._text = text
        self._write("\b" * gone + " " * gone + "\b" * gone + text)

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()


def _key(descriptor: int) -> str:
    """The next key: a character, the name of an arrow, or an empty text at the end; other special keys are `other`."""
    first = os.read(descriptor, 1)
    if first == b"\x1b":
        return _special(descriptor)
    # A character of several bytes: its first byte tells how many follow.
    more = 3 if first >= b"\xf0" else 2 if first >= b"\xe0" else 1 if first >= b"\xc0" else 0
    while more and (byte := os.read(descriptor, 1)):
        first += byte
        more -= 1
    return first.decode("utf-8", "ignore") if first else ""


def _special(descriptor: int) -> str:
    """What follows an escape: `[A` or `OA` for an arrow. The escape key alone is followed by nothing."""
    import select

    text = ""
    while select.select([descriptor], [], [], 0.05)[0]:
        text += os.read(descriptor, 1).decode("latin-1")
        if (len(text) > 1 and text[-1].isalpha()) or text[-1] == "~" or (len(text) == 1 and text not in "[O"):
            break
    return _ARROWS.get(text[-1], "other") if text[:1] in ("[", "O") and len(text) == 2 else "other"
