"""The directory of compiled code: one on this machine that nobody else can write to, because what is read
there is run; and the package's own folder, where code came with it. And which tasks were compiled whole, here
or there.
"""

import errno
import functools
import hashlib
import json
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba

from ..system.terminal import warn
from .sources import PACKAGE, package_digest

_UNUSED_DAYS = 60
_ROOM = 1 << 20  # bytes: a large function's code
_DIGEST = re.compile(r"[0-9a-f]{16}")
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_OTHERS_ENTER = stat.S_IXGRP | stat.S_IXOTH


def this_user() -> int:
    """The user's number, as the owner of files; 0 on Windows, which has no such numbers."""
    return os.getuid() if hasattr(os, "getuid") else 0


@functools.cache
def cache_directory() -> Path:
    """The directory that holds compiled code: NUMBA_CACHE_DIR if set, else the user's cache directory.

    Compiled code is read from there as pickles, so it must belong to this user, and nobody else may write to it or put
    another one in its place. Where that is not so, or it cannot be written to, a private directory of the temporary
    ones is taken.
    """
    home, digest = _cache_home(), package_digest()
    directory, reason = _private(home, digest)
    if directory is None:
        directory, _ = _private(Path(tempfile.gettempdir()) / f"saddlepoint-{this_user()}", digest)
        if reason:
            warn_once(f"{home} is not used for compiled code: {reason}")
    if directory is None:
        warn_once("compiled code is not kept: no folder for it is this user's own")
        return Path(os.devnull) / digest  # where nothing is, and nothing can be made
    if os.access(directory, os.W_OK):
        _remove_unused(directory)
    return directory


@functools.cache
def warn_once(text: str) -> None:
    """Warn on stderr, once in a process."""
    warn(text)


def why_not_kept() -> str:
    """The reason why compiled code cannot be kept now; empty where it can be.

    It writes a file, since permissions do not show a read-only or a full disk, or a quota.
    """
    try:
        with tempfile.TemporaryFile(dir=cache_directory()) as file:
            file.write(bytes(_ROOM))
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _cache_home() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "saddlepoint"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "saddlepoint"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "saddlepoint"


def _private(home: Path, digest: str) -> tuple[Path | None, str]:
    """The directory of this digest, made if need be, or why it cannot be used; the reason is empty if it cannot be written."""
    directory = home / digest
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        for path in (home, directory):
            path.mkdir(mode=0o700, exist_ok=True)
            reason = _claim(path, compiled=path == directory)
            if reason:
                return None, reason
        reason = _others_reach(directory.resolve())
        if reason:
            return None, reason
        os.utime(directory)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        if error.errno != errno.EROFS or not any(directory.glob("*.nbc")):
            return None, ""  # what is on a read-only disk is loaded from there, although nothing can be added
    return directory, ""


def _claim(path: Path, compiled: bool = False) -> str:
    """Let nobody else write to a directory of this user's; the reason, if it is not this user's."""
    status = path.stat()
    if path.is_symlink() and path.lstat().st_uid not in (0, this_user()):
        return f"{path} is a link that somebody else made"
    if status.st_uid != this_user():
        return f"{path} belongs to somebody else"
    if _others_write(status):
        path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS_WRITE)
        for file in path.glob("*.nbc") if compiled else ():
            file.unlink()  # somebody else may have left it here; it is made again
    return ""


def _others_reach(directory: Path) -> str:
    """The reason why another user could replace this directory; empty if none can."""
    for path in (*reversed(directory.parents), directory):
        status = path.stat()
        if status.st_uid not in (0, this_user()):
            return f"{path} belongs to somebody else"
        if _others_write(status) and not status.st_mode & stat.S_ISVTX:
            return f"others can write to {path}"
        if status.st_uid == this_user() and not status.st_mode & _OTHERS_ENTER:
            return ""  # nobody else gets beyond this one
    return ""


