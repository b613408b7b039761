"""Text for people: numbers, lines, pairs."""

import re
import sys
import unicodedata

from . import foreign_files


def read_text(path: str) -> str:
    """What is in a text file, or on stdin for `-`; raises ValueError in one sentence for what is no text, and OSError as `open` does."""
    if path != "-":
        return foreign_files.read_text(path)
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] (it was closed before the program began)
        raise ValueError("stdin is closed: there is nothing to read from it")
    bytes_ = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read() if bytes_ is None else foreign_files.text_of(bytes_, "stdin")


def read_pair(text: str, between: str, option: str, example: str) -> tuple[int, int]:
    """Two whole numbers with a mark between them."""
    first, mark, second = text.lower().partition(between)
    if not (mark and first.strip().isdigit() and second.strip().isdigit()):
        raise ValueError(f"{option} takes two numbers such as {example}, not {text!r}")
    return int(first), int(second)


# Text that others wrote, made fit to be shown: names, messages of bots, whatever a ledger or a replay holds.

_LONGEST_LINE = 1000
_LONGEST_WORD = 200
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Controls, format characters (they also turn the direction of a line), lone surrogates, separators of lines."""


def printable(text: object, keep: str = "\n\t") -> str:
    r"""The text with every character that a terminal would obey, or not show, written as its code: `\x1b`, `\u202e`.

    keep: control characters that stay as they are.
    """
    shown = str(text)
    if shown.isascii() and shown.isprintable():
        return shown
    return "".join(
        _code(one) if unicodedata.category(one) in _HIDDEN and one not in keep else one for one in shown
    )


def one_line(text: object) -> str:
    r"""The same in one line: its ends of lines are written `\n`."""
    return printable(text, keep="").replace("\\x0a", "\\n")


def words_in(line: str, most: int = 0) -> list[str]:
    """The words of a line that another program wrote, in any protocol, the last one with all that follows where there are `most`.

    Blanks and tabs may stand around and between them, and a byte order mark before the first: programs on Windows begin with one.
    """
    return line.lstrip("\ufeff").strip().split(None, most - 1)


def first_line(docstring: str) -> str:
    """What a docstring says first, without its full stop: a line for a list."""
    return next((line.strip() for line in docstring.splitlines() if line.strip()), "").removesuffix(".")


def error_line(error: Exception) -> str:
    """What an error says, the first line of it, which is not too long; of one that says nothing its kind."""
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}..."


def shortened(text: str) -> str:
    """A message without the middle of what is too long in it: what is wrong is said before or after what it quotes."""
    if len(text) > _LONGEST_LINE:
        text = re.sub(rf"\S{{{_LONGEST_WORD},}}", lambda word: _without_middle(word[0], _LONGEST_WORD), text)
    return _without_middle(text, 2 * _LONGEST_LINE)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest // 2]}...{text[-longest // 2 :]}"


_NOISE = 1e-9
"""What is nearer to 0 than this is 0: the remains of sums that cancel, below what searches and solvers are exact to."""


def value_text(value: float, form: str = "+.2f") -> str:
    """A value for people, as `format` writes it by that form: what is 0, or rounds to it, has no minus and no exponent."""
    text = format(0.0 if abs(value) < _NOISE else value, form)
    return format(0.0, form) if float(text) == 0.0 else text


def _code(character: str) -> str:
    number = ord(character)
    return (
        f"\\x{number:02x}"
        if number < 0x100
        else f"\\u{number:04x}"
        if number < 0x10000
        else f"\\U{number:08x}"
    )
