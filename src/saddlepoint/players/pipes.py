"""Another program at the end of pipes: lines in, lines out, and nothing it does stops the caller.

All streams are read without blocking, so a program that writes without end, or never reads, fills its own pipe and
waits there. It runs under a supervisor (`supervisor.py`), which ends it with everything it started: when it is closed
here, when it takes more memory than it may, and when this process is no more.
"""

import contextlib
import errno
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from .base import PlayerError
from .strays import end_strays, mark

OUTPUT_LIMIT = 1_000_000
"""Characters read of a stream at most (the contest's wrapper has the same); what follows is left in the pipe."""

_CHUNK = 65536
_LONGEST_WAIT = 60.0
_LAST_WORDS = 1.0  # seconds: how a program ended is told a moment after its output did, longer on a busy machine
_ENDING = 15.0  # seconds the supervisor may take to end everything
_FIRST_BYTES_ONLY = bytes(range(0x80, 0xC0))  # what UTF-8 continues a character with
_SUPERVISOR = str(Path(__file__).with_name("supervisor.py"))
# Without the site module it starts in half the time; elsewhere than on Linux it needs psutil.
_ISOLATED = ("-I", "-S") if sys.platform == "linux" else ("-I",)


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

    def begin_again(self) -> None:
        """Forget what was read, and read as much again."""
        self.buffer.clear()
        self.characters, self.flooded = 0, False


