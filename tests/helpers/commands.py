"""The commands of the program as its parser knows them."""

from collections.abc import Iterator
from typing import Any

import typer

from saddlepoint.cli.program import app


def _below(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A command and all below it, by what is typed."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _below(inner, f"{path} {name}")


COMMANDS: dict[str, Any] = dict(_below(typer.main.get_command(app), "saddlepoint"))
"""Every command, by what is typed."""
