"""The table of what is borrowed from Numba: what each saves, and which of Numba's functions it was written for.

SADDLEPOINT_NUMBA_WITHOUT in the environment leaves some of them off (their names, with commas between) or all of them (`all`).
"""

import functools
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import os
import sys
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
        """Whether it is wanted and Numba's functions are those that it was written for; if they are not, that is said."""
        without = os.environ.get("SADDLEPOINT_NUMBA_WITHOUT", "")
        if without == "all" or self.name in without.split(","):
            return False
        if self.digest() in self.sources:
            return True
        warn_once(f"Numba {numba.__version__} has changed inside: all works, but without '{self.name}', which saves {self.saves}")
        return False

    def digest(self) -> str:
        """What tells whether Numba's functions are the same."""
        found = hashlib.blake2b(digest_size=6)
        for path in self.written_for:
            found.update(source_of(path).encode())
        return found.hexdigest()


def numbas(path: str) -> Any:
    """One of Numba's names, as module:name; None where it has it no more."""
    module, _, names = path.partition(":")
    try:
        return functools.reduce(getattr, names.split("."), importlib.import_module(f"numba.{module}"))
    except (ImportError, AttributeError):
        return None


def source_of(path: str) -> str:
    """The lines of one of Numba's functions, but for blank ones; empty where there are none to be read.

    `inspect.getsource` takes ten times as long, and every process asks for some. A module that is not loaded yet stays so.
    """
    module, _, name = path.partition(":")
    if f"numba.{module}" not in sys.modules and "." not in name:
        return _source_in_file(f"numba.{module}", name)
    function = numbas(path)
    code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
    return "" if code is None else _block(linecache.getlines(code.co_filename), code.co_firstlineno - 1)


def _source_in_file(module: str, name: str) -> str:
    found = importlib.util.find_spec(module)
    lines = linecache.getlines(found.origin) if found is not None and found.origin is not None else []
    return next((_block(lines, number) for number, line in enumerate(lines) if line.startswith(f"def {name}(")), "")


def _block(lines: list[str], first: int) -> str:
    """The lines of the function that begins at this one, or of its first decorator."""
    kept: list[str] = []
    for line in lines[first:]:
        if not line.strip():
            continue
        is_within = not kept or _indentation(line) > _indentation(kept[0]) or kept[-1].lstrip().startswith("@") or line.lstrip()[0] == ")"
        if not is_within:
            break
        kept.append(line)
    return "".join(kept)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


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
            "core.codegen:CPUCodeLibrary", "__init__", "finalize", "add_linking_library", "_finalize_final_module",
            "_get_module_for_linking", "_finalize_dynamic_globals", "_verify_declare_only_symbols", "serialize_using_object_code",
        ),
        *_methods("core.codegen:JITCodeLibrary", "get_pointer_to_function"),
        *_methods("core.compiler:CompileResult", "_reduce", "_rebuild", "_find_referenced_environments"),
        *_methods("core.compiler:CompilerBase", "__init__", "compile_extra"),
        *_methods("core.compiler:Compiler", "define_pipelines"),
        "core.environment:lookup_environment",
        *_methods("core.cpu:CPUContext", "get_executable"),
    ),
    frozenset({"18f6fa058dbf"}),
)  # fmt: skip
KEPT = Borrowing(
    "kept",
    "compiling again in every process: nothing is kept on disk without it",
    (
        *_methods("core.caching:IndexDataCacheFile", "__init__", "_load_data", "_save_data", "_data_path", "_dump"),
        *_methods("core.caching:Cache", "__init__", "load_overload", "_load_overload", "save_overload", "_save_overload", "_index_key"),
        *_methods("core.caching:CompileResultCacheImpl", "reduce", "rebuild"),
        *_methods("core.caching:CacheImpl", "get_filename_base"),
        *_methods("core.codegen:RuntimeLinker", "scan_unresolved_symbols"),
        *_methods("core.runtime.nrt:rtsys", "initialize"),
    ),
    frozenset({"4f5b4e650060"}),
)
LEAN = Borrowing(
    "lean",
    "a fifteenth of the time to load, and a sixth of the room on disk (Light Riders)",
    (
        *_methods("core.compiler:CompileResult", "_reduce", "_rebuild"),
        *_methods("core.codegen:CPUCodeLibrary", "serialize_using_object_code", "_unserialize"),
    ),
    frozenset({"97567ed185d3"}),
)
CALLBACKS = Borrowing(
    "callbacks",
    "compiling the matrix solvers again in every process",
    _methods("core.ccallback:CFunc", "__init__", "compile"),
    frozenset({"cc093764ff2e"}),
)
INTRINSICS = Borrowing(
    "intrinsics",
    "a tenth of the time to compile",
    _methods("core.extending:_Intrinsic", "__init__", "_register"),
    frozenset({"70470baeaa9a"}),
)
ALGEBRA = Borrowing(
    "algebra",
    "a fifth of the time in which a bot starts",
    ("np.arraymath:_check_blas",),
    frozenset({"8f509c1b5859"}),
)

BORROWINGS = tuple(thing for thing in list(globals().values()) if isinstance(thing, Borrowing))
