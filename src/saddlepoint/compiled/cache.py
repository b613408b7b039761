"""The `jit` decorators."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.errors import NumbaError

from .numba_private import functions as _shortcuts, interrupts as _interrupts
from .numba_private.borrowings import KEPT, NUMBERS, PARTS
from .numba_private.functions import CPUDispatcher, own
from .numba_private.kept import PYTHON_ENTRY, PackageCache, callback
from .numba_private.parts import KIND, PartCompiler, PythonEntryCompiler  # pyright: ignore[reportUnusedImport] (KIND: where all is compiled)
from .rules import PLAIN_PYTHON, uncompiled

del _interrupts, _shortcuts  # their import makes them work

F = TypeVar("F", bound=Callable[..., Any])


def _without_number(kind: Any) -> Any:
    return types.unliteral(kind) if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)) else kind


_Dispatcher: Any = CPUDispatcher


class _InlineDispatcher(_Dispatcher):
    """A helper compiled for its callers alone: it cannot be called from Python, which runs the source instead."""

    def __call__(self, *args: Any) -> Any:
        return uncompiled(self)(*args)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """One compilation serves `f(x, 0)` and `f(x, n)`: a number written in the call is put in later, where the part is put inline.

        Only a function that asks for the number itself is compiled for it.
        """
        if not NUMBERS.is_used:
            return super().get_call_template(args, kws)
        numbers = [_without_number(kind) for kind in args]
        named = {name: _without_number(kind) for name, kind in kws.items()}
        try:
            return super().get_call_template(numbers, named)
        except NumbaError:
            if numbers == list(args) and named == kws:
                raise
            return super().get_call_template(args, kws)


class _EnteredDispatcher(_InlineDispatcher):
    """A function that is a part of whoever calls it; what Python calls is compiled when Python first calls it."""

    _python_entry: Any = None

    def __call__(self, *args: Any) -> Any:
        if self._python_entry is None:
            self._python_entry = _python_entry(self)
        return self._python_entry(*args)


def jit(function: F, inline: bool = False) -> F:
    """Compile per argument types, without the GIL, as part of compiled callers and for Python, each when first called.

    Both are kept on disk. With `inline` it becomes part of its callers whatever its size.
    """
    if PLAIN_PYTHON:
        return function
    dispatcher: Any = _inlined(function, inline)
    dispatcher.__class__ = _EnteredDispatcher
    return own(dispatcher, _kept(function, KIND if PARTS.is_used else ""))


def _kept(function: Callable[..., Any], use: str) -> Any:
    """What keeps a function's code on disk; None where nothing can."""
    return PackageCache(function, use) if KEPT.is_used else None


def is_inlined(compiled: Any) -> bool:
    """Whether a compiled function becomes part of its callers whatever its size."""
    return bool(getattr(compiled, "targetoptions", {}).get("forceinline"))


def inlined(compiled: Any) -> Any:
    """The same function, which becomes part of its callers whatever its size."""
    return compiled if PLAIN_PYTHON else jit(compiled.py_func, inline=True)


def _python_entry(compiled: Any) -> Any:
    """What Python calls in a kernel's place; with all arguments named, since Numba takes `*args` a hundred times slower."""
    method = compiled.py_func
    arguments = ", ".join(f"argument{k}" for k in range(method.__code__.co_argcount))
    python_entry: Any = eval(f"lambda compiled: lambda {arguments}: compiled({arguments})")(compiled)
    python_entry.__name__, python_entry.__qualname__, python_entry.__module__ = (
        method.__name__,
        method.__qualname__,
        method.__module__,
    )
    options: dict[str, Any] = {"no_cfunc_wrapper": True}
    return own(
        numba.njit(nogil=True, **options, **_compiler(PythonEntryCompiler))(python_entry),
        _kept(method, PYTHON_ENTRY),
    )


def _compiler(kind: Any) -> dict[str, Any]:
    """The option of Numba that says who compiles."""
    return {"pipeline_class": kind} if PARTS.is_used else {}


def jit_inline(function: F) -> F:
    """Compile a small helper as part of its callers; nothing of its own is kept on disk."""
    if PLAIN_PYTHON:
        return function
    return _inlined(function)


def jit_part(function: F) -> F:
    """As `jit_inline`, for a step of one long function: it becomes part of it whatever its size."""
    return function if PLAIN_PYTHON else _inlined(function, forceinline=True)


def _inlined(function: F, forceinline: bool = False) -> F:
    options: dict[str, Any] = {
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "forceinline": forceinline,
    }
    inlined: Any = numba.njit(nogil=True, **options, **_compiler(PartCompiler))(function)
    inlined.__class__ = _InlineDispatcher
    return own(inlined)


def compiled_address(function: Callable[..., Any], signature: Any) -> int:
    """The address of a function compiled for C callers, kept on disk as everything else."""
    _callbacks.append(callback(function, signature))  # the code lives as long as its owner
    return int(_callbacks[-1].address)


_callbacks: list[Any] = []
