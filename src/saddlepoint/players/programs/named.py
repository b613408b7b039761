"""The files and folders that a command names, and the definitions in a Python file."""

import ast
import inspect
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from ...system.foreign import parsed, path_of

_LEAST, _MOST = 3, 4  # choose(game, state, clock) and choose(game, state, clock, player)


def command_words(command: str) -> list[str]:
    """A command's words; none where it is no command."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def python_file_of(command: str) -> Path | None:
    """The Python file that the command consists of, if it does."""
    words = command_words(command)
    for name in (command, *(words if len(words) == 1 else ())):
        path = path_of(name)
        if path.suffix == ".py" and path.is_file():
            return path
    return None


def defines_player(file: Path) -> bool:
    """Whether the file has a function `choose` that takes (game, state, clock), or a class `Player`.

    They are looked for at the top level, and in its `if`, `try` and `with` blocks. A file that cannot be read or
    parsed defines nothing.
    """
    return any(_is_player(statement) for statement in _statements(parsed(file).body))


def defines_class(file: Path, names: Iterable[str]) -> bool:
    """Whether the file defines, imports or assigns a class of one of these names."""
    wanted = set(names)
    return any(wanted & _bound(statement) for statement in _statements(parsed(file).body))


def misnamed_player(file: Path) -> str:
    """The reason why a file that looks like a player is none, as the end of a sentence.

    Empty where it does not look like one.
    """
    if defines_player(file):
        return ""
    for statement in _statements(parsed(file).body):
        if isinstance(statement, ast.FunctionDef) and statement.name == "choose":
            return (
                f"its function choose({ast.unparse(statement.args)}) is not called: "
                "choose(game, state, clock) would be, or with player too"
            )
        if isinstance(statement, ast.ClassDef) and any(
            isinstance(one, ast.FunctionDef) and one.name == "choose" for one in statement.body
        ):
            return f"its class {statement.name} is not used: one of the name Player would be"
    return ""


def reads_input(file: Path) -> bool:
    """Whether the file names its standard input, by `stdin`, `input` or `fileinput`, as a program that speaks a protocol does."""
    nodes = list(ast.walk(parsed(file)))
    named = {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.attr for node in nodes if isinstance(node, ast.Attribute)
    }
    return bool(named & {"stdin", "input", "fileinput"})


def asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """A `choose` function as one of (game, state, clock, player).

    It gets the first three, or all four if it takes so many; the player third if its third parameter has that name.
    """
    names, taken = list[str](), _LEAST
    with suppress(TypeError, ValueError):  # a function that says nothing of its parameters gets three
        signature = inspect.signature(function)
        names = list(signature.parameters)
        signature.bind(*range(_MOST))
        taken = _MOST
    if names[_LEAST - 1 : _LEAST] == ["player"]:
        return lambda game, state, clock, player: function(*(game, state, player, clock)[:taken])
    return lambda *question: function(*question[:taken])


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for block in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, block, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement gives to classes, to what it imports from a module, and to what it assigns."""
    match statement:
        case ast.ClassDef():
            return {statement.name}
        case ast.ImportFrom():
            return {alias.asname or alias.name for alias in statement.names}
        case ast.Assign():
            return {target.id for target in statement.targets if isinstance(target, ast.Name)}
        case _:
            return set()


def _is_player(statement: ast.stmt) -> bool:
    match statement:
        case ast.FunctionDef(name="choose"):
            return _takes_a_question(statement.args)
        case ast.Assign():
            return not _bound(statement).isdisjoint(("choose", "Player"))
        case _:
            return isinstance(statement, ast.ClassDef) and statement.name == "Player"


def _takes_a_question(arguments: ast.arguments) -> bool:
    """Whether a function of these parameters can be called with three or four arguments."""
    positional = len(arguments.posonlyargs) + len(arguments.args)
    required = positional - len(arguments.defaults)
    return (
        None not in arguments.kw_defaults
        and required <= _MOST
        and (positional >= _LEAST or arguments.vararg is not None)
    )


# What the words of a command name, and which links are followed on the way there.
#
# Whoever starts a match names files and folders; what lies in these is the bot's author's. A link that the author may have made
# therefore shows nothing that is not visible without it. A link elsewhere is the person's own, or the system's, and is followed.

_SYSTEMS = ("/bin", "/usr/bin")


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder, or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def is_private(folder: str) -> bool:
    """Whether a folder holds what is no program's: the home directory, one above it, or one of the system's."""
    real, home = os.path.realpath(folder), os.path.realpath(Path.home())
    above = (
        home,
        os.path.join(home, ".local"),
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        "/etc",
        "/dev",
        "/proc",
        "/sys",
        "/run",
    )
    return any(is_within(one, real) for one in above)


def here() -> str:
    """The present folder."""
    try:
        return os.getcwd()
    except FileNotFoundError:  # somebody removed it
        return "/"


def named_by_words(words: Iterable[str]) -> Iterator[str]:
    """The files and folders that the words of a command line name, as absolute paths; `-m` names a module of the present folder."""
    words = list(words)
    for word in words:
        for piece in dict.fromkeys((word, *word.replace("=", ":").split(":"))):
            if piece and os.path.exists(path := os.path.expanduser(piece)):
                yield os.path.abspath(path)
    for option, module in pairwise(words):
        path = os.path.abspath(module.replace(".", os.sep))
        yield from (path + end for end in (".py", "") if option == "-m" and os.path.exists(path + end))


