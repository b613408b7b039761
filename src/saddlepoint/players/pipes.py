"""Another program at the end of pipes: lines in, lines out, and nothing it does stops the caller.

Both streams are read without blocking by one selector, so a program that writes without end, or never reads, fills
its own pipe and waits there. It runs in a session of its own, so that its children die with it.
"""

import contextlib
import os
import selectors
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from .base import PlayerError

OUTPUT_LIMIT = 1_000_000
"""Characters read of a stream at most (the contest's wrapper has the same); what follows is left in the pipe."""

_CHUNK = 65536
_LOOK_AGAIN = 0.05  # an exit is told by the end of the output, unless a child keeps the pipe open
_FIRST_BYTES_ONLY = bytes(range(0x80, 0xC0))  # what UTF-8 continues a character with


@dataclass(frozen=True)
class Reply:
    """What came of a question."""

    line: str | None
    """The first complete line after the question, without its end; None if there was none."""
    seconds: float
    """From the question to the line, or to giving up."""
    fault: str = ""
    """Why there is no line."""


class _Stream:
    """One output stream of the program: what was read and not yet used, and whether more may come."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.buffer = bytearray()
        self.characters = 0
        self.ended = self.flooded = False
        os.set_blocking(descriptor, False)

    def read(self) -> bool:
        """Read what is there, one chunk at most; whether there may be more."""
        if self.ended or self.flooded:
            return False
        try:
            chunk = os.read(self.descriptor, min(_CHUNK, OUTPUT_LIMIT - self.characters + 1))
        except BlockingIOError:
            return False
        self.ended = not chunk
        self.characters += len(chunk.translate(None, _FIRST_BYTES_ONLY))
        self.flooded = self.characters > OUTPUT_LIMIT
        self.buffer += chunk
        return bool(chunk)


class LineProcess:
    """A running program, asked for one line at a time; use it in a `with` statement, or call `close`."""

    def __init__(self, command: str) -> None:
        self.command = command
        arguments = _arguments(command)
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise PlayerError(f"{command!r} cannot be started: {error.strerror or error}") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._output = _Stream(self._process.stdout.fileno())
        self._errors = _Stream(self._process.stderr.fileno())
        self._input: int | None = self._process.stdin.fileno()
        os.set_blocking(self._input, False)
        self._unsent = bytearray()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def error_text(self) -> str:
        """What the program wrote to its standard error so far."""
        return self._errors.buffer.decode(errors="replace")

    def send(self, lines: Iterable[str]) -> None:
        """Queue lines for the program; they go out as fast as it reads."""
        self._unsent += "".join(line + "\n" for line in lines).encode()
        self._write()

    def ask(self, question: Iterable[str], seconds: float, beside: Iterable["LineProcess"] = ()) -> Reply:
        """Send a question and wait for one line; what the program wrote before is thrown away.

        Meanwhile the streams of the programs `beside` are read too, so that what they write now counts as early.
        """
        while self._output.read():
            pass
        self._output.buffer.clear()
        started = time.monotonic()
        self.send(question)
        while True:
            line = self._take_line()
            used = time.monotonic() - started
            if line is not None and used <= seconds:
                return Reply(line, used)
            if used >= seconds:
                return Reply(None, seconds, f"no answer within {seconds:.3f} s")
            if fault := self._fault():
                return Reply(None, used, fault)
            _pump((self, *beside), min(seconds - used, _LOOK_AGAIN))

    def close(self, grace: float = 0.0) -> None:
        """End the input, wait `grace` seconds for the program to leave by itself, then end it and all its children."""
        if self._closed:
            return
        self._closed = True
        self._close_input()
        deadline = time.monotonic() + grace
        while self._process.poll() is None and (left := deadline - time.monotonic()) > 0:
            _pump((self,), min(left, _LOOK_AGAIN))
        # The leader may be gone while its children live: the group keeps its number as long as it has a member.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        while self._errors.read():
            pass
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None and not pipe.closed:
                pipe.close()

    def _take_line(self) -> str | None:
        end = self._output.buffer.find(b"\n")
        if end < 0:
            return None
        line = self._output.buffer[:end].decode(errors="replace")
        del self._output.buffer[: end + 1]
        return line.rstrip("\r")

    def _fault(self) -> str:
        """Why no line can come any more, or an empty string."""
        if self._output.flooded:
            return f"more than {OUTPUT_LIMIT} characters of output"
        if self._output.ended:
            # Its exit code is a better reason than the end of its output, and comes at the same moment.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_LOOK_AGAIN)
        if self._process.poll() is not None:
            while self._output.read():
                pass
            return "" if b"\n" in self._output.buffer else _exit_text(self._process.returncode)
        return "the output was closed" if self._output.ended else ""

    def _write(self) -> None:
        if self._input is None or not self._unsent:
            return
        try:
            del self._unsent[: os.write(self._input, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._close_input()

    def _close_input(self) -> None:
        self._input = None
        self._unsent.clear()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def listen(self, selector: selectors.BaseSelector) -> None:
        """Register whatever this program's pipes wait for."""
        for stream in (self._output, self._errors):
            if not (stream.ended or stream.flooded or (self._closed and stream is self._output)):
                selector.register(stream.descriptor, selectors.EVENT_READ, stream.read)
        if self._input is not None and self._unsent:
            selector.register(self._input, selectors.EVENT_WRITE, self._write)


def _pump(processes: Iterable[LineProcess], seconds: float) -> None:
    """Wait until a pipe is ready, `seconds` at most, then read and write once."""
    with selectors.DefaultSelector() as selector:
        for process in processes:
            process.listen(selector)
        for key, _ in selector.select(seconds):
            key.data()


def _arguments(command: str) -> list[str]:
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise PlayerError(f"{command!r} is no command: {error}") from error
    if not arguments:
        raise PlayerError("the command is empty")
    program = Path(arguments[0]).expanduser()
    if program.suffix == ".py" and program.is_file() and not os.access(program, os.X_OK):
        return [sys.executable, str(program), *arguments[1:]]
    return [str(program) if arguments[0].startswith("~") else arguments[0], *arguments[1:]]


def _exit_text(code: int) -> str:
    if code < 0:
        return f"the program was ended by signal {signal.Signals(-code).name}"
    return f"the program exited with code {code}"
