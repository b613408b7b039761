"""Where `-o` writes: a file that is whole or not there, a device, or stdout."""

import os
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from .terminal import print_file_line

STDOUT = "-"


def check_output(path: str | None, as_json: bool = False) -> None:
    """Raise ValueError, before anything is played or computed, for what no file can be written to, or JSON is written to too."""
    if as_json and path == STDOUT:
        raise ValueError("both --json and -o - write to stdout; choose one of them")
    if path is None or path == STDOUT:
        return
    target = Path(path)
    if not path or target.is_dir():
        raise ValueError(f"{path!r} is a folder; expected the name of a file")
    if not target.parent.is_dir():
        raise ValueError(f"the folder of {path!r} does not exist")


def check_regular_output(path: str | Path | None) -> None:
    """The same for what has to be read again, so that neither stdout nor a device will do."""
    if path is None:
        return
    if str(path) == STDOUT or (Path(path).exists() and not Path(path).is_dir() and _is_special(Path(path))):
        raise ValueError(f"{str(path)!r} cannot be read again; expected the name of a file")
    check_output(str(path))


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write lines: `-` is stdout, a device or a pipe is written to; a file appears when it is complete, or not at all.

    Raises ValueError in one sentence where it cannot be written.
    """
    check_output(path)
    if path == STDOUT:
        for line in lines:
            print_file_line(line)
        return

    target = Path(path)
    text = (line + "\n" for line in lines)
    try:
        if _is_special(target):
            with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.writelines(text)
        else:
            _into_file(target, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ValueError(f"{path!r} cannot be written: {error.strerror or error}") from error


def _is_special(path: Path) -> bool:
    """A device, a pipe, or a name for a file that is open already (/dev/stdout)."""
    if str(path.absolute()).startswith(("/dev/", "/proc/")):
        return True
    with suppress(OSError):
        return not stat.S_ISREG(path.stat().st_mode)
    return False


def _into_file(path: Path, text: Iterable[str]) -> None:
    target = path.resolve()  # what a link leads to is written, the link stays
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(text)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    with suppress(OSError):
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
