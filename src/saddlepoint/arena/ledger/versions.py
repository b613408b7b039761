"""The versions of players, and their labels in results."""

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...compiled.sources import PACKAGE, source_files
from ...game.spec import COMMAND, SNAKE, Spec, Value, parse_spec
from ...games.catalogue.games import protocols
from ...games.catalogue.searches import own_search
from ...players.base import PlayerError
from ...players.programs.named import command_words
from ...system.foreign import path_of


class Labels:
    """Names of players by spec and version: the spec alone, or with a number where there are several versions.

    `rows` are (spec, version, which), the oldest first; versions with the same `which` are the same player.
    """

    def __init__(self, rows: Iterable[tuple[str, str, int]] = ()) -> None:
        self._places: dict[tuple[str, str], tuple[str, int]] = {}
        self._known: dict[str, list[int]] = {}
        for spec, version, which in rows:
            known = self._known.setdefault(spec, [])
            if which not in known:
                known.append(which)
            self._places[spec, version] = (spec, known.index(which) + 1)

    def knows(self, spec: str, version: str) -> bool:
        """Whether this version is there."""
        return (spec, version) in self._places

    def newest(self, spec: str) -> str:
        """The version of this player that came last; empty where none is known."""
        return next((version for known, version in reversed(self._places) if known == spec), "")

    def of(self, spec: str, version: str) -> str:
        """`./bot.py`, or `./bot.py (2)` for the second of several versions; a version that is not known has no number."""
        found = self._places.get((spec, version))
        return spec if found is None or len(self._known[spec]) < 2 else f"{spec} ({found[1]})"


# The version of a player when it played: a player with another version is another player.

_MOST_FILES = 500  # of one bot: what it imports beside it


def player_version(spec: str) -> str:
    """A digest of the files that a player consists of; empty for a command that names no file.

    For a player of this library, its sources, without those that no player depends on (arena, command line, protocols),
    and the files that the spec names; its version number does not matter. For a program, the files that its command names,
    with all that Python files import beside them; not what is found on the path (`java`), which differs between machines.
    For a server, the version that it reports; empty where it does not answer.
    """
    parsed = parse_spec(spec)
    url = parsed.options.get("url")
    if parsed.name == SNAKE and isinstance(url, str):
        try:
            asked = next(one for one in protocols() if one.client)
            return asked.load(asked.version)(url)
        except PlayerError:
            return ""
    if (search := own_search(parsed)) is not None:
        parsed = Spec(
            search.name.rpartition(":")[2], {"file": search.name.rpartition(":")[0], **search.options}
        )
    if parsed.name in (COMMAND, SNAKE):
        return _command_version(str(parsed.options.get("command", "")))
    files = [path_of(text) for text in _texts(parsed.options)]
    named = _digest(
        dict.fromkeys(path for file in files if file.is_file() for path in (file, *_imported(file)))
    )
    return f"saddlepoint+{sources_digest()}" + (f"+{named}" if named else "")


@functools.cache
def sources_digest() -> str:
    """Digest of this library's sources that compiled code and players can depend on."""
    digest = hashlib.blake2b(digest_size=6)
    for path in (*source_files(), *sorted(PACKAGE.rglob("*.weights"))):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _command_version(command: str) -> str:
    words = command_words(command)
    named = [path for word in dict.fromkeys((command, *words)) for path in _files(word)] if words else []
    return _digest(dict.fromkeys(path for file in named for path in (file, *_imported(file))))


def _files(word: str) -> Iterator[Path]:
    """The file that a word of a command names, also as FILE.py:CLASS or --option=FILE."""
    for text in (word, word.rpartition(":")[0] if ".py:" in word else "", word.partition("=")[2]):
        with suppress(OSError, ValueError):  # too long for a path
            path = path_of(text)
            if text and path.is_file():
                yield path


def _imported(file: Path) -> list[Path]:
    """The modules that a Python file imports from its own folder, and those that these import, in a fixed order."""
    found: dict[Path, None] = {}
    waiting = [file]
    while waiting and len(found) < _MOST_FILES:
        for path in _beside(waiting.pop()):
            if path not in found and path != file:
                found[path] = None
                waiting.append(path)
    return sorted(found)


def _beside(file: Path) -> Iterator[Path]:
    if file.suffix != ".py":
        return
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        folder, names = file.parent, list[str]()
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            for _ in range(node.level - 1):
                folder = folder.parent
            module = [node.module] if node.module else []
            names = [*module, *(".".join((*module, alias.name)) for alias in node.names)]
        for name in names:
            parts = name.split(".")
            for end in range(1, len(parts) + 1):
                path = folder.joinpath(*parts[:end])
                yield from (one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file())


def _texts(options: Any) -> Iterator[str]:
    value: Value
    for value in options.values():
        if isinstance(value, Spec) and value.is_own:
            yield value.name.rpartition(":")[0]
        if isinstance(value, str) and len(value) < 1000:
            yield value
        elif isinstance(value, Spec):
            yield from _texts(value.options)


def _digest(paths: Any) -> str:
    digest, known = hashlib.blake2b(digest_size=8), False
    for path in paths:
        with suppress(OSError), path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
            digest.update(b"\0")
            known = True
    return digest.hexdigest() if known else ""
