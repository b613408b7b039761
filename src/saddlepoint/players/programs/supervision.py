"""A program under its supervisor (`supervisor.py`), seen from the arena; and processes of a player that got away."""

import contextlib
import errno
import functools
import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base import FaultKind, MachineFault, PlayerError
from ..waiting import Processes
from .control_group import delegated, end_group, make_room
from .isolation import Isolation
from .view import Bubblewrap, Sight, as_file, environment, view_of

# Processes of a player that got away: those whose supervisor was killed, or that left its sight where there is none.
#
# They are found by a mark in their environment, which a process inherits however it is started (one that wipes its
# environment before it starts another is not found).

_MARK = "SADDLEPOINT_PLAYER"


def mark() -> dict[str, str]:
    """An environment variable of a value nobody else has."""
    return {_MARK: uuid.uuid4().hex}


def end_orphans(session: int, marked: Mapping[str, str]) -> None:
    """Kill the processes of that session (0: none) and all others that have the mark."""
    import psutil

    if session:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(session, signal.SIGKILL)
    wanted = set(marked.items())
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.uids().real == os.getuid() and wanted <= set(process.environ().items()):
                process.kill()


# A program under its supervisor (`supervisor.py`), seen from the arena: how it is started, how it ended, how it is ended.

NAMESPACES, BUBBLEWRAP, SUPERVISOR = "namespaces", "bubblewrap", "supervisor"

_ENDING = 15.0  # seconds the supervisor may take to end everything
_FOLDER = str(Path(__file__).parent)
# As a module it is compiled once; its folder comes last, behind the standard library.
_SUPERVISOR = ("-c", f"import sys; sys.path.append({_FOLDER!r}); import supervisor; supervisor.main()")
_WANTED = b"socket\n"
_LINUX = sys.platform == "linux"
# Without the site module it starts in half the time; elsewhere than on Linux it needs psutil.
_ISOLATED = ("-I", "-S") if _LINUX else ("-I",)
_FAULTS = {
    "exit": FaultKind.CRASH,
    "signal": FaultKind.CRASH,
    "memory": FaultKind.MEMORY,
    "lost": FaultKind.ESCAPE,
    "stopped": FaultKind.ESCAPE,
}


@dataclass(frozen=True)
class Containment:
    """The isolation of programs on this machine."""

    means: str
    """`namespaces`, `bubblewrap` (which makes namespaces) or `supervisor`."""
    why: str = ""
    """Why there are no namespaces, where they were wanted."""

    def __str__(self) -> str:
        return {
            NAMESPACES: "programs run in namespaces of their own",
            BUBBLEWRAP: "programs run in namespaces of their own, made by bubblewrap",
            SUPERVISOR: "programs run under a supervisor only"
            + (f": no namespaces here ({self.why})" if self.why else ""),
        }[self.means]


def containment(isolation: Isolation) -> Containment:
    """The containment of programs on this machine.

    Raises PlayerError where namespaces are asked for and refused, or the sandbox's program is not there.
    """
    sandbox = shlex.split(isolation.sandbox)[:1]
    if sandbox and shutil.which(sandbox[0]) is None:
        raise PlayerError(f"there is no program {sandbox[0]!r}, which --sandbox puts before the players' own")
    _groups()  # before there are workers: none may be in the group that is made ready
    if isolation.mode == SUPERVISOR or (isolation.mode == "auto" and isolation.sandbox):
        return Containment(SUPERVISOR)
    means, why = _available()
    if means == SUPERVISOR and isolation.mode == NAMESPACES:
        raise PlayerError(f"this system refuses namespaces ({why}); --isolate=supervisor does without them")
    return Containment(means, why)


