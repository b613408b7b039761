"""What a program in namespaces of its own sees: its own folder, its runtime, and what every program needs of the system."""

import functools
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

HOME = "/tmp"
"""The home directory inside: the scratch file system."""

_SYSTEM = ("/usr", "/opt", "/nix/store", "/gnu/store", "/sys/devices/system/cpu")
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
_NO_WORD = ("\t", "\n")
_LARGEST_SCRATCH = 1 << 30
_LARGEST_HEADER = 100
_PACKAGE = str(Path(__file__).resolve().parents[1])
_PYTHON = {os.path.realpath(sys.prefix), sys.prefix, os.path.realpath(sys.base_prefix), sys.base_prefix}
_LEDGER = 0x5361_6464  # the application id in a ledger's header


def environment(own: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """The variables that a program gets: of this process's `own` those that say how to run, not who or where one is."""
    kept = {name: value for name, value in own.items() if name in _VARIABLES or name.startswith(_PREFIXES)}
    return {**kept, "HOME": HOME, "TMPDIR": HOME, **added}


def view_of(arguments: Sequence[str], variables: Mapping[str, str], memory: int | None, reads: Iterable[Path] = ()) -> str:
    """What a program of these words and variables sees, as `namespaces.py` reads it; `reads` are further files and folders."""
    own = _own(arguments) | {folder for path in reads for folder in _whole(path)}  # a Python file's folder is its own
    searched = {folder for path in _search_path(variables) for folder in _whole(path)}
    seen = {*own, *searched, *_runtime(arguments[0], variables.get("PATH", os.defpath)), *_PYTHON, _PACKAGE}
    lines = [f"size\t{min(memory or _LARGEST_SCRATCH, _LARGEST_SCRATCH)}", *_system()]
    folders = {path: path for path in _SYSTEM if os.path.isdir(path)}
    for path in sorted(seen):
        source = os.path.realpath(path)
        if path in _SYSTEM_LINKS or any(mark in path + source for mark in _NO_WORD):
            continue
        if not any(path.startswith(f"{above}/") and source == origin + path[len(above) :] for above, origin in folders.items()):
            folders[path] = source
    for path, source in folders.items():
        if path not in _SYSTEM:  # programs may write into their own folders, and nothing of it stays
            lines.append(f"layer\t{source}\t{path}" if path in own and os.path.isdir(source) else f"read\t{path}\t{source}")
    lines += [f"hide\t{path}" for folder in sorted(own | searched) for path in _ledgers(folder)]
    lines += _cache(variables)
    here = _here()
    return "\n".join([*lines, *(() if here == "/" else (f"folder\t{here}",)), f"chdir\t{here}"])


@functools.cache
def _system() -> tuple[str, ...]:
    return tuple(_system_lines())


def _system_lines() -> Iterator[str]:
    for path in _SYSTEM:
        if os.path.isdir(path):
            yield f"read\t{path}\t{path}"
    for path in _SYSTEM_LINKS:
        if os.path.islink(path):
            yield f"link\t{path}\t{os.readlink(path)}"
        elif os.path.isdir(path):
            yield f"read\t{path}\t{path}"
    for name in sorted(os.listdir("/etc")) if os.path.isdir("/etc") else ():
        if name in _ETC or name.startswith(_ETC_PREFIXES):
            real = os.path.realpath(f"/etc/{name}")
            yield f"link\t/etc/{name}\t{real}" if real.startswith("/usr/") else f"read\t/etc/{name}\t{real}"


def _runtime(program: str, path: str, depth: int = 4) -> set[str]:
    """The folders of a program: where it lies, where its links lead, and those of the interpreter its first line names."""
    found = shutil.which(os.path.expanduser(program), path=path)
    if found is None:
        return set()
    file = os.path.abspath(found)
    seen = _installation(file)
    for _ in range(20):  # links to links
        if not os.path.islink(file):
            break
        file = os.path.normpath(os.path.join(os.path.dirname(file), os.readlink(file)))
        seen |= _installation(file)
    seen |= _installation(os.path.realpath(file))
    for word in _interpreters(file) if depth else ():
        seen |= _runtime(word, path, depth - 1)
    return seen


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
    """The folder of the interpreter that a virtual environment was made with."""
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8") as file:
            lines = dict(line.split("=", 1) for line in file if "=" in line)
    except (OSError, ValueError):
        return None
    return next((value.strip() for key, value in lines.items() if key.strip() == "home"), None)


def _interpreters(file: str) -> list[str]:
    """The programs that a script's first line names."""
    try:
        with open(file, "rb") as script:
            first = script.readline(500)
    except OSError:
        return []
    words = first[2:].decode(errors="replace").split() if first.startswith(b"#!") else []
    return [word for word in words[:3] if not word.startswith("-")]


def _own(words: Sequence[str]) -> set[str]:
    """The folders of the files that a program's words name, its own included where that is no installed program."""
    program = words[0] if os.path.basename(os.path.dirname(os.path.abspath(words[0]))) != "bin" and os.sep in words[0] else ""
    seen = _whole(Path(os.path.abspath(os.path.expanduser(program)))) if program else set[str]()
    for word, following in pairwise([*words[1:], ""]):
        for piece in {word, *word.replace("=", ":").split(":")}:
            if piece and os.path.exists(path := os.path.expanduser(piece)):
                seen |= _whole(Path(os.path.abspath(path)))
        if word == "-m" and any(os.path.exists(following.partition(".")[0] + end) for end in (".py", "")):
            seen |= _whole(Path(_here()))
    return seen


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


def _ledgers(folder: str) -> Iterator[str]:
    """The ledgers in a folder, with what SQLite writes beside them."""
    try:
        files = [entry for entry in os.scandir(folder) if entry.is_file()] if os.path.isdir(folder) else []
    except OSError:
        return
    for entry in files:
        if entry.stat().st_size < _LARGEST_HEADER or any(mark in entry.path for mark in _NO_WORD):
            continue
        try:
            with open(entry.path, "rb") as file:
                header = file.read(_LARGEST_HEADER)
        except OSError:
            continue
        if header.startswith(b"SQLite format 3\0") and int.from_bytes(header[68:72], "big") == _LEDGER:
            yield from (entry.path + end for end in ("", "-wal", "-shm", "-journal") if os.path.exists(entry.path + end))


def _cache(variables: Mapping[str, str]) -> list[str]:
    """Compiled code of this library is found, and what a program compiles is its own."""
    from ..compiled import cache_directory

    directory = cache_directory().parent
    if "NUMBA_CACHE_DIR" in variables:
        inside = str(directory)
    else:
        inside = f"{HOME}/Library/Caches/saddlepoint" if sys.platform == "darwin" else f"{HOME}/.cache/saddlepoint"
    return [f"layer\t{directory}\t{inside}"] if directory.is_dir() and not any(mark in str(directory) for mark in _NO_WORD) else []


def bubblewrap_words(view: str) -> list[str]:
    """The words that let bubblewrap show a program this view: for systems where only it may make namespaces."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"]
    start = HOME
    for verb, path, *rest in (line.split("\t") for line in view.splitlines()):
        if verb == "size":
            words += ["--size", path, "--tmpfs", HOME]
        elif verb == "read":
            words += ["--ro-bind-try", rest[0], path]
        elif verb == "link":
            words += ["--symlink", rest[0], path]
        elif verb == "layer":
            words += ["--ro-bind-try", path, rest[0]]
        elif verb == "hide":
            words += ["--ro-bind", "/dev/null", path]
        elif verb == "folder":
            words += ["--dir", path]
        elif verb == "chdir":
            start = path
    return [*words, "--chdir", start, "--"]
