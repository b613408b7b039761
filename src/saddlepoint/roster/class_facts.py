"""What a game's class tells in plain words and numbers, read from its source: a list of games runs and compiles nothing."""

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._text import first_line
from ..lazy import homes_of


@dataclass(frozen=True)
class ClassFacts:
    """A game's class attributes and parameters, as far as they are plain values."""

    attributes: dict[str, Any]
    parameters: dict[str, Any]
    """Names and default values."""


def describe(package: Path, class_name: str) -> ClassFacts | None:
    """A game of this package, by its class; None where its source alone does not tell all of its parameters."""
    for node in ast.parse(_source(package, class_name).read_bytes()).body:
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return _described(node)
    return None


def _source(package: Path, class_name: str) -> Path:
    """The file in which a class is written."""
    place = package / homes_of(package)[class_name].replace(".", "/")
    return _source(place, class_name) if place.is_dir() else place.with_suffix(".py")


def _described(node: ast.ClassDef) -> ClassFacts | None:
    if [getattr(base, "id", None) for base in node.bases] != ["Game"]:  # another base may have parameters too
        return None
    found = ClassFacts({}, {})
    for item in node.body:
        if not (isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)):
            continue
        is_parameter = "ClassVar" not in ast.unparse(item.annotation)
        try:
            value = ast.literal_eval(_marked(item.value))  # pyright: ignore[reportArgumentType] (none is no literal either)
        except (ValueError, TypeError):
            if is_parameter:
                return None
            continue
        (found.parameters if is_parameter else found.attributes)[item.target.id] = value
    found.attributes.setdefault("summary", first_line(ast.get_docstring(node) or ""))
    return found


def _marked(value: ast.expr | None) -> ast.expr | None:
    """A default that a field's mark is put around, as in `rows: int = constant(6)`; any other as it is."""
    return value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords else value
