"""How compiled code is kept on disk, and found again.

Numba's own on-disk cache checks only the file that holds a function, not the helpers it inlines. Here every function
is cached in a directory named by a digest of the whole package, of Numba's version and of Python's, so a stale search
cannot be found. A function in a user's file is covered by a digest of that file and of what it imports, rules there by
the same in their component's type.
"""

import functools
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, ClassVar

import llvmlite.binding as llvm
import numba
from numba import types
from numba.core import event

from ..bundled import bundled_code
from ..captured import captured_digest
from ..directory import cache_directory, warn_once
from ..imports import PACKAGE
from ..once import Claims
from ..sources import lasting_name, package_digest, sources_digest
from .algebra import load_numba
from .borrowings import CALLBACKS, KEPT, LEAN, PARTS, numbas
from .functions import cache_of, failure_of
from .parts import KIND, PythonEntryCompiler, holds_addresses, loaded, reduced
from .shortcuts import compiling

UNSAVED: set[str] = set()
"""Fingerprints of classes without a source (typed, or piped into Python): nothing made for them is kept on disk."""

PYTHON_ENTRY = "python_entry"
"""The use of a function that only Python calls."""

_Locator: Any = numbas("core.caching:_CacheLocator") or object
_Implementation: Any = numbas("core.caching:CompileResultCacheImpl") or object
_DataFile: Any = numbas("core.caching:IndexDataCacheFile") or object
_FunctionCache: Any = numbas("core.caching:FunctionCache") or object
_LINKED_LATE: Any = numbas("core.codegen:RuntimeLinker.PREFIX")
"""Begins the name of a pointer by which code calls a function of another library, set when it is loaded."""


@functools.cache
def _located(path: str) -> tuple[Path, bool]:
    """A function's file, within the package if it is there, and whether it is a file.

    The directory's name covers the package's sources, wherever the package lies.
    """
    source = Path(path).resolve()
    return (source.relative_to(PACKAGE), True) if source.is_relative_to(PACKAGE) else (source, source.is_file())


class _DigestLocator(_Locator):
    def __init__(self, function: Callable[..., Any], path: str) -> None:
        source, self.has_source = _located(path)
        fingerprint: str | None = ""
        if self.has_source and source.is_absolute():
            fingerprint = sources_digest([sys.modules.get(function.__module__)])
            self.has_source = fingerprint is not None
        where = hashlib.blake2b(f"{source}:{function.__code__.co_firstlineno}:{fingerprint}".encode(), digest_size=6)
        self._where = where.hexdigest()

    def get_cache_path(self) -> str:
        return str(cache_directory())

    def get_source_stamp(self) -> str:
        return package_digest()

    def get_disambiguator(self) -> str:
        return self._where

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_DigestLocator":
        return cls(py_func, py_file)


class _CacheImplementation(_Implementation):
    _locator_classes: ClassVar[list[Any]] = [_DigestLocator]
    use = ""

    def check_cachable(self, cres: Any) -> bool:
        """Not code that refers to a function of another library by a pointer set at run time (mutual recursion), or to memory.

        Loaded alone it would jump to nowhere, or read what is not there.
        """
        module = cres.library._final_module
        if holds_addresses(module):
            return False
        wanted = {v.name[len(_LINKED_LATE) :] for v in module.global_variables if v.name.startswith(_LINKED_LATE)}
        defined = {f.name for f in module.functions if not f.is_declaration}
        return wanted <= defined and all(lifted.can_cache for lifted in cres.lifted)

    def reduce(self, cres: Any) -> Any:
        if self.use == KIND:
            return reduced(cres)
        kept = super().reduce(cres)
        return _lean(kept) if self.use == PYTHON_ENTRY and LEAN.is_used else kept

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        is_part = payload[0][1] == KIND
        return loaded(target_context, payload) if is_part else super().rebuild(target_context, payload)


def _layout(record: Any) -> tuple[str, tuple[int]]:
    """What stands for a record's type in the names of compiled functions: its fields, the same in every process.

    Numba takes a number that it counts up in each process. Code of two processes, loaded by a third, would then name the same function for
    two records, and the first one's would be called with the second one's: it reads other fields.
    """
    return "Record", (int.from_bytes(hashlib.blake2b(record.name.encode(), digest_size=7).digest(), "little"),)


setattr(types.Record, "mangling_args", property(_layout))  # noqa: B010 (it is declared as one that cannot be set)


def digest_of(key: Any) -> str:
    """What names a compiled function on disk."""
    return hashlib.blake2b(repr(key).encode(), digest_size=12).hexdigest()


