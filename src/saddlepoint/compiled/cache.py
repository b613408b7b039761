"""The `jit` decorators, and how compiled code is kept on disk and found again.

Numba's own on-disk cache checks only the file that holds a function, not the helpers it inlines. Here every function
is cached in a directory named by a digest of the whole package, of Numba's version and of Python's, so a stale search
cannot be found. A function in a user's file is covered by a digest of that file and of what it imports, rules there by
the same in their component's type.
"""

import hashlib
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numba
from filelock import FileLock
from numba import types
from numba.core.errors import NumbaError

from ..system.files import whole_file
from ..system.patience import ONE_COMPILATION
from .directory import bundled_code, cache_directory, warn_once
from .identity import captured_digest
from .numba_private import (
    KEPT,
    KIND,
    NUMBERS,
    PARTS,
    CPUDispatcher,
    PartCompiler,
    PythonEntryCompiler,
    callback,
    can_be_kept,
    content_of,
    own,
    pickled,
    rebuilt,
    start_runtime,
)
from .rules import PLAIN_PYTHON, UNSAVED, uncompiled
from .sources import PACKAGE, lasting_name, sources_digest

_PYTHON_ENTRY = "python_entry"
"""The use of a function that only Python calls."""
F = TypeVar("F", bound=Callable[..., Any])


def _without_number(kind: Any) -> Any:
    return types.unliteral(kind) if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)) else kind


_Dispatcher: Any = CPUDispatcher


class _InlineDispatcher(_Dispatcher):
    """A helper compiled for its callers alone: it cannot be called from Python, which runs the source instead."""

    def __call__(self, *args: Any) -> Any:
        return uncompiled(self)(*args)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """One compilation serves `f(x, 0)` and `f(x, n)`: a number written in the call is put in later, where the part is put inline.

        Only a function that asks for the number itself is compiled for it.
        """
        if not NUMBERS.is_used:
            return super().get_call_template(args, kws)
        numbers = [_without_number(kind) for kind in args]
        named = {name: _without_number(kind) for name, kind in kws.items()}
        try:
            return super().get_call_template(numbers, named)
        except NumbaError:
            if numbers == list(args) and named == kws:
                raise
            return super().get_call_template(args, kws)


class _EnteredDispatcher(_InlineDispatcher):
    """A function that is a part of whoever calls it; what Python calls is compiled when Python first calls it."""

    _python_entry: Any = None

    def __call__(self, *args: Any) -> Any:
        return self._entry()(*args)

    def compile_for_python(self, *args: Any) -> None:
        """Compile, or load, what a call with such arguments would run; nothing is run."""
        self._entry().compile(tuple(numba.typeof(arg) for arg in args))

    def _entry(self) -> Any:
        if self._python_entry is None:
            self._python_entry = _python_entry(self)
        return self._python_entry


def jit(function: F, inline: bool = False) -> F:
    """Compile per argument types, without the GIL, as part of compiled callers and for Python, each when first called.

    Both are kept on disk. With `inline` it becomes part of its callers whatever its size.
    """
    if PLAIN_PYTHON:
        return function
    dispatcher: Any = _inlined(function, inline)
    dispatcher.__class__ = _EnteredDispatcher
    return own(dispatcher, _kept(function))


def _kept(function: Callable[..., Any], use: str = KIND) -> Any:
    """The disk cache of a function, by default as a part of others; None where nothing can be kept."""
    if use == KIND and not PARTS.is_used:
        use = ""
    return PackageCache(function, use) if KEPT.is_used else None


def is_inlined(compiled: Any) -> bool:
    """Whether a compiled function becomes part of its callers whatever its size."""
    return bool(getattr(compiled, "targetoptions", {}).get("forceinline"))


def inlined(compiled: Any) -> Any:
    """The same function, which becomes part of its callers whatever its size."""
    return compiled if PLAIN_PYTHON else jit(compiled.py_func, inline=True)


def _python_entry(compiled: Any) -> Any:
    """The entry of a kernel for calls from Python.

    All arguments are named, since Numba takes `*args` a hundred times slower.
    """
    method = compiled.py_func
    arguments = ", ".join(f"argument{k}" for k in range(method.__code__.co_argcount))
    python_entry: Any = eval(f"lambda compiled: lambda {arguments}: compiled({arguments})")(compiled)
    python_entry.__name__, python_entry.__qualname__, python_entry.__module__ = (
        method.__name__,
        method.__qualname__,
        method.__module__,
    )
    options: dict[str, Any] = {"no_cfunc_wrapper": True}
    return own(
        numba.njit(nogil=True, **options, **_compiler(PythonEntryCompiler))(python_entry),
        _kept(method, _PYTHON_ENTRY),
    )


def _compiler(kind: Any) -> dict[str, Any]:
    """Numba's option that chooses the compiler class."""
    return {"pipeline_class": kind} if PARTS.is_used else {}


