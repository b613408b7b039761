"""How long compilations take: what those before took, in seconds of one core, kept beside the folders of compiled code.

Other sources take about as long, so what was learnt with older ones counts. What was never compiled on this machine is looked
up in `forecast.txt`, which is such a file of another one. A task is all that a player needs in a game: "GAME PLAYER".
"""

import functools
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .bundled import bundled_code
from .directory import cache_directory, this_user

_SHIPPED = Path(__file__).with_suffix(".txt")
TASKS = "players"
"""The file of a folder of compiled code that names the tasks of which all is there."""
LEAST = 0.3
"""Seconds: what takes less is neither kept nor told."""
_LONGEST = 1 << 17
"""Bytes; a longer file is written anew, without what no longer counts."""


def expected(what: str) -> float | None:
    """Seconds that compiling this took before, here or elsewhere; None where nobody knows."""
    return _known().get(what)


def note(what: str, seconds: float) -> None:
    """Compiling this has taken so long. Some of it may have been on disk: what was known before falls by half at most."""
    if seconds < LEAST:
        return
    _known()[what] = seconds = max(seconds, _known().get(what, 0.0) / 2)
    with suppress(OSError):
        if (file := _file()) is not None:
            _append(file, f"{what}\t{seconds:.1f}\n")


def is_compiled(task: str) -> bool:
    """Whether a whole task of these sources was once compiled, here or for the wheel that this package came in."""
    bundled = bundled_code()
    for folder in (cache_directory(), *([] if bundled is None else [bundled.folder])):
        with suppress(OSError):
            if task in (folder / TASKS).read_text(encoding="utf-8").splitlines():
                return True
    return False


def note_compiled(task: str) -> None:
    """A whole task is on disk."""
    if not is_compiled(task):
        with suppress(OSError):
            _append(cache_directory() / TASKS, f"{task}\n")


def about(seconds: float) -> str:
    """A number of seconds in words."""
    return f"about {seconds:.0f} s" if seconds < 99.5 else f"about {seconds / 60:.0f} min"


@functools.cache
def _known() -> dict[str, float]:
    """All that is known; the last line about a thing counts."""
    known: dict[str, float] = {}
    for file in (_SHIPPED, _file()):
        with suppress(OSError):
            if file is not None:
                known |= dict(_lines(file.read_text(encoding="utf-8", errors="replace")))
    with suppress(OSError):
        if (file := _file()) is not None and file.stat().st_size > _LONGEST:
            fresh = file.with_suffix(f".{os.getpid()}")
            fresh.write_text("".join(f"{what}\t{seconds:.1f}\n" for what, seconds in known.items()), encoding="utf-8")
            fresh.replace(file)
    return known


def _lines(text: str) -> Iterator[tuple[str, float]]:
    for line in text.splitlines():
        what, _, seconds = line.partition("\t")
        with suppress(ValueError):
            yield what, float(seconds)


def _file() -> Path | None:
    """The file beside the folders of compiled code; None where these are in nobody's own place."""
    home = cache_directory().parent
    return home / "compile_seconds.txt" if home.stat().st_uid == this_user() else None


def _append(file: Path, line: str) -> None:
    """Add a line in one piece: other processes add theirs at the same time."""
    place = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(place, line.encode())
    finally:
        os.close(place)