@functools.cache
def _available() -> tuple[str, str]:
    """The best there is, and why it is not better: found by trying, once in a process."""
    if not _LINUX:
        return SUPERVISOR, f"they are Linux's, this is {sys.platform}"
    reasons: list[str] = []
    for means in (NAMESPACES, BUBBLEWRAP):
        if means == BUBBLEWRAP and shutil.which("bwrap") is None:
            reasons.append("bubblewrap is not installed")
            continue
        try:
            trial = Supervision([sys.executable, "-I", "-S", "-c", ""], Isolation(), means)
        except (PlayerError, MachineFault) as error:
            reasons.append(f"{means}: {error}")
            continue
        trial.wait()
        trial.close()
        said = trial.stderr.read().decode(errors="replace").strip().splitlines()
        trial.close_pipes()
        if trial.end == "exit 0":
            return means, "; ".join(reasons)
        reasons.append(f"{means}: {said[-1] if said else f'a trial ended with {trial.end}'}")
    return SUPERVISOR, "; ".join(reasons)


@functools.cache
def _groups() -> str:
    """The folder for the programs' control groups; empty where the system has delegated none. Looked up once in a process."""
    folder = delegated() if _LINUX else ""
    if folder:
        make_room(folder)
    return folder


class Supervision:
    """A running program. `process` is its supervisor, which has the program's pipes.

    `variables` are added to the environment; `reads` are files and folders that the program needs besides those that its
    words name. Raises PlayerError where the program cannot be started, MachineFault where its supervisor cannot.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        isolation: Isolation,
        means: str | None = None,
        variables: Mapping[str, str] | None = None,
        reads: Iterable[Path] = (),
    ) -> None:
        self.end = ""
        """How it ended, as the supervisor says it, `lost` or `stopped`; empty while it runs."""
        self.memory = isolation.memory
        self.closed = False
        """Whether it was ended here."""
        self._received = bytearray()
        self._mark = mark()
        self._name = shlex.join(arguments)
        if not hasattr(os, "fork"):
            raise MachineFault(
                f"{self._name!r} is a program, and only Linux and macOS have what keeps a program that plays in check"
            )
        means = means or containment(isolation).means
        words = [*shlex.split(isolation.sandbox), *arguments]
        added = {**(variables or {}), **self._mark}
        view = ""
        everything = {**os.environ, **added}
        if means in (NAMESPACES, BUBBLEWRAP):
            everything = environment(os.environ, added)
            sight = Sight(words, everything.get("PATH", os.defpath), reads, isolation.shown)
            everything["PATH"] = sight.path
            view = view_of(sight, everything, isolation.memory, isolation.hidden)
        self._groups = _groups()
        with contextlib.ExitStack() as opened:
            descriptors: list[int] = []
            if means == NAMESPACES:
                descriptors = [as_file(view)]
                opened.callback(os.close, descriptors[0])
                view = str(descriptors[0])
            elif means == BUBBLEWRAP:
                shown = Bubblewrap(view, opened)
                words, view, descriptors = [*shown.words, *words], "", shown.descriptors
            self._begin(words, [str(isolation.memory or 0), view, self._groups], descriptors, everything)
        self._pid = 0
        self._await_start()
        self.control.setblocking(False)
        self.read()

    def _begin(
        self,
        words: Sequence[str],
        how: Sequence[str],
        descriptors: Sequence[int],
        variables: Mapping[str, str],
    ) -> None:
        """Start the supervisor; it inherits the descriptors."""
        self.control, theirs = socket.socketpair()
        number = theirs.fileno()
        try:
            self.process = subprocess.Popen(
                [sys.executable, *_ISOLATED, *_SUPERVISOR, str(number), *how, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(number, *descriptors),
                env=variables,
            )
        except OSError as error:
            self.control.close()
            raise MachineFault(f"no supervisor can be started: {error.strerror or error}") from error
        finally:
            theirs.close()
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = self.process.stdin, self.process.stdout, self.process.stderr

    def _await_start(self) -> None:
        """Until the program runs: what the supervisor needs for it is not the program's time."""
        verb, _, rest = self._line().partition(" ")
        begun = verb == "starting"
        if begun:
            verb, _, rest = self._line().partition(" ")
        if verb == "started":
            self._pid = int(rest)
            return
        self.control.close()
        self.process.wait()
        self.close_pipes()
        if verb == "failed":
            rest = os.strerror(int(rest)) if rest.isdigit() else rest
            raise PlayerError(f"{self._name!r} cannot be started: {rest}")
        if verb == "walls":
            raise MachineFault(f"no namespaces can be made: {rest}")
        if not begun:
            raise MachineFault("the supervisor of a program ended before it began")
        raise PlayerError(f"{self._name!r} cannot be started: its supervisor was ended", FaultKind.ESCAPE)

    def _line(self) -> str:
        """The next line that the supervisor says; empty where no more come. Raises BlockingIOError where it has not come yet."""
        while b"\n" not in self._received:
            try:
                received = self.control.recv(4096)
            except BlockingIOError:
                raise
            except OSError:
                received = b""
            if not received:
                return ""
            self._received += received
        line, _, self._received = self._received.partition(b"\n")
        return line.decode(errors="replace")

    def wait(self) -> None:
        """Until the program has ended."""
        self.control.setblocking(True)
        self.read()

    @property
    def has_ended(self) -> bool:
        """Whether the program is known to be gone."""
        if not self.closed:
            self.read()
            self.look()
        return self.closed or bool(self.end)

    def read(self) -> None:
        """Take in what the supervisor says of the program's end, if it has said it."""
        if not self.end:
            with contextlib.suppress(BlockingIOError):
                self.end = self._line() or "lost"

    def open_socket(self, seconds: float) -> socket.socket:
        """A TCP socket in the program's own network, not yet connected.

        Raises OSError where there is none in time.
        """
        self.control.send(_WANTED)
        deadline = time.monotonic() + seconds
        while not self.end:
            if not select.select([self.control], [], [], max(deadline - time.monotonic(), 0.0))[0]:
                raise TimeoutError
            said, descriptors, _, _ = socket.recv_fds(self.control, 4096, 1)
            self._received += said.replace(_WANTED, b"")
            if descriptors:
                return socket.socket(fileno=descriptors[0])
            if b"refused" in self._received:
                self._received.clear()
                break
            if not said or b"\n" in self._received:
                self.read()
        raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))

    def processes(self) -> list[int]:
        """The program's processes, and what makes its namespaces."""
        from .supervisor import descendants

        return descendants(self.process.pid)

    def measure(self) -> Processes:
        """Measure how long its processes wait for a core from now on."""
        return Processes(self.processes)

    def look(self) -> None:
        """Notice a supervisor that was stopped, also where it goes on meanwhile: nobody but the program has a reason to."""
        if self.end:
            return
        if hasattr(os, "waitid"):
            with contextlib.suppress(ChildProcessError):
                if (
                    os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WCONTINUED | os.WNOHANG)
                    is not None
                ):
                    self.end = "stopped"
        else:  # macOS before Python 3.13
            import psutil

            with contextlib.suppress(psutil.Error):
                if psutil.Process(self.process.pid).status() == psutil.STATUS_STOPPED:
                    self.end = "stopped"

    def error(self) -> PlayerError:
        """The error of its end, in words, with the kind of fault."""
        verb, _, number = self.end.partition(" ")
        match verb:
            case "exit":
                text = f"the program exited with code {number}"
            case "signal":
                with contextlib.suppress(ValueError):
                    number = signal.Signals(int(number)).name
                text = f"the program was ended by signal {number}"
            case "memory":
                text = f"{_megabytes(int(number))} of memory used, more than {_megabytes(self.memory or 0)}"
            case _:
                text = f"the program's supervisor was {'stopped' if verb == 'stopped' else 'ended'}"
        return PlayerError(text, _FAULTS.get(verb, FaultKind.CRASH))

    def close(self) -> None:
        """End the program and all it started; the pipes stay open."""
        self.closed = True
        self.control.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            self.process.send_signal(signal.SIGCONT)  # the program may have stopped it
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_ENDING)
        self.process.kill()
        if self.process.wait() or not _LINUX:
            if self._groups:
                end_group(self._groups, self.process.pid)
            end_orphans(self._pid, self._mark)

    def close_pipes(self) -> None:
        """Give back what is left."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            pipe.close()


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.0f} MB"
