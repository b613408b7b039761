"""The terminal: warnings, progress, and which optional packages are missing."""

import json
import os
import shlex
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, TextIO
from urllib.request import url2pathname

from rich import progress, table as rich_table
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from .text import Column, lay_out, one_line, printable, shortened, wrapped

# The installed version, and the optional packages: the command that installs them.
#
# No package index has the library yet, so it names where this one is from.

_NEWEST = {"open_spiel": (3, 14), "pettingzoo": (3, 14)}
"""The newest Python for which the package of an extra is to be had, where that is not yet the newest of all (November 2026)."""


def installed_version() -> str:
    """The version that is installed, as `saddlepoint.__version__`; empty where the files are used without being installed."""
    try:
        return version("saddlepoint")
    except PackageNotFoundError:
        return ""


def how_to_install(extra: str) -> str:
    """The shell command that installs the packages of an extra, for example `web`, into the environment in
    use.

    It is one of the tool that made the environment: pipx, `uv tool`, `uv venv`, or a Python with pip. Where this Python has no such
    package yet it is a sentence instead.
    """
    if sys.version_info[:2] > (newest := _NEWEST.get(extra, sys.version_info[:2])):
        return f"there is none for Python {sys.version_info[0]}.{sys.version_info[1]} yet; use Python {newest[0]}.{newest[1]} for it"
    environment, editable = Path(sys.prefix), ""
    command, extras = f"{shell_path(sys.executable)} -m pip install", [extra]
    receipt = environment / "uv-receipt.toml"
    if receipt.is_file():  # `uv tool install` removes the extras that it does not name
        command, extras = "uv tool install --force", [*_extras_in(receipt, but=extra), extra]
    elif (environment / "pipx_metadata.json").is_file():
        command = f"pipx runpip {shlex.quote(environment.name)} install"
    elif find_spec("pip") is None:
        command = f"uv pip install --python {shell_path(sys.executable)}"
    named, checkout = f"[{','.join(extras)}]", Path(__file__).parents[3]
    if (checkout / "pyproject.toml").is_file():
        origin, editable = shell_path(f"{checkout}{named}"), " --editable"
    else:
        origin = _origin(named)
    return (
        f"{command}{editable} {origin}" if origin else f"{command} {shlex.quote(f'.{named}')} in a checkout"
    )


def shell_path(path: str) -> str:
    """A path as a shell reads it, with `~` for the home directory: that has the user's name in it, and this is pasted into reports."""
    home = f"{Path.home()}/"
    return (
        f"~/{shlex.quote(path[len(home) :])}"
        if len(home) > 2 and path.startswith(home)
        else shlex.quote(path)
    )


