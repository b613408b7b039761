"""What compiled code was made from: digests of the package's sources and of users' modules."""

import functools
import hashlib
import sys
import sysconfig
import uuid
from pathlib import Path
from types import ModuleType
from typing import Any

import numba

PACKAGE = Path(__file__).resolve().parent.parent
UNCOMPILED = ("arena", "cli", "interop", "protocols", "web")
"""Folders that hold no compiled code, and that no compiled code may import: the layers above the players."""

_INSTALLED = tuple({sysconfig.get_paths()[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")})


@functools.cache
def package_digest() -> str:
    """Digest of the package's sources that compiled code can depend on, of Numba's version and of Python's."""
    digest = hashlib.blake2b(f"{numba.__version__} {sys.version_info[:2]}".encode(), digest_size=8)
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] in UNCOMPILED:
            continue
        digest.update(str(path.relative_to(PACKAGE)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def module_fingerprint(module: ModuleType | None) -> str:
    """Digest of a module's file and of every uninstalled module it has imported names from so far."""
    digest = hashlib.blake2b(digest_size=6)
    add_module(module, digest, set())
    return digest.hexdigest()


def add_module(module: ModuleType | None, digest: Any, seen: set[str]) -> None:
    """Add to a digest what `module_fingerprint` tells; `seen` are the modules in it already."""
    name = getattr(module, "__name__", "")
    if name in seen:
        return
    seen.add(name)
    file = getattr(module, "__file__", None)
    if file is None:
        digest.update(uuid.uuid4().bytes)  # typed into a prompt: no source to compare
        return
    path = Path(file).resolve()
    if path.is_relative_to(PACKAGE):
        digest.update(package_digest().encode())
        return
    digest.update(path.read_bytes())
    for value in list(vars(module).values()):
        origin = value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
        source = getattr(origin, "__file__", None)
        # Installed libraries change by version, not under one's hands.
        if source and not source.startswith(_INSTALLED) and not Path(source).is_relative_to(PACKAGE):
            add_module(origin, digest, seen)
