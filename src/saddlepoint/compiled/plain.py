"""The way back from compiled code to plain Python, for debugging, coverage and for checking one against the other."""

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any, TypeVar, cast

from numba import config

from .numba_private.functions import Dispatcher, twin  # pyright: ignore[reportUnusedImport] (twin: where all is compiled)

PLAIN_PYTHON = bool(getattr(config, "DISABLE_JIT"))  # noqa: B009 (set at run time, from the environment)
"""True under NUMBA_DISABLE_JIT=1: kernels and searches then run as ordinary Python."""

F = TypeVar("F", bound=Callable[..., Any])
_uncompiled: dict[Any, Any] = {}
_classes: dict[Any, Any] = {}


def compiled_as(code: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate a plain function with the typing function of the intrinsic that compiled code has in its place."""

    def attach(function: F) -> F:
        return function if PLAIN_PYTHON else cast(F, twin(function, code))

    return attach


def forget_plain() -> None:
    """Let plain functions and classes be made anew: they hold what the globals of their modules were."""
    _uncompiled.clear()
    _classes.clear()


def uncompiled(function: Any) -> Any:
    """The function as plain Python, every compiled function that it names replaced by its plain one too."""
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType):
        return function
    if function not in _uncompiled:
        names = dict(function.__globals__)
        cells = tuple(CellType() for _ in function.__closure__ or ())
        plain = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells or None)
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
        _classes[cls] = type(cls.__name__, (cls,), {name: uncompiled(kernel) for name, kernel in cls.kernels.items()}, plain=True)
    return _classes[cls]
