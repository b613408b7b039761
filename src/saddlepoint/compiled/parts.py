"""Functions that only other compiled functions call: parts of these, never machine code of their own.

Numba makes every compiled function a library that is optimised, turned into machine code and loaded into the process,
although a function that is called from Python holds copies of all that it calls. A part stays what the callers link in:
bitcode. That saves its machine code, and the wrappers by which Python or C would call it.
"""

from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult

_Library: Any = JITCodeLibrary
_Compiler: Any = Compiler
KIND = "part"
"""What the library of a part calls itself where it is kept on disk."""


class _NoEngine:
    """Stands for the code generator where Numba would set addresses in machine code: a part has none."""

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to set: whoever links the part in sets its own."""


class PartLibrary(_Library):
    """The library of a function that is only linked into others."""

    @property
    def codegen(self) -> Any:
        return _NoEngine()

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.name, KIND, self._get_module_for_linking().as_bitcode()


class PartCompiler(_Compiler):
    """Numba's compiler, with such a library."""

    def define_pipelines(self) -> Any:
        self.state.library = PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class EntranceCompiler(_Compiler):
    """Numba's compiler for what Python calls: it sets the environments of all parts that were linked in."""

    def compile_extra(self, func: Any) -> Any:
        compiled = super().compile_extra(func)
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
        return compiled


class _Loader:
    """A target context that loads a part's library and leaves the rest to Numba's own."""

    def __init__(self, target: Any) -> None:
        self._target = target
        self.typing_context = target.typing_context

    def codegen(self) -> Any:
        return self

    def unserialize_library(self, kept: tuple[str, str, bytes]) -> PartLibrary:
        name, _, bitcode = kept
        library = PartLibrary(self._target.codegen(), name)
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library

    def get_executable(self, library: Any, fndesc: Any, environment: Any) -> Any:
        return self._target.get_executable(library, fndesc, environment)


def loaded(target: Any, payload: tuple[Any, ...]) -> Any:
    """The compile result of a part from what was kept of it."""
    return CompileResult._rebuild(_Loader(target), *payload)._replace(target_context=target)
