"""A view (see `namespaces.py`) in the words of bubblewrap: for systems where only it may make namespaces."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import PurePosixPath

from .view import HOME, as_file

_MOST_COPIES = 200
"""Files: bubblewrap copies from open descriptors, of which a process may have about a thousand."""
_BEGINNING = ("--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev")
_END = ("--remount-ro", "/", "--remount-ro", "/dev", "--remount-ro", "/proc", "--cap-drop", "ALL")
"""Nothing but the scratch folders and the program's own can be written, if they have a size up to that; root has no rights there either."""


class Bubblewrap(contextlib.AbstractContextManager["Bubblewrap"]):
    """The command line that shows a program this view, and what it reads from: `descriptors` are open until the end of the `with`."""

    def __init__(self, view: str) -> None:
        self.descriptors: list[int] = []
        self._program = shutil.which("bwrap") or "bwrap"
        self._sized = takes_sizes(self._program)
        self._size, self._links, self._start = "0", set[str](), HOME
        try:
            words = [word for line in view.splitlines() for word in self._words(*line.split("\t"))]
        except BaseException:
            self.__exit__()
            raise
        self.descriptors.append(as_file("\0".join([*_BEGINNING, *words, *_END, "--chdir", self._start])))
        self.words = [self._program, "--args", str(self.descriptors[-1]), "--"]

    def __exit__(self, *error: object) -> None:
        while self.descriptors:
            os.close(self.descriptors.pop())

    def _words(self, verb: str, path: str, other: str = "") -> Iterator[str]:
        if path in self._links or any(str(above) in self._links for above in PurePosixPath(path).parents):
            return  # the view names the place that the link leads to as well
        match verb:
            case "size":
                self._size = path
                for scratch in (HOME, "/dev/shm"):
                    yield from self._scratch(scratch)
            case "own":
                yield from self._scratch(path)
            case "read":
                yield from ("--ro-bind-try", other, path)
            case "link":
                self._links.add(path)
                yield from ("--symlink", other, path)
            case "folder":
                yield from ("--dir", path)
            case "hide":
                yield from ("--ro-bind-data", self._opened(os.devnull), path)
            case "empty":
                yield from ("--file", self._opened(os.devnull), path)
            case "copy":
                yield from self._copy(other, path)
            case _:
                self._start = path

    def _scratch(self, path: str) -> Iterator[str]:
        yield from (*(("--size", self._size) if self._sized else ()), "--tmpfs", path)

    def _copy(self, source: str, target: str) -> Iterator[str]:
        """A file as it is now; one of very many can only be read."""
        if len(self.descriptors) < _MOST_COPIES:
            with contextlib.suppress(OSError):
                mode = f"{os.stat(source).st_mode & 0o777:o}"
                yield from ("--perms", mode, "--file", self._opened(source), target)
                return
        yield from ("--ro-bind-try", source, target)

    def _opened(self, path: str) -> str:
        self.descriptors.append(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC))
        return str(self.descriptors[-1])


def takes_sizes(program: str) -> bool:
    """Whether bubblewrap lets a file system have a size: not where it is installed setuid, for others than root."""
    try:
        return os.getuid() == 0 or not os.stat(program).st_mode & stat.S_ISUID
    except OSError:
        return True
