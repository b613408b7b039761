"""How compiled code is kept on disk, and found again.

Numba's own on-disk cache checks only the file that holds a function, not the helpers it inlines. Here every function
is cached in a directory named by a digest of the whole package, of Numba's version and of Python's, so a stale search
cannot be found. A function in a user's file is covered by a digest of that file and of what it imports, rules there by
the same in their component's type.
"""

import functools
import hashlib
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar

import numba
from numba import types
from numba.core import event

from ...system.files import whole_file
from ...system.patience import ONE_COMPILATION
from ..bundled import bundled_code
from ..captured import captured_digest
from ..directory import cache_directory, warn_once
from ..sources import PACKAGE, lasting_name, sources_digest
from .borrowings import CALLBACKS, KEPT, PARTS, private
from .functions import cache_of, compiling, failure_of
from .parts import KIND, PythonEntryCompiler, holds_addresses, loaded, reduced

UNSAVED: set[str] = set()
"""Fingerprints of classes without a source (typed, or piped into Python): nothing made for them is kept on disk."""

PYTHON_ENTRY = "python_entry"
"""The use of a function that only Python calls."""
_LINKED_LATE: Any = private("core.codegen:RuntimeLinker.PREFIX")
"""Begins the name of a pointer by which code calls a function of another library, set when it is loaded."""


def _layout(record: Any) -> tuple[str, tuple[int]]:
    """What stands for a record's type in the names of compiled functions: its fields, the same in every process.

    Numba takes a number that it counts up in each process. Code of two processes, loaded by a third, would then name the same function for
    two records, and the first one's would be called with the second one's: it reads other fields.
    """
    return "Record", (
        int.from_bytes(hashlib.blake2b(record.name.encode(), digest_size=7).digest(), "little"),
    )


setattr(types.Record, "mangling_args", property(_layout))  # noqa: B010 (it is declared as one that cannot be set)


class _Lock:
    """A lock that one process has while it compiles a function; it ends with its process, however that ends."""

    def __init__(self, name: str) -> None:
        from filelock import (
            FileLock,
        )  # takes as long to load as ten functions, and is needed where one is compiled

        self._file = FileLock(cache_directory() / f"{name}.lock", thread_local=False)

    def acquire(self, seconds: float) -> bool:
        """Wait so long for the lock; False where another process has it still."""
        try:
            self._file.acquire(timeout=seconds)
        except TimeoutError:
            return False
        except OSError:  # no such folder, or no locks there
            return True
        return True

    def release(self) -> None:
        """Give it up; its file goes, which costs nothing: who waited for it looks on the disk first."""
        with suppress(OSError):
            Path(self._file.lock_file).unlink(missing_ok=True)
        self._file.release()


class PackageCache:
    """The compiled code of one function on disk, a file for each specialisation; to Numba's dispatchers the cache of the function.

    `use` is how it is compiled: "part", "python_entry" or neither.
    """

    tell: ClassVar[Any] = staticmethod(lambda function, signature: nullcontext())
    """A context while another process compiles the function; set by `announce`."""

    def __init__(self, function: Callable[..., Any], use: str = "") -> None:
        self._function, self._use = function, use
        self._name = _name_of(function)
        self._locks: list[_Lock] = []

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(cache_directory())

    def keeps(self, signature: Any) -> bool:
        """Whether what is compiled for these argument types is kept on disk."""
        return bool(self._name) and not any(unique in str(signature) for unique in UNSAVED)

    def flush(self) -> None:
        """Remove the files."""
        for path in cache_directory().glob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compile result on disk; None where this process is to compile it: others then wait for it."""
        if not self.keeps(sig):
            return None
        private("core.runtime.nrt:rtsys").initialize(target_context)
        path = self._path(sig, target_context.codegen())
        found = self._loaded(path, target_context) or self._bundled(sig, target_context)
        if found is None and self._lock(sig, path.name):
            found = self._loaded(path, target_context)
            if found is not None:
                self.release_locks()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write a compile result, unless it holds for this process alone."""
        if not self.keeps(sig):
            return
        try:
            if _can_be_kept(data):
                payload = reduced(data) if self._use == KIND else data._reduce()
                content = private("core.serialize:dumps")(payload)
                with whole_file(self._path(sig, data.target_context.codegen()), is_synced=False) as file:
                    file.write(content)
        except OSError as error:  # it can be used all the same
            warn_once(f"compiled code cannot be kept in {cache_directory()}: {error.strerror or error}")
        finally:
            self.release_locks()

    def release_locks(self) -> None:
        """Let other processes compile this function."""
        while self._locks:
            self._locks.pop().release()

    def _loaded(self, path: Path, target_context: Any) -> Any:
        try:
            return _rebuilt(target_context, pickle.loads(path.read_bytes()))
        except Exception:  # not there, damaged, or naming a class that is no more: compile
            return None

    def _bundled(self, sig: Any, target_context: Any) -> Any:
        """What came with the package."""
        code = bundled_code()
        payload = None if code is None else code.load(self._path(sig, code).name)
        return None if payload is None else _rebuilt(target_context, payload)

    def _lock(self, sig: Any, name: str) -> bool:
        """Lock a specialisation for this process, until it is on disk; whether another process had it, and may have compiled it."""
        lock = _Lock(name)
        is_free = lock.acquire(0.0)
        if not is_free:
            with self.tell(self._function, sig):
                lock.acquire(ONE_COMPILATION)
        self._locks.append(lock)
        return not is_free

    def _path(self, sig: Any, target: Any) -> Path:
        """The file of a specialisation, named by a digest of what it depends on beside the sources: the argument types with the modules of
        their state classes, the processor, the function's own code, and the constants that it has captured."""
        function = self._function
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        key = (
            sig,
            sorted(set(_state_classes(getattr(sig, "args", sig)))),
            target.magic_tuple(),
            function.__code__.co_code,
            private("core.serialize:dumps")(cells) if cells else b"",
            captured_digest([function]),
            self._use,
        )
        digest = hashlib.blake2b(repr(key).encode(), digest_size=12).hexdigest()
        return cache_directory() / f"{self._name}.{digest}.nbc"


