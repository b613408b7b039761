"""Which tasks were compiled whole: all that a player needs in a game, "GAME PLAYER". Kept in the folder of the compiled code."""

import os
from contextlib import suppress

from .bundled import bundled_code
from .directory import cache_directory

TASKS = "players"
"""The file of such a folder that names them, a line each."""


def is_compiled(task: str) -> bool:
    """Whether a whole task of these sources was once compiled, here or for the wheel that this package came in."""
    bundled = bundled_code()
    for folder in (cache_directory(), *([] if bundled is None else [bundled.folder])):
        with suppress(OSError):
            if task in (folder / TASKS).read_text(encoding="utf-8").splitlines():
                return True
    return False


def note_compiled(task: str) -> None:
    """A whole task is on disk. The line is added in one piece: other processes add theirs at the same time."""
    if is_compiled(task):
        return
    with suppress(OSError):
        place = os.open(cache_directory() / TASKS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(place, f"{task}\n".encode())
        finally:
            os.close(place)
