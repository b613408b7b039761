"""The values that compiled code has taken from its module: constants, whatever way they came there.

A constant may be read from a file or from the environment when its module is imported; no source tells it then.
"""

import functools
import hashlib
from collections.abc import Iterable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from .imports import is_library, is_own
from .numba_private.functions import typing_function

_SCALARS = (bool, int, float, complex, str, bytes, np.generic, type(None))


def captured_digest(things: Iterable[Any]) -> str:
    """Digest of the constants that functions (compiled or not), properties and plain values hold or name in their modules.

    Functions that they name are looked into as well, but for those of libraries. Of a function of this package only the closure counts:
    `package_digest` covers its source.
    """
    walk = _Walk()
    for thing in things:
        walk.add(thing, ())
    return walk.digest.hexdigest()


class _Walk:
    def __init__(self) -> None:
        self.digest = hashlib.blake2b(digest_size=6)
        self._seen: set[Any] = set()

    def add(self, value: Any, names: Iterable[str]) -> None:
        if isinstance(value, property):
            value = value.fget
        elif isinstance(value, functools.cached_property):
            value = value.func
        function = getattr(value, "py_func", typing_function(value))
        if isinstance(value, _SCALARS):
            self._put(type(value).__name__, repr(value))
        elif isinstance(value, tuple):
            self._put("tuple", len(value))  # pyright: ignore[reportUnknownArgumentType]
            for item in value:  # pyright: ignore[reportUnknownVariableType]
                self.add(item, ())
        elif isinstance(value, np.ndarray):
            self._put(value.dtype, value.shape)
            if value.dtype.hasobject:
                return
            self.digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, ModuleType):
            self._add_module(value, names)
        elif isinstance(function, FunctionType):
            self._add_function(function)

    def _add_module(self, module: ModuleType, names: Iterable[str]) -> None:
        file = getattr(module, "__file__", None)
        looked_at = (module.__name__, frozenset(names))
        if looked_at in self._seen or (file is not None and is_library(file)):
            return
        self._seen.add(looked_at)  # modules may name each other
        self._add_names(vars(module), names)

    def _add_function(self, function: FunctionType) -> None:
        own = is_own(function.__code__.co_filename)
        if function in self._seen or (not own and is_library(function.__code__.co_filename)):
            return
        self._seen.add(function)
        if not own:
            self._add_names(function.__globals__, _names(function.__code__))
        for cell in function.__closure__ or ():
            try:
                self.add(cell.cell_contents, ())
            except ValueError:
                pass  # not filled yet

    def _add_names(self, scope: dict[str, Any], names: Iterable[str]) -> None:
        known = sorted(set(names) & scope.keys())
        for name in known:
            self._put("name", name)
            self.add(scope[name], names)

    def _put(self, *parts: object) -> None:
        self.digest.update(repr(tuple(map(str, parts))).encode())


def _names(code: CodeType) -> list[str]:
    """The globals and attributes that a function names, those of the functions inside it too."""
    inner = [name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant)]
    return [*code.co_names, *inner]
