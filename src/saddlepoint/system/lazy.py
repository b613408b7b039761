"""Packages whose names are loaded when they are first used, as in SPEC 1 of the scientific Python projects.

The stub of such a package, `__init__.pyi`, is its one list: a line `from .module import Name as Name` for each name. Type
checkers read it, and so does the package when it is imported.
"""

import functools
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def homes_of(folder: Path) -> dict[str, str]:
    """The names that a package has from its modules, in the order of its stub, each with its module's name within it.

    A module of another room has dots before its name: one for the package's own parent, and so on.
    """
    return _imports_of(folder / "__init__.pyi")


def _imports_of(source: Path) -> dict[str, str]:
    import ast

    found: dict[str, str] = {}
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if not (isinstance(node, ast.ImportFrom) and node.level and node.module is not None):
            continue
        if node.names[0].name != "*":
            home = "." * (node.level - 1) + node.module
            found |= {alias.name: home for alias in node.names if alias.asname in (None, alias.name)}
        elif (inner := source.parent.joinpath(*node.module.split("."))).is_dir():
            found |= {name: f"{node.module}.{home}" for name, home in homes_of(inner).items()}
        else:
            found |= _imports_of(inner.with_suffix(".py"))
    return found


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__`, which knows `__all__` too, and `__dir__` of a package, by its name and the path of its `__init__.py`.

    The list is read when the package is first asked for a name.
    """

    @functools.cache
    def homes() -> dict[str, str]:
        return homes_of(Path(file).parent)

    def load(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{homes()[name]}", package), name)
        setattr(sys.modules[package], name, value)  # so that it is asked for once
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes()})

    return load, names
