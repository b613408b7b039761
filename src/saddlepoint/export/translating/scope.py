"""A function that is translated: its source, its names, and how a part of it is refused."""

import ast
import builtins
import functools
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from ..lowering import ExportError
from .static import Known

_INNER = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Source(NamedTuple):
    """A live function with its source."""

    function: Any
    node: ast.FunctionDef
    file: str
    line: int
    """The line of the file on which the source's first line stands."""

    def refuse(self, node: ast.AST | None, what: str) -> ExportError:
        """The error for a part of the function that has no translation."""
        line = self.line + getattr(node, "lineno", 1) - 1
        return ExportError(f"{self.function.__qualname__} ({self.file}, line {line}) cannot be translated to JavaScript: {what}")


def plain_function(value: Any) -> FunctionType | None:
    """The Python function behind a compiled, a cached or a plain one; None for what is no function."""
    for name in ("py_func", "_plain", "__wrapped__"):
        if not isinstance(value, FunctionType) and isinstance(getattr(value, name, None), FunctionType):
            value = getattr(value, name)
    return value if isinstance(value, FunctionType) else None


def is_kept(value: Any) -> bool:
    """Whether it is a function whose results are kept."""
    return isinstance(value, functools._lru_cache_wrapper)


def source_of(function: FunctionType) -> Source:
    """A function's source; raises ExportError where there is none."""
    file = Path(function.__code__.co_filename).name
    try:
        lines, line = inspect.getsourcelines(function)
        found = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, TypeError, SyntaxError):
        raise ExportError(f"{function.__qualname__} ({file}) cannot be translated to JavaScript: its source is not there") from None
    if not isinstance(found, ast.FunctionDef):
        place = f"{function.__qualname__} ({file}, line {line})"
        raise ExportError(f"{place} cannot be translated to JavaScript: it is written as {_named(found)}")
    return Source(function, found, file, line)


def _named(node: ast.AST) -> str:
    return {"AsyncFunctionDef": "an async function", "Assign": "a lambda", "Expr": "a lambda"}.get(type(node).__name__, "something else")


def outer_name(function: FunctionType, name: str) -> Known | None:
    """The live object that a name stands for which a function does not bind itself."""
    if name in function.__code__.co_freevars and function.__closure__:
        cell = function.__closure__[function.__code__.co_freevars.index(name)]
        return Known(cell.cell_contents)
    if name in function.__globals__:
        return Known(function.__globals__[name])
    return Known(getattr(builtins, name)) if hasattr(builtins, name) else None


def bound_names(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind in their own function; those of functions and comprehensions within them are not among them."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        if isinstance(node, _INNER):
            continue
        if isinstance(node, _COMPREHENSIONS):  # what `:=` binds in them is the function's
            yield from (one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr))
            continue
        waiting += reversed(list(ast.iter_child_nodes(node)))


def outer_names(body: list[ast.stmt]) -> set[str]:
    """The names that statements assign to in the function around theirs."""
    waiting, found = list[ast.AST](body), set[str]()
    while waiting:
        node = waiting.pop()
        found |= set(node.names) if isinstance(node, ast.Nonlocal) else set()
        if not isinstance(node, _INNER):
            waiting += ast.iter_child_nodes(node)
    return found


def yields(body: list[ast.stmt]) -> bool:
    """Whether statements make their function a generator."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*_INNER, *_COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(node)
    return False


def parameters_of(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """The parameters with their defaults, those by name alone last; `*args` is not among them."""
    listed = [*arguments.posonlyargs, *arguments.args]
    usual: list[ast.expr | None] = [None] * (len(listed) - len(arguments.defaults)) + list(arguments.defaults)
    return [*zip(listed, usual, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