@functools.cache
def _resolved(path: str) -> Path:
    return Path(path).resolve()


def _name_of(function: Callable[..., Any]) -> str:
    """The name that the files of a function begin with; empty where its source is in no file.

    The folder's name covers the package's own sources, wherever the package lies. A function in a user's file is covered by a digest of
    that file and of what it imports.
    """
    source, fingerprint = _resolved(function.__code__.co_filename), ""
    if source.is_relative_to(PACKAGE):
        source = source.relative_to(PACKAGE)
    else:
        found = sources_digest([sys.modules.get(function.__module__)]) if source.is_file() else None
        if found is None:
            return ""
        fingerprint = found
    place = f"{source}:{function.__code__.co_firstlineno}:{fingerprint}"
    digest = hashlib.blake2b(place.encode(), digest_size=6).hexdigest()
    return f"{re.sub(r'[^0-9A-Za-z_.]', '', function.__qualname__)[-80:]}-{digest}"


def _can_be_kept(compiled: Any) -> bool:
    """Not code that refers to a function of another library by a pointer set at run time (mutual recursion), or to memory.

    Loaded alone it would jump to nowhere, or read what is not there.
    """
    module = compiled._asdict()["library"]._final_module
    names = [variable.name for variable in module.global_variables]
    wanted = {name.removeprefix(_LINKED_LATE) for name in names if name.startswith(_LINKED_LATE)}
    defined = {function.name for function in module.functions if not function.is_declaration}
    lifted = all(loop.can_cache for loop in compiled.lifted)
    return not holds_addresses(module) and wanted <= defined and lifted


def _rebuilt(target_context: Any, payload: Any) -> Any:
    """The compile result of what was kept of it."""
    if payload[0][1] == KIND:
        return loaded(target_context, payload)
    return private("core.compiler:CompileResult")._rebuild(target_context, *payload)


class _Failures(event.Listener):
    """A compilation that failed keeps nobody waiting."""

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        cache = cache_of(event.data["dispatcher"])
        if failure_of(event) is not None and isinstance(cache, PackageCache):
            cache.release_locks()


event.register("numba:compile", _Failures())


def _state_classes(kinds: Any) -> Iterator[str]:
    """The classes of the NamedTuples among some types; Numba writes them without their modules."""
    for kind in kinds:
        state = getattr(kind, "instance_class", None)
        if state is not None:
            yield f"{lasting_name(state.__module__)}.{state.__qualname__}"
        yield from _state_classes(getattr(kind, "types", ()))


def callback(function: Callable[..., Any], signature: Any) -> Any:
    """A function compiled for C callers, kept on disk as everything else; it has an `address`, which lives as long as this object."""
    if not CALLBACKS.is_used:
        return numba.cfunc(signature)(function)
    options = {"pipeline_class": PythonEntryCompiler} if PARTS.is_used else {}
    normalized = private("core.sigutils:normalize_signature")(signature)
    made: Any = private("core.ccallback:CFunc")(function, normalized, {}, {}, **options)
    if KEPT.is_used:
        made._cache = PackageCache(function)
    with compiling(made):
        made.compile()
    return made
