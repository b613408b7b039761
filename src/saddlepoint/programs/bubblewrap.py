"""A view (see `namespaces.py`) in the words of bubblewrap: for systems where only it may make namespaces."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import PurePosixPath

from .view import HOME, as_file

_MOST_COPIES = 200
"""Files: bubblewrap copies from open descriptors, of which a process may have about a thousand."""
_BEGINNING = ("--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev")
_END = ("--remount-ro", "/", "--remount-ro", "/dev", "--remount-ro", "/proc", "--cap-drop", "ALL")
"""Nothing but the scratch folders and the program's own can be written, these up to their size, and also root has no rights there."""


class Bubblewrap(contextlib.AbstractContextManager["Bubblewrap"]):
    """The command line that shows a program this view, and what it reads from: `descriptors` are open until the end of the `with`."""

    def __init__(self, view: str) -> None:
        self.descriptors: list[int] = []
        self._size, self._links, self._start = "0", set[str](), HOME
        try:
            words = [word for line in view.splitlines() for word in self._words(*line.split("\t"))]
        except BaseException:
            self.__exit__()
            raise
        self.descriptors.append(as_file("\0".join([*_BEGINNING, *words, *_END, "--chdir", self._start])))
        self.words = ["bwrap", "--args", str(self.descriptors[-1]), "--"]

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
                    yield from ("--size", path, "--tmpfs", scratch)
            case "own":
                yield from ("--size", self._size, "--tmpfs", path)
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
