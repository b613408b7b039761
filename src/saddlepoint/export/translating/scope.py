"""Facts about Python objects and sources for the translator."""

import ast
import builtins
import dataclasses
import functools
import inspect
import operator
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ..lowering import ExportError

_FOLDED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.Mod: operator.mod,
    ast.RShift: operator.rshift,
}
_SIMPLE = (bool, int, float, str, np.generic, types.NoneType)
_LARGEST = 1 << 128
_TYPES = (list, tuple, dict, set, frozenset)


class Known(NamedTuple):
    """A live object that an expression stands for."""

    value: Any


def is_method(value: Any) -> bool:
    """Whether what a class holds under a name is called, and not read."""
    return isinstance(value, (types.FunctionType, staticmethod, classmethod)) or hasattr(value, "py_func")


def is_property(value: Any) -> bool:
    """Whether what a class holds under a name is computed when it is read."""
    return isinstance(value, (property, functools.cached_property))


def is_data(value: Any, depth: int = 0) -> bool:
    """Whether a value can be written down: numbers, texts, collections of them, frozen dataclasses, arrays."""
    if isinstance(value, (*_SIMPLE, np.ndarray)):
        return True
    if depth > 8:
        return False
    match value:
        case tuple() | list() | set() | frozenset():
            parts = list(value)
        case dict():
            parts = [one for pair in value.items() for one in pair]
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            parts = [getattr(value, one.name) for one in dataclasses.fields(value)]
        case _:
            return False
    return all(is_data(one, depth + 1) for one in parts)


def held(owner: Any, name: str) -> Any:
    """The attribute of a class, or of an object's class, without calling descriptors.

    None where there is none.
    """
    return inspect.getattr_static(owner if isinstance(owner, type) else type(owner), name, None)


def attribute_of(base: Any, name: str) -> Known | None:
    """An attribute of a live object, where it is the same whenever it is read."""
    if isinstance(base, (types.ModuleType, type)):
        return Known(getattr(base, name)) if hasattr(base, name) else None
    if not dataclasses.is_dataclass(base) or is_method(held(base, name)):
        return None
    try:
        value = getattr(base, name)
    except Exception:
        return None
    return Known(value) if is_data(value) else None


def static(node: ast.expr, look_up: Callable[[str], Known | None]) -> Known | None:
    """The live object that an expression stands for; None where that is known when it runs only."""
    match node:
        case ast.Constant():
            return Known(node.value)
        case ast.Name():
            return look_up(node.id)
        case ast.Attribute():
            base = static(node.value, look_up)
            return None if base is None else attribute_of(base.value, node.attr)
        case ast.Subscript():
            base = static(node.value, look_up)
            return base if base is not None and any(base.value is kind for kind in _TYPES) else None
        case ast.Call(func=ast.Name(id="type"), args=[argument]):
            one = static(argument, look_up)
            return None if one is None or not dataclasses.is_dataclass(one.value) else Known(type(one.value))
        case ast.UnaryOp(op=ast.USub()):
            one = static(node.operand, look_up)
            return Known(-one.value) if one is not None and type(one.value) in (int, float) else None
        case ast.BinOp() if type(node.op) in _FOLDED:
            a, b = static(node.left, look_up), static(node.right, look_up)
            return None if a is None or b is None else _folded(node.op, a.value, b.value)
        case _:
            return None


def _folded(op: ast.operator, a: Any, b: Any) -> Known | None:
    """What an operator makes of two whole numbers; None where that has no bound, or is no number."""
    if type(a) is not int or type(b) is not int or max(abs(a), abs(b)) > _LARGEST:
        return None
    is_shift, divides = isinstance(op, (ast.LShift, ast.RShift)), isinstance(op, (ast.FloorDiv, ast.Mod))
    if (is_shift and not 0 <= b <= 128) or (divides and b == 0):
        return None
    return Known(_FOLDED[type(op)](a, b))


