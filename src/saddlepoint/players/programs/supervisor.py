"""The process between the arena and a player's program: it starts the program, and ends it with all that it started.

    python -c '... import supervisor; supervisor.main()' CONTROL MEMORY VIEW GROUP PROGRAM [ARGUMENT ...]

In a process of its own it needs nothing but the standard library. CONTROL is the number of an open socket. There it says, a
line each: `starting`, then `started PID`, `failed ERRNO` or `walls WHY` (no namespaces), and at the end `exit CODE`,
`signal NUMBER` or `memory BYTES`. When the socket's other end closes, also because its owner was killed, everything is
ended. The program inherits the supervisor's input and output; the supervisor itself never touches them.

The socket's owner may ask there for a `socket`, a line each: it gets one that is not connected, in the
program's own network, with the line `socket`, or the line `refused`.

VIEW may be the number of an open file with the program's view (see `namespaces.py`): it runs in namespaces
that show it nothing else; PID is then 0, since it cannot outlive them. On Linux processes whose parents are
gone become the supervisor's children (PR_SET_CHILD_SUBREAPER), so nothing the program starts gets out of
sight, whatever sessions it makes. Elsewhere the program's own session is ended, and its children as psutil
sees them.

MEMORY bytes (0: no limit) may be resident in all processes together, and written to the view's scratch file system; they
are counted every 20 ms. Between two counts a process is bounded by RLIMIT_DATA, a gigabyte above that.
GROUP is the folder for a control group of the program's (see `control_group.py`), or empty.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import sys
import time

if __package__:
    from .control_group import GONE, ControlGroup
    from .namespaces import enclose, enter_network, furnish, give_up_rights, network
else:  # in a process of its own: the module lies beside it
    from control_group import GONE, ControlGroup  # type: ignore[import-not-found, no-redef]
    from namespaces import enclose, enter_network, furnish, give_up_rights, network  # type: ignore[import-not-found, no-redef]

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_SYS_KEYCTL = {"x86_64": 250, "aarch64": 219, "riscv64": 219, "ppc64le": 271, "s390x": 280}
_JOIN_SESSION_KEYRING = 1
_LOOK_AGAIN = 1.0  # seconds: whether the parent lives, in case somebody else holds the socket's other end too
_COUNT_AGAIN = 0.02
_HEADROOM = 1 << 30
_MOST_WANTED = 256  # bytes of requests for sockets that are read at once
_PAGE = resource.getpagesize()


def _prctl(option: int, value: int) -> None:
    if _LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _leave_keyring() -> None:
    """In the new process: a session keyring of its own. It would have that of the arena's session: with the user's keys, and with notes
    that other programs, or earlier ones, left there."""
    if _LINUX and (number := _SYS_KEYCTL.get(os.uname().machine)):
        ctypes.CDLL(None).syscall(ctypes.c_long(number), ctypes.c_int(_JOIN_SESSION_KEYRING), None)


def _children(pid: int) -> list[int]:
    """A process's children, those of its threads too; none where it is gone."""
    if not _LINUX:
        return []
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    return found


def descendants(pid: int) -> list[int]:
    """All processes below this one, parents first."""
    if not _LINUX:
        with contextlib.suppress(Exception):
            import psutil

            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        return []
    found = _children(pid)
    for parent in found:
        found += _children(parent)
    return found


def resident(pids: list[int]) -> int:
    """Bytes of memory that are resident in these processes; what they share is counted for each."""
    total = 0
    for pid in pids:
        with contextlib.suppress(Exception):  # gone meanwhile
            if _LINUX:
                with open(f"/proc/{pid}/statm") as file:
                    total += int(file.read().split()[1]) * _PAGE
            else:
                import psutil

                total += psutil.Process(pid).memory_info().rss
    return total


class _Program:
    """The program's process, or process 1 of its namespaces: what the supervisor waits for."""

    def __init__(self, arguments: list[str], memory: int, view: str, group: str) -> None:
        """Start it; `trouble` says why it does not run, as a line for the control socket."""
        self._memory, self._group = memory, None
        with contextlib.suppress(OSError):  # what the supervisor does by itself must do
            self._group = ControlGroup(group, memory) if group else None
        self.walled = bool(view)
        self.trouble = ""
        self.report = self._scratch = self._network = -1
        self._furnished = 0  # bytes of the scratch file system that are the program's view
        reading, failure = os.pipe()
        self.report, told = os.pipe()
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        try:
            if self.walled:
                enclose()
            self.pid = os.fork()
        except OSError as error:
            self.pid = 0
            self.trouble = f"walls {_reason(error)}"
            return
        if self.pid == 0:
            if self.walled:
                _begin_inside(arguments, memory, view, self._group, failure, told, theirs)
            _run(arguments, memory, self._group, parent, failure)
        for descriptor in (failure, told):
            os.close(descriptor)
        theirs.close()
        text = os.read(reading, 500).decode(errors="replace")  # ends with the pipe, when the program begins
        os.close(reading)
        if text:
            self.trouble = text if text.startswith("walls") else f"failed {text}"
        elif self.walled:
            size, (self._scratch, self._network) = socket.recv_fds(ours, 100, 2)[:2]
            self._furnished = int(size)
        ours.close()

    def used(self) -> int:
        """Bytes of memory in all its processes and of its scratch files."""
        inside = descendants(os.getpid())
        total = resident([pid for pid in inside if not (self.walled and pid == self.pid)])
        if self._scratch >= 0:
            total += max(_written(self._scratch) - self._furnished, 0)
        return total

    def give_socket(self, control: socket.socket) -> None:
        """Send a socket in the program's network."""
        try:
            if self._network >= 0:
                enter_network(self._network)
                os.close(self._network)
                self._network = -1
            with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as made:
                socket.send_fds(control, [b"socket\n"], [made.fileno()])
        except OSError:
            control.sendall(b"refused\n")

    def end_text(self) -> str:
        """The program's end, `exit CODE` or `signal NUMBER`, if it has ended."""
        status = _reaped(self.pid)
        if status is None:
            return ""
        if self._group is not None and self._group.short_of_memory():
            return f"memory {self._memory}"
        if self.walled and (told := os.read(self.report, 100).decode()):
            return told
        return _told(status)

    def end_group(self) -> None:
        if self._group is not None:
            self._group.close()


