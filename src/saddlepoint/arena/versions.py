"""What a player was when it played."""

import hashlib
import shlex
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..compiled.sources import package_digest
from ..players.spec import COMMAND, parse_spec


def player_version(spec: str) -> str:
    """This library's version and digest, or, for a program, a digest of the files that its command names.

    Empty where neither is known: a command that is found on the path, for one.
    """
    parsed = parse_spec(spec)
    if parsed.name != COMMAND:
        try:
            number = version("saddlepoint")
        except PackageNotFoundError:
            number = "unknown"
        return f"{number}+{package_digest()[:8]}"
    try:
        words = shlex.split(str(parsed.options["command"]))
    except ValueError:
        return ""
    digest, known = hashlib.blake2b(digest_size=8), False
    for path in (Path(word).expanduser() for word in words):
        if path.is_file():
            with path.open("rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
            known = True
    return digest.hexdigest() if known else ""
