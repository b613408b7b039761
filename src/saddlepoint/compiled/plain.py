"""The way back from compiled code to plain Python, for debugging, coverage and for checking one against the other."""

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any, TypeVar, cast

from numba.core import config
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic

PLAIN_PYTHON = bool(getattr(config, "DISABLE_JIT"))  # noqa: B009 (set at run time, from the environment)
"""True under NUMBA_DISABLE_JIT=1: kernels and searches then run as ordinary Python."""

F = TypeVar("F", bound=Callable[..., Any])
_uncompiled: dict[Any, Any] = {}
_AnyIntrinsic: Any = _Intrinsic


class _Twin(_AnyIntrinsic):
    """An intrinsic of Numba that can be called from Python too."""

    def __init__(self, name: str, defn: Any, plain: Callable[..., Any] | None = None, **kwargs: Any) -> None:
        super().__init__(name, defn, **kwargs)
        self._plain = plain

    def __call__(self, *args: Any) -> Any:
        return super().__call__(*args) if self._plain is None else self._plain(*args)


def compiled_as(code: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate a plain function with the typing function of the intrinsic that compiled code has in its place."""

    def attach(function: F) -> F:
        if PLAIN_PYTHON:
            return function
        twin = _Twin(function.__name__, code, function)
        twin._register()
        twin.__doc__, twin.__name__ = function.__doc__, function.__name__
        return cast(F, twin)

    return attach


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
