"""The one place where the program prints. Every text that goes through here is data: what a terminal would obey is shown as
its code (`\\x1b`), and nothing in it is markup.
"""

import json
import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from .._text import one_line, printable, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from .tables import Column

_COLOURS = {"0": "bold cyan", "1": "bold magenta", "x": "bright_black", ".": "dim"}


def print(text: object = "", end: str = "\n", flush: bool = False) -> None:
    """Print text on stdout."""
    _write(sys.stdout, printable(text) + end, flush)


def print_file_line(line: str) -> None:
    """A line of a file that goes to stdout: as it is, unless a terminal would obey what is in it."""
    if sys.stdout.isatty():
        print(line)
    else:
        _write(sys.stdout, line + "\n", False)


def print_error(text: object, end: str = "\n") -> None:
    """Print text on stderr."""
    if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
        _write(sys.stderr, printable(text) + end, True)


def warn(text: object) -> None:
    """One line on stderr; none where there is no text."""
    if text:
        print_error(f"saddlepoint: {one_line(text)}")


def fail(error: object) -> int:
    """Say what is wrong in one sentence on stderr; returns the exit code."""
    warn(shortened(str(error).strip().split("\n")[0]) or type(error).__name__)
    return 2


def print_json(data: Any) -> None:
    """Print plain data as one JSON document; numbers JSON does not have become null."""
    print_json_line(_finite(data), indent=2)


def print_json_line(data: Any, indent: int | None = None) -> None:
    """Print plain data as JSON, in one line if nothing is indented."""
    # All that is no ASCII is written as its code already, but for the last control character.
    _write(sys.stdout, json.dumps(data, indent=indent, allow_nan=False).replace("\x7f", "\\u007f") + "\n", False)


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if abs(data) < float("inf") else None
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]  # pyright: ignore[reportUnknownVariableType]
    return data


def _write(stream: TextIO, text: str, flush: bool) -> None:
    """Write; what the stream's encoding does not have is written as its code."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    with _explained():
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        if flush:
            stream.flush()


def flush() -> None:
    """Write on stdout what waits to be written; raises ValueError in one sentence where it cannot be."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        return
    with _explained():
        sys.stdout.flush()


@contextmanager
def _explained() -> "Generator[None]":
    """A full disk in one sentence; that nobody reads any more is no error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ValueError(f"the output cannot be written: {error.strerror}") from error


def width_of_output() -> int | None:
    """The columns that a line on stdout may have, or those that COLUMNS tells; None where nothing bounds it."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None if sys.stdout.isatty() else None
    except (OSError, ValueError):
        return None


def print_table(columns: "Sequence[Column]", rows: "Sequence[Sequence[object]]") -> None:
    """Print a table that fits the terminal; in a pipe it is as wide as it has to be, a line a row."""
    from .tables import lay_out

    layout = lay_out(columns, rows, width_of_output())
    for line in layout.lines:
        print(line)
    if layout.left_out:
        print(f"(too narrow for: {', '.join(layout.left_out)}; --json has everything)")


def print_records(columns: "Sequence[Column]", records: "Sequence[Mapping[str, object]]") -> None:
    """Print a table of records, whose keys are the columns' titles."""
    print_table(columns, [[record[column.title] for column in columns] for record in records])


def print_wrapped(text: str, indent: str = "") -> None:
    """Print a sentence, broken after punctuation where the terminal is too narrow."""
    from .tables import wrapped

    width = width_of_output()
    lines = [one_line(text)] if width is None else wrapped(one_line(text), max(width - len(indent), 20))
    for line in lines:
        print(indent + line)


def _coloured(text: str) -> Any:
    """A board's text with its cells coloured; the first line is a title."""
    from rich.text import Text

    title, _, board = printable(text).partition("\n")
    shown = Text(f"{title}\n", style="bold")
    for character in board:
        shown.append(character, _COLOURS.get(character, ""))
    return shown


