"""The outputs of `-o`: a file that is whole or missing, a device, or stdout."""

import errno
import glob
import os
import stat
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .terminal import print_file_line

STDOUT = "-"
_RANDOM = 8  # characters that tempfile ends a name with


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
    _try(target)


def check_regular_output(path: str | Path | None) -> None:
    """The same for what has to be read again, so that neither stdout nor a device will do."""
    if path is None:
        return
    if str(path) == STDOUT or (Path(path).exists() and not Path(path).is_dir() and _is_special(Path(path))):
        raise ValueError(f"{str(path)!r} cannot be read again; expected the name of a file")
    check_output(str(path))
    _try_folder(Path(path).resolve().parent, Path(path))


def check_ledger(path: str | None, begun: bool = False) -> None:
    """`check_regular_output` for a ledger, which is written in place, so that an existing file must be
    writable.

    begun: it must have games to continue; whether it exists is checked when it is opened.
    """
    if begun and path is not None and not Path(path).is_file():
        return
    check_regular_output(path)
    if path is not None and Path(path).exists() and not os.access(path, os.W_OK):
        raise ValueError(f"{path!r} cannot be written: the file is write-protected")


def check_folder(path: Path) -> None:
    """Make a folder that files will be written into; raise ValueError where it, or a file in it, cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error
    _try_folder(path, path)


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
            with whole_file(path) as file:
                file.writelines(line.encode("utf-8", "backslashreplace") for line in text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(target, error) from error


def _try(target: Path) -> None:
    """Raise ValueError where no file can be written."""
    if not _is_special(target):
        _try_folder(target.resolve().parent, target)
    elif target.exists() and not os.access(target, os.W_OK):
        raise _unwritable(target, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def _try_folder(folder: Path, named: Path) -> None:
    """The same for a file in a folder. It is tried: a read-only disk is not seen by its permissions."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(named, error) from error


def _unwritable(path: Path, error: OSError) -> ValueError:
    return ValueError(f"{str(path)!r} cannot be written: {error.strerror or error}")


def _is_special(path: Path) -> bool:
    """A device, a pipe, or a name for a file that is open already (/dev/stdout)."""
    if str(path.absolute()).startswith(("/dev/", "/proc/")):
        return True
    with suppress(OSError):
        return not stat.S_ISREG(path.stat().st_mode)
    return False


@contextmanager
def whole_file(path: str | Path, is_synced: bool = True) -> Generator[BinaryIO]:
    """A file to be written, which takes the place of `path` when the block ends; after an exception nothing has changed.

    What a link leads to is written, and the link stays. `is_synced`: it is on the disk then, whatever happens to the machine.
    """
    target = Path(path).resolve()
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=_unfinished(target))
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            if is_synced:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def remove_unfinished(path: Path) -> None:
    """Remove what is left of the writers of a file that were killed; for a file that only one process writes."""
    target = path.resolve()
    for left in target.parent.glob(glob.escape(_unfinished(target)) + "?" * _RANDOM):
        left.unlink(missing_ok=True)


def _unfinished(target: Path) -> str:
    """The prefix of the names of unfinished files."""
    return f".{target.name[:50]}."


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of a new one."""
    with suppress(OSError):
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