class _KeyedFiles(_DataFile):
    """One file for each compiled specialisation, named by a digest of all that it depends on.

    Numba keeps numbered files and an index; processes that compile at the same time then overwrite each other's
    numbers, and an index may lead to another specialisation's machine code.
    """

    def __init__(self, cache_path: str, filename_base: str, source_stamp: str) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        self._base = filename_base

    def name(self, key: Any) -> str:
        """The file of a compiled function."""
        return f"{self._base}.{digest_of(key)}.nbc"

    def flush(self) -> None:
        for path in Path(self._cache_path).glob(f"{self._base}.*.nbc"):
            path.unlink(missing_ok=True)

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self.name(key), data)

    def load(self, key: Any) -> Any:
        try:
            return self._load_data(self.name(key))
        except Exception:  # not there, damaged, or naming a class that is no more: compile
            return None


class PackageCache(_FunctionCache):
    """Numba's function cache in the digest's directory."""

    _impl_class = _CacheImplementation
    tell: ClassVar[Any] = staticmethod(lambda function, signature: nullcontext())
    """Says which function another process compiles, while this one waits; set by `announce`."""

    def __init__(self, function: Callable[..., Any], use: str = "") -> None:
        super().__init__(function)
        self._use = self._impl.use = use
        self._compiling: list[str] = []
        base = self._impl.filename_base
        self._cache_file = _KeyedFiles(str(cache_directory()), base, package_digest())
        if not self._impl.locator.has_source:
            self.disable()

    def keeps(self, signature: Any) -> bool:
        """Whether what is compiled for these argument types is kept on disk."""
        return self._enabled and not any(unique in str(signature) for unique in UNSAVED)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is on disk; None where this process is to compile it: others then wait for it."""
        if not self.keeps(sig):
            return None
        # Numba's own makes ready for compiling first, which takes half as long again as loading Numba.
        numbas("core.runtime.nrt:rtsys").initialize(target_context)
        found = self._load_overload(sig, target_context) or self._carried(sig, target_context)
        if found is None:
            load_numba()
            key = digest_of(self._index_key(sig, target_context.codegen()))
            if _claims.claim(cache_directory(), key, self.tell(self._py_func, sig)):
                found = super().load_overload(sig, target_context)
            if found is None:
                self._compiling.append(key)
            else:
                _claims.release(key)
        return found

    def _carried(self, sig: Any, target_context: Any) -> Any:
        """What came with the package."""
        code = bundled_code()
        kept = None if code is None else code.load(self._cache_file.name(self._index_key(sig, code)))
        return None if kept is None else self._impl.rebuild(target_context, kept)

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self.keeps(sig):
            return
        try:
            super().save_overload(sig, data)
        except OSError as error:  # it can be used all the same
            warn_once(f"compiled code cannot be kept in {cache_directory()}: {error.strerror or error}")
        finally:
            self.end_claims()

    def end_claims(self) -> None:
        """Nothing of this function is being compiled any more."""
        while self._compiling:
            _claims.release(self._compiling.pop())

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """Numba's key, and what it does not tell: the modules of the state classes, the constants of a user's function and of closures."""
        kinds = sorted(set(_state_classes(getattr(sig, "args", sig))))
        return (*super()._index_key(sig, codegen), kinds, captured_digest([self._py_func]), self._use)


_claims = Claims()


class _Failures(event.Listener):
    """A compilation that failed keeps nobody waiting."""

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        cache = cache_of(event.data["dispatcher"])
        if failure_of(event) is not None and isinstance(cache, PackageCache):
            cache.end_claims()


event.register("numba:compile", _Failures())


def _state_classes(kinds: Any) -> Iterator[str]:
    """The classes of the NamedTuples among some types; Numba writes them without their modules."""
    for kind in kinds:
        state = getattr(kind, "instance_class", None)
        if state is not None:
            yield f"{lasting_name(state.__module__)}.{state.__qualname__}"
        yield from _state_classes(getattr(kind, "types", ()))


def _lean(kept: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is kept of a function that only Python calls: its machine code.

    Numba keeps the bitcode of every function too, for callers that link it in, and its source with the types of all that is in it,
    for people. Here both would only be read and parsed, whenever it is loaded; a bitcode is left that says which functions there are.
    """
    (name, kind, (code, _)), described, environment, signature, objectmode, lifted, _, *rest = kept
    names = (described.llvm_func_name, described.llvm_cpython_wrapper_name)
    module = "".join(f'define void @"{one}"() {{\n  unreachable\n}}\n' for one in names)
    library = (name, kind, (code, llvm.parse_assembly(module).as_bitcode()))
    return (library, described, environment, signature, objectmode, lifted, "", *rest)


def callback(function: Callable[..., Any], signature: Any) -> Any:
    """A function compiled for C callers, kept on disk as everything else; it has an `address`, which lives as long as this object."""
    if not CALLBACKS.is_used:
        return numba.cfunc(signature)(function)
    options = {"pipeline_class": PythonEntryCompiler} if PARTS.is_used else {}
    normalized = numbas("core.sigutils:normalize_signature")(signature)
    made: Any = numbas("core.ccallback:CFunc")(function, normalized, {}, {}, **options)
    if KEPT.is_used:
        made._cache = PackageCache(function)
    with compiling(made):
        made.compile()
    return made
