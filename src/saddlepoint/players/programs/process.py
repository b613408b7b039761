"""Another program at the end of pipes: lines in, lines out, and nothing it does stops the caller.

All streams are read without blocking, so a program that writes without end, or never reads, fills its own pipe and
waits there. It runs under a supervisor (`supervision.py`), which ends it with everything it started: when it is closed
here, when it takes more memory than it may, and when this process is no more.
"""

import errno
import functools
import os
import select
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from ...system.foreign import path_of
from ..base import FaultKind, PlayerError
from ..clock import longest
from ..waiting import Processes, of_thread
from .isolation import Isolation
from .streams import (
    LAST,
    OUTPUT_LIMIT,
    Stream,
    Transcript,
    last_line,
    quoted,
)
from .supervision import Supervision

_SHORTEST_WAIT = 0.01  # seconds between two looks at how long a program waited for a core
_LOOKS = (
    8  # of them in the time of an answer, so that little is lost of what its children wait that end meanwhile
)
_LONGEST_WAIT = 0.25  # seconds: a supervisor that is stopped says nothing, it has to be looked at
_LAST_WORDS = (
    1.0  # seconds: how a program ended is known a moment after its output did, longer on a busy machine
)
_MOST_EARLY = 100_000  # bytes of its standard error that are kept for its first log


@dataclass(frozen=True)
class Reply:
    """The reply of a program to a question."""

    line: str | None
    """The first complete line after the question, without its end; None if there was none."""
    seconds: float
    """From the question to the line, or to giving up."""
    error: PlayerError | None = None
    """Why there is no line."""


