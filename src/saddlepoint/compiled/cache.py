"""The `jit` decorators, and where compiled code is kept on disk.

Numba's own on-disk cache checks only the file that holds a function, not the helpers it inlines. Here every function
is cached in a directory named by a digest of the whole package, of Numba's version and of Python's, so a stale search
cannot be found. A function in a user's file is covered by a digest of that file and of what it imports, rules there by
the same in their component's type.
"""

import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numba
from numba.core import caching, config, sigutils
from numba.core.codegen import RuntimeLinker
from numba.core.registry import CPUDispatcher

from .sources import PACKAGE, module_fingerprint, package_digest

PLAIN_PYTHON = bool(getattr(config, "DISABLE_JIT"))  # noqa: B009 (set at run time, from the environment)
"""True under NUMBA_DISABLE_JIT=1: kernels and searches then run as ordinary Python."""

_UNUSED_DAYS = 60
F = TypeVar("F", bound=Callable[..., Any])


def _cache_home() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "saddlepoint"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "saddlepoint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "saddlepoint"


@functools.cache
def cache_directory() -> Path:
    """The directory that holds compiled code: NUMBA_CACHE_DIR if set, else the user's cache directory."""
    directory = _cache_home() / package_digest()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError:
        return Path(tempfile.gettempdir()) / f"saddlepoint-{os.getuid()}" / package_digest()
    os.utime(directory)
    _remove_unused(directory)
    return directory


def _remove_unused(current: Path) -> None:
    """Compiled code of older sources is never read again; keep it a while for those who switch branches."""
    for sibling in current.parent.iterdir():
        if sibling == current or not sibling.is_dir():
            continue
        if time.time() - sibling.stat().st_mtime > _UNUSED_DAYS * 86400:
            shutil.rmtree(sibling, ignore_errors=True)


_Locator: Any = caching._CacheLocator


class _DigestLocator(_Locator):
    def __init__(self, function: Callable[..., Any], path: str) -> None:
        source, fingerprint = Path(path).resolve(), ""
        if source.is_relative_to(PACKAGE):  # the directory's name covers the sources; wherever the package lies
            source = source.relative_to(PACKAGE)
        else:
            fingerprint = module_fingerprint(sys.modules.get(function.__module__))
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


class _CacheImplementation(caching.CompileResultCacheImpl):
    _locator_classes: ClassVar[list[Any]] = [_DigestLocator]

    def check_cachable(self, cres: Any) -> bool:
        """Not code that refers to a function of another library by a pointer set at run time (mutual recursion).

        Loaded alone it would jump to nowhere.
        """
        module = cres.library._final_module
        prefix = RuntimeLinker.PREFIX
        wanted = {v.name[len(prefix) :] for v in module.global_variables if v.name.startswith(prefix)}
        defined = {f.name for f in module.functions if not f.is_declaration}
        return wanted <= defined and super().check_cachable(cres)


class _KeyedFiles(caching.IndexDataCacheFile):
    """One file for each compiled specialisation, named by a digest of all that it depends on.

    Numba keeps numbered files and an index; processes that compile at the same time then overwrite each other's
    numbers, and an index may lead to another specialisation's machine code.
    """

    def __init__(self, cache_path: str, filename_base: str, source_stamp: str) -> None:
        super().__init__(cache_path, filename_base, source_stamp)
        self._base = filename_base

    def _name(self, key: Any) -> str:
        return f"{self._base}.{hashlib.blake2b(repr(key).encode(), digest_size=12).hexdigest()}.nbc"

    def flush(self) -> None:
        for path in Path(self._cache_path).glob(f"{self._base}.*.nbc"):
            path.unlink(missing_ok=True)

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self._name(key), data)

    def load(self, key: Any) -> Any:
        try:
            return self._load_data(self._name(key))
        except Exception:  # not there, damaged, or naming a class that is no more: compile
            return None


class PackageCache(caching.FunctionCache):
    """Numba's function cache in the digest's directory."""

    _impl_class = _CacheImplementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        base = self._impl.filename_base
        self._cache_file = _KeyedFiles(str(cache_directory()), base, package_digest())


def jit(function: F) -> F:
    """Compile on first call per argument types, without the GIL, and keep the result on disk."""
    if PLAIN_PYTHON:
        return function
    dispatcher: Any = numba.njit(nogil=True, no_cfunc_wrapper=True)(function)
    dispatcher._cache = PackageCache(function)
    return dispatcher


_Dispatcher: Any = CPUDispatcher


class _InlineDispatcher(_Dispatcher):
    """A helper compiled for its callers alone: it has no entrance for Python, which runs the source instead."""

    def __call__(self, *args: Any) -> Any:
        from .plain import uncompiled

        return uncompiled(self)(*args)


def jit_inline(function: F) -> F:
    """Compile a small helper as part of its callers; nothing of its own is kept on disk."""
    if PLAIN_PYTHON:
        return function
    inlined: Any = numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    inlined.__class__ = _InlineDispatcher
    return inlined


def compiled_address(function: Callable[..., Any], signature: Any) -> int:
    """The address of a function compiled for C callers, kept on disk as everything else."""
    from numba.core.ccallback import CFunc

    callback: Any = CFunc(function, sigutils.normalize_signature(signature), {}, {})
    callback._cache = PackageCache(function)
    callback.compile()
    _kept.append(callback)  # the code lives as long as its owner
    return int(callback.address)


_kept: list[Any] = []
