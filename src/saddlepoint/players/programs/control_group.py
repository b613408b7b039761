"""A control group (cgroups v2) around a player's program, where the system has delegated one to whoever runs the arena.

Part of the supervisor's script: nothing but the standard library. The kernel then counts the program's memory itself, limits
the number of its processes, and ends all of them at once, also those that got away from a killed supervisor.

A group that has processes of its own cannot limit its children. So the arena moves itself to a group below the delegated one
(`make_room`), beside those of the programs; systemd's documentation of delegation asks for the same.
"""

import contextlib
import os
import time

PROCESSES = 512
"""As many may a program have at once, its threads counted."""

_ROOM = "saddlepoint-arena"
_PROGRAM = "saddlepoint-program-"
GONE = 10.0  # seconds for what was killed to be gone


def delegated(mounts: str = "/proc/self/mountinfo", own: str = "/proc/self/cgroup") -> str:
    """The folder in which groups for programs may be made; empty where the system has given none.

    It is this process's own group, or the one above where the arena has moved. Root may write everywhere: for it the group must
    bear the mark of delegation, or be the root of all that it sees (a container).
    """
    path = next((line.rstrip("\n")[3:] for line in _lines(own) if line.startswith("0::/")), "")
    for root, point, kind in mounted(mounts):
        if kind != "cgroup2" or not path or (path != root and not path.startswith(root + "/")):
            continue
        folder = point + path[len(root) :].rstrip("/")
        if os.path.basename(folder) == _ROOM:
            folder = os.path.dirname(folder)
        whole = path.strip("/") in ("", _ROOM)
        files = [folder, *(os.path.join(folder, name) for name in ("cgroup.procs", "cgroup.subtree_control"))]
        if all(os.access(file, os.W_OK) for file in files) and (
            whole or os.geteuid() != 0 or _marked(folder)
        ):
            return folder
    return ""


def mounted(mounts: str = "/proc/self/mountinfo") -> list[tuple[str, str, str]]:
    """What is mounted: the part of its file system, without a slash at the end, the folder where it is, and its kind."""
    import re  # the supervisor, which starts beside every program, does not need it

    halves = [line.split(" - ") for line in _lines(mounts)]
    parts = [(*before.split()[3:5], after.split()[0]) for before, after in halves]
    return [
        (root.rstrip("/"), re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), point), kind)
        for root, point, kind in parts
    ]


def make_room(folder: str) -> None:
    """Let the delegated group limit its children: this process, and what it has started, move below it.

    Where somebody else is in it too, or the controllers are not there, groups are made without limits.
    """
    missing = {"memory", "pids"} & set(_words(folder, "cgroup.controllers")) - set(
        _words(folder, "cgroup.subtree_control")
    )
    if not missing or not all(_is_ours(int(pid)) for pid in _words(folder, "cgroup.procs")):
        return
    with contextlib.suppress(OSError):
        os.makedirs(os.path.join(folder, _ROOM), exist_ok=True)
        for pid in _words(folder, "cgroup.procs"):
            with contextlib.suppress(ProcessLookupError):  # it has ended
                _write(os.path.join(folder, _ROOM), "cgroup.procs", pid)
        for controller in missing:
            _write(folder, "cgroup.subtree_control", f"+{controller}")


class ControlGroup:
    """The group of one program. `memory` is in bytes, 0 is no limit. Raises OSError where it cannot be made."""

    def __init__(self, folder: str, memory: int) -> None:
        self.folder = _folder_of(folder, os.getpid())
        self._limited = bool(memory)
        _sweep(folder)
        os.mkdir(self.folder)
        try:
            limits = {"pids.max": PROCESSES}
            if memory:
                limits |= {"memory.max": memory, "memory.swap.max": 0}
            for name, most in limits.items():
                if os.path.exists(os.path.join(self.folder, name)):
                    _write(self.folder, name, str(most))
            self._entry = os.open(os.path.join(self.folder, "cgroup.procs"), os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            os.rmdir(self.folder)
            raise

    def enter(self) -> None:
        """Move the calling process into it; namespaces do not matter, the file was opened before."""
        os.write(self._entry, b"0")

    def short_of_memory(self) -> bool:
        """Whether the kernel ended one of its processes because of the limit."""
        events = dict(line.split() for line in _lines(os.path.join(self.folder, "memory.events")))
        return self._limited and int(events.get("oom_kill", 0)) > 0

    def close(self) -> None:
        """End all that is in it; the group is gone."""
        os.close(self._entry)
        _remove(self.folder)


def end_group(folder: str, supervisor: int) -> None:
    """End what is left in the group that this supervisor made; nothing where it is gone."""
    _remove(_folder_of(folder, supervisor))


def _folder_of(folder: str, supervisor: int) -> str:
    return os.path.join(folder, f"{_own_prefix()}{supervisor}")


def _own_prefix() -> str:
    """The prefix of the names of groups whose supervisors are in this process's PID namespace."""
    return f"{_PROGRAM}{os.stat('/proc/self/ns/pid').st_ino}-"


def _remove(folder: str) -> None:
    deadline = time.monotonic() + GONE
    with contextlib.suppress(OSError):  # before Linux 5.14, where the supervisor ends them one by one
        _write(folder, "cgroup.kill", "1")
    while time.monotonic() < deadline:
        try:
            os.rmdir(folder)
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.001)


def _sweep(folder: str) -> None:
    """Remove what killed supervisors have left, with whoever lives there."""
    prefix = _own_prefix()
    for name in os.listdir(folder):
        supervisor = name.removeprefix(prefix)
        # One with this process's own number is of a process that had it before.
        if supervisor != name and (
            supervisor == str(os.getpid()) or not os.path.exists(f"/proc/{supervisor}")
        ):
            _remove(os.path.join(folder, name))


def _is_ours(pid: int) -> bool:
    """Whether it is this process or below it."""
    while pid > 1 and pid != os.getpid():
        stat = "".join(_lines(f"/proc/{pid}/stat"))
        pid = int(stat.rpartition(")")[2].split()[1]) if stat else 0
    return pid == os.getpid()


def _marked(folder: str) -> bool:
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, name) == b"1":
                return True
    return False


def _lines(path: str) -> list[str]:
    with contextlib.suppress(OSError), open(path) as file:
        return file.readlines()
    return []


def _words(folder: str, name: str) -> list[str]:
    return " ".join(_lines(os.path.join(folder, name))).split()


def _write(folder: str, name: str, text: str) -> None:
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)
