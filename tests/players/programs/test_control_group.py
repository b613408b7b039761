"""Control groups around programs: found where the system delegates one, and used for what a supervisor alone cannot do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.programs import is_alive
from saddlepoint.players.programs.control_group import PROCESSES, ControlGroup, delegated
from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.supervision import SUPERVISOR, Supervision

FILES = ("cgroup.procs", "cgroup.subtree_control")
HERE = delegated() if sys.platform == "linux" else ""
OURS = f"saddlepoint-program-{os.stat('/proc/self/ns/pid').st_ino}-" if HERE else ""


def system(tmp_path: Path, own: str, root: str = "/") -> tuple[str, str]:
    """What the kernel says of a process in the group `own`, of which the file system at tmp_path/groups shows what is below `root`."""
    (tmp_path / "own").write_text(f"3:cpu:/elsewhere\n0::{own}\n")
    (tmp_path / "mounts").write_text(
        f"22 1 0:20 / / rw - ext4 /dev/sda rw\n36 22 0:31 {root} {tmp_path}/groups rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
    )
    folder = tmp_path / "groups" / own.removeprefix(root).strip("/")
    folder.mkdir(parents=True)
    for name in FILES:
        (folder / name).touch()
    return str(tmp_path / "mounts"), str(tmp_path / "own")


@pytest.mark.parametrize(
    ("own", "root", "user", "above", "found"),
    [
        ("/", "/", 0, "", "/groups"),
        ("/user.slice/run.scope", "/", 1000, "", "/groups/user.slice/run.scope"),
        ("/user.slice/run.scope", "/user.slice", 1000, "", "/groups/run.scope"),
        ("/run.scope/saddlepoint-arena", "/", 1000, "run.scope", "/groups/run.scope"),
        ("/system.slice/ssh.service", "/", 0, "", ""),
    ],
    ids=[
        "a process alone in its container has that at the root",
        "a user has the one that systemd gave it",
        "also where only what is below is shown",
        "an arena that has moved finds the one above",
        "root takes none that it was not given",
    ],
)
def test_the_group_that_is_delegated_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, root: str, user: int, above: str, found: str
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    told = system(tmp_path, own, root)
    for name in FILES if above else ():
        (tmp_path / "groups" / above / name).touch()
    assert delegated(*told) == (f"{tmp_path}{found}" if found else "")


def test_without_a_writable_group_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = system(tmp_path, "/")
    monkeypatch.setattr(os, "access", lambda path, mode: "subtree" not in path)
    assert delegated(*told) == ""
    assert delegated(str(tmp_path / "missing"), str(tmp_path / "missing")) == ""


def test_memory_and_processes_are_limited_and_what_the_kernel_ended_for_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files stand for the kernel's: it makes them with the folder, where the controllers are given."""
    made = os.mkdir

    def kernel(path: str) -> None:
        made(path)
        for name in ("cgroup.procs", "pids.max", "memory.max", "memory.swap.max"):
            (Path(path) / name).touch()

    monkeypatch.setattr(os, "mkdir", kernel)
    group = ControlGroup(str(tmp_path), 300_000_000)
    written = {
        name: (Path(group.folder) / name).read_text()
        for name in ("pids.max", "memory.max", "memory.swap.max")
    }
    assert written == {"pids.max": str(PROCESSES), "memory.max": "300000000", "memory.swap.max": "0"}
    assert not group.short_of_memory()
    (Path(group.folder) / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    assert group.short_of_memory()


@pytest.mark.skipif(not HERE, reason="no control group is delegated here")
def test_a_daemon_of_a_program_that_killed_its_supervisor_ends_with_the_game(tmp_path: Path) -> None:
    """It wiped its environment and has a session of its own, so that nothing else tells whose it is."""
    written = tmp_path / "pid"
    program = (
        "import os, signal, subprocess, sys, time\n"
        "daemon = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(600)'], env={}, start_new_session=True)\n"
        f"with open({str(written)!r}, 'w') as file: file.write(str(daemon.pid))\n"
        "os.kill(os.getppid(), signal.SIGKILL)\ntime.sleep(600)\n"
    )
    running = Supervision([sys.executable, "-c", program], Isolation(), SUPERVISOR)
    try:
        running.wait()
        assert running.end == "lost"
        pid = int(written.read_text())
        assert is_alive(pid)
    finally:
        running.close()
        running.close_pipes()
    assert not is_alive(pid)
    assert not [name for name in os.listdir(HERE) if name.endswith(f"-{running.process.pid}")]


@pytest.mark.skipif(not HERE, reason="no control group is delegated here")
def test_groups_of_supervisors_that_were_killed_are_removed() -> None:
    """With an arena that was killed too: the next program's supervisor does it."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left = Path(HERE) / f"{OURS}{ended.pid}"
    left.mkdir()
    group = ControlGroup(HERE, 0)
    inside = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (Path(group.folder) / "cgroup.procs").write_text(str(inside.pid))
    assert not left.exists()
    group.close()
    assert inside.wait() == -9
    assert not os.path.exists(group.folder)