def print_page(text: str) -> None:
    """Clear the terminal and show a board under its title."""
    from rich.console import Console

    console = Console(highlight=False)
    console.clear()
    console.print(_coloured(text))


def print_field(text: str, colours: "dict[str, int]") -> None:
    """Print a board whose marks have these colours of the terminal (SGR numbers)."""
    shown = "".join(f"\033[{colours[mark]}m{mark}\033[0m" if mark in colours else mark for mark in printable(text))
    _write(sys.stdout, shown + "\n", True)


def ask(question: str) -> str:
    """The answer to a question, without blanks around it; raises EOFError where the input ends."""
    print(question, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def both_are_terminals() -> bool:
    """Whether somebody looks at stdout and can answer on stdin."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()  # pyright: ignore[reportUnnecessaryComparison]


class Screen:
    """A board that changes: in place on a terminal, one after the other elsewhere."""

    def __init__(self, silent: bool = False) -> None:
        self._silent = silent
        self._live: Any = None
        if not silent and sys.stdout.isatty():
            from rich.live import Live

            self._live = Live(auto_refresh=False)

    def __enter__(self) -> "Screen":
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, title: str, board: str) -> None:
        """Show a position under a title."""
        if self._live is not None:
            self._live.update(_coloured(f"{one_line(title)}\n{board}"), refresh=True)
        elif not self._silent:
            print(f"{one_line(title)}\n{printable(board)}\n", flush=True)


class Progress:
    """A bar on stderr, where that is a terminal: how much is done, a word on how it stands, time left, and a table below.

    With `patience` it shows itself only after so many seconds.
    """

    def __init__(self, total: int | None, counted: bool = True, patience: float = 0.0) -> None:
        self._shown_from = time.monotonic() + patience
        self.silent = sys.stderr is None or not sys.stderr.isatty()  # pyright: ignore[reportUnnecessaryComparison]
        if self.silent:
            return
        from rich import progress
        from rich.console import Console
        from rich.live import Live

        amount = progress.MofNCompleteColumn() if counted else progress.TaskProgressColumn(markup=False)
        word = progress.TextColumn("{task.fields[standing]}", markup=False)
        self._bar = progress.Progress(progress.BarColumn(), amount, word, progress.TimeRemainingColumn())
        self._task = self._bar.add_task("", total=total, standing="")
        self._console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._live = Live(self._bar, console=self._console, transient=True, refresh_per_second=4)

    def __enter__(self) -> "Progress":
        if not self.silent and time.monotonic() >= self._shown_from:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if not self.silent:
            self._live.stop()

    def update(
        self, done: int, standing: str,
        table: "Callable[[], tuple[Sequence[Column], Sequence[Sequence[object]]]] | None" = None, total: int | None = None,
    ) -> None:  # fmt: skip
        """Show how it stands; `table` makes the columns and rows of a table, `total` is given where it was not known."""
        if self.silent or time.monotonic() < self._shown_from:
            return
        self._live.start()
        self._bar.update(self._task, total=total, completed=done, standing=one_line(standing))
        if table is not None:
            from rich.console import Group
            from rich.text import Text

            from .tables import lay_out

            lines = lay_out(*table(), self._console.width - 1).lines
            self._live.update(Group(Text("\n".join(lines), no_wrap=True, overflow="ignore"), self._bar))

    def line(self, text: str) -> None:
        """A line that stays above the bar."""
        if self.silent:
            print_error(one_line(text))
        else:
            from rich.text import Text

            self._console.print(Text(one_line(text)), soft_wrap=True)


class Status:
    """A line with a turning mark on stderr, where that is a terminal."""

    def __init__(self, text: str) -> None:
        from rich.console import Console

        self._console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._status = self._console.status(_plain(text))

    def __enter__(self) -> "Status":
        self._status.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._status.stop()

    def update(self, text: str) -> None:
        """Say something else."""
        self._status.update(_plain(text))

    def line(self, text: str) -> None:
        """A line that stays above."""
        self._console.print(_plain(text), soft_wrap=True)


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text(one_line(text))
