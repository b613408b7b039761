"""The view of a program in namespaces of its own, also as arguments of bubblewrap."""

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from .isolation import NO_WORD, Folders, Hidden, ledgers_in
from .named import Named, here, is_private, is_within
from .runtime import Runtime, path_past_shims

_MOST_COPIES = 200
"""Files: bubblewrap copies from open descriptors, of which a process may have about a thousand."""
_BEGINNING = ("--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev")
_END = ("--remount-ro", "/", "--remount-ro", "/dev", "--remount-ro", "/proc", "--cap-drop", "ALL")
"""Nothing but the scratch folders and the program's own can be written, if they have a size up to that; root has no rights there either."""


class Bubblewrap:
    """The command line that shows a program this view, and what it reads from: `descriptors`, which `opened` closes."""

    def __init__(self, view: str, opened: contextlib.ExitStack) -> None:
        self._opened = opened
        self.descriptors: list[int] = []
        program = shutil.which("bwrap") or "bwrap"
        self._sized = takes_sizes(program)
        self._size, self._links, self._start = "0", set[str](), HOME
        words = [word for line in view.splitlines() for word in self._words(*line.split("\t"))]
        arguments = self._kept(as_file("\0".join([*_BEGINNING, *words, *_END, "--chdir", self._start])))
        self.words = [program, "--args", arguments, "--"]

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
                yield from ("--ro-bind-data", self._read(os.devnull), path)
            case "empty":
                yield from ("--file", self._read(os.devnull), path)
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
                yield from ("--perms", mode, "--file", self._read(source), target)
                return
        yield from ("--ro-bind-try", source, target)

    def _read(self, path: str) -> str:
        return self._kept(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC))

    def _kept(self, descriptor: int) -> str:
        self._opened.callback(os.close, descriptor)
        self.descriptors.append(descriptor)
        return str(descriptor)


def takes_sizes(program: str) -> bool:
    """Whether bubblewrap lets a file system have a size: not where it is installed setuid, for others than root."""
    try:
        return os.getuid() == 0 or not os.stat(program).st_mode & stat.S_ISUID
    except OSError:
        return True


# What a program in namespaces of its own sees: its own folder, its runtime, and what every program needs of the system.

HOME = "/tmp"
"""The home directory inside: the scratch file system."""

_STORES = ("/nix/store", "/gnu/store", "/sys/devices/system/cpu")
_SYSTEM = ("/usr", "/opt", *_STORES)
_SYSTEM_LINKS = (
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
)  # folders of old systems, links of others
_ETC = (
    "alternatives", "bash.bashrc", "ca-certificates", "crypto-policies", "fonts", "group", "host.conf", "hosts", "ld.so.cache",
    "ld.so.conf", "ld.so.conf.d", "locale.alias", "locale.conf", "localtime", "mime.types", "networks", "nsswitch.conf",
    "os-release", "passwd", "pki", "profile", "protocols", "services", "ssl", "timezone",
)  # fmt: skip
_ETC_PREFIXES = ("java", "python", "mono", "dotnet", "ghc", "julia")
_VARIABLES = (
    "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "PYTHONPATH", "PYTHONHASHSEED", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE",
    "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME", "JAVA_TOOL_OPTIONS", "LD_LIBRARY_PATH", "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "SADDLEPOINT_QUIET",
)  # fmt: skip
_PREFIXES = ("LC_", "NUMBA_")
_LARGEST_SCRATCH = 1 << 30
_PACKAGE = str(Path(__file__).resolve().parents[2])
_PYTHON = {os.path.realpath(sys.prefix), sys.prefix, os.path.realpath(sys.base_prefix), sys.base_prefix}


