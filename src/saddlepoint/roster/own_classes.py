"""Searches and evaluators in somebody's own file: `./mine.py:Mine(scale=10)` where a spec names one."""

import ast
from typing import TYPE_CHECKING, Any

from ..foreign_files import path_of
from ..own_games import load_own
from ..spec import COMMAND, Spec, SpecError, parse_own

if TYPE_CHECKING:  # a named player needs one of them, and starts the sooner without the others
    from ..algorithms import Algorithm


def own_class(spec: Spec, kind: type) -> Any:
    """The class that a spec names in a file, which is run; raises SpecError in one sentence."""
    try:
        return load_own(spec.name, kind)
    except ValueError as error:
        raise SpecError(str(error)) from error


def own_search(spec: Spec) -> Spec | None:
    """The search in a file that a spec names where programs are named, too; None for a program.

    The file is read for that and not run: a search is a class that is made of one of the library's.
    """
    command = spec.options.get("command")
    own = parse_own(command) if spec.name == COMMAND and len(spec.options) == 1 and isinstance(command, str) else None
    return own if own is not None and _is_search(own) else None


def _is_search(spec: Spec) -> bool:
    from ..algorithms import ALGORITHMS

    file, _, name = spec.name.rpartition(":")
    try:
        tree = ast.parse(path_of(file).read_bytes())
    except (OSError, ValueError, SyntaxError):
        return False
    known = {kind.__name__ for algorithm in ALGORITHMS.values() for kind in algorithm.__mro__[:-1]}
    return any(
        isinstance(node, ast.ClassDef) and node.name == name and known & {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for node in tree.body
    )


def own_algorithm(spec: Spec) -> "type[Algorithm]":
    """The class of a search in a file; raises SpecError in one sentence."""
    from ..algorithms import Algorithm

    return own_class(spec, Algorithm)
