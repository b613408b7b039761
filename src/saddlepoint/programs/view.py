"""What a program in namespaces of its own sees: its own folder, its runtime, and what every program needs of the system."""

import functools
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from .folders import NO_WORD, Folders, is_within, ledgers_in
from .hidden import Hidden, named_by_words

NOTHING = Hidden()
HOME = "/tmp"
"""The home directory inside: the scratch file system."""

_STORES = ("/nix/store", "/gnu/store", "/sys/devices/system/cpu")
_SYSTEM = ("/usr", "/opt", *_STORES)
_SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")  # folders of old systems, links of others
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
_PACKAGE = str(Path(__file__).resolve().parents[1])
_PYTHON = {os.path.realpath(sys.prefix), sys.prefix, os.path.realpath(sys.base_prefix), sys.base_prefix}


def environment(own: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """The variables that a program gets: of this process's `own` those that say how to run, not who or where one is."""
    kept = {name: value for name, value in own.items() if name in _VARIABLES or name.startswith(_PREFIXES)}
    return {**kept, "HOME": HOME, "TMPDIR": HOME, **added}


def view_of(
    arguments: Sequence[str], variables: Mapping[str, str], memory: int | None, reads: Iterable[Path] = (), hidden: Hidden = NOTHING
) -> str:
    """What a program of these words and variables sees, as `namespaces.py` reads it; `reads` are further files and folders."""
    reads = list(reads)
    named = {*_named(arguments), *map(str, reads)}
    own = {folder for path in named for folder in _whole(Path(path))}  # a Python file's folder is its own
    searched = {folder for path in _search_path(variables) for folder in _whole(path)}
    path = variables.get("PATH", os.defpath)
    program = set(_files_of(arguments[0], path))
    installed = {*(folder for file in program for folder in _installation(file)), *_PYTHON, _PACKAGE}
    roots: dict[str, str] = {path: path for path in _SYSTEM if os.path.isdir(path)}
    for path in sorted({*own, *searched, *installed}):
        source = os.path.realpath(path)
        if path in _SYSTEM_LINKS or any(mark in path + source for mark in NO_WORD):
            continue
        above = _shown_by(path, source, roots)
        if above is None or (path in own) != (above in own):  # one's own folder is shown otherwise than what lies around it, and in it
            roots[path] = source
    shown = {source for source in roots.values() if os.path.isdir(source)}
    folders = Folders(hidden, named, program, {*installed, *_SYSTEM}, _for_everybody(path), shown)
    lines: list[Sequence[str]] = []
    for path, source in roots.items():  # programs may write into their own folders, and nothing of it stays
        if os.path.isdir(source):
            lines += folders.lines(source, path, path in own)
        else:
            lines.append(folders.file(source, path))
    lines += (("hide", path) for folder in sorted(searched - own) for path in ledgers_in(folder))
    lines += (line for source, target in _cache(variables) for line in folders.lines(source, target, False))
    here = _here()
    size = min(memory or _LARGEST_SCRATCH, _LARGEST_SCRATCH) + folders.copied
    lines = [("size", str(size)), *_system(), *lines, *(() if here == "/" else (("folder", here),)), ("chdir", here)]
    return "\n".join("\t".join(line) for line in lines)


def _shown_by(path: str, source: str, roots: Mapping[str, str]) -> str | None:
    """The nearest of the folders above that shows this one already."""
    above = [one for one, origin in roots.items() if path.startswith(f"{one}/") and source == origin + path[len(one) :]]
    return max(above, key=len, default=None)


@functools.cache
def _system() -> tuple[Sequence[str], ...]:
    return tuple(_system_lines())


def _system_lines() -> Iterator[Sequence[str]]:
    for path in _SYSTEM_LINKS:
        if os.path.islink(path):
            yield "link", path, os.readlink(path)
        elif os.path.isdir(path):
            yield "read", path, path
    for name in sorted(os.listdir("/etc")) if os.path.isdir("/etc") else ():
        if name in _ETC or name.startswith(_ETC_PREFIXES):
            real = os.path.realpath(f"/etc/{name}")
            yield ("link" if real.startswith("/usr/") else "read"), f"/etc/{name}", real


def _files_of(program: str, path: str, depth: int = 4) -> Iterator[str]:
    """A program's file, what its links lead to, and the same of the interpreter that its first line names."""
    found = shutil.which(os.path.expanduser(program), path=path)
    if found is None:
        return
    file = os.path.abspath(found)
    yield file
    for _ in range(20):  # links to links
        if not os.path.islink(file):
            break
        file = os.path.normpath(os.path.join(os.path.dirname(file), os.readlink(file)))
        yield file
    yield os.path.realpath(file)
    for word in _interpreters(file) if depth else ():
        yield from _files_of(word, path, depth - 1)


def _for_everybody(path: str) -> set[str]:
    """The folders whose files no spec takes away from others by naming them: the system's, and those of this Python and this library.

    In `/opt` and `/usr/local` these are the folders in which programs are looked for: the rest may be anybody's bots.
    """
    system = {entry.path for entry in os.scandir("/usr") if entry.name != "local"} if os.path.isdir("/usr") else set[str]()
    programs = {folder for folder in path.split(os.pathsep) if any(is_within(folder, one) for one in _SYSTEM)}
    python = {os.path.join(prefix, part) for prefix in _PYTHON for part in ("bin", "lib", "lib64", "libexec", "share")}
    return {*system, *_STORES, *programs, *python, _PACKAGE}


def _installation(file: str) -> set[str]:
    """The folders that belong to a program in this place."""
    folder = os.path.dirname(file)
    prefix = os.path.dirname(folder)
    if os.path.basename(folder) != "bin":
        return _whole(Path(file))
    if not _is_private(prefix):
        seen = {os.path.realpath(prefix), prefix}
        home = _base_of_venv(prefix)
        return seen if home is None else seen | _installation(os.path.join(home, "python"))
    return {os.path.join(prefix, part) for part in ("bin", "lib", "lib64", "libexec") if os.path.isdir(os.path.join(prefix, part))}


def _base_of_venv(prefix: str) -> str | None:
    """The folder of the interpreter that a virtual environment was made with; a bot's author may have written anything there."""
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8") as file:
            lines = dict(line.split("=", 1) for line in file if "=" in line)
    except (OSError, ValueError):
        return None
    home = next((value.strip() for key, value in lines.items() if key.strip() == "home"), "")
    return home if any(os.access(os.path.join(home, name), os.X_OK) for name in ("python", "python3")) else None


def _interpreters(file: str) -> list[str]:
    """The programs that the system starts for a script's first line: its first word, and what `env` looks for. What else stands there
    is for them, and no program because a bot's author says so."""
    try:
        with open(file, "rb") as script:
            first = script.readline(500)
    except OSError:
        return []
    words = first[2:].decode(errors="replace").split() if first.startswith(b"#!") else []
    if words and os.path.realpath(words[0]) == os.path.realpath("/usr/bin/env"):
        return [words[0], *[word for word in words[1:] if not word.startswith("-") and "=" not in word][:1]]
    return words[:1]


def _named(words: Sequence[str]) -> Iterator[str]:
    """The files and folders that a program's words name, itself included where that is no installed program."""
    if os.path.basename(os.path.dirname(os.path.abspath(words[0]))) != "bin" and os.sep in words[0]:
        yield os.path.abspath(os.path.expanduser(words[0]))
    yield from named_by_words(words[1:])
    for word, following in pairwise(words[1:]):
        if word == "-m" and any(os.path.exists(following.partition(".")[0] + end) for end in (".py", "")):
            yield _here()


def _here() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # somebody removed it
        return "/"


def _search_path(variables: Mapping[str, str]) -> Iterator[Path]:
    """Where Python looks for modules."""
    for entry in variables.get("PYTHONPATH", "").split(os.pathsep):
        if entry and os.path.exists(entry):
            yield Path(os.path.abspath(entry))


def _whole(path: Path) -> set[str]:
    """A folder, or the folder of a file; of a folder that holds more than a program only the file. Links lead on."""
    seen: set[str] = set()
    for one in {str(path), os.path.realpath(path)}:
        folder = one if os.path.isdir(one) else os.path.dirname(one)
        if not _is_private(folder):
            seen.add(folder)
        elif folder != one:
            seen.add(one)
    return seen


def _is_private(folder: str) -> bool:
    """Whether a folder holds what is no program's: the home directory, one above it, or one of the system's."""
    real = os.path.realpath(folder)
    home = os.path.realpath(Path.home())
    above = (home, os.path.join(home, ".local"), "/tmp", "/var/tmp", "/dev/shm", "/etc", "/dev", "/proc", "/sys", "/run")
    return any(one == real or one.startswith(real.rstrip("/") + "/") for one in above)


def _cache(variables: Mapping[str, str]) -> list[tuple[str, str]]:
    """Compiled code of this library is found, and can only be read."""
    from ..compiled import cache_directory

    directory = cache_directory().parent
    if "NUMBA_CACHE_DIR" in variables:
        inside = str(directory)
    else:
        inside = f"{HOME}/Library/Caches/saddlepoint" if sys.platform == "darwin" else f"{HOME}/.cache/saddlepoint"
    return [(str(directory), inside)] if directory.is_dir() and not any(mark in str(directory) for mark in NO_WORD) else []


def as_file(text: str) -> int:
    """A descriptor from which a text is read: the words of a command line may not be that long."""
    descriptor = os.memfd_create("saddlepoint view")
    with os.fdopen(os.dup(descriptor), "w", encoding=sys.getfilesystemencoding(), errors="surrogateescape") as file:
        file.write(text)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