def jit_inline(function: F) -> F:
    """Compile a small helper as part of its callers; nothing of its own is kept on disk."""
    if PLAIN_PYTHON:
        return function
    return _inlined(function)


def jit_part(function: F) -> F:
    """As `jit_inline`, for a step of one long function: it becomes part of it whatever its size."""
    return function if PLAIN_PYTHON else _inlined(function, forceinline=True)


def _inlined(function: F, forceinline: bool = False) -> F:
    options: dict[str, Any] = {
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "forceinline": forceinline,
    }
    inlined: Any = numba.njit(nogil=True, **options, **_compiler(PartCompiler))(function)
    inlined.__class__ = _InlineDispatcher
    return own(inlined)


def compiled_address(function: Callable[..., Any], signature: Any) -> int:
    """The address of a function compiled for C callers, kept on disk as everything else."""
    _callbacks.append(
        callback(function, signature, _kept(function, ""))
    )  # the code lives as long as its owner
    return int(_callbacks[-1].address)


_callbacks: list[Any] = []


# The files on disk.


def _acquired(lock: FileLock, seconds: float) -> bool:
    """Wait up to `seconds` for a lock; False where another process still has it."""
    try:
        lock.acquire(timeout=seconds)
    except TimeoutError:
        return False
    except OSError:  # no such folder, or no locks there
        pass
    return True


class PackageCache:
    """The compiled code of one function on disk, a file for each specialisation; to Numba's dispatchers the cache of the function.

    `use` is how it is compiled: "part", "python_entry" or neither.
    """

    tell: ClassVar[Any] = staticmethod(lambda function, signature: nullcontext())
    """A context while another process compiles the function; set by `call.py`."""

    def __init__(self, function: Callable[..., Any], use: str = "") -> None:
        self._function, self._use = function, use
        self._name = _name_of(function)
        self._locks: dict[str, FileLock] = {}
        """Each is this process's while it compiles; a lock ends with its process, however that ends."""

    @property
    def cache_path(self) -> str:
        """The folder of the files, which Numba tells with a function's statistics."""
        return str(cache_directory())

    def keeps(self, signature: Any) -> bool:
        """Whether what is compiled for these argument types is kept on disk."""
        return bool(self._name) and not any(unique in str(signature) for unique in UNSAVED)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compile result on disk; None where this process is to compile it: others then wait for it."""
        if not self.keeps(sig):
            return None
        start_runtime(target_context)
        path = self._path(sig, target_context.codegen())
        found = self._loaded(path, target_context)
        if found is None and (code := bundled_code()) is not None:
            payload = code.load(self._path(sig, code).name)
            found = payload and rebuilt(target_context, payload)
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
            if can_be_kept(data):
                content = content_of(data)
                with whole_file(self._path(sig, data.target_context.codegen()), is_synced=False) as file:
                    file.write(content)
        except OSError as error:  # it can be used all the same
            warn_once(f"compiled code cannot be kept in {cache_directory()}: {error.strerror or error}")
        finally:
            self.release_locks()

    def release_locks(self) -> None:
        """Let other processes compile this function; those that waited for it look on the disk first."""
        while self._locks:
            lock = self._locks.popitem()[1]
            with suppress(OSError):
                Path(lock.lock_file).unlink(missing_ok=True)
            lock.release()

    def _loaded(self, path: Path, target_context: Any) -> Any:
        try:
            return rebuilt(target_context, pickle.loads(path.read_bytes()))
        except Exception:  # not there, damaged, or naming a class that is no more: compile
            return None

    def _lock(self, sig: Any, name: str) -> bool:
        """Lock a specialisation for this process, until it is on disk; whether another process had it, and may have compiled it."""
        if name in self._locks:  # a function that calls itself: nobody else will compile it
            return False
        lock = FileLock(cache_directory() / f"{name}.lock", thread_local=False)
        is_free = _acquired(lock, 0.0)
        if not is_free:
            with self.tell(self._function, sig):
                _acquired(lock, ONE_COMPILATION)
        self._locks[name] = lock
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
            pickled(cells) if cells else b"",
            captured_digest([function]),
            self._use,
        )
        digest = hashlib.blake2b(repr(key).encode(), digest_size=12).hexdigest()
        return cache_directory() / f"{self._name}.{digest}.nbc"


def _name_of(function: Callable[..., Any]) -> str:
    """The name that the files of a function begin with; empty where its source is in no file.

    The folder's name covers the package's own sources, wherever the package lies. A function in a user's file is covered by a digest of
    that file and of what it imports.
    """
    source, fingerprint = Path(function.__code__.co_filename).resolve(), ""
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


def _state_classes(kinds: Any) -> Iterator[str]:
    """The classes of the NamedTuples among some types; Numba writes them without their modules."""
    for kind in kinds:
        state = getattr(kind, "instance_class", None)
        if state is not None:
            yield f"{lasting_name(state.__module__)}.{state.__qualname__}"
        yield from _state_classes(getattr(kind, "types", ()))
