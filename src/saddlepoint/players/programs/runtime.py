"""The program that a command starts, followed to the real one, with the installation that belongs to it.

A program of the PATH is the person's: its links, its virtual environment and the interpreter of its first line are followed, and a
version manager's shim is asked for what it stands for. A program that is named by a path may be a bot's, with links, first lines and
a `pyvenv.cfg` by its author: these lead to nothing but what the person's own PATH leads to by the same name.
"""

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress

from .named import Named, here, is_private, is_within, program_folder

_MOST = 20  # links to links, and interpreters that are scripts
_INTERPRETER = re.compile(
    r"(python|pypy|node|deno|bun|ruby|perl|lua|luajit|julia|java|php|Rscript|racket|guile|dotnet|mono|bash|dash|zsh|sh)[\d.]*t?"
)
"""Programs that a bot's first line, or a link beside it, may stand for: no bot is called so by the person's PATH."""
_LINKS = ("/bin", "/sbin", "/etc/alternatives")  # of the system: everybody sees these, and where they lead
_SHIM = re.compile(rb'^exec "?([^"\s]*/(?:[a-z]+env|asdf))"? exec ', re.M)
_ASKING = 20.0  # seconds a version manager may take


class Runtime:
    """The files that starting these words needs, by the folders of `path`."""

    def __init__(self, words: Sequence[str], path: str, named: Named, visible: Sequence[str] = ()) -> None:
        self.files: set[str] = set()
        """The program's file and those of its interpreters, with the links on the way there."""
        self.installed: set[str] = set()
        """The folders, and files, of their installations."""
        self.unseen: dict[str, str] = {}
        """The links that are not followed, with their targets."""
        self._path, self._named, self._visible = path, named, visible
        if os.sep in words[0]:
            self._take_named(os.path.abspath(os.path.expanduser(words[0])))
        else:
            self._take_by_name(words[0], _MOST)
        for word in words[1:]:  # `nice python3 bot.py`
            if os.sep not in word and _INTERPRETER.fullmatch(word) and not os.path.exists(word):
                self._take_by_name(word, _MOST)

    def _take_named(self, file: str) -> None:
        """A program that the command names by its path."""
        folder = program_folder(file)
        if (real := self._named.follow(folder)) is None:
            self.unseen[folder] = os.path.realpath(folder)
            return
        if os.path.basename(os.path.dirname(file)) == "bin":
            # Of a private folder only what belongs to programs; no links, which may be anybody's.
            self.installed |= (
                {one for one in _parts(os.path.dirname(os.path.dirname(real))) if not os.path.islink(one)}
                if is_private(real)
                else {folder, real}
            )
            self._take_base(folder)
        self._take_authors(file, _MOST)

    def _take_by_name(self, name: str, depth: int) -> None:
        found = shutil.which(name, path=self._path)
        if found is None:
            return
        if is_persons(os.path.dirname(found), self._named):
            self._take_persons(found, depth)
        else:
            self._take_named(os.path.abspath(found))

    def _take_persons(self, file: str, depth: int) -> None:
        """A program of the person's, with all that belongs to it."""
        if depth == 0 or file in self.files:
            return
        self.files.add(file)
        self.installed |= _installation(file)
        if os.path.basename(os.path.dirname(file)) == "bin" and (
            home := _base_of_venv(os.path.dirname(os.path.dirname(file)))
        ):
            self._take_persons(os.path.join(home, "python3"), depth - 1)
        if os.path.islink(file):
            self._take_persons(
                os.path.normpath(os.path.join(os.path.dirname(file), os.readlink(file))), depth - 1
            )
            self._take_persons(os.path.realpath(file), depth - 1)
            return
        for word in first_line(file):
            if os.sep in word:
                self._take_persons(os.path.abspath(word), depth - 1)
            else:
                self._take_by_name(word, depth - 1)

    def _take_authors(self, file: str, depth: int) -> None:
        """A program that a bot's author may have written, in a folder that is shown."""
        if depth == 0 or file in self.files:
            return
        self.files.add(file)
        real = os.path.realpath(file)
        if real not in self._named.foreign and not self._is_known(file):
            self.unseen[file] = real
            return
        for word in first_line(real):
            if os.sep in word:  # nothing is shown for it that is not visible, or known
                if self._is_known(os.path.abspath(word)):
                    self._take_authors(os.path.abspath(word), depth - 1)
                elif os.path.exists(word):
                    self.unseen[file] = os.path.realpath(word)
            elif _INTERPRETER.fullmatch(word):
                self._take_by_name(word, depth - 1)
            elif (found := shutil.which(word, path=self._path)) and not self._is_visible(found):
                self.unseen[file] = found

    def _take_base(self, prefix: str) -> None:
        """The interpreter that a virtual environment, or what looks like one, says it was made with."""
        home = _base_of_venv(prefix)
        if home is None:
            return
        for name in ("python3", "python"):
            if os.path.exists(python := os.path.join(home, name)):
                if not self._is_known(python):
                    self.unseen[os.path.join(prefix, "pyvenv.cfg")] = os.path.realpath(python)
                return

    def _is_known(self, file: str) -> bool:
        """Whether it is visible, or the person's PATH leads to it by the same name; then its installation is shown."""
        if all(map(self._is_visible, _hops(file))):
            return True
        real = os.path.realpath(file)
        name = os.path.basename(real)
        if _INTERPRETER.fullmatch(name) is None:
            return False
        for folder in self._path.split(os.pathsep):
            found = os.path.join(folder, name)
            if is_persons(folder, self._named) and os.access(found, os.X_OK):
                versions = os.path.dirname(os.path.realpath(folder))
                if os.path.realpath(found) == real or (_manager(found) and is_within(real, versions)):
                    if not all(map(functools.partial(self._is_on_the_way, real), _hops(file))):
                        return False
                    self._take_persons(real, _MOST)
                    self.installed |= set(_hops(file))
                    return True
        return False

    def _is_on_the_way(self, real: str, hop: str) -> bool:
        """Whether a link on the way to a program may be shown: it is seen anyway, of the person's PATH, or of that installation."""
        folder = os.path.realpath(os.path.dirname(hop))
        known = [
            os.path.realpath(one) for one in self._path.split(os.pathsep) if is_persons(one, self._named)
        ]
        return (
            self._is_visible(hop)
            or folder in known
            or is_within(folder, os.path.dirname(os.path.dirname(real)))
        )

    def _is_visible(self, file: str) -> bool:
        """Whether a file is, whatever it leads to."""
        folder = self._named.follow(os.path.dirname(file))
        place = "" if folder is None else os.path.join(folder, os.path.basename(file))
        return any(
            is_within(place, os.path.realpath(one))
            for one in (*self._visible, *_LINKS, *self.installed, *self._named.own)
        )