def _reason(error: OSError) -> str:
    return f"{error.filename or ''} {error.strerror or error}".strip()


def _told(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"exit {code}"


def _begin_inside(
    arguments: list[str],
    memory: int,
    view: str,
    group: ControlGroup | None,
    failure: int,
    told: int,
    theirs: socket.socket,
) -> None:
    """As process 1 of the namespaces: start the program, adopt processes without a parent, and report its
    end.

    Only the kernel and processes outside can end or stop this one; when it ends, all others inside do.
    """
    try:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        scratch = furnish(view)
        socket.send_fds(theirs, [str(_written(scratch)).encode()], [scratch, network()])
        theirs.close()
        program = os.fork()
        if program == 0:
            give_up_rights()
            _run(arguments, memory, group, 1, failure)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _leave_pipes()
        for descriptor in map(int, os.listdir("/proc/self/fd")):
            if descriptor > 2 and descriptor != told:
                with contextlib.suppress(OSError):  # that of the listing
                    os.close(descriptor)
        while True:
            pid, status = os.wait()
            if pid == program:
                os.write(told, _told(status).encode())
                break
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.write(failure, f"walls {_reason(error) if isinstance(error, OSError) else error!r}".encode())
    finally:
        os._exit(0)


def _written(scratch: int) -> int:
    """Bytes in a file system."""
    files = os.fstatvfs(scratch)
    return (files.f_blocks - files.f_bfree) * files.f_frsize


def _leave_pipes() -> None:
    """Held open here, the program's end of a pipe would outlive the program."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _run(arguments: list[str], memory: int, group: ControlGroup | None, parent: int, failure: int) -> None:
    """In the new process: become the program; writes into `failure` the errno where that cannot be."""
    try:
        if group is not None:
            with contextlib.suppress(OSError):  # what the supervisor does by itself must do
                group.enter()
        os.setsid()
        _leave_keyring()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        _limit(resource.RLIMIT_CORE, 0)
        if memory:
            _limit(resource.RLIMIT_DATA, memory + _HEADROOM)
        os.execvp(arguments[0], arguments)
    except OSError as error:
        os.write(failure, str(error.errno).encode())
    except BaseException:
        os.write(failure, b"0")
    finally:
        os._exit(127)


def _limit(what: int, most: int) -> None:
    """Bound a resource of this process, where the system lets it and has no lower bound already."""
    allowed = resource.getrlimit(what)[1]
    if allowed == resource.RLIM_INFINITY or allowed > most:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))


def _end_all(program: int) -> None:
    """Kill whatever is left, also what is forked meanwhile, until this process has no children."""
    deadline = time.monotonic() + GONE
    while time.monotonic() < deadline:
        alive = descendants(os.getpid())
        # Stopped processes cannot fork while the others are being killed.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
        if not _LINUX:
            with contextlib.suppress(OSError):
                os.killpg(program, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.0005)


def _reaped(program: int) -> int | None:
    """Take note of all that ended; the program's status if it is among them."""
    status = None
    try:
        while True:
            pid, code = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return status
            if pid == program:
                status = code
    except ChildProcessError:
        return status


def _watch(program: _Program, control: socket.socket, memory: int, woken: int) -> str:
    """Wait for the end of the program, of the arena, or of the memory it may have; what to say of it."""
    parent = os.getppid()
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(woken, select.POLLIN)
    pause = 1000 * (_COUNT_AGAIN if memory else _LOOK_AGAIN)
    while True:
        for descriptor, _ in poll.poll(pause):
            if descriptor == control.fileno():
                wanted = control.recv(_MOST_WANTED)
                if not wanted:
                    return ""
                for _ in range(wanted.count(b"\n")):
                    program.give_socket(control)
                continue
            os.read(woken, 4096)
        if ended := program.end_text():
            return ended
        if os.getppid() != parent:
            return ""
        if memory and (used := program.used()) > memory:
            return f"memory {used}"


def main() -> None:
    """Run the program of the command line until it, or whoever wants it, ends."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    memory, view, group, arguments = int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5:]
    if view:
        with os.fdopen(int(view), encoding=sys.getfilesystemencoding(), errors="surrogateescape") as file:
            view = file.read()
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    control.sendall(b"starting\n")
    program = _Program(arguments, memory, view, group)
    _prctl(_PR_SET_DUMPABLE, 0)  # no process of the same user traces this one
    _leave_pipes()
    try:
        pid = 0 if program.walled else program.pid
        control.sendall((f"{program.trouble}\n" if program.trouble else f"started {pid}\n").encode())
        last_words = "" if program.trouble else _watch(program, control, memory, woken)
        if last_words.startswith("memory"):
            _end_all(program.pid)
        if last_words:
            control.sendall((last_words + "\n").encode())
    except OSError:
        pass  # nobody listens any more
    finally:
        if program.pid:
            _end_all(program.pid)
        program.end_group()
        os._exit(0)