def _extras_in(receipt: Path, but: str) -> list[str]:
    """The other extras that `uv tool` wrote down for the library; none where its file is of another form."""
    try:
        tools: Any = tomllib.loads(receipt.read_text(encoding="utf-8"))["tool"]["requirements"]
        return [
            extra
            for tool in tools
            if tool["name"] == "saddlepoint"
            for extra in tool.get("extras", ())
            if extra != but
        ]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def _origin(extras: str) -> str:
    """The source that the library was installed from, as the installer noted it, with these extras.

    Else empty.
    """
    try:
        text = distribution("saddlepoint").read_text("direct_url.json")
        told: Any = json.loads(text or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url = told.get("url") if isinstance(told, dict) else None
    if not isinstance(url, str):
        return ""
    if url.startswith("file://"):
        return shell_path(f"{url2pathname(url.removeprefix('file://'))}{extras}")
    system = told.get("vcs_info")
    source = f"{system['vcs']}+{url}" if isinstance(system, dict) and "vcs" in system else url
    return shlex.quote(f"saddlepoint{extras} @ {source}")


# The one place where the program prints. Every text that goes through here is data: what a terminal would obey is shown as
# its code (`\x1b`), and nothing in it is markup.

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
    text = json.dumps(_finite(data), indent=2, allow_nan=False)
    # All that is no ASCII is written as its code already, but for the last control character.
    _write(sys.stdout, text.replace("\x7f", "\\u007f") + "\n", False)


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
def _explained() -> Generator[None]:
    """A full disk in one sentence; that nobody reads any more is no error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ValueError(f"the output cannot be written: {error.strerror}") from error


def width_of_output() -> int | None:
    """The columns of a line on stdout, by COLUMNS or the terminal; None without a limit."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None if sys.stdout.isatty() else None
    except (OSError, ValueError):
        return None


def print_table(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> None:
    """Print a table that fits the terminal; in a pipe it is as wide as it has to be, a line a row."""
    lines, left_out = lay_out(columns, rows, width_of_output())
    for line in lines:
        print(line)
    if left_out:
        print(f"(too narrow for: {', '.join(left_out)}; --json has everything)")


def print_records(columns: Sequence[Column], records: Sequence[Mapping[str, object]]) -> None:
    """Print a table of records; their keys are the columns' titles."""
    print_table(columns, [[record[column.title] for column in columns] for record in records])


def print_wrapped(text: str, indent: str = "") -> None:
    """Print a sentence, broken after punctuation where the terminal is too narrow."""
    width = width_of_output()
    lines = [one_line(text)] if width is None else wrapped(one_line(text), max(width - len(indent), 20))
    for line in lines:
        print(indent + line)


def _coloured(text: str) -> Any:
    """A board's text with its cells coloured; the first line is a title."""
    title, _, board = printable(text).partition("\n")
    shown = Text(f"{title}\n", style="bold")
    for character in board:
        shown.append(character, _COLOURS.get(character, ""))
    return shown


def print_page(text: str) -> None:
    """Clear the terminal and show a board under its title."""
    console = Console(highlight=False)
    console.clear()
    console.print(_coloured(text))


def print_field(text: str, colours: dict[str, int]) -> None:
    """Print a board with its marks in these colours of the terminal (SGR numbers)."""
    shown = "".join(
        f"\033[{colours[mark]}m{mark}\033[0m" if mark in colours else mark for mark in printable(text)
    )
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
        self._live = Live(auto_refresh=False) if not silent and sys.stdout.isatty() else None

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


_stderr = partial(Console, stderr=True, highlight=False, markup=False, emoji=False)


class Progress:
    """A progress bar on a terminal's stderr: the share done, a word on the standing, the time left, a table
    below.

    With `patience` it appears only after that many seconds.
    """

    def __init__(self, total: int | None, counted: bool = True, patience: float = 0.0) -> None:
        self._shown_from = time.monotonic() + patience
        self.silent = sys.stderr is None or not sys.stderr.isatty()  # pyright: ignore[reportUnnecessaryComparison]
        if self.silent:
            return
        amount = progress.MofNCompleteColumn() if counted else progress.TaskProgressColumn(markup=False)
        word = progress.TextColumn("{task.fields[standing]}", markup=False)
        self._bar = progress.Progress(progress.BarColumn(), amount, word, progress.TimeRemainingColumn())
        self._task = self._bar.add_task("", total=total, standing="")
        self._console = _stderr()
        self._live = Live(self._bar, console=self._console, transient=True, refresh_per_second=4)

    def __enter__(self) -> "Progress":
        if not self.silent and time.monotonic() >= self._shown_from:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if not self.silent:
            self._live.stop()

    def update(
        self,
        done: int,
        standing: str,
        table: Callable[[], tuple[Sequence[Column], Sequence[Sequence[object]]]] | None = None,
        total: int | None = None,
    ) -> None:
        """Show how it stands; `table` makes the columns and rows of a table, `total` is given where it was not known."""
        if self.silent or time.monotonic() < self._shown_from:
            return
        self._live.start()
        self._bar.update(self._task, total=total, completed=done, standing=one_line(standing))
        if table is not None:
            lines, _ = lay_out(*table(), self._console.width - 1)
            self._live.update(Group(Text("\n".join(lines), no_wrap=True, overflow="ignore"), self._bar))

    def line(self, text: str) -> None:
        """A line that stays above the bar."""
        if self.silent:
            print_error(one_line(text))
        else:
            self._console.print(Text(one_line(text)), soft_wrap=True)


class Status:
    """A line with a turning mark and the seconds on stderr, where that is a terminal."""

    def __init__(self, text: str) -> None:
        self._console = _stderr()
        words = progress.TextColumn(
            "{task.description}", markup=False, table_column=rich_table.Column()
        )  # which wraps a long line
        self._bar = progress.Progress(
            progress.SpinnerColumn(),
            words,
            progress.TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._bar.add_task(one_line(text))

    def __enter__(self) -> "Status":
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._console.is_terminal:  # elsewhere rich would end a line that it never began
            self._bar.stop()

    def update(self, text: str) -> None:
        """Say something else."""
        self._bar.update(self._bar.task_ids[0], description=one_line(text))

    def line(self, text: str) -> None:
        """A line that stays above."""
        self._console.print(Text(one_line(text)), soft_wrap=True)


IN_WORKERS = "workers"
"""SADDLEPOINT_QUIET of processes that work side by side: silent but for what one of them does for all."""


class WaitingLine:
    """A line that appears when something has taken `patience` seconds, and another one at its end with the seconds it took.

    A terminal shows a spinner and the seconds meanwhile. SADDLEPOINT_QUIET=1 in the environment keeps it silent.
    """

    shown: ClassVar[set["WaitingLine"]] = set()
    """Those whose work is going on."""

    def __init__(self, message: str, done: str, patience: float, for_all: bool = False) -> None:
        """`message` is shown while the work goes on, `done` when it has ended; `for_all` where other processes wait for the same."""
        self._message, self._done, self._started = message, done, time.perf_counter()
        self._lock, self._status = threading.Lock(), ExitStack()
        self._timer = threading.Timer(patience, self._show)
        self._timer.daemon = True
        quiet = os.environ.get("SADDLEPOINT_QUIET", "")
        self._in_worker = quiet == IN_WORKERS
        if (quiet in ("", "0") or (for_all and self._in_worker)) and sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison]
            self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if self._timer.finished.is_set():  # it was closed meanwhile
                return
            self.shown.add(self)
            if sys.stderr.isatty() and not self._in_worker:
                self._status.enter_context(Status(f"{self._message} ..."))
            else:
                self._say(f"{self._message} ...")

    def _say(self, text: str) -> None:
        if sys.stderr.isatty() and self._in_worker:
            _write(sys.stderr, "\r\x1b[2K", False)  # over the bar of the process that waits
        warn(text)

    def close(self, finished: bool) -> None:
        """End the line, also when the work failed or was interrupted."""
        with self._lock:
            self._timer.cancel()
            self._status.close()
            if self in self.shown:
                self.shown.remove(self)
                seconds = f"{time.perf_counter() - self._started:.1f} s"
                self._say(f"{self._done} in {seconds}" if finished else f"{self._message}: not finished")
