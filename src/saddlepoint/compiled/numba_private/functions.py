"""Compiled functions of Numba, and what of its compiler is replaced while one of this library is compiled."""

import functools
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
from numba.core import event
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate

from ..sources import PACKAGE
from .borrowings import OPERATORS, RECURSION, TABLES, Borrowing, private

# Compiled functions, intrinsics and events of Numba: what has no public name, and that which has no way around at all.
#
# Without the classes that are imported here nothing can be compiled, and the import says which one Numba has no more.

__all__ = [
    "AbstractTemplate", "AttributeTemplate", "CPUDispatcher", "Dispatcher", "cache_of", "failure_of", "forget", "is_own", "own",
    "typing_function", "unoptimised_text",
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


def typing_function(value: Any) -> Any:
    """The typing function of an intrinsic, of Numba's or of `compiled_as`; the value itself if it is none."""
    return getattr(value, "_defn", value)


def unoptimised_text(compiled: Any) -> str:
    """LLVM's module of a compiled function, as text, as the linker takes it: what it calls in other modules is declared."""
    code = compiled._asdict()["library"]
    return str(code._get_module_for_linking())


# Functions of Numba that are replaced while a function of this library is compiled, by faster ones with the same results.
#
# They are put back when it is compiled, and for a user's own function that it waits for. Numba compiles in one thread at a time.

# -- what they are replaced by --------------------------------------------------------------------------------------------


def _infer_once(original: Any) -> Any:
    """At each place where a function calls itself, Numba infers the types of its whole body anew to learn what it returns.

    And again whenever an argument's type is looked at. The functions of this package return one type everywhere; others are left alone.
    """

    def return_types_from_partial(inferer: Any) -> Any:
        known = inferer.__dict__.get("_saddlepoint_result")
        if known is None:
            known = original(inferer)
            if known is not None and inferer.func_ir.loc.filename.startswith(f"{PACKAGE}/"):
                inferer._saddlepoint_result = known
        return known

    return return_types_from_partial


def _resolve_once(original: Any) -> Any:
    """At each `a + b` Numba tries its ways to add one after the other, although it found the same one for the same types a line before.

    What is written for one set of flags (an overload in Python) is still looked for each time.
    """

    def get_call_type(function: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        if kws:
            return original(function, context, args, kws)
        _, found = _resolved.setdefault(id(function), (function, {}))
        signature = found.get(args)
        if signature is None:
            signature = original(function, context, args, kws)
            if signature is not None and function.get_impl_key(signature) is function.typing_key:
                found[args] = signature
        return signature

    return get_call_type


_resolved: dict[int, tuple[Any, dict[Any, Any]]] = {}
"""For each built-in function, by its number, the signatures by argument types; and the function, so that its number stays its own."""


def _tables_as_numbers(original: Any) -> Any:
    """Numba writes an array above a megabyte, and one that is not contiguous, into the code as its address in this process.

    Such code cannot be kept on disk. Here it holds the numbers; the digest of what it captured tells when they change.
    """

    def make_constant_array(context: Any, builder: Any, kind: Any, array: Any) -> Any:
        if array.nbytes > _LARGEST:
            return original(context, builder, kind, array)
        whole = np.asarray(array, order="F" if kind.layout == "F" else "C")
        return original(context.subtarget(allow_dynamic_globals=False), builder, kind, whole)

    return make_constant_array


_LARGEST = 64 * 2**20
"""Bytes. A larger table would make compiling take minutes; its code is compiled in every process."""

# -- when -----------------------------------------------------------------------------------------------------------------

_REPLACED: list[tuple[Borrowing, Any, str, Callable[[Any], Any]]] = [
    (RECURSION, private("core.typeinfer:TypeInferer"), "return_types_from_partial", _infer_once),
    (OPERATORS, private("core.types.functions:Function"), "get_call_type", _resolve_once),
    (TABLES, private("core.cpu:CPUContext"), "make_constant_array", _tables_as_numbers),
]
"""What has the function, its name, and what makes another one of it."""


class _Compiling(event.Listener):
    """What is being compiled; the functions are replaced while the innermost of it is this library's."""

    def __init__(self) -> None:
        self._stack: list[tuple[Any, bool]] = []
        """The functions, the innermost last, and whether it is one of this library, or of Numba for one of this library."""
        self._undo: list[Callable[[], object]] = []

    def on_start(self, event: Any) -> None:
        self._begin(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        self._end(event.data["dispatcher"])

    @contextmanager
    def of(self, function: Any) -> Generator[None]:
        """Something of this library is compiled that Numba does not tell of."""
        with private("core.compiler_lock:global_compiler_lock") or nullcontext():
            self._begin(function, True)
            try:
                yield
            finally:
                self._end(function)

    def _begin(self, compiled: Any, own: bool = False) -> None:
        within = bool(self._stack) and self._stack[-1][1]
        self._stack.append((compiled, own or is_own(compiled) or (within and _is_of_numba(compiled))))
        self._settle()

    def _end(self, compiled: Any) -> None:
        if self._stack and self._stack[-1][0] is compiled:
            self._stack.pop()
        self._settle()

    def _settle(self) -> None:
        wanted = bool(self._stack) and self._stack[-1][1]
        if wanted and not self._undo:
            self._undo.extend(_replace_all())
        while self._undo and not wanted:
            self._undo.pop()()


def _replace_all() -> Iterator[Callable[[], object]]:
    """What undoes each replacement, as soon as it is made."""
    for borrowing, owner, name, make in _REPLACED:
        if borrowing.is_used:
            original, inherited = getattr(owner, name), name not in vars(owner)
            yield functools.partial(_put_back, owner, name, original, inherited)
            setattr(owner, name, _made(make, original))


def _put_back(owner: Any, name: str, original: Any, inherited: bool) -> None:
    if not inherited:
        setattr(owner, name, original)
    elif name in vars(owner):
        delattr(owner, name)


@functools.cache
def _made(make: Callable[[Any], Any], original: Any) -> Any:
    return make(original)


def _is_of_numba(dispatcher: Any) -> bool:
    """Whether a function is one that Numba wrote to be compiled: a sort, say."""
    module: str = getattr(getattr(dispatcher, "py_func", None), "__module__", None) or ""
    return module.partition(".")[0] == "numba"


_compiling = _Compiling()
compiling = _compiling.of
event.register("numba:compile", _compiling)
