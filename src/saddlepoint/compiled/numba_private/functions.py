"""Compiled functions of Numba, the table of what is borrowed from it, and what Ctrl-C must not interrupt in it.

SADDLEPOINT_NUMBA_WITHOUT in the environment leaves some of the borrowings off (their names, with commas between) or all of them (`all`).
"""

import functools
import hashlib
import importlib
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate

from ..directory import warn_once

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