def _others_write(status: os.stat_result) -> bool:
    """Whether anybody but its owner may write there; a group of this user alone, as many systems have it, is nobody."""
    if not status.st_mode & _OTHERS_WRITE or not hasattr(os, "getuid"):  # on Windows these bits say nothing
        return False
    if status.st_mode & stat.S_IWOTH:
        return True
    import grp  # Unix alone has them
    import pwd

    try:
        user = pwd.getpwuid(this_user()).pw_name
        group = grp.getgrgid(status.st_gid)
    except KeyError:
        return True
    return group.gr_name != user or not set(group.gr_mem) <= {user}


def _remove_unused(current: Path) -> None:
    """Remove the compiled code of older sources after some days, which leaves time to switch branches."""
    for sibling in current.parent.iterdir():
        if sibling != current and _DIGEST.fullmatch(
            sibling.name
        ):  # the folder may hold other things of the user's
            with suppress(OSError):
                if time.time() - sibling.stat().st_mtime > _UNUSED_DAYS * 86400:
                    shutil.rmtree(sibling, ignore_errors=True)


# Compiled code that came with the package: made when its wheel was built, for all processors of a kind.
#
# It lies in the package's own folder and is only read: whoever can write there can write the package itself. Its manifest
# says what it was made with. With anything else, or other sources, nothing of it is used.

FOLDER = PACKAGE / "compiled" / "bundled"
_MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Manifest:
    """The versions and the machine that compiled code was made with, and its files."""

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
    """LLVM's list of the processor's features, for Numba's keys."""
    required: Collection[str]
    """The features that a processor must have."""
    files: Mapping[str, str]
    """Digests of the files by their names."""

    def refusal(self) -> str:
        """The reason why code like this cannot be used here; empty if it can."""
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

    def magic_tuple(self) -> tuple[str, str, str]:
        """The processor's part of Numba's keys."""
        return self.triple, self.cpu, self.cpu_features

    def load(self, name: str, folder: Path = FOLDER) -> Any:
        """The content of the file of that name; None where there is none, or it differs from the manifest."""
        try:
            content = (folder / name).read_bytes()
            return pickle.loads(content) if digest_of_file(content) == self.files[name] else None
        except Exception:  # not there, not in the manifest, or naming what is no more
            return None


def processor_features() -> set[str]:
    """The features of this machine's processor, by LLVM's names; empty where LLVM does not know them."""
    try:
        return {name for name, has in llvm.get_host_cpu_features().items() if has}
    except RuntimeError:  # LLVM does not know it
        return set()


def digest_of_file(content: bytes) -> str:
    """The digest of a file of compiled code."""
    return hashlib.blake2b(content, digest_size=12).hexdigest()


@functools.cache
def bundled_code() -> Manifest | None:
    """The manifest of the code that came with this package; None where none did, or where it cannot be used, which is said once.

    SADDLEPOINT_NATIVE=1 in the environment leaves it aside: what is needed is then compiled for this very processor.
    """
    if os.environ.get("SADDLEPOINT_NATIVE", "") not in ("", "0") or not (FOLDER / _MANIFEST).is_file():
        return None
    try:
        manifest = Manifest(**json.loads((FOLDER / _MANIFEST).read_bytes()))
        reason = manifest.refusal()
    except (OSError, ValueError, TypeError):
        manifest, reason = None, "its manifest cannot be read"
    if reason:
        warn_once(f"the compiled code that came with the package is not used: {reason}")
        return None
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a folder of compiled code."""
    (folder / _MANIFEST).write_text(json.dumps(asdict(manifest), indent=1) + "\n")


# Which tasks were compiled whole: all that a player needs in a game, "GAME PLAYER". Kept in the folder of the compiled code.

TASKS = "players"
"""The file of a folder that lists its files, a line each."""


def is_compiled(task: str) -> bool:
    """Whether a whole task of these sources was once compiled, here or for the wheel that this package came in."""
    for folder in (cache_directory(), *([] if bundled_code() is None else [FOLDER])):
        with suppress(OSError):
            if task in (folder / TASKS).read_text(encoding="utf-8").splitlines():
                return True
    return False


def note_compiled(task: str) -> None:
    """A whole task is on disk. The line is added in one piece: other processes add theirs at the same time."""
    if is_compiled(task):
        return
    with suppress(OSError), open(cache_directory() / TASKS, "a", encoding="utf-8") as file:
        file.write(f"{task}\n")
