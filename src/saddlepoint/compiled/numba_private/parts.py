"""Functions that only other compiled functions call: parts of these, never machine code of their own.

Numba makes every compiled function a library that is optimised, turned into machine code and loaded into the process, with
copies of all that it calls; and its callers, with their copies of it, are optimised again. A part stays bitcode, for its
callers to link in, and has no wrappers by which Python or C would call it. A part that is too large to be put inline is linked
only where Python comes in: on the way there it is just declared.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import types

from .functions import CALLBACKS, PARTS, compiling, private

_Library: Any = private("core.codegen:JITCodeLibrary") or object
_Compiler: Any = private("core.compiler:Compiler") or object
KIND = "part"
"""What the library of a part calls itself where it is kept on disk."""
_LINKED_LATE: Any = private("core.codegen:RuntimeLinker.PREFIX")
"""Begins the name of a pointer by which code calls a function of another library, set when it is loaded."""
pickled: Callable[[Any], bytes] = private("core.serialize:dumps")
"""The pickle of a value, with the functions in it."""
_LARGE = 1000
"""Instructions: ten times what LLVM puts inline."""


class OwnLibrary(_Library):
    """A library that links parts: at once where they are small."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.large: dict[PartLibrary, None] = {}
        """Large parts that this one calls, or that these call; who is called comes before its callers."""

    def add_linking_library(self, library: Any) -> None:
        if not isinstance(library, PartLibrary):
            super().add_linking_library(library)
            return
        library._ensure_finalized()
        self.large.update(library.large)
        if library.is_large:
            self.large[library] = None
        else:
            super().add_linking_library(library.alone)


class PartLibrary(OwnLibrary):
    """The library of a function that is only linked into others."""

    def __init__(self, codegen: Any, name: str, always_inline: bool = False) -> None:
        super().__init__(codegen, name)
        self.is_large = False
        self.alone = _Alone(self)
        self._always_inline = always_inline
        self._whole: Any = None

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
        # Where addresses are, all callers must have them in sight: what has any is not kept (see `holds_addresses`).
        self.is_large = (
            not self._always_inline
            and not holds_addresses(self._final_module)
            and _is_large(self._final_module)
        )
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The module with all that it calls: what other libraries than ours link."""
        if self._whole is None:
            self._whole = self.alone._get_module_for_linking()
            if self.large:
                self._whole = self._whole.clone()
                for part in reversed(self.large):
                    self._whole.link_in(part.alone._get_module_for_linking(), preserve=True)
        return self._whole

    def serialize_using_object_code(self) -> tuple[str, str, list[tuple[str, bool, bytes]]]:
        return (
            self.name,
            KIND,
            [(part.name, part.is_large, part.alone.bitcode) for part in (*self.large, self)],
        )


class _Alone:
    """A part without the large ones that it calls, as a library to be linked."""

    def __init__(self, part: PartLibrary) -> None:
        self._part = part
        self._reload_init: set[Any] = part._reload_init

    def _ensure_finalized(self) -> None:
        self._part._ensure_finalized()

    def _get_module_for_linking(self) -> Any:
        return _Library._get_module_for_linking(self._part)

    @property
    def bitcode(self) -> bytes:
        """What is kept of it."""
        return self._get_module_for_linking().as_bitcode()


class PythonEntryLibrary(OwnLibrary):
    """The library of what Python or C calls, with all parts in it."""

    def finalize(self) -> None:
        # Callers first: the linker leaves out what nobody has asked for yet.
        self._linking_libraries += [part.alone for part in reversed(self.large)]
        super().finalize()


class _NoEngine:
    """Stands for the code generator where Numba would set addresses in machine code: a part has none."""

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to set: whoever links the part in sets its own."""


def holds_addresses(module: Any) -> bool:
    """Whether code names memory of this process by its address, as Numba's does for large arrays; another process must not read it."""
    return any(variable.name.startswith("numba.dynamic.globals.") for variable in module.global_variables)


def _is_large(module: Any) -> bool:
    """Instructions are the lines of its text that are set in by two blanks; asked for one by one they take LLVM ten times as long."""
    text = str(module)
    return text.count("\n  ") - text.count("\n   ") > _LARGE


class PartCompiler(_Compiler):
    """Numba's compiler, with the library of a part."""

    def define_pipelines(self) -> Any:
        state = self.state
        state["library"] = PartLibrary(
            state.targetctx.codegen(), state.func_id.func_qualname, bool(state.flags.forceinline)
        )
        return super().define_pipelines()


class PythonEntryCompiler(_Compiler):
    """Numba's compiler for what Python or C calls: it sets the environments of all parts that were linked in."""

    def define_pipelines(self) -> Any:
        state = self.state
        state["library"] = PythonEntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()

    def compile_extra(self, func: Any) -> Any:
        compiled = super().compile_extra(func)
        compiled.library._ensure_finalized()  # a C callback's is not yet
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
        return compiled


def content_of(compiled: Any) -> bytes:
    """What is kept of a compile result, as a pickle; of a part's, with the environments of the large parts that it calls."""
    payload = compiled._reduce()
    if isinstance(compiled.library, PartLibrary):
        payload = (*payload[:-1], tuple(_environments([*compiled.library.large, compiled.library])))
    return pickled(payload)


def _environments(parts: Iterable[PartLibrary]) -> Iterator[Any]:
    names = {
        variable.name for part in parts for variable in part.alone._get_module_for_linking().global_variables
    }
    for name in sorted(names):
        environment = (
            private("core.environment:lookup_environment")(name) if name.startswith("_ZN08NumbaEnv") else None
        )
        if environment is not None and environment.can_cache():
            yield environment


class _Loader:
    """A target context that loads a part's library and leaves the rest to Numba's own."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self.typing_context = target.typing_context

    def codegen(self) -> Any:
        return self

    def unserialize_library(self, kept: tuple[str, str, list[tuple[str, bool, bytes]]]) -> PartLibrary:
        parts = [self._part(*one) for one in kept[2]]
        parts[-1].large = dict.fromkeys(parts[:-1])
        return parts[-1]

    def _part(self, name: str, is_large: bool, bitcode: bytes) -> PartLibrary:
        part = PartLibrary(self._target.codegen(), name)
        part._final_module = part._shared_module = llvm.parse_bitcode(bitcode)
        part._finalize_final_module()
        part.is_large = is_large
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
    with compiling(made):
        made.compile()
    return made
