"""Compiled code that came with the package, and which tasks were compiled whole, here or there."""

import functools
import hashlib
import json
import os
import pickle
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba

from .directory import cache_directory, warn_once
from .sources import PACKAGE, package_digest

# Compiled code that came with the package: made when its wheel was built, for all processors of a kind.
#
# It lies in the package's own folder and is only read: whoever can write there can write the package itself. Its manifest
# says what it was made with. With anything else, or other sources, nothing of it is used.

FOLDER = PACKAGE / "compiled" / "bundled"
_MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """What compiled code was made with, and its files."""

    python: str
    numba: str
    llvmlite: str
    sources: str
    """Digest of the package's sources."""
    triple: str
    """The kind of machine, as LLVM calls it."""
    cpu: str
    """The processor it was made for, as LLVM calls it."""
    cpu_features: str
    """What was said of it besides."""
    required: Collection[str]
    """What a processor must have."""
    files: Mapping[str, str]
    """Digests of the files by their names."""

    def refusal(self) -> str:
        """Why code like this cannot be used here, in words; empty if it can."""
        here = {
            "python": sys.implementation.cache_tag,
            "numba": numba.__version__,
            "llvmlite": llvmlite.__version__,
        }
        for name, found in here.items():
            if (wanted := getattr(self, name)) != found:
                return f"it was made with {name} {wanted}, here is {found}"
        if self.triple != llvm.get_process_triple():
            return f"it is for {self.triple}, this is {llvm.get_process_triple()}"
        missing = sorted(set(self.required) - processor_features())
        if missing:
            return f"it needs a processor with {', '.join(missing)}"
        return "" if self.sources == package_digest() else "the package's sources were changed"


def processor_features() -> set[str]:
    """What this machine's processor has, by LLVM's names."""
    try:
        return {name for name, has in llvm.get_host_cpu_features().items() if has}
    except RuntimeError:  # LLVM does not know it
        return set()


@dataclass(frozen=True)
class BundledCode:
    """A folder with compiled code and its manifest."""

    folder: Path
    manifest: Manifest

    def magic_tuple(self) -> tuple[str, str, str]:
        """What Numba's keys have of the processor."""
        return self.manifest.triple, self.manifest.cpu, self.manifest.cpu_features

    def load(self, name: str) -> Any:
        """What is kept in the file of that name; None where there is none, or it is not what the manifest says."""
        digest = self.manifest.files.get(name)
        if digest is None:
            return None
        try:
            content = (self.folder / name).read_bytes()
            return pickle.loads(content) if digest_of_file(content) == digest else None
        except Exception:  # not to be read, or naming what is no more
            return None


def digest_of_file(content: bytes) -> str:
    """The digest of a file of compiled code."""
    return hashlib.blake2b(content, digest_size=12).hexdigest()


@functools.cache
def bundled_code() -> BundledCode | None:
    """The code that came with this package; None where none did, or where it cannot be used, which is said once.

    SADDLEPOINT_NATIVE=1 in the environment leaves it aside: what is needed is then compiled for this very processor.
    """
    if os.environ.get("SADDLEPOINT_NATIVE", "") not in ("", "0") or not (FOLDER / _MANIFEST).is_file():
        return None
    try:
        code = BundledCode(FOLDER, Manifest(**json.loads((FOLDER / _MANIFEST).read_bytes())))
        reason = code.manifest.refusal()
    except (OSError, ValueError, TypeError):
        code, reason = None, "its manifest cannot be read"
    if reason:
        warn_once(f"the compiled code that came with the package is not used: {reason}")
        return None
    return code


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a folder of compiled code."""
    (folder / _MANIFEST).write_text(json.dumps(asdict(manifest), indent=1) + "\n")


# Which tasks were compiled whole: all that a player needs in a game, "GAME PLAYER". Kept in the folder of the compiled code.

TASKS = "players"
"""The file of such a folder that names them, a line each."""


def is_compiled(task: str) -> bool:
    """Whether a whole task of these sources was once compiled, here or for the wheel that this package came in."""
    bundled = bundled_code()
    for folder in (cache_directory(), *([] if bundled is None else [bundled.folder])):
        with suppress(OSError):
            if task in (folder / TASKS).read_text(encoding="utf-8").splitlines():
                return True
    return False


def note_compiled(task: str) -> None:
    """A whole task is on disk. The line is added in one piece: other processes add theirs at the same time."""
    if is_compiled(task):
        return
    with suppress(OSError):
        place = os.open(cache_directory() / TASKS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(place, f"{task}\n".encode())
        finally:
            os.close(place)
