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

BOT = """
import sys, time
for line in sys.stdin:
    if line.startswith("begin"): print("ready", flush=True)
    if line.startswith("go"): time.sleep(1000)
"""


def living(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [one for one in processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def is_bot(process: psutil.Process, bot: Path) -> bool:
    try:
        words = process.cmdline()
    except psutil.Error:
        return False
    return str(bot) in words and not any("supervisor.main" in word for word in words)


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
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    spec = f"cmd:{sys.executable} -I -S {bot}"
    ledger = tmp_path / "games.db"
    running = program(
        "match",
        spec,
        f"{spec} other",
        "--game",
        "goofspiel",
        "--time",
        "900",
        "-n",
        "4",
        "-j",
        "2",
        f"--isolate={mode}",
        "--ledger",
        str(ledger),
    )
    try:
        deadline = time.monotonic() + 300
        while sum(is_bot(one, bot) for one in below(running.pid)) < 4 and time.monotonic() < deadline:
            assert running.poll() is None, running.communicate()
            time.sleep(0.1)
        everybody = below(running.pid)
        assert sum(is_bot(one, bot) for one in everybody) == 4
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
