"""The table of what is borrowed from Numba: what each saves, and which of Numba's functions it was written for.

SADDLEPOINT_NUMBA_WITHOUT in the environment leaves some of them off (their names, with commas between) or all of them (`all`).
"""

import functools
import hashlib
import importlib
import inspect
import os
from dataclasses import dataclass
from typing import Any

import numba

from ..directory import warn_once


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
