"""The constants that compiled code has taken from its module.

A constant may be read from a file or from the environment when its module is imported; no source tells it then. And it may be changed
afterwards, in a notebook say: that is seen before compiled code is used again.
"""

import dis
import functools
import hashlib
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from .identity import NoIdentity, identity, is_mutable
from .numba_private import Dispatcher, forget, typing_function
from .sources import is_library, is_own

_SCALARS = (bool, int, float, complex, str, bytes, np.generic, type(None))
_CONSTANTS = (*_SCALARS, tuple, list, dict, set, frozenset, np.ndarray)


def captured_digest(things: Iterable[Any]) -> str:
    """Digest of the constants that functions (compiled or not), properties and plain values hold or name in their modules.

    Functions that they name are looked into as well, but for those of libraries. Of a function of this package only the closure counts:
    `package_digest` covers its source.
    """
    return Captured(things).digest


class Captured:
    """The constants that some functions, properties and plain values were seen with, and whether they still are what they were."""

    def __init__(
        self, things: Iterable[Any], classes: Mapping[type, Callable[[], list[str]]] | None = None
    ) -> None:
        self._digest = hashlib.blake2b(digest_size=6)
        self._seen: set[Any] = set()
        self._places = [_Place(cls.__qualname__, vars(cls), names) for cls, names in (classes or {}).items()]
        self._compiled: list[Any] = []
        for thing in things:
            self._add(thing, ())
        self.digest = self._digest.hexdigest()

    def has_changed(self) -> bool:
        """Whether any of the constants is another one now. It takes a microsecond or two: it is asked at each call from Python."""
        return any(place.has_changed() for place in self._places)

    def change(self) -> str:
        """The first constant that is another one now, in words: `BONUS was 1 and is 3 now`; empty if none is."""
        return next((place.change() for place in self._places if place.has_changed()), "")

    def forget(self) -> None:
        """Let the user's compiled functions that were looked into be compiled anew: they hold what the constants were."""
        for function in self._compiled:
            forget(function)

    def _add(self, value: Any, names: Iterable[str]) -> None:
        if isinstance(value, property):
            value = value.fget
        elif isinstance(value, functools.cached_property):
            value = value.func
        function = getattr(value, "py_func", typing_function(value))
        if isinstance(value, _CONSTANTS):
            try:
                self._put(identity(value))
            except NoIdentity:  # no kernel can read it
                self._put(type(value).__name__)
        elif isinstance(value, (ModuleType, type)):
            self._add_scope(value, names)
        elif isinstance(function, FunctionType):
            self._add_function(function, value)

    def _add_scope(self, scope: ModuleType | type, names: Iterable[str]) -> None:
        """Add the constants of a module or a class that a function names: `settings.BONUS`."""
        file = getattr(
            scope if isinstance(scope, ModuleType) else sys.modules.get(scope.__module__), "__file__", None
        )
        looked_at = (scope, frozenset(names))
        if (
            looked_at in self._seen
            or (file is not None and is_library(file))
            or getattr(scope, "__module__", "") == "builtins"
        ):
            return
        self._seen.add(looked_at)  # modules may name each other
        self._add_names(scope.__name__, vars(scope), names, names)

    def _add_function(self, function: FunctionType, value: Any) -> None:
        own = is_own(function.__code__.co_filename)
        if function in self._seen or (not own and is_library(function.__code__.co_filename)):
            return
        self._seen.add(function)
        if not own:
            if isinstance(value, Dispatcher):
                self._compiled.append(value)
            if not Path(
                function.__code__.co_filename
            ).is_file():  # typed: no digest of a file tells what it does
                self._put(identity(function.__code__))
            named = (one for part in _codes(function.__code__) for one in dis.get_instructions(part))
            self._add_names(
                str(function.__globals__.get("__name__")),
                function.__globals__,
                [one.argval for one in named if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")],
                names_in(function.__code__),
            )
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                found = cell.cell_contents
            except ValueError:
                continue  # not filled yet
            if not own:
                scope = _CellScope(name, cell)
                self._places.append(_Place(function.__qualname__, scope, lambda name=name: [name]))
            self._add(found, ())

    def _add_names(
        self, where: str, scope: Mapping[str, Any], names: Iterable[str], further: Iterable[str]
    ) -> None:
        """Add the names that a function uses in a scope.

        `further` are those that it uses in the modules there.
        """
        known = sorted(set(names) & scope.keys())
        watched = [name for name in known if not isinstance(scope[name], (ModuleType, type))]
        if watched:
            self._places.append(_Place(where, scope, lambda: watched))
        for name in known:
            self._put("name", name)
            self._add(scope[name], further)

    def _put(self, *parts: str) -> None:
        self._digest.update(repr(parts).encode())


class _Place:
    """Names of a module or a class, and what they stood for."""

    def __init__(self, where: str, scope: Mapping[str, Any], names: Callable[[], list[str]]) -> None:
        self._where, self._scope, self._list_names = where, scope, names
        self._names = names()
        self._values = tuple(map(scope.get, self._names))
        self._size = len(scope)
        self._contents = {
            name: _content(value)
            for name, value in zip(self._names, self._values, strict=True)
            if is_mutable(value)
        }
        for value in self._values:
            if isinstance(value, np.ndarray):
                value.setflags(
                    write=False
                )  # its numbers are in the code: who would change one must hear of it

    def has_changed(self) -> bool:
        values = tuple(map(self._scope.get, self._names))
        if not all(map(operator.is_, values, self._values)):
            if any(map(_differ, values, self._values)):
                return True
            self._values = values  # the same was defined again
        if self._contents and any(
            _content(self._scope.get(name)) != known for name, known in self._contents.items()
        ):
            return True
        if len(self._scope) == self._size:
            return False
        self._size = len(self._scope)
        return self._list_names() != self._names

    def change(self) -> str:
        for name, value in zip(self._names, self._values, strict=True):
            now = self._scope.get(name)
            if _differ(now, value):
                return f"{name} of {self._where} was {_shown(value)} and is {_shown(now)} now"
            if name in self._contents and _content(now) != self._contents[name]:
                return f"{name} of {self._where} has other contents than before"
        return f"{self._where} has other constants than before: {', '.join(set(self._list_names()) ^ set(self._names))}"


def _differ(one: Any, other: Any) -> bool:
    return one is not other and _content(one) != _content(other)


def _content(value: Any) -> Any:
    """The identity of a value in compiled code: of a function its code, of an object without an identity its
    `id`.
    """
    function = getattr(
        value, "fget", getattr(value, "func", getattr(value, "py_func", typing_function(value)))
    )
    if isinstance(function, FunctionType):
        return identity(function.__code__)
    try:
        return identity(value)
    except NoIdentity:
        return id(value)


class _CellScope(dict[str, Any]):
    """A variable of the function around one, as a scope with one name."""

    def __init__(self, name: str, cell: Any) -> None:
        super().__init__({name: None})
        self._cell = cell

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self._cell.cell_contents
        except ValueError:
            return default


def _shown(value: Any) -> str:
    text = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def names_in(code: CodeType) -> list[str]:
    """The globals and attributes that a function names, those of the functions inside it too."""
    return [name for part in _codes(code) for name in part.co_names]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