def is_persons(folder: str, named: Named) -> bool:
    """Whether a folder of the PATH is the person's own: named in full, and not inside of what a command names."""
    return os.path.isabs(folder) and not any(
        is_within(one, author)
        for one in (os.path.normpath(folder), os.path.realpath(folder))
        for author in (*named.inside, *named.own)
    )


def path_past_shims(words: Sequence[str], path: str, named: Named) -> str:
    """The PATH on which a shim's real program comes before the shim, for the programs that these words start by name.

    A shim is a script that looks for its version manager, which no program in namespaces sees.
    """
    waiting = [words[0], *(word for word in words[1:] if os.sep not in word and _INTERPRETER.fullmatch(word))]
    for _ in range(_MOST):
        if not waiting:
            break
        word = waiting.pop()
        found = os.path.expanduser(word) if os.sep in word else shutil.which(word, path=path)
        if found is None:
            continue
        folder = os.path.dirname(found)
        if os.sep not in word and is_persons(folder, named) and (manager := _manager(found)):
            if not (asked := _asked(manager, word, here())):
                continue
            place, folders = os.path.realpath(os.path.dirname(asked)), path.split(os.pathsep)
            # A file in the present folder says which version is wanted, and that may be the author's.
            if is_within(place, os.path.dirname(os.path.realpath(folder))) or any(
                os.path.realpath(one) == place for one in folders
            ):
                folders.insert(folders.index(folder), place)
                path = os.pathsep.join(folders)
        else:
            waiting += first_line(found)
    return path


def first_line(file: str) -> list[str]:
    """The programs that the system starts for a script's first line: its first word, and what `env` looks for. What else stands there
    is for them, and no program because a bot's author says so."""
    first = b""
    with suppress(OSError), open(file, "rb") as script:
        first = script.readline(500)
    words = first[2:].decode(errors="replace").split() if first.startswith(b"#!") else []
    if words and os.path.realpath(words[0]) == os.path.realpath("/usr/bin/env"):
        return [words[0], *[word for word in words[1:] if not word.startswith("-") and "=" not in word][:1]]
    return words[:1]


def _manager(shim: str) -> str:
    """The version manager that a shim asks: pyenv, asdf and what was made after them; empty where it is no shim."""
    if os.path.basename(os.path.dirname(shim)) == "shims":
        with suppress(OSError), open(shim, "rb") as script:
            found = _SHIM.search(script.read(2000))
            return os.fsdecode(found[1]) if found else ""
    return ""


@functools.cache
def _asked(manager: str, name: str, folder: str) -> str:
    """The file that a shim stands for in this folder, by its manager; empty where it knows none."""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [manager, "which", name],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_ASKING,
            check=True,
        )
        found = done.stdout.strip()
        return found if os.access(found, os.X_OK) else ""
    return ""


def _installation(file: str) -> set[str]:
    """The folders that belong to a person's program in this place; in a folder that holds more than programs the file."""
    folder = os.path.dirname(file)
    if os.path.basename(folder) == "bin":
        prefix = os.path.dirname(folder)
        return set(_parts(prefix)) if is_private(prefix) else {os.path.realpath(prefix), prefix}
    return {file} if is_private(folder) else {os.path.realpath(folder), folder}


def _parts(prefix: str) -> Iterator[str]:
    yield from (
        one for part in ("bin", "lib", "lib64", "libexec") if os.path.isdir(one := os.path.join(prefix, part))
    )


def _base_of_venv(prefix: str) -> str | None:
    """The folder of the interpreter that a virtual environment was made with, as its `pyvenv.cfg` has it."""
    with suppress(OSError, ValueError), open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8") as file:
        lines = dict(line.split("=", 1) for line in file if "=" in line)
        home = next((value.strip() for key, value in lines.items() if key.strip() == "home"), "")
        if any(os.access(os.path.join(home, name), os.X_OK) for name in ("python", "python3")):
            return home
    return None


def _hops(file: str) -> Iterator[str]:
    """A file and what its links lead to, one after the other."""
    for _ in range(_MOST):
        yield file
        if not os.path.islink(file):
            break
        file = os.path.normpath(os.path.join(os.path.dirname(file), os.readlink(file)))