class Named:
    """The files and folders that a command's words name, and `reads` besides.

    visible: folders that every program sees, and those that the person said it may: a link may lead there.
    """

    def __init__(self, words: Sequence[str], reads: Iterable[str] = (), visible: Iterable[str] = ()) -> None:
        self.real: set[str] = set()
        """The files that the words name, as paths without links; not the targets of an author's links."""
        self.own: set[str] = set()
        """The folders of these, and where a folder holds more than a program the files; as they are named, and without links."""
        self.unseen: dict[str, str] = {}
        """The named files that the program does not see, with their places."""
        self.linked: set[str] = set()
        """The target of a link that is named as the program itself, which runs wherever it is."""
        self.foreign: set[str] = set()
        """Those of them that are not visible otherwise: the file alone is shown."""
        self.inside: set[str] = set()
        """Folders, without links, in which links may be the author's."""
        self._visible = {os.path.realpath(path) for path in visible}
        first = os.path.abspath(os.path.expanduser(words[0])) if words and os.sep in words[0] else None
        reads = list(reads)
        paths = [*named_by_words(words[1:]), *map(os.path.abspath, reads)]
        if first is not None and os.path.basename(os.path.dirname(first)) != "bin":
            paths.insert(0, first)
        if any(
            word == "-m" and any(os.path.exists(name.partition(".")[0] + end) for end in (".py", ""))
            for word, name in pairwise(words)
        ):
            paths.append(here())
        programs = {
            first,
            *map(os.path.abspath, reads),
        }  # these may be links; so may what a program of PATH gets as its first word
        if len(words) > 1 and (
            first is None or first == os.path.abspath(sys.executable) or os.path.dirname(first) in _SYSTEMS
        ):
            programs.add(os.path.abspath(os.path.expanduser(words[1])))
        folders = self._resolved(
            [*map(_folder_of, paths), *(() if first is None else (program_folder(first),))]
        )
        for path in dict.fromkeys(paths):
            self._take(path, folders[_folder_of(path)], path in programs)
        if (
            first is not None
            and first not in paths
            and folders[program_folder(first)]
            and not os.path.islink(first)
        ):
            self.real.add(os.path.realpath(first))

    def follow(self, path: str) -> str | None:
        """The target of a path, links followed.

        None where a link that the author may have made leads to what is not visible.
        """
        real = os.path.realpath(path)
        if any(is_within(real, one) for one in self._visible):
            return real
        place, parts = "/", [part for part in reversed(path.split("/")) if part]
        for _ in range(1000):  # a loop of links ends
            if not parts:
                return place
            part = parts.pop()
            there = os.path.normpath(os.path.join(place, part))
            if not os.path.islink(there):
                place = there
                continue
            if any(is_within(place, one) for one in self.inside):
                return None
            leads = os.readlink(there)
            place = "/" if leads.startswith("/") else place
            parts += [one for one in reversed(leads.split("/")) if one and one != "."]
        return None

    def _resolved(self, folders: Iterable[str]) -> dict[str, str | None]:
        """The resolved paths of these folders.

        The folder around two of them is the author's too, but not one that holds what is no program's.

        What every program sees, such as this Python, is no author's: the folder around it and a bot's says nothing.
        """
        folders = sorted(set(folders), key=len)
        of_authors = [
            one
            for one in folders
            if not any(is_within(os.path.realpath(one), shown) for shown in self._visible)
        ]
        around = {
            one for pair in combinations(of_authors, 2) if not is_private(one := os.path.commonpath(pair))
        }
        found: dict[str, str | None] = {}
        for folder in sorted({*folders, *around}, key=len):
            real = found[folder] = self.follow(folder)
            if real is not None:
                self.inside.add(real)
                if folder in folders and not is_private(real):
                    self._visible.add(real)
        return found

    def _take(self, path: str, folder: str | None, is_program: bool) -> None:
        if folder is None:
            self.unseen[path] = os.path.realpath(path)
            return
        named, name = _folder_of(path), os.path.basename(path)
        is_file = path != named
        self.own |= {one for one in (named, folder) if not is_private(one)}
        real = os.path.join(folder, name) if is_file else folder
        if not (is_file and os.path.islink(real)):
            self.real.add(real)
            if is_private(folder) and is_file:
                self.own |= {path, real}
            return
        leads, target = self.follow(real), os.path.realpath(real)
        if is_program:
            self.linked.add(target)
            if leads is None:
                self.foreign.add(target)
        if is_private(folder) and (is_program or leads is not None):
            self.own |= {path, real}
        if leads is None:
            self.unseen[path] = target


def _folder_of(path: str) -> str:
    return path if os.path.isdir(path) else os.path.dirname(path)


def program_folder(file: str) -> str:
    """The folder that comes with a program: its own, or the one above a `bin`."""
    folder = os.path.dirname(file)
    above = os.path.dirname(folder)
    return above if os.path.basename(folder) == "bin" and not is_private(above) else folder