class LineProcess(Supervision, AbstractContextManager["LineProcess"]):
    """A running program, asked for one line at a time; use it in a `with` statement, or call `close`.

    `command` is a command line, or its words. `isolation` bounds it; `environment` is added to the variables it gets, and
    `reads` are files and folders it needs besides those its words name. Raises PlayerError where the program cannot be
    started, MachineFault where its supervisor cannot.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        isolation: Isolation | None = None,
        environment: Mapping[str, str] | None = None,
        reads: Iterable[Path] = (),
    ) -> None:
        self.command = command if isinstance(command, str) else shlex.join(command)
        arguments = arguments_of(command) if isinstance(command, str) else list(command)
        super().__init__(arguments, isolation or Isolation(), None, environment, reads)
        self._output = Stream(self.stdout.fileno())
        self._errors = Stream(self.stderr.fileno())
        self._input: int | None = self.stdin.fileno()
        os.set_blocking(self._input, False)
        self._unsent = bytearray()
        self._waits: Processes | None = None
        self.waited = 0.0
        """Of the last question, the seconds in which the program was ready to run and had no core."""
        self._forgotten = ""
        self.left = False
        """Whether it was gone already when it was to be ended."""
        self._transcript = Transcript()
        self._early: bytearray | None = bytearray()
        """Its standard error before its first log, also of games without a log; None once a log has it."""
        self._on_event: dict[int, tuple[int, Callable[[], object]]] = {}
        """The actions for descriptors that are ready to be read or written."""
        self._listen_to_streams()
        self._on_event[self.control.fileno()] = select.POLLIN, self._read_control

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def error_text(self) -> str:
        """The program's standard error so far."""
        return self._errors.buffer.decode(errors="replace")

    @property
    def unfinished(self) -> str:
        """The part of its last line that was written, in words behind a message; empty where that line has its end."""
        text = self._output.buffer.decode(errors="replace") if b"\n" not in self._output.buffer else ""
        return f": it wrote {quoted(text)} without the end of the line" if text else ""

    def last_words(self) -> str:
        """The last line of its standard error, to be put behind a message; empty where there is none. Ends the program."""
        self.close()
        return last_line(self.error_text)

    def how_it_ended(self) -> str:
        """In words, with the last of its standard error, of an earlier game too; empty where it had not ended by itself, or with code 0."""
        if not self.end or self.end == "exit 0":
            return ""
        self.close()
        return f"{self.error()}{last_line(self._forgotten + self.error_text)}"

    @property
    def escape(self) -> str:
        """The way in which it left its bounds, in words; empty where it did not."""
        error = self.error() if self.has_ended and not self.closed else None
        return str(error) if error is not None and error.kind is FaultKind.ESCAPE else ""

    def log_to(self, transcript: Transcript) -> None:
        """Write the lines of both directions, and the program's errors, into this transcript from now on."""
        self._transcript.errors(self._errors.buffer, all_of_it=True)
        self._transcript = transcript
        if transcript.is_open:
            # A program writes most of what helps its author when it starts, often for a trial or a warming-up.
            if self._early is not None:
                transcript.errors(self._early + self._errors.buffer, all_of_it=True)
            self._early = None
        transcript.skip_errors(len(self._errors.buffer))

    def begin_again(self) -> None:
        """Forget what the program wrote until now, and let it write as much again."""
        for stream in (self._output, self._errors):
            stream.drain()
        self._transcript.errors(self._errors.buffer)
        if self._early is not None:
            self._early = (self._early + self._errors.buffer)[:_MOST_EARLY]
        self._forgotten = self.error_text[-LAST:]
        for stream in (self._output, self._errors):
            stream.begin_again()
        self._transcript.skip_errors(0)
        self._listen_to_streams()

    def send(self, lines: Iterable[str]) -> None:
        """Queue lines for the program; they go out as fast as it reads."""
        text = "".join([line + "\n" for line in lines])
        self._transcript.write(">", *text.splitlines())
        self._unsent += text.encode()
        self._write()

    def discard(self) -> list[str]:
        """The lines that the program wrote and nobody asked for; they are thrown away."""
        self._output.drain()
        early = [line.decode(errors="replace") for line in bytes(self._output.buffer).splitlines()]
        self._output.buffer.clear()
        for line in early:
            self._transcript.write("<", line)
        return early

    def ask(
        self,
        question: Iterable[str],
        seconds: float,
        beside: Iterable["LineProcess"] = (),
        answers: Callable[[str], bool] | None = None,
    ) -> Reply:
        """Send a question and wait for one line; what the program wrote before is thrown away.

        It has `seconds` of its own time: those in which it had no core do not count, until the `longest` time on the wall.
        With `answers` lines for which it is false are passed over. Meanwhile the streams of the programs `beside` are
        read too, so that what they write now counts as early.
        """
        self.discard()
        self._waits = self.measure()
        self.send(question)
        return self.answer(seconds, beside, answers)

    def answer(
        self,
        seconds: float,
        beside: Iterable["LineProcess"] = (),
        answers: Callable[[str], bool] | None = None,
    ) -> Reply:
        """Wait for one line more, or for the first one that was not yet taken, as `ask` does."""
        started = time.monotonic()
        waits, self._waits = self._waits or self.measure(), None
        in_vain = late = stopped = left = 0.0
        while True:
            line = self._take_line()
            while line is not None and answers is not None and not answers(line):
                line = self._take_line()
            used = time.monotonic() - started
            self.look()
            if self.end == "stopped":
                return Reply(None, used, self.error())
            if line is not None or used >= seconds:
                # This thread's own delay in reading the answer is in its stopwatch; that in waking for nothing is the program's time.
                waited = waits.waited(late + stopped if line is not None else 0.0)
                self.waited = waited - late - in_vain
                left = seconds - used + waited
            if line is not None and left >= 0:
                return Reply(line, used)
            if used >= seconds and (left <= 0 or used >= longest(seconds)):
                return Reply(None, seconds, PlayerError(f"no answer within {seconds:.3f} s", FaultKind.LATE))
            if (error := self._error()) is not None:
                return Reply(None, used, error)
            if used >= _SHORTEST_WAIT:
                waits.look()
            in_vain += late
            pause = min(seconds / _LOOKS, max(seconds - used, left))
            late, stopped = self._await_event(min(max(pause, _SHORTEST_WAIT), _LONGEST_WAIT), beside)

    def close(self, grace: float = 0.0) -> None:
        """End the input, wait `grace` seconds for the program to leave by itself, then end it and all its children."""
        if self.closed:
            return
        self._write()  # what still fits into the pipe
        self._close_input()
        self._ignore(self._output.descriptor)
        self._await_end(grace)
        self.left = bool(self.end)
        super().close()
        self._errors.drain()
        self._transcript.errors(self._errors.buffer, all_of_it=True)
        self.close_pipes()

    def _await_end(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not self.end and (left := deadline - time.monotonic()) > 0:
            self._await_event(left)

    def _listen_to_streams(self) -> None:
        for stream in (self._output, self._errors):
            self._on_event[stream.descriptor] = select.POLLIN, functools.partial(self._read, stream)

    def _read(self, stream: Stream) -> None:
        stream.read()
        self._transcript.errors(self._errors.buffer)
        if stream.ended or stream.flooded:
            self._ignore(stream.descriptor)

    def _read_control(self) -> None:
        self.read()
        if self.end:
            self._ignore(self.control.fileno())

    def _take_line(self) -> str | None:
        end = self._output.buffer.find(b"\n")
        if end < 0:
            return None
        line = self._output.buffer[:end].decode(errors="replace").rstrip("\r")
        del self._output.buffer[: end + 1]
        self._transcript.write("<", line)
        return line

    def _error(self) -> PlayerError | None:
        """The error for which no line can come any more; None where one can."""
        if self._output.flooded:
            return PlayerError(f"more than {OUTPUT_LIMIT} characters of output", FaultKind.FLOOD)
        if self._output.ended and not self.end:
            # How it ended is a better reason than the end of its output, and comes at the same moment.
            self._await_end(_LAST_WORDS)
        if self.end:
            self._output.drain()
            return None if b"\n" in self._output.buffer else self.error()
        return PlayerError("the output was closed", FaultKind.CRASH) if self._output.ended else None

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
            self._on_event[self._input] = select.POLLOUT, self._write
        else:
            self._ignore(self._input)

    def _close_input(self) -> None:
        if self._input is not None:
            self._ignore(self._input)
        self._input = None
        self._unsent.clear()
        self.stdin.close()

    def _ignore(self, descriptor: int) -> None:
        self._on_event.pop(descriptor, None)

    def _await_event(self, seconds: float, beside: Iterable["LineProcess"] = ()) -> tuple[float, float]:
        """Wait until a pipe is ready, `seconds` at most, then read and write once.

        The seconds beyond that in which this thread had no core, and those in which it was stopped.
        """
        poll, actions = select.poll(), dict[int, Callable[[], object]]()
        for process in (self, *(other for other in beside if not other.closed)):
            for descriptor, (events, action) in process._on_event.items():
                poll.register(descriptor, events)
                actions[descriptor] = action
        before, began = of_thread(), time.monotonic()
        ready = poll.poll(seconds * 1000)
        after, passed = of_thread(), time.monotonic() - began
        for descriptor, _ in ready:
            actions[descriptor]()
        late = 0.0 if before is None or after is None else after.waited - before.waited
        return late, max(passed - seconds - late, 0.0)


def arguments_of(command: str) -> list[str]:
    """The arguments to start for a command; this Python runs a Python file that is not executable.

    Raises PlayerError.
    """
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise PlayerError(f"{command!r} is no command: {error}") from error
    if not arguments:
        raise PlayerError("the command is empty")
    if any("\0" in argument for argument in arguments):
        raise PlayerError(f"{command!r} cannot be started: {os.strerror(errno.EINVAL)}")
    program = path_of(arguments[0])
    if program.suffix == ".py" and program.is_file() and not os.access(program, os.X_OK):
        return [sys.executable, str(program), *arguments[1:]]
    return [str(program) if arguments[0].startswith("~") else arguments[0], *arguments[1:]]
