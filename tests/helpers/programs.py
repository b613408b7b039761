"""Run Python programs in processes of their own, for what happens once a process: imports, caches, messages."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

from saddlepoint.players.programs.isolation import Isolation
from saddlepoint.players.programs.process import LineProcess


def run_python(
    *arguments: str | Path, cache: Path | None = None, given: str | None = None, **environment: str
) -> subprocess.CompletedProcess:
    """The finished process; `cache` is the directory of compiled code, `given` what it reads from stdin."""
    env = {
        k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "SADDLEPOINT_", "COV_", "PYTEST_"))
    }
    env |= {"NUMBA_CACHE_DIR": str(cache)} if cache is not None else {}
    if "PYTHONPATH" in os.environ and "PYTHONPATH" in environment:
        environment["PYTHONPATH"] += os.pathsep + os.environ["PYTHONPATH"]
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, env=env | environment, input=given, capture_output=True, text=True, timeout=900, check=False
    )


def output_of(*arguments: str | Path, **options: Any) -> str:
    """What the program printed; fails with its stderr where it fails."""
    done = run_python(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled_files(cache: Path) -> set[str]:
    """The pieces of machine code kept on disk."""
    return {str(path.relative_to(cache)) for path in cache.rglob("*.nbc")}


def wait_until(
    ask: Callable[[], Any], seconds: float = 120.0, seen: object = "", ready: Callable[[Any], object] = bool
) -> Any:
    """What is told once it is as it is bound to become; raises AssertionError with what was seen meanwhile."""
    end = time.monotonic() + seconds
    while not ready(told := ask()):
        assert time.monotonic() < end, f"it did not happen: {seen or told}"
        time.sleep(0.05)
    return told


def answer_of(command: str | Sequence[str], isolation: Isolation | None = None) -> str:
    """What a program answers to its first question; what it wrote on stderr, should it not."""
    with LineProcess(command, isolation) as process:
        reply = process.ask(["?"], 60.0)
        return reply.line if reply.line is not None else f"{reply.error} {process.error_text}"


def is_alive(pid: int) -> bool:
    """An ended process may still be waiting for its parent."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def worker_processes() -> list[psutil.Process]:
    """The processes that this one has started to work for it; a process of another test that has ended is none."""
    running = [child for child in psutil.Process().children(recursive=True) if is_alive(child.pid)]
    return [child for child in running if "spawn_main" in " ".join(child.cmdline())]
