"""The identity of a constant: a text that is the same for two values exactly if compiled code cannot
distinguish them.

Names of compiled types, files of compiled code, tables of searches, ledgers, solutions and specs all go by it. It never comes from a
`repr` of somebody else's: NumPy's leaves out the middle of an array and all digits after the eighth, and an object's may say anything.
"""

import dataclasses
import dis
import functools
import hashlib
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path, PurePath
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from .numba_private import Dispatcher, forget, typing_function
from .sources import is_library, is_own

_PLAIN: tuple[Any, ...] = (int, float, str, bytes, complex)
_MUTABLE = (list, dict, set, bytearray)


class NoIdentity(TypeError):
    """The error for a value without an identity: an object whose content is not known, such as an open file."""


def identity(value: Any) -> str:
    """The text that stands for a constant.

    Numbers count to the last bit, with their type: 1, 1.0 and True differ, as do 0.0 and -0.0. An array goes by its type of numbers,
    shape and bytes. Tuples, lists, sets, dicts, enums and dataclasses go by what is in them.

    Raises NoIdentity for any other object.
    """
    if isinstance(value, type):
        return _name(value)
    if isinstance(value, Enum):
        return f"{_name(type(value))}.{value.name}={identity(value.value)}"
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes, complex):
        return repr(value)
    if kind is float:
        return repr(value) if not math.isnan(value) else f"nan:{np.float64(value).tobytes().hex()}"
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, np.generic):
        return f"{value.dtype.str}:{value.tobytes().hex()}"
    if isinstance(value, CodeType):
        return _of_code(value)
    if isinstance(value, PurePath):
        return f"{kind.__name__}({str(value)!r})"
    if hasattr(kind, "kernels"):  # a component, which knows what of it is constant
        return f"{value.type_name}{identity(value.run_time_parameters)}"
    if dataclasses.is_dataclass(value):
        return _of_dataclass(value)
    parts = _parts(value)
    if parts is None:
        raise NoIdentity(f"a {kind.__name__} has no identity")
    return f"{'' if kind is tuple else _name(kind)}({','.join(parts)})"


def is_mutable(value: Any) -> bool:
    """Whether a value may become another one while it is in use: a list, say, or a tuple with one in it."""
    if isinstance(value, tuple):
        return any(map(is_mutable, value))
    return isinstance(value, _MUTABLE)


