"""The import statements of a file, wherever they stand in it."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path


def imports_of(file: Path, package: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(module, name) of every import, lazy and type-only ones too; the name is empty where a module is imported as a whole."""
    for node in _statements(ast.parse(file.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield from ((module, alias.name) for alias in node.names)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of these, however deep; expressions, most of a file, hold none."""
    for statement in body:
        yield statement
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, field, []))
        for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _statements(part.body)
