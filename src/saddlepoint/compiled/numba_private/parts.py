"""Functions that only other compiled functions call: parts of these, never machine code of their own.

Numba makes every compiled function a library that is optimised, turned into machine code and loaded into the process, with
copies of all that it calls; and its callers, with their copies of it, are optimised again. A part stays bitcode, for its
callers to link in, and has no wrappers by which Python or C would call it.
"""

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types

from .functions import CALLBACKS, PARTS, TABLES, private

_Library: Any = private("core.codegen:JITCodeLibrary") or object
_Compiler: Any = private("core.compiler:Compiler") or object
_Target: Any = private("core.cpu:CPUContext") or object
_LARGEST_TABLE = 64 * 2**20
"""Bytes. A larger table would make compiling take minutes; its code is compiled in every process."""
KIND = "part"
"""What the library of a part calls itself where it is kept on disk."""
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
        """Nothing to set: whoever links the part in sets its own."""


def holds_addresses(module: Any) -> bool:
    """Whether code names memory of this process by its address, as Numba's does for large arrays; another process must not read it."""
    return any(variable.name.startswith("numba.dynamic.globals.") for variable in module.global_variables)


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
        compiled.library._ensure_finalized()  # a C callback's is not yet
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
        return compiled


def content_of(compiled: Any) -> bytes:
    """What is kept of a compile result, as a pickle."""
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
    return not holds_addresses(module) and wanted <= defined and lifted


def rebuilt(target: Any, payload: Any) -> Any:
    """The compile result of what was kept of it."""
    rebuild = private("core.compiler:CompileResult")._rebuild
    if payload[0][1] == KIND:
        return rebuild(_Loader(target), *payload)._replace(target_context=target)
    return rebuild(target, *payload)


def start_runtime(target: Any) -> None:
    """What code that was kept needs before it is loaded: Numba's own memory management."""
    private("core.runtime.nrt:rtsys").initialize(target)


def _layout(record: Any) -> tuple[str, tuple[int]]:
    """What stands for a record's type in the names of compiled functions: its fields, the same in every process.

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