def _parts(value: Any) -> list[str] | None:
    """The identities of the parts of a collection, or of a subclass of a plain type; None for another object."""
    if isinstance(value, (tuple, list)):
        return [identity(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(identity(item) for item in value)
    if isinstance(value, dict):
        return [f"{identity(key)}:{identity(item)}" for key, item in value.items()]
    if isinstance(value, bytearray):
        return [value.hex()]
    for plain in _PLAIN:
        if isinstance(value, plain):
            return [identity(plain.__new__(plain, value)), *_beside(value, ())]
    return None


def _of_array(value: np.ndarray) -> str:
    if value.dtype.hasobject:
        raise NoIdentity("an array of objects has no identity")
    # The order of its numbers in memory is part of how compiled code reads it.
    order = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
    digest = hashlib.blake2b(np.ascontiguousarray(value).tobytes(), digest_size=12).hexdigest()
    return f"{np.lib.format.dtype_to_descr(value.dtype)}{value.shape}{order}:{digest}"


def _of_dataclass(value: Any) -> str:
    """All that it holds: a field may be left out of the repr, and an InitVar leaves what __post_init__ made of it."""
    names = [field.name for field in dataclasses.fields(value)]
    parts = [f"{name}={identity(getattr(value, name))}" for name in names]
    return f"{_name(type(value))}({','.join([*parts, *_beside(value, names)])})"


def _beside(value: Any, names: Any) -> list[str]:
    cached = {
        name
        for cls in type(value).__mro__
        for name, thing in vars(cls).items()
        if isinstance(thing, functools.cached_property)
    }
    kept = getattr(value, "__dict__", {})
    return [f"{name}={identity(kept[name])}" for name in sorted(kept.keys() - set(names) - cached)]


def _of_code(code: CodeType) -> str:
    """The identity of a function's code, independent of its file and line."""
    constants = ["..." if part is Ellipsis else part for part in code.co_consts]
    parts = (
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_argcount,
        code.co_exceptiontable,
    )
    text = "".join(map(identity, (*parts, *constants)))
    return f"code:{hashlib.blake2b(text.encode(), digest_size=12).hexdigest()}"


def _name(cls: Callable[..., Any]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


# The constants that compiled code has taken from its module.
#
# A constant may be read from a file or from the environment when its module is imported; no source tells it then. And it may be changed
# afterwards, in a notebook say: that is seen before compiled code is used again.

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
        self._modules: dict[int, _Place] = {}
        self._places = [_Place(cls.__qualname__, vars(cls), names) for cls, names in (classes or {}).items()]
        self._compiled: list[Any] = []
        for thing in things:
            self._add(thing, ())
        self.digest = self._digest.hexdigest()

    def has_changed(self) -> bool:
        """Whether any of the constants is another one now. It takes a microsecond: it is asked at each call from Python."""
        return any(map(_Place.has_changed, self._places))

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
                place = _Place(function.__qualname__, _CellScope(name, cell))
                place.watch([name])
                self._places.append(place)
            self._add(found, ())

    def _add_names(
        self, where: str, scope: Mapping[str, Any], names: Iterable[str], further: Iterable[str]
    ) -> None:
        """Add the names that a function uses in a scope.

        `further` are those that it uses in the modules there.
        """
        known = sorted(set(names) & scope.keys())
        watched = [name for name in known if not isinstance(scope[name], (ModuleType, type))]
        if watched and id(scope) not in self._modules:
            self._modules[id(scope)] = _Place(where, scope)
            self._places.append(self._modules[id(scope)])
        if watched:
            self._modules[id(scope)].watch(watched)
        for name in known:
            self._put("name", name)
            self._add(scope[name], further)

    def _put(self, *parts: str) -> None:
        self._digest.update(repr(parts).encode())


class _Place:
    """Names of a module or a class, and what they stood for."""

    def __init__(
        self, where: str, scope: Mapping[str, Any], names: Callable[[], list[str]] | None = None
    ) -> None:
        """`names` lists those of a class, which may get others later; what else is watched is said by `watch`."""
        self._where, self._scope, self._list_names = where, scope, names
        self._values: dict[str, Any] = {}
        self._contents: dict[str, Any] = {}
        self._size = len(scope)
        self.watch(names() if names else ())

    def watch(self, names: Iterable[str]) -> None:
        """Note what these names stand for, too."""
        for name in names:
            self._values[name] = value = self._scope.get(name)
            if is_mutable(value):
                self._contents[name] = _content(value)
            if isinstance(value, np.ndarray):
                # Its numbers are in the code: who would change one must hear of it.
                value.setflags(write=False)

    def has_changed(self) -> bool:
        for name, value in self._values.items():
            if self._scope.get(name) is not value:
                if _differ(self._scope.get(name), value):
                    return True
                self._values[name] = self._scope.get(name)  # the same was defined again
        if self._contents and any(
            _content(self._scope.get(name)) != known for name, known in self._contents.items()
        ):
            return True
        if self._list_names is None or len(self._scope) == self._size:
            return False
        self._size = len(self._scope)
        return self._list_names() != [*self._values]

    def change(self) -> str:
        for name, value in self._values.items():
            now = self._scope.get(name)
            if _differ(now, value):
                return f"{name} of {self._where} was {_shown(value)} and is {_shown(now)} now"
            if name in self._contents and _content(now) != self._contents[name]:
                return f"{name} of {self._where} has other contents than before"
        names = set(self._list_names()) if self._list_names else set[str]()
        return f"{self._where} has other constants than before: {', '.join(names ^ self._values.keys())}"


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
