"""Compiled functions, intrinsics and events of Numba: what has no public name, and that which has no way around at all.

Without the classes that are imported here nothing can be compiled, and the import says which one Numba has no more.
"""

import inspect
from collections.abc import Callable
from typing import Any

from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import intrinsic, overload

from .borrowings import INTRINSICS, numbas

__all__ = [
    "AbstractTemplate", "AttributeTemplate", "CPUDispatcher", "Dispatcher", "cache_of", "failure_of", "forget", "infer_global", "is_own",
    "own", "signature", "twin", "typing_function", "unoptimised_text",
]  # fmt: skip

_OWN = "is_of_saddlepoint"


def own(dispatcher: Any, cache: Any = None) -> Any:
    """The compiled function, marked as this library's, and the cache that keeps its code."""
    setattr(dispatcher, _OWN, True)
    if cache is not None:
        dispatcher._cache = cache
    return dispatcher


def is_own(compiled: Any) -> bool:
    """Whether a compiled function is this library's, or a kernel."""
    return hasattr(compiled, _OWN)


def cache_of(dispatcher: Any) -> Any:
    """What keeps a compiled function's code."""
    return dispatcher._cache


def forget(dispatcher: Any) -> None:
    """Drop what was compiled of a function: it is compiled anew when it is called again."""
    dispatcher._make_finalizer()()
    dispatcher._reset_overloads()
    dispatcher._python_entry = None


def failure_of(event: Any) -> Any:
    """Class, exception and traceback that ended what an event tells of; None where it ended well."""
    return event._exc_details


_Intrinsic: Any = numbas("core.extending:_Intrinsic") or object


class _Twin(_Intrinsic):
    """An intrinsic of Numba that can be called from Python too."""

    def __init__(self, name: str, defn: Any, plain: Callable[..., Any] | None = None, **kwargs: Any) -> None:
        super().__init__(name, defn, **kwargs)
        self._plain = plain

    def __call__(self, *args: Any) -> Any:
        return super().__call__(*args) if self._plain is None else self._plain(*args)


def twin(function: Any, code: Callable[..., Any]) -> Any:
    """The function, which compiled code has an intrinsic in the place of; `code` is the intrinsic's typing function."""
    if not INTRINSICS.is_used:
        return _overloaded(function, code)
    both = _Twin(function.__name__, code, function)
    both._register()
    both.__doc__, both.__name__ = function.__doc__, function.__name__
    return both


def _overloaded(function: Any, code: Callable[..., Any]) -> Any:
    """The same by public means: one more function to be compiled at each use."""
    named = ", ".join(inspect.signature(function).parameters)
    scope: dict[str, Any] = {"code": intrinsic(code)}
    overload(function)(eval(f"lambda {named}: lambda {named}: code({named})", scope))
    return function


def typing_function(value: Any) -> Any:
    """The function that gives an intrinsic its type; the value itself if it is none."""
    return getattr(value, "_defn", value)


def unoptimised_text(compiled: Any) -> str:
    """LLVM's module of a compiled function, as text, as the linker takes it: what it calls in other modules is declared."""
    code = compiled._asdict()["library"]
    return str(code._get_module_for_linking())
