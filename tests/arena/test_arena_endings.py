"""However the arena ends, nothing of it lives on: no worker, no supervisor, no bot."""

import os
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from helpers.cli_runs import program

pytestmark = pytest.mark.slow

# Both ignore that they are to end, and have a child in a session of its own.
BOT = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    if line.startswith("begin"): print("ready", flush=True)
    if line.startswith("go"):
        if os.fork() == 0: os.setsid()
        while True: time.sleep(1)
"""
FILE = """
import os, signal, time
def choose(game, state, clock, player):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0: os.setsid()
    while True: time.sleep(1)
"""


def living(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [one for one in processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def is_bot(process: psutil.Process, folder: Path) -> bool:
    try:
        words = process.cmdline()
    except psutil.Error:
        return False
    return str(folder) in " ".join(words) and not any("supervisor.main" in word for word in words)


def below(arena: int) -> list[psutil.Process]:
    try:
        return psutil.Process(arena).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


@pytest.mark.parametrize(
    ("name", "mode"),
    [("SIGKILL", "auto"), ("SIGKILL", "supervisor"), ("SIGTERM", "auto"), ("SIGHUP", "auto")],
)
def test_an_arena_that_is_ended_leaves_nothing(name: str, mode: str, tmp_path: Path) -> None:
    bots = tmp_path / "bots"
    bots.mkdir()
    (bots / "program.py").write_text(BOT)
    (bots / "file.py").write_text(FILE)
    players = (f"cmd:{sys.executable} -I -S {bots}/program.py", f"{bots}/file.py")
    match = f"--game goofspiel --time 900 -n 4 -j 2 --swap --isolate={mode} --ledger {tmp_path}/games.db"
    running = program("match", *players, *match.split())
    try:
        deadline = time.monotonic() + 300
        while sum(is_bot(one, bots) for one in below(running.pid)) < 6 and time.monotonic() < deadline:
            assert running.poll() is None, running.communicate()
            time.sleep(0.1)
        everybody = below(running.pid)
        # Of two games: in one the program was asked first and has its child, in the other the file.
        assert sum(is_bot(one, bots) for one in everybody) == 6
        assert sum(any("multiprocessing" in word for word in one.cmdline()) for one in everybody) >= 2
    finally:
        running.send_signal(getattr(signal, name))
    _, errors = running.communicate(timeout=60)
    if name == "SIGKILL":
        assert running.returncode == -signal.SIGKILL
    else:
        assert running.returncode == 128 + getattr(signal, name)
        assert f"saddlepoint: ended by {name}" in errors
        assert "has the finished games" in errors
        assert "Traceback" not in errors
    _, left = psutil.wait_procs(everybody, timeout=30)
    assert living(left) == []


def test_the_first_signal_counts_and_what_is_ignored_stays_ignored(tmp_path: Path) -> None:
    file = tmp_path / "ended.py"
    file.write_text(
        "import os, signal, sys\nfrom saddlepoint.cli import end_signals\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with end_signals() as ending:\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "    try:\n        os.kill(os.getpid(), signal.SIGTERM)\n        signal.pause()\n"
        "    except KeyboardInterrupt:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "os._exit(ending.code())\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = psutil.Popen([sys.executable, file], env=environment, stderr=-1)
    _, errors = done.communicate(timeout=60)
    assert done.returncode == 143
    assert errors == b"saddlepoint: ended by SIGTERM\n"
