"""What compiled code was made from: digests of the package's sources and of users' modules."""

import functools
import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import numba

from .imports import PACKAGE, source_closure

_UNCOMPILED = ("arena", "cli", "cluster", "console", "play", "programs", "protocols", "puzzles", "web")
"""Folders that hold no compiled code, and nothing that compiled code or a player of this library depends on; nor do games' protocols."""


def source_files() -> list[Path]:
    """The package's source files that compiled code and this library's players can depend on, sorted."""
    return sorted(path for path in PACKAGE.rglob("*.py") if _may_matter(path.relative_to(PACKAGE).parts))


def _may_matter(parts: tuple[str, ...]) -> bool:
    return parts[0] not in _UNCOMPILED and not (parts[0] == "games" and "protocol" in parts)


@functools.cache
def package_digest() -> str:
    """Digest of the package's sources that compiled code can depend on, of Numba's version and of Python's."""
    digest = hashlib.blake2b(f"{numba.__version__} {sys.version_info[:2]}".encode(), digest_size=8)
    for path in source_files():
        digest.update(str(path.relative_to(PACKAGE)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources_digest(modules: Iterable[ModuleType | None]) -> str | None:
    """Digest of these modules' files and of all that they import, but for libraries; None where one has no file.

    It is empty where all of them are this package's: `package_digest` covers those.
    """
    files: set[Path] = set()
    for module in modules:
        file = source_file(module)
        if file is None:
            return None
        files.update(_closure(file, getattr(module, "__package__", None) or ""))
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(files):
        digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest() if files else ""


def source_file(module: ModuleType | None) -> Path | None:
    """The file that a module was read from; None for what was typed, or piped, into Python."""
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if file else None
    return path if path is not None and path.is_file() else None


@functools.cache
def _closure(file: Path, package: str) -> tuple[Path, ...]:
    return tuple(source_closure(file, package))


def lasting_name(module_name: str) -> str:
    """The name of a module that is the same in every process: a script is `__main__` in its own alone."""
    if module_name not in ("__main__", "__mp_main__"):
        return module_name
    main = sys.modules.get(module_name)
    file = source_file(main)
    return script_name(file) if file is not None else module_name


def name_script(module_name: str) -> None:
    """Let a script's module be found under its lasting name: that is where its states are looked for when they are unpickled.

    So it is in every process that runs the script, a spawned one included, before any kernel runs.
    """
    name = lasting_name(module_name)
    if name != module_name:
        sys.modules[name] = sys.modules[module_name]


def script_name(file: Path) -> str:
    """The module's name of a file that is run, or loaded by its path."""
    return f"saddlepoint_script_{hashlib.blake2b(str(file.resolve()).encode(), digest_size=6).hexdigest()}"
