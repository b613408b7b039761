"""The kernels made of a class's rules, and the same rules as plain Python."""

import functools
import hashlib
import inspect
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from types import CellType, FunctionType
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, types
from numba.extending import lower_builtin, type_callable

from .errors import KernelError
from .identity import Captured, is_mutable, names_in
from .numba_private import Dispatcher, mark_intrinsic
from .sources import PACKAGE, lasting_name, sources_digest

CONSTANTS = (bool, int, float, str, tuple, np.generic, np.ndarray)
"""The types that kernels can read as constants."""
_COMPONENTS = f"{__package__}.component"
_MACHINERY = ("_class_key", "kernels")
UNSAVED: set[str] = set()
"""Fingerprints of classes without a source (typed, or piped into Python): nothing made for them is kept on disk."""
_taken: dict[type, Captured | None] = {}


@functools.cache
def source_fingerprint(cls: type) -> str:
    """A digest of the sources of a component's kernels: its module, and the sources of every base class.

    The package's own sources are covered by the cache directory. Outside it counts the file of every base class, and
    whatever such a file imports. Without any source the fingerprint is a new one each time.
    """
    modules = [base.__module__ for base in _rules(cls)]
    sources = sources_digest(sys.modules.get(name) for name in modules)
    if sources is None:
        unique = uuid.uuid4().hex[:12]
        UNSAVED.add(unique)
        return unique
    names = ",".join(map(lasting_name, modules))
    return hashlib.blake2b(f"{names} {sources}".encode(), digest_size=6).hexdigest()


def rules_digest(cls: type) -> str:
    """Digest of a class's rules: of their files and of the constants that they take from there; empty for this package's."""
    captured = captured_of(cls)
    return "" if captured is None else f"{_files_digest(cls)}{captured.digest}"


@functools.cache
def _files_digest(cls: type) -> str:
    return sources_digest(sys.modules.get(base.__module__) for base in _rules(cls)) or ""


def _rules(cls: type) -> list[type]:
    """The classes that a component's kernels, properties and constants come from."""
    return [base for base in cls.__mro__ if hasattr(base, "kernels") and base.__module__ != _COMPONENTS]


def captured_of(cls: type) -> Captured | None:
    """The constants that the rules of a class outside this package have taken from there, as they are now; None for one of the package.

    Where any is another one than before, the plain and the compiled functions that hold it are made anew.
    """
    if cls not in _taken:
        _taken[cls] = _look_at(cls)
    known = _taken[cls]
    if known is None or not known.has_changed():
        return known
    found = _look_at(cls)
    if found is None or found.digest == known.digest:
        raise KernelError(
            f"{known.change()}: define {cls.__name__} again, since its rules were compiled for the former"
        )
    known.forget()
    _uncompiled.clear()  # they hold what the globals of their modules were
    _classes.clear()
    _taken[cls] = found
    return found


def _look_at(cls: type) -> Captured | None:
    own = [base for base in _rules(cls) if not in_package(base)]
    if not own:
        return None
    kernels = [compiled for _, compiled in sorted(cast(Any, cls).kernels.items())]
    things = [vars(base)[name] for base in own for name in _constants_of(base)]
    return Captured((*things, *kernels), {base: functools.partial(_constants_of, base) for base in own})


def _constants_of(cls: type) -> list[str]:
    """The names of a class's constants and properties, and of its collections that its functions name."""
    return sorted(
        name
        for name, value in vars(cls).items()
        if not name.startswith("__")
        and name not in _MACHINERY
        and (is_constant(value) or (is_mutable(value) and name in _named_in(cls)))
    )


@functools.cache
def _named_in(cls: type) -> frozenset[str]:
    """The names that the functions and properties of a class use."""
    functions = [
        getattr(value, "fget", getattr(value, "func", getattr(value, "__wrapped__", value)))
        for value in vars(cls).values()
    ]
    return frozenset(
        name for function in functions if inspect.isfunction(function) for name in names_in(function.__code__)
    )


def is_constant(value: Any) -> bool:
    return isinstance(value, (property, functools.cached_property, *CONSTANTS))


@functools.cache
def in_package(cls: type) -> bool:
    """Whether a class is one of this library."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return file is not None and Path(file).resolve().is_relative_to(PACKAGE)


# The way back from compiled code to plain Python, for debugging, coverage and for checking one against the other.

PLAIN_PYTHON = bool(getattr(config, "DISABLE_JIT"))  # noqa: B009 (set at run time, from the environment)
"""True under NUMBA_DISABLE_JIT=1: kernels and searches then run as ordinary Python."""

F = TypeVar("F", bound=Callable[..., Any])
_uncompiled: dict[Any, Any] = {}
_classes: dict[Any, Any] = {}


def compiled_as(code: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate a plain function with the code that compiled callers have in its place.

    `code` is what `numba.extending.intrinsic` takes: a function of the typing context and the argument types that returns the
    signature and the code generator, or None for other types.
    """

    def attach(function: F) -> F:
        if not PLAIN_PYTHON:
            _declare(function, code)
        return function

    return attach


def _declare(function: Any, code: Callable[..., Any]) -> None:
    mark_intrinsic(function, code)
    signature = inspect.signature(code)
    signature = signature.replace(parameters=list(signature.parameters.values())[1:])

    @type_callable(function)
    def _typing(context: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
        def typer(*args: Any, **named: Any) -> Any:
            found = code(context, *args, **named)
            return None if found is None else found[0]

        setattr(typer, "__signature__", signature)  # noqa: B010 (Numba binds keywords by it)
        return typer

    @lower_builtin(function, types.VarArg(types.Any))
    def _lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
        _, generate = code(context.typing_context, *signature.args)
        return generate(context, builder, signature, args)


@type_callable(float)
def _typing_of_float(context: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    """Numba has no float() of a bool, which rules compute results with."""
    return lambda value: types.float64 if isinstance(value, types.Boolean) else None


@lower_builtin(float, types.Boolean)
def _float_of_bool(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    return context.cast(builder, args[0], signature.args[0], signature.return_type)


def uncompiled(function: Any) -> Any:
    """The function as plain Python, every compiled function that it names replaced by its plain one too."""
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType):
        return function
    if function not in _uncompiled:
        names = dict(function.__globals__)
        cells = tuple(CellType() for _ in function.__closure__ or ())
        plain = FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, cells or None
        )
        _uncompiled[function] = plain  # before looking deeper: functions may call each other
        for name in function.__code__.co_names:
            if isinstance(names.get(name), Dispatcher):
                names[name] = uncompiled(names[name])
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            value = original.cell_contents
            cell.cell_contents = uncompiled(value) if isinstance(value, Dispatcher) else value
    return _uncompiled[function]


def plain_class(cls: Any) -> Any:
    """The component class with its kernels as plain Python, unchecked."""
    if cls not in _classes:
        _classes[cls] = type(
            cls.__name__,
            (cls,),
            {name: _of_python_numbers(uncompiled(kernel)) for name, kernel in cls.kernels.items()},
            plain=True,
        )
    return _classes[cls]


def _of_python_numbers(rule: Callable[..., Any]) -> Callable[..., Any]:
    """The rule, which gets what comes out of arrays as Python's own numbers: as in compiled code, comparisons can then be subtracted."""

    @functools.wraps(rule)
    def called(self: Any, *args: Any) -> Any:
        return rule(self, *(arg.item() if type(arg) in (np.int64, np.bool_) else arg for arg in args))

    return called
