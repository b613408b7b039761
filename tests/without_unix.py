"""Run the program as where Python lacks what Windows has not: `python without_unix.py WORD ...`; without words only the library is loaded.

Modules that other packages load are loaded first, since they have ways of their own on Windows. It is no Windows: paths, processes
and signals stay those of this system.
"""

import asyncio  # noqa: F401
import multiprocessing.connection
import os
import select
import signal
import subprocess  # noqa: F401
import sys
import tempfile  # noqa: F401

import numba  # noqa: F401
import psutil  # noqa: F401
import rich.console  # noqa: F401
import scipy.optimize  # noqa: F401
import typer.main  # noqa: F401

MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "crypt")
NAMES = {
    os: (
        "fork", "forkpty", "killpg", "getuid", "geteuid", "getgid", "getegid", "getpgid", "setsid", "getsid", "sched_getaffinity",
        "uname", "O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY", "WNOHANG", "posix_fadvise", "mkfifo", "chown",
    ),
    signal: ("SIGKILL", "SIGHUP", "SIGALRM", "SIGSTOP", "SIGCONT", "SIGCHLD", "SIGPIPE", "SIGWINCH", "setitimer", "alarm"),
    select: ("poll", "epoll"),
}  # fmt: skip


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


if __name__ == "__main__":
    assert multiprocessing.connection
    hide()
    if sys.argv[1:]:
        from saddlepoint.cli import main

        main()
    else:
        from saddlepoint import SMAB, LightRiders, Limits, search
        from saddlepoint.compiled.directory import cache_directory
        from saddlepoint.compiled.once import Claims

        game = LightRiders(4, 4)
        print(search(game, game.initial_state(), SMAB(), Limits(depth=2)).depth)
        print(cache_directory().is_dir(), Claims().claim(cache_directory(), "abcdef0"))
