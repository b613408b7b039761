"""The sources of compiled code: the files that a user's file depends on, and digests of these and of the
package.
"""

import ast
import functools
import hashlib
import importlib.machinery
import importlib.util
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

import numba

from ..system.foreign import parsed

PACKAGE = Path(__file__).resolve().parent.parent
_INSTALLED = tuple(
    {Path(sysconfig.get_paths()[key]).resolve() for key in ("stdlib", "platstdlib", "purelib", "platlib")}
)
_LIBRARIES = ("site-packages", "dist-packages")


@functools.cache
def source_closure(file: Path, package: str = "") -> tuple[Path, ...]:
    """The file and every file that it imports, directly or through others, in a fixed order.

    Any import statement counts: at the top or in a function, of a name, a module, a package or all names, absolute or
    relative; so does `import_module` of a constant name. `package` is the one that relative imports of the file start
    from. Libraries do not count: they change by version, not under one's hands. Of an installed file's own package all
    counts, of this package nothing.
    """
    root = file.resolve()
    if root.is_relative_to(PACKAGE):
        return ()
    depth = len(package.split(".")) if package else 0
    home = (
        root.parents[depth - 1] if 0 < depth <= len(root.parents) else None
    )  # the outermost package's folder
    # Modules beside a script, or beside the package, are found even where the path to them is not set yet.
    places = (str((home or root).parent), *(place or str(Path.cwd()) for place in sys.path))
    found: dict[Path, None] = {}
    waiting = [(root, package)]
    while waiting:
        path, inside = waiting.pop()
        if path not in found and (
            path == root or not is_library(path) or (home and path.is_relative_to(home))
        ):
            found[path] = None
            waiting += _imported_files(path, inside, places)
    return tuple(sorted(found))


@functools.cache
def is_own(file: Path | str) -> bool:
    """Whether a file belongs to this package."""
    return Path(file).resolve().is_relative_to(PACKAGE)


@functools.cache
def is_library(file: Path | str) -> bool:
    """Whether a file belongs to Python, to an installed library or to this package."""
    path = Path(file).resolve()
    if is_own(path) or any(name in path.parts for name in _LIBRARIES):
        return True
    return any(path.is_relative_to(place) for place in _INSTALLED)


def _imported_files(path: Path, package: str, places: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """The files of the modules that a file imports, each with the package that it belongs to."""
    nodes = ast.walk(parsed(path))
    for name in dict.fromkeys(name for node in nodes for name in _names(node, package)):
        parts = name.split(".")
        for length in range(1, len(parts) + 1):  # `import a.b` runs a/__init__.py too
            origin = _file_of(".".join(parts[:length]), places)
            if origin is not None:
                yield origin, ".".join(parts[: length if origin.stem == "__init__" else length - 1])


def _names(node: ast.AST, package: str) -> Iterator[str]:
    """The absolute names that a statement may import; some of them may name no module but something in one."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        start = ""
        if node.level:
            parts = package.split(".") if package else []
            start = ".".join(parts[: len(parts) - node.level + 1])
        base = ".".join(part for part in (start, node.module or "") if part)
        if base:
            yield base
        yield from (
            f"{base}.{alias.name}" if base else alias.name for alias in node.names if alias.name != "*"
        )
    elif isinstance(node, ast.Call) and node.args:
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        name = node.args[0]
        if (
            called in ("import_module", "__import__")
            and isinstance(name, ast.Constant)
            and isinstance(name.value, str)
        ):
            if not name.value.startswith("."):
                yield name.value


def _file_of(name: str, places: tuple[str, ...]) -> Path | None:
    """A module's file, found without importing it or what it is in; None for what is built in or not there."""
    if name in sys.builtin_module_names:
        return None
    file = getattr(sys.modules.get(name), "__file__", None)
    return Path(file).resolve() if file else _found(name, places)


@functools.cache
def _found(name: str, places: tuple[str, ...]) -> Path | None:
    spec, search = None, list(places)
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        spec = _spec(".".join(parts[:length]), search)
        if spec is None:
            return None
        search = list(spec.submodule_search_locations or ())
    return Path(spec.origin).resolve() if spec is not None and spec.has_location and spec.origin else None


def _spec(name: str, search: list[str]) -> importlib.machinery.ModuleSpec | None:
    spec = importlib.machinery.PathFinder.find_spec(name, search)
    if spec is None and "." not in name:
        try:
            return importlib.util.find_spec(name)  # other finders, such as those of editable installs
        except (ImportError, ValueError):
            return None
    return spec


# What compiled code was made from: digests of the package's sources and of users' modules.

_UNCOMPILED = (
    "arena",
    "cli",
    "play",
    "players/programs",
    "players/protocols",
    "system/terminal.py",
    "web",
)
"""The folders without compiled code, on which no compiled code and no player of this library depends."""


def source_files() -> list[Path]:
    """The package's source files that compiled code and this library's players can depend on, sorted."""
    out = [PACKAGE / one for one in _UNCOMPILED]
    return sorted(path for path in PACKAGE.rglob("*.py") if not any(path.is_relative_to(one) for one in out))


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
        files.update(source_closure(file, getattr(module, "__package__", None) or ""))
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(files):
        digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest() if files else ""


def source_file(module: ModuleType | None) -> Path | None:
    """The file that a module was read from; None for what was typed, or piped, into Python."""
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if file else None
    return path if path is not None and path.is_file() else None


def lasting_name(module_name: str) -> str:
    """The name of a module that is the same in every process: a script is `__main__` in its own alone."""
    if module_name not in ("__main__", "__mp_main__"):
        return module_name
    main = sys.modules.get(module_name)
    file = source_file(main)
    return script_name(file) if file is not None else module_name


def name_script(module_name: str) -> None:
    """Make a script's module importable by its fixed name, under which its states are unpickled.

    So it is in every process that runs the script, a spawned one included, before any kernel runs.
    """
    name = lasting_name(module_name)
    if name != module_name:
        sys.modules[name] = sys.modules[module_name]


def script_name(file: Path) -> str:
    """The module's name of a file that is run, or loaded by its path."""
    return f"saddlepoint_script_{hashlib.blake2b(str(file.resolve()).encode(), digest_size=6).hexdigest()}"
