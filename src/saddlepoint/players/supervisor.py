"""The process between the arena and a player's program: it starts the program, and ends it with all that it started.

    python supervisor.py CONTROL MEMORY PROGRAM [ARGUMENT ...]

Run as a script, it needs nothing but the standard library. CONTROL is the number of an open socket. There it says, a
line each: `started PID` or `failed ERRNO`, and at the end `exit CODE`, `signal NUMBER` or `memory BYTES`. When the
socket's other end closes, also because its owner was killed, everything is ended. The program inherits the supervisor's
input and output; the supervisor itself never touches them.

On Linux processes whose parents are gone become the supervisor's children (PR_SET_CHILD_SUBREAPER), so nothing the
program starts gets out of sight, whatever sessions it makes. Elsewhere the program's own session is ended, and its
children as psutil sees them.

MEMORY bytes (0: no limit) may be resident in all processes together; they are counted every 20 ms. What one process
could take between two counts is bounded by RLIMIT_DATA, a gigabyte above that.
"""

import ctypes
import os
import resource
import select
import signal
import socket
import sys
import time

_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_LOOK_AGAIN = 1.0  # seconds: whether the parent lives, in case somebody else holds the socket's other end too
_COUNT_AGAIN = 0.02
_HEADROOM = 1 << 30
_PATIENCE = 10.0  # seconds for the processes to be gone once they are killed
_PAGE = resource.getpagesize()


def _prctl(option: int, value: int) -> None:
    if _LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _children(pid: int) -> list[int]:
    """A process's children, those of its threads too; none where it is gone."""
    if not _LINUX:
        return []
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def descendants(pid: int) -> list[int]:
    """All processes below this one, parents first."""
    if not _LINUX:
        try:
            import psutil

            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        except Exception:
            return []
    found = _children(pid)
    for parent in found:
        found += _children(parent)
    return found


def resident(pids: list[int]) -> int:
    """Bytes of memory that are resident in these processes; what they share is counted for each."""
    total = 0
    for pid in pids:
        try:
            if _LINUX:
                with open(f"/proc/{pid}/statm") as file:
                    total += int(file.read().split()[1]) * _PAGE
            else:
                import psutil

                total += psutil.Process(pid).memory_info().rss
        except Exception:  # gone meanwhile
            continue
    return total


def _run(arguments: list[str], memory: int, parent: int, failure: int) -> None:
    """In the new process: become the program; tells `failure` the errno where that cannot be."""
    try:
        os.setsid()
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
        try:
            resource.setrlimit(what, (most, most))
        except (OSError, ValueError):
            pass


def _start(arguments: list[str], memory: int) -> tuple[int, str]:
    """The program's process, and the errno for which it is none."""
    reading, failure = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _run(arguments, memory, parent, failure)
    os.close(failure)
    trouble = os.read(reading, 20).decode()  # ends with the pipe, when the program begins
    os.close(reading)
    return pid, trouble


def _end_all(program: int) -> None:
    """Kill whatever is left, also what is forked meanwhile, until this process has no children."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        alive = descendants(os.getpid())
        # Stopped processes cannot fork while the others are being killed.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in alive:
                _kill(pid, number)
        if not _LINUX:
            try:
                os.killpg(program, signal.SIGKILL)
            except OSError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.0005)


def _kill(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        pass


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


def _watch(program: int, control: socket.socket, memory: int, woken: int) -> str:
    """Wait for the end of the program, of the arena, or of the memory it may have; what to say of it."""
    parent = os.getppid()
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(woken, select.POLLIN)
    pause = 1000 * (_COUNT_AGAIN if memory else _LOOK_AGAIN)
    while True:
        for descriptor, _ in poll.poll(pause):
            if descriptor == control.fileno():
                return ""
            os.read(woken, 4096)
        status = _reaped(program)
        if status is not None:
            code = os.waitstatus_to_exitcode(status)
            return f"signal {-code}" if code < 0 else f"exit {code}"
        if os.getppid() != parent:
            return ""
        if memory and (used := resident(descendants(os.getpid()))) > memory:
            return f"memory {used}"


def main() -> None:
    """Run the program of the command line until it, or whoever wants it, ends."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    memory, arguments = int(sys.argv[2]), sys.argv[3:]
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    program, trouble = _start(arguments, memory)
    # Held open here, the program's end of a pipe would outlive the program.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    try:
        control.sendall((f"failed {trouble}\n" if trouble else f"started {program}\n").encode())
        last_words = "" if trouble else _watch(program, control, memory, woken)
        if last_words.startswith("memory"):
            _end_all(program)
        if last_words:
            control.sendall((last_words + "\n").encode())
    except OSError:
        pass  # nobody listens any more
    finally:
        _end_all(program)
        os._exit(0)


if __name__ == "__main__":
    main()