class LineProcess:
    """A running program, asked for one line at a time; use it in a `with` statement, or call `close`.

    `command` is a command line, or its words. All its processes together may have `memory` bytes resident (None: any
    amount); with more they are ended. `environment` is added to this process's own. Raises PlayerError where the
    program cannot be started.
    """

    def __init__(
        self, command: str | Sequence[str], memory: int | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self.command = command if isinstance(command, str) else shlex.join(command)
        arguments = arguments_of(command) if isinstance(command, str) else list(command)
        self._memory = memory
        self._mark = mark()
        self._control, theirs = socket.socketpair()
        number = theirs.fileno()
        words = [sys.executable, *_ISOLATED, _SUPERVISOR, str(number), str(memory or 0), *arguments]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(number,),
                env={**os.environ, **(environment or {}), **self._mark},
            )
        except OSError as error:
            self._control.close()
            raise PlayerError(f"{self.command!r} cannot be started: {error.strerror or error}") from error
        finally:
            theirs.close()
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._output = _Stream(self._process.stdout.fileno())
        self._errors = _Stream(self._process.stderr.fileno())
        self._input: int | None = self._process.stdin.fileno()
        os.set_blocking(self._input, False)
        self._unsent = bytearray()
        self._closed = False
        self._told = bytearray()
        self._end = ""
        self._pid = 0
        self._await_start()
        self._control.setblocking(False)
        self._poll = select.poll()
        self._on_event: dict[int, Callable[[], object]] = {}
        self._listen(self._output.descriptor, select.POLLIN, self._read_output)
        self._listen(self._errors.descriptor, select.POLLIN, self._read_errors)
        self._listen(self._control.fileno(), select.POLLIN, self._read_control)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def error_text(self) -> str:
        """What the program wrote to its standard error so far."""
        return self._errors.buffer.decode(errors="replace")

    @property
    def has_ended(self) -> bool:
        """Whether the program is known to be gone."""
        if not self._closed and not self._end:
            self._read_control()
        return self._closed or bool(self._end)

    def begin_again(self) -> None:
        """Forget what the program wrote until now, and let it write as much again."""
        for stream in (self._output, self._errors):
            while stream.read():
                pass
            stream.begin_again()
        self._listen(self._output.descriptor, select.POLLIN, self._read_output)
        self._listen(self._errors.descriptor, select.POLLIN, self._read_errors)

    def send(self, lines: Iterable[str]) -> None:
        """Queue lines for the program; they go out as fast as it reads."""
        self._unsent += "".join([line + "\n" for line in lines]).encode()
        self._write()

    def discard(self) -> bytes:
        """What the program wrote and nobody asked for; it is thrown away."""
        while self._output.read():
            pass
        early = bytes(self._output.buffer)
        self._output.buffer.clear()
        return early

    def ask(
        self,
        question: Iterable[str],
        seconds: float,
        beside: Iterable["LineProcess"] = (),
        answers: Callable[[str], bool] | None = None,
    ) -> Reply:
        """Send a question and wait for one line; what the program wrote before is thrown away.

        With `answers` lines for which it is false are passed over. Meanwhile the streams of the programs `beside` are
        read too, so that what they write now counts as early.
        """
        self.discard()
        started = time.monotonic()
        self.send(question)
        while True:
            line = self._take_line()
            while line is not None and answers is not None and not answers(line):
                line = self._take_line()
            used = time.monotonic() - started
            if line is not None and used <= seconds:
                return Reply(line, used)
            if used >= seconds:
                return Reply(None, seconds, f"no answer within {seconds:.3f} s")
            if fault := self._fault():
                return Reply(None, used, fault)
            self._wait(min(seconds - used, _LONGEST_WAIT), beside)

    def close(self, grace: float = 0.0) -> None:
        """End the input, wait `grace` seconds for the program to leave by itself, then end it and all its children."""
        if self._closed:
            return
        self._write()  # what still fits into the pipe
        self._close_input()
        self._ignore(self._output.descriptor)
        deadline = time.monotonic() + grace
        while not self._end and (left := deadline - time.monotonic()) > 0:
            self._wait(left)
        self._closed = True
        self._control.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            self._process.send_signal(signal.SIGCONT)  # the program may have stopped it
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING)
        self._process.kill()
        if self._process.wait() or sys.platform != "linux":
            end_strays(self._pid, self._mark)
        while self._errors.read():
            pass
        self._close_pipes()

    def _await_start(self) -> None:
        """Until the program runs: what the supervisor needs for it is not the program's time."""
        self._read_control(wait=True)
        verb, _, rest = self._told.partition(b"\n")[0].decode().partition(" ")
        del self._told[: self._told.find(b"\n") + 1]
        if verb == "started":
            self._pid = int(rest)
            self._read_end()
            return
        self._closed = True
        self._control.close()
        self._process.wait()
        self._close_pipes()
        why = os.strerror(int(rest)) if verb == "failed" and rest.isdigit() else "its supervisor ended"
        raise PlayerError(f"{self.command!r} cannot be started: {why}")

    def _close_pipes(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _read_output(self) -> None:
        self._output.read()
        if self._output.ended or self._output.flooded:
            self._ignore(self._output.descriptor)

    def _read_errors(self) -> None:
        self._errors.read()
        if self._errors.ended or self._errors.flooded:
            self._ignore(self._errors.descriptor)

    def _read_control(self, wait: bool = False) -> None:
        """What the supervisor says of the program's end; with `wait` until it has said something."""
        while b"\n" not in self._told or not wait:
            try:
                told = self._control.recv(4096)
            except BlockingIOError:
                break
            except OSError:
                told = b""
            self._told += told
            if not told:
                self._end = self._end or ("" if wait else "lost")
                break
        if not wait:
            self._read_end()

    def _read_end(self) -> None:
        if b"\n" in self._told:
            self._end = self._told.partition(b"\n")[0].decode()
            self._told.clear()
        if self._end:
            with contextlib.suppress(AttributeError, ValueError):
                self._ignore(self._control.fileno())

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
        if self._output.ended and not self._end:
            # How it ended is a better reason than the end of its output, and comes at the same moment.
            deadline = time.monotonic() + _LAST_WORDS
            while not self._end and (left := deadline - time.monotonic()) > 0:
                self._wait(left)
        if self._end:
            while self._output.read():
                pass
            return "" if b"\n" in self._output.buffer else self._end_text()
        return "the output was closed" if self._output.ended else ""

    def _end_text(self) -> str:
        verb, _, number = self._end.partition(" ")
        if verb == "exit":
            return f"the program exited with code {number}"
        if verb == "signal":
            with contextlib.suppress(ValueError):
                return f"the program was ended by signal {signal.Signals(int(number)).name}"
            return f"the program was ended by signal {number}"
        if verb == "memory":
            return f"{_megabytes(int(number))} of memory used, more than {_megabytes(self._memory or 0)}"
        return "the program's supervisor was ended"

    def _write(self) -> None:
        if self._input is None or not self._unsent:
            return
        try:
            del self._unsent[: os.write(self._input, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._close_input()
            return
        if self._unsent:
            self._listen(self._input, select.POLLOUT, self._write)
        else:
            self._ignore(self._input)

    def _close_input(self) -> None:
        if self._input is not None:
            self._ignore(self._input)
        self._input = None
        self._unsent.clear()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _listen(self, descriptor: int, events: int, action: Callable[[], object]) -> None:
        self._on_event[descriptor] = action
        self._poll.register(descriptor, events)

    def _ignore(self, descriptor: int) -> None:
        if self._on_event.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def _wait(self, seconds: float, beside: Iterable["LineProcess"] = ()) -> None:
        """Wait until a pipe is ready, `seconds` at most, then read and write once."""
        others = [other for other in beside if not other._closed]
        if not others:
            for descriptor, _ in self._poll.poll(seconds * 1000):
                if action := self._on_event.get(descriptor):
                    action()
            return
        poll = select.poll()
        actions: dict[int, Callable[[], object]] = {}
        for process in (self, *others):
            for descriptor, action in process._on_event.items():
                poll.register(descriptor, select.POLLOUT if descriptor == process._input else select.POLLIN)
                actions[descriptor] = action
        for descriptor, _ in poll.poll(seconds * 1000):
            actions[descriptor]()


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.0f} MB"


def arguments_of(command: str) -> list[str]:
    """What starting the command runs: a Python file that is not executable by this Python. Raises PlayerError."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise PlayerError(f"{command!r} is no command: {error}") from error
    if not arguments:
        raise PlayerError("the command is empty")
    if any("\0" in argument for argument in arguments):
        raise PlayerError(f"{command!r} cannot be started: {os.strerror(errno.EINVAL)}")
    program = Path(arguments[0]).expanduser()
    if program.suffix == ".py" and program.is_file() and not os.access(program, os.X_OK):
        return [sys.executable, str(program), *arguments[1:]]
    return [str(program) if arguments[0].startswith("~") else arguments[0], *arguments[1:]]
