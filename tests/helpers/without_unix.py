"""Run the program as where Python lacks what Windows has not: `python without_unix.py WORD ...`. Without words the library searches;
`modules` names the modules that cannot be loaded.

Modules that other packages load are loaded first, since they have ways of their own on Windows. It is no Windows: paths, processes
and signals stay those of this system.
"""

import asyncio  # noqa: F401
import contextlib
import importlib
import multiprocessing.connection
import multiprocessing.popen_spawn_posix
import os
import pkgutil
import select
import signal
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401
import time

import filelock  # noqa: F401
import numba
import psutil  # noqa: F401
import rich.console  # noqa: F401
import scipy.optimize  # noqa: F401
import typer.main  # noqa: F401

for _extra in ("distributed", "matplotlib.figure", "optuna", "textual.app", "uvicorn"):
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module(_extra)

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "crypt")
NAMES = {
    os: (
        "fork",
        "forkpty",
        "killpg",
        "getuid",
        "geteuid",
        "getgid",
        "getegid",
        "getpgid",
        "setsid",
        "getsid",
        "sched_getaffinity",
        "uname",
        "O_CLOEXEC",
        "O_NOFOLLOW",
        "O_DIRECTORY",
        "WNOHANG",
        "posix_fadvise",
        "mkfifo",
        "chown",
        "waitid",
        "openpty",
    ),
    signal: (
        "SIGKILL",
        "SIGHUP",
        "SIGALRM",
        "SIGSTOP",
        "SIGCONT",
        "SIGCHLD",
        "SIGPIPE",
        "SIGWINCH",
        "setitimer",
        "alarm",
        "pthread_kill",
        "pthread_sigmask",
        "sigwait",
        "siginterrupt",
    ),
    select: ("poll", "epoll"),
    time: ("clock_gettime", "clock_gettime_ns", "CLOCK_MONOTONIC", "pthread_getcpuclockid"),
}


class Hidden:
    """Finds none of the modules."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def hide() -> None:
    """From here on they are not there."""
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Hidden())  # type: ignore[arg-type]
    for module, names in NAMES.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.platform = "win32"


if __name__ == "__main__":
    assert multiprocessing.connection and multiprocessing.popen_spawn_posix  # loaded, see above
    hide()
    if sys.argv[1:] == ["modules"]:
        import saddlepoint

        for module in pkgutil.walk_packages(saddlepoint.__path__, "saddlepoint."):
            try:
                importlib.import_module(module.name) if not module.name.endswith("__main__") else None
            except ModuleNotFoundError as error:
                print(module.name, error.name)
            except ImportError as error:
                assert "needs the package" in str(error), error  # an extra
    elif sys.argv[1:]:
        from saddlepoint.cli import main

        main()
    else:
        from filelock import FileLock

        from saddlepoint import SMAB, LightRiders, Limits, search
        from saddlepoint.compiled.cache import _acquired
        from saddlepoint.compiled.clock import monotonic_ns
        from saddlepoint.compiled.directory import cache_directory

        game = LightRiders(4, 4)
        print(search(game, game.initial_state(), SMAB(), Limits(depth=2)).depth)
        print(cache_directory().is_dir(), _acquired(FileLock(cache_directory() / "abcdef0.lock"), 0.0))
        # An hour later than the clock of this system, to see that it is Python's which compiled code reads.
        system_ns = time.perf_counter_ns
        time.perf_counter_ns = lambda: system_ns() + 3_600_000_000_000
        started, read = time.perf_counter_ns(), numba.njit(lambda: monotonic_ns() + 0)
        print(started <= read() <= time.perf_counter_ns())