def decided(
    node: ast.expr, look_up: Callable[[str], Known | None], has_objects: Callable[[type], bool]
) -> bool | None:
    """Whether a condition holds, where that is known; None else. `has_objects`: whether there may be objects of a class."""
    match node:
        case ast.UnaryOp(op=ast.Not()):
            inner = decided(node.operand, look_up, has_objects)
            return None if inner is None else not inner
        case ast.BoolOp():
            parts = [decided(one, look_up, has_objects) for one in node.values]
            stops = isinstance(node.op, ast.Or)
            if parts[0] is stops or (stops in parts and None not in parts[: parts.index(stops)]):
                return stops
            return None if None in parts else not stops
        case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op]):
            a, b = static(node.left, look_up), static(node.comparators[0], look_up)
            if a is None or b is None:
                return None
            if isinstance(op, (ast.Is, ast.IsNot)):
                return (a.value is b.value) == isinstance(op, ast.Is)
            simple = isinstance(a.value, _SIMPLE) and isinstance(b.value, _SIMPLE)
            return bool(a.value == b.value) == isinstance(op, ast.Eq) if simple else None
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, second]):
            kind = static(second, look_up)
            never = kind is not None and isinstance(kind.value, type) and not has_objects(kind.value)
            return False if never else None
        case _:
            one = static(node, look_up)
            return bool(one.value) if one is not None and isinstance(one.value, _SIMPLE) else None


# A function that is translated: its source, its names, and how a part of it is refused.

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
        return ExportError(
            f"{self.function.__qualname__} ({self.file}, line {line}) cannot be translated to JavaScript: {what}"
        )


def plain_function(value: Any) -> FunctionType | None:
    """The Python function behind a compiled, a cached or a plain one; None for what is no function."""
    for name in ("py_func", "_plain", "__wrapped__"):
        if not isinstance(value, FunctionType) and isinstance(getattr(value, name, None), FunctionType):
            value = getattr(value, name)
    return value if isinstance(value, FunctionType) else None


def is_kept(value: Any) -> bool:
    """Whether it is a function with a cache of its results."""
    return isinstance(value, functools._lru_cache_wrapper)


def source_of(function: FunctionType) -> Source:
    """A function's source; raises ExportError where there is none."""
    file = Path(function.__code__.co_filename).name
    try:
        lines, line = inspect.getsourcelines(function)
        found = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, TypeError, SyntaxError):
        raise ExportError(
            f"{function.__qualname__} ({file}) cannot be translated to JavaScript: its source is not there"
        ) from None
    if not isinstance(found, ast.FunctionDef):
        place = f"{function.__qualname__} ({file}, line {line})"
        raise ExportError(f"{place} cannot be translated to JavaScript: it is written as {_named(found)}")
    return Source(function, found, file, line)


def _named(node: ast.AST) -> str:
    return {"AsyncFunctionDef": "an async function", "Assign": "a lambda", "Expr": "a lambda"}.get(
        type(node).__name__, "something else"
    )


def outer_name(function: FunctionType, name: str) -> Known | None:
    """The live object that a name stands for which a function does not bind itself."""
    if name in function.__code__.co_freevars and function.__closure__:
        cell = function.__closure__[function.__code__.co_freevars.index(name)]
        return Known(cell.cell_contents)
    if name in function.__globals__:
        return Known(function.__globals__[name])
    return Known(getattr(builtins, name)) if hasattr(builtins, name) else None


def own_nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of statements in their order; functions and comprehensions in them are among these, and what is inside is not."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_INNER, *_COMPREHENSIONS)):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def bound_names(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind in their own function; those of functions and comprehensions within them are not among them."""
    for node in own_nodes(body):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield node.id
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        elif isinstance(node, _COMPREHENSIONS):  # what `:=` binds in them is the function's
            yield from (one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr))


def outer_names(body: list[ast.stmt]) -> set[str]:
    """The names that statements assign to in the function around theirs."""
    return {name for node in own_nodes(body) if isinstance(node, ast.Nonlocal) for name in node.names}


def yields(body: list[ast.stmt]) -> bool:
    """Whether statements make their function a generator."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in own_nodes(body))


def parameters_of(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """The parameters with their defaults, those by name alone last; `*args` is not among them."""
    listed = [*arguments.posonlyargs, *arguments.args]
    usual: list[ast.expr | None] = [None] * (len(listed) - len(arguments.defaults)) + list(arguments.defaults)
    return [*zip(listed, usual, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