def environment(own: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """The environment variables of a program: those of `own` that say how to run, not those on persons or
    places.
    """
    kept = {name: value for name, value in own.items() if name in _VARIABLES or name.startswith(_PREFIXES)}
    return {**kept, "HOME": HOME, "TMPDIR": HOME, **added}


class Sight:
    """The view of a program with these words, by the folders of its `path`.

    `reads` are further files and folders of its own, `shown` those that it may read besides.
    """

    def __init__(
        self, words: Sequence[str], path: str, reads: Iterable[Path] = (), shown: Iterable[str] = ()
    ) -> None:
        words = list(words)
        if (
            os.sep not in words[0]
            and (found := shutil.which(words[0], path=path))
            and not os.path.isabs(found)
        ):
            words[0] = os.path.abspath(found)  # the PATH has `.`: what lies there may be anybody's
        self.shown = {real for one in shown for real in (os.path.abspath(one), os.path.realpath(one))}
        visible = [*_SYSTEM, *_PYTHON, _PACKAGE, *self.shown]
        self.named = Named(words, map(str, reads), visible)
        self.path = path_past_shims(words, path, self.named)
        self.runtime = Runtime(words, self.path, self.named, visible)

    @property
    def unseen(self) -> dict[str, str]:
        """The files that the words or a bot's files name and that are not visible: by the naming link or
        line, their paths.
        """
        return {**self.runtime.unseen, **self.named.unseen}


def view_of(sight: Sight, variables: Mapping[str, str], memory: int | None, hidden: Hidden = Hidden()) -> str:
    """The view of a program with these variables, as the text that `namespaces.py` reads."""
    named, path = sight.named, sight.path
    own = named.own
    entries = [
        one for one in variables.get("PYTHONPATH", "").split(os.pathsep) if one and os.path.exists(one)
    ]
    searched = {
        folder for one in map(os.path.abspath, entries) if named.follow(one) for folder in _whole(Path(one))
    }
    installed = {*sight.runtime.installed, *_PYTHON, _PACKAGE}
    roots: dict[str, str] = {path: path for path in _SYSTEM if os.path.isdir(path)}
    for path in sorted({*own, *searched, *installed, *named.foreign, *sight.shown}):
        source = os.path.realpath(path)
        if (
            path in _SYSTEM_LINKS
            or not os.path.exists(source)
            or any(mark in path + source for mark in NO_WORD)
        ):
            continue
        # The nearest of the folders above that shows this one already.
        above = max(
            (
                one
                for one, origin in roots.items()
                if path.startswith(f"{one}/") and source == origin + path[len(one) :]
            ),
            key=len,
            default=None,
        )
        if above is None or (path in own) != (
            above in own
        ):  # one's own folder is shown otherwise than what lies around it, and in it
            roots[path] = source
    shown = {source for source in roots.values() if os.path.isdir(source)}
    folders = Folders(
        hidden,
        named.real | named.linked,
        sight.runtime.files,
        {*installed, *_SYSTEM},
        _for_everybody(sight.path),
        shown,
    )
    lines: list[Sequence[str]] = []
    for path, source in roots.items():  # programs may write into their own folders, and nothing of it stays
        if os.path.isdir(source):
            lines += folders.lines(source, path, path in own)
        else:
            lines.append(folders.file(source, path))
    lines += (("hide", path) for folder in sorted(searched - own) for path in ledgers_in(folder))
    lines += (line for source, target in _cache(variables) for line in folders.lines(source, target, False))
    start = here()
    size = min(memory or _LARGEST_SCRATCH, _LARGEST_SCRATCH) + folders.copied
    lines = [
        ("size", str(size)),
        *_system(),
        *lines,
        *(() if start == "/" else (("folder", start),)),
        ("chdir", start),
    ]
    return "\n".join("\t".join(line) for line in lines)


def _system() -> Iterator[Sequence[str]]:
    for path in _SYSTEM_LINKS:
        if os.path.islink(path):
            yield "link", path, os.readlink(path)
        elif os.path.isdir(path):
            yield "read", path, path
    for name in sorted(os.listdir("/etc")) if os.path.isdir("/etc") else ():
        if name in _ETC or name.startswith(_ETC_PREFIXES):
            real = os.path.realpath(f"/etc/{name}")
            yield ("link" if real.startswith("/usr/") else "read"), f"/etc/{name}", real


def _for_everybody(path: str) -> set[str]:
    """The folders whose files are never hidden from other programs: the system's, this Python's and this
    library's.

    In `/opt` and `/usr/local` these are the folders in which programs are looked for: the rest may be anybody's bots.
    """
    system = (
        {entry.path for entry in os.scandir("/usr") if entry.name != "local"}
        if os.path.isdir("/usr")
        else set[str]()
    )
    programs = {folder for folder in path.split(os.pathsep) if any(is_within(folder, one) for one in _SYSTEM)}
    python = {
        os.path.join(prefix, part)
        for prefix in _PYTHON
        for part in ("bin", "lib", "lib64", "libexec", "share")
    }
    return {*system, *_STORES, *programs, *python, _PACKAGE}


def _whole(path: Path) -> set[str]:
    """A folder, or the folder of a file; of a folder that holds more than a program only the file. Links lead on."""
    seen: set[str] = set()
    for one in {str(path), os.path.realpath(path)}:
        folder = one if os.path.isdir(one) else os.path.dirname(one)
        if not is_private(folder):
            seen.add(folder)
        elif folder != one:
            seen.add(one)
    return seen


def _cache(variables: Mapping[str, str]) -> list[tuple[str, str]]:
    """Compiled code of this library is found, and can only be read."""
    from ...compiled import cache_directory

    directory = cache_directory().parent
    if "NUMBA_CACHE_DIR" in variables:
        inside = str(directory)
    else:
        inside = (
            f"{HOME}/Library/Caches/saddlepoint" if sys.platform == "darwin" else f"{HOME}/.cache/saddlepoint"
        )
    return (
        [(str(directory), inside)]
        if directory.is_dir() and not any(mark in str(directory) for mark in NO_WORD)
        else []
    )


def as_file(text: str) -> int:
    """A descriptor from which a text is read: the words of a command line may not be that long."""
    descriptor = os.memfd_create("saddlepoint view")
    with os.fdopen(
        os.dup(descriptor), "w", encoding=sys.getfilesystemencoding(), errors="surrogateescape"
    ) as file:
        file.write(text)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
