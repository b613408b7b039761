"""Compiled functions of Numba, what is borrowed from it, and what is replaced in it while a function of this library is compiled.

SADDLEPOINT_NUMBA_WITHOUT in the environment leaves some of the borrowings off (their names, with commas between) or all of them (`all`).
"""

import functools
import hashlib
import importlib
import inspect
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils, event
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate

from ..directory import warn_once
from ..sources import PACKAGE

__all__ = ["AbstractTemplate", "AttributeTemplate", "CPUDispatcher", "Dispatcher"]
"""What has no public name; without it nothing can be compiled, and the import says what Numba has no more."""


@dataclass(frozen=True)
class Borrowing:
    """Something private of Numba that makes compiling or loading faster."""

    name: str
    saves: str
    """In words that end a sentence. docs/decisions.md has the seconds that the shares were taken from."""
    written_for: tuple[str, ...] = ()
    """Numba's functions, each as module:name; none where it is enough that they are called."""
    sources: frozenset[str] = frozenset()
    """Digests of their sources: one, or one for each of the versions of Numba that have others."""

    @functools.cached_property
    def is_used(self) -> bool:
        """Whether it is wanted, and Numba's functions are those that it was written for; a warning where they are not."""
        without = os.environ.get("SADDLEPOINT_NUMBA_WITHOUT", "")
        if without == "all" or self.name in without.split(","):
            return False
        is_known = self.digest() in self.sources
        if not is_known:
            warn_once(
                f"Numba {numba.__version__} has changed inside: all works, but without '{self.name}', which saves {self.saves}"
            )
        return is_known

    def digest(self) -> str:
        """Digest of the sources of Numba's functions, blank lines left out."""
        found = hashlib.blake2b(digest_size=6)
        for path in self.written_for:
            try:
                lines = inspect.getsource(private(path)).splitlines(keepends=True)
            except (OSError, TypeError):  # Numba has it no more, or there is no source
                continue
            found.update("".join(line for line in lines if line.strip()).encode())
        return found.hexdigest()


def private(path: str) -> Any:
    """One of Numba's private names, given as module:name; None where Numba does not have it."""
    module, _, names = path.partition(":")
    try:
        return functools.reduce(getattr, names.split("."), importlib.import_module(f"numba.{module}"))
    except (ImportError, AttributeError):
        return None


def _methods(owner: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{owner}.{name}" for name in names)


RECURSION = Borrowing(
    "recursion",
    "a sixth of the time to compile",
    _methods("core.typeinfer:TypeInferer", "return_types_from_partial"),
    frozenset({"afa0c52a8af9"}),
)
OPERATORS = Borrowing(
    "operators",
    "a fifth of the time to compile",
    _methods("core.types.functions:BaseFunction", "get_call_type", "get_impl_key"),
    frozenset({"965e96a877b8"}),
)
TABLES = Borrowing(
    "tables",
    "compiling again, in every process, code that has a table of more than a megabyte",
    _methods("core.base:BaseContext", "make_constant_array"),
    frozenset({"2583af19e0a7"}),
)
NUMBERS = Borrowing(
    "numbers",
    "compiling a function again for each number that is written in a call: 3 of 94 in one game, 10 of 119 in another",
    _methods("core.dispatcher:_DispatcherBase", "get_call_template"),
    frozenset({"29ca696eb025"}),
)
PARTS = Borrowing(
    "parts",
    "half of the time to compile",
    (
        *_methods("core.codegen:CodeLibrary", "__init__", "_ensure_finalized"),
        *_methods(
            "core.codegen:CPUCodeLibrary",
            "__init__",
            "finalize",
            "add_linking_library",
            "_finalize_final_module",
            "_get_module_for_linking",
            "_finalize_dynamic_globals",
            "_verify_declare_only_symbols",
            "serialize_using_object_code",
        ),
        *_methods("core.codegen:JITCodeLibrary", "get_pointer_to_function"),
        *_methods("core.compiler:CompileResult", "_reduce", "_rebuild", "_find_referenced_environments"),
        *_methods("core.compiler:CompilerBase", "__init__", "compile_extra"),
        *_methods("core.compiler:Compiler", "define_pipelines"),
        "core.environment:lookup_environment",
        *_methods("core.cpu:CPUContext", "get_executable"),
    ),
    frozenset({"18f6fa058dbf"}),
)
KEPT = Borrowing(
    "kept",
    "compiling again in every process: nothing is kept on disk without it",
    (
        *_methods("core.dispatcher:Dispatcher", "compile"),
        *_methods("core.compiler:CompileResult", "_reduce", "_rebuild"),
        *_methods("core.codegen:CPUCodeLibrary", "serialize_using_object_code", "_unserialize"),
        *_methods("core.codegen:RuntimeLinker", "scan_unresolved_symbols"),
        *_methods("core.runtime.nrt:rtsys", "initialize"),
        "core.serialize:dumps",
    ),
    frozenset({"8d2a01a98297"}),
)
CALLBACKS = Borrowing(
    "callbacks",
    "compiling the matrix solvers again in every process",
    _methods("core.ccallback:CFunc", "__init__", "compile"),
    frozenset({"cc093764ff2e"}),
)

BORROWINGS = tuple(thing for thing in list(globals().values()) if isinstance(thing, Borrowing))


# Compiled functions, intrinsics and events of Numba.

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


def mark_intrinsic(function: Any, code: Callable[..., Any]) -> None:
    """Note the typing function of a function that compiled code has in its place, where Numba's intrinsics have theirs."""
    function._defn = code


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
        compiled = event.data["dispatcher"]
        self._end(compiled)
        cache = cache_of(compiled)
        if failure_of(event) is not None and hasattr(cache, "release_locks"):
            cache.release_locks()  # another process may try

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

# What crashes or is lost where Ctrl-C comes while machine code is loaded, or while a result is put together.


def load_within(guarded: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Replace the function by which any machine code is loaded by the guarded one."""
    engine = private("core.codegen:JitEngine")
    if hasattr(engine, "finalize_object"):
        engine.finalize_object = guarded(engine.finalize_object)


_box_tuple = private("core.boxing:box_tuple")


def _box_named_tuple(kind: Any, value: Any, c: Any) -> Any:
    """As Numba's own, which calls the class in Python, and goes on and crashes without what Ctrl-C kept from being made."""
    made = cgutils.alloca_once_value(c.builder, c.pyapi.get_null_object())
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(kind.instance_class))
    with c.builder.if_then(cgutils.is_not_null(c.builder, cls), likely=True):
        parts = _box_tuple(kind, value, c)
        with c.builder.if_then(cgutils.is_null(c.builder, c.pyapi.err_occurred()), likely=True):
            c.builder.store(c.pyapi.call(cls, parts), made)
        c.pyapi.decref(parts)
        c.pyapi.decref(cls)
    return c.builder.load(made)


_boxers = private("core.pythonapi:_boxers.functions")
if _box_tuple is not None and _boxers is not None:
    _boxers.update(dict.fromkeys((types.NamedTuple, types.NamedUniTuple), _box_named_tuple))
