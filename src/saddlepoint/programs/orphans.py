"""Processes of a player that got away: those whose supervisor was killed, or that left its sight where there is none.

They are told by a mark in their environment, which a process inherits however it is started (one that wipes its
environment before it starts another is not found).
"""

import contextlib
import os
import signal
import uuid
from collections.abc import Mapping

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
