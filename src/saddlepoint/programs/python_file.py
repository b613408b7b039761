"""What a Python file defines, found by reading it: nothing of it is run here."""

import ast
import inspect
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..foreign_files import path_of

_LEAST, _MOST = 3, 4  # choose(game, state, clock) and choose(game, state, clock, player)


def words_of(command: str) -> list[str]:
    """A command's words; none where it is no command."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def python_file_of(command: str) -> Path | None:
    """The Python file that the command consists of, if it does."""
    words = words_of(command)
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
    return any(_is_player(statement) for statement in _statements(_body(file)))


def defines_class(file: Path, names: Iterable[str]) -> bool:
    """Whether the file defines, imports or assigns a class of one of these names."""
    wanted = set(names)
    for statement in _statements(_body(file)):
        if isinstance(statement, ast.ClassDef) and statement.name in wanted:
            return True
        if isinstance(statement, ast.ImportFrom) and wanted & {alias.asname or alias.name for alias in statement.names}:
            return True
        if isinstance(statement, ast.Assign) and wanted & {t.id for t in statement.targets if isinstance(t, ast.Name)}:
            return True
    return False


def misnamed_player(file: Path) -> str:
    """Why a file that looks like a player is none, in a sentence's tail; empty where it does not look like one."""
    if defines_player(file):
        return ""
    for statement in _statements(_body(file)):
        if isinstance(statement, ast.FunctionDef) and statement.name == "choose":
            told = ast.unparse(statement.args)
            return f"its function choose({told}) is not called: choose(game, state, clock) would be, or with player too"
        if isinstance(statement, ast.ClassDef) and any(isinstance(one, ast.FunctionDef) and one.name == "choose" for one in statement.body):
            return f"its class {statement.name} is not used: one of the name Player would be"
    return ""


def reads_input(file: Path) -> bool:
    """Whether the file names its standard input, by `stdin`, `input` or `fileinput`, as a program that speaks a protocol does."""
    nodes = [node for statement in _body(file) for node in ast.walk(statement)]
    named = {node.id for node in nodes if isinstance(node, ast.Name)} | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return bool(named & {"stdin", "input", "fileinput"})


def takes_seat(function: Callable[..., Any]) -> bool:
    """Whether a `choose` function wants the player's number, 0 or 1, besides game, state and clock."""
    try:
        inspect.signature(function).bind(*range(_MOST))
    except (TypeError, ValueError):
        return False
    return True


def _body(file: Path) -> list[ast.stmt]:
    try:
        return ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for block in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, block, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)


def _is_player(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.ClassDef):
        return statement.name == "Player"
    if isinstance(statement, ast.FunctionDef):
        return statement.name == "choose" and _takes_a_question(statement.args)
    if isinstance(statement, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id in ("choose", "Player") for target in statement.targets)
    return False


def _takes_a_question(arguments: ast.arguments) -> bool:
    """Whether a function of these parameters can be called with three or four arguments."""
    positional = len(arguments.posonlyargs) + len(arguments.args)
    required = positional - len(arguments.defaults)
    if any(default is None for default in arguments.kw_defaults):
        return False
    return required <= _MOST and (positional >= _LEAST or arguments.vararg is not None)
