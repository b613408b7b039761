"""Which files were checked on this machine, so that none is checked twice. What a file says of itself has no part in it.

A note is named by the digest of the file's bytes, and of rules that are not this library's. It lies beside compiled code, in a folder
that nobody else can write to, of this version of the library alone.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from ..compiled import cache_directory
from ..compiled.rules import rules_digest

if TYPE_CHECKING:
    from ..game import Game

_FOLDER = "checked"


def digest_of(path: str | Path, game: "Game") -> str:
    """What stands for a file's bytes together with the rules that they are about."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    digest.update(rules_digest(type(game)).encode())
    return digest.hexdigest()


def was_checked(digest: str) -> bool:
    """Whether what has this digest was checked here."""
    return (cache_directory() / _FOLDER / digest).is_file()


def note_checked(digest: str) -> None:
    """It was checked, and nothing was wrong."""
    folder = cache_directory() / _FOLDER
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / digest).touch()
    except OSError:  # it will be checked again
        pass
