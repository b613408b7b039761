"""All private parts of Numba that this library uses, in this file and nowhere else.

Each `Borrowing` says what it saves, and which of Numba's functions it was written for. Where Numba has others, it is left off, which is
said once: all works as before, and takes longer to compile or to load. SADDLEPOINT_NUMBA_WITHOUT in the environment leaves some of the
borrowings off (their names, with commas between) or all of them (`all`).

A user's own Numba code is compiled by Numba alone. Three things hold in the whole process: Ctrl-C waits while machine code is loaded
(`signals.py`), without which the process may crash; a named tuple that Ctrl-C kept from being made does not crash; and records are named
by their fields, so that code which several processes compiled fits together.

What Numba's guide to extensions and its page on events tell (`numba.extending`, `numba.core.cgutils`, `errors`, `event`) is used wherever
it is needed.
"""

import copy
import functools
import hashlib
import importlib
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate

from .directory import warn_once

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
    """The cache of a compiled function."""
    return dispatcher._cache


def forget(dispatcher: Any) -> None:
    """Drop what was compiled of a function: it is compiled anew when it is called again."""
    dispatcher._make_finalizer()()
    dispatcher._reset_overloads()
    dispatcher._python_entry = None


def failure_of(event: Any) -> Any:
    """Class, exception and traceback of a compile event that failed; None where it did not fail."""
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


# Functions that only other compiled functions call: parts of these, never machine code of their own.
#
# Numba makes every compiled function a library that is optimised, turned into machine code and loaded into the process, with
# copies of all that it calls; and its callers, with their copies of it, are optimised again. A part stays bitcode, for its
# callers to link in, and has no wrappers by which Python or C would call it.

_Library: Any = private("core.codegen:JITCodeLibrary") or object
_Compiler: Any = private("core.compiler:Compiler") or object
_Target: Any = private("core.cpu:CPUContext") or object
_LARGEST_TABLE = 64 * 2**20
"""Bytes. A larger table would make compiling take minutes; its code is compiled in every process."""
KIND = "part"
"""The name of a part's library on disk."""
_LINKED_LATE: Any = private("core.codegen:RuntimeLinker.PREFIX")
"""Begins the name of a pointer by which code calls a function of another library, set when it is loaded."""
pickled: Callable[[Any], bytes] = private("core.serialize:dumps")
"""The pickle of a value, with the functions in it."""


class PartLibrary(_Library):
    """The library of a function that is only linked into others."""

    @property
    def codegen(self) -> Any:
        return _NoEngine()

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        """Not here: LLVM would optimise it again in whatever links it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.name, KIND, self._get_module_for_linking().as_bitcode()


class _NoEngine:
    """Stands for the code generator where Numba would set addresses in machine code: a part has none."""

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: the code that links the part sets its own."""


class _TablesAsNumbers(_Target):
    """A target context that writes every array into the code as its numbers.

    Numba's own writes one above a megabyte, and one that is not contiguous, as its address in this process. Such code cannot be kept on
    disk. The digest of what it captured tells when the numbers change.
    """

    def make_constant_array(self, builder: Any, kind: Any, array: Any) -> Any:
        if array.nbytes > _LARGEST_TABLE:
            return super().make_constant_array(builder, kind, array)
        whole = np.asarray(array, order="F" if kind.layout == "F" else "C")
        target = self.subtarget(allow_dynamic_globals=False)
        return _Target.make_constant_array(target, builder, kind, whole)


class _OwnCompiler(_Compiler):
    """Numba's compiler for a function of this library."""

    def __init__(self, typing: Any, target: Any, *args: Any) -> None:
        if TABLES.is_used:
            target = copy.copy(target)
            target.__class__ = _TablesAsNumbers
        super().__init__(typing, target, *args)


class PartCompiler(_OwnCompiler):
    """The same, with the library of a part."""

    def define_pipelines(self) -> Any:
        state = self.state
        state["library"] = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


class PythonEntryCompiler(_OwnCompiler):
    """The same for what Python or C calls: it sets the environments of all parts that were linked in."""

    def compile_extra(self, func: Any) -> Any:
        compiled = super().compile_extra(func)
        library = self.state["library"]
        library._ensure_finalized()  # a C callback's is not yet
        for environment in compiled._find_referenced_environments():
            library.codegen.set_env(environment.env_name, environment)
        return compiled


def content_of(compiled: Any) -> bytes:
    """A compile result as a pickle, to be kept on disk."""
    return pickled(compiled._reduce())


class _Loader:
    """A target context that loads a part's library and leaves the rest to Numba's own."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self.typing_context = target.typing_context

    def codegen(self) -> Any:
        return self

    def unserialize_library(self, kept: tuple[str, str, bytes]) -> PartLibrary:
        name, _, bitcode = kept
        part = PartLibrary(self._target.codegen(), name)
        part._final_module = part._shared_module = llvm.parse_bitcode(bitcode)
        part._finalize_final_module()
        return part

    def get_executable(self, library: Any, fndesc: Any, environment: Any) -> Any:
        return self._target.get_executable(library, fndesc, environment)


def can_be_kept(compiled: Any) -> bool:
    """Not code that refers to a function of another library by a pointer set at run time (mutual recursion), or to memory.

    Loaded alone it would jump to nowhere, or read what is not there.
    """
    module = compiled._asdict()["library"]._final_module
    names = [variable.name for variable in module.global_variables]
    wanted = {name.removeprefix(_LINKED_LATE) for name in names if name.startswith(_LINKED_LATE)}
    defined = {function.name for function in module.functions if not function.is_declaration}
    lifted = all(loop.can_cache for loop in compiled.lifted)
    # Numba's code for large arrays names memory of this process by its address; another process must not read it.
    holds_addresses = any(name.startswith("numba.dynamic.globals.") for name in names)
    return not holds_addresses and wanted <= defined and lifted


def rebuilt(target: Any, payload: Any) -> Any:
    """The compile result of what was kept of it."""
    rebuild = private("core.compiler:CompileResult")._rebuild
    if payload[0][1] == KIND:
        return rebuild(_Loader(target), *payload)._replace(target_context=target)
    return rebuild(target, *payload)


def start_runtime(target: Any) -> None:
    """Start Numba's memory management, which loaded code needs."""
    private("core.runtime.nrt:rtsys").initialize(target)


def _layout(record: Any) -> tuple[str, tuple[int]]:
    """The identity of a record's type in the names of compiled functions: its fields, the same in every
    process.

    Numba takes a number that it counts up in each process. Code of two processes, loaded by a third, would then name the same function for
    two records, and the first one's would be called with the second one's: it reads other fields.
    """
    return "Record", (
        int.from_bytes(hashlib.blake2b(record.name.encode(), digest_size=7).digest(), "little"),
    )


setattr(types.Record, "mangling_args", property(_layout))  # noqa: B010 (it is declared as one that cannot be set)


def callback(function: Callable[..., Any], signature: Any, cache: Any) -> Any:
    """A function compiled for C callers, kept in that cache; it has an `address`, which lives as long as this object."""
    if not CALLBACKS.is_used:
        return numba.cfunc(signature)(function)
    options = {"pipeline_class": PythonEntryCompiler} if PARTS.is_used else {}
    normalized = private("core.sigutils:normalize_signature")(signature)
    made: Any = private("core.ccallback:CFunc")(function, normalized, {}, {}, **options)
    if cache is not None:
        made._cache = cache
    made.compile()
    return made
