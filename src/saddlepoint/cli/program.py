"""The program's commands as typer reads them. Everything heavy is imported by the command that needs it."""

import functools
from collections.abc import Sequence
from typing import Any

import typer

from .catalogue import CommandsInOrder, add_commands
from .listings import print_version

_MOST_COUNTED, _MOST_SECONDS = 2**63 - 1, 10**9
"""Of an option that takes a whole number, and of one that takes a float: most are seconds."""


def _version(wanted: bool) -> None:
    if wanted:
        print_version()
        raise typer.Exit


app = typer.Typer(
    name="saddlepoint",
    cls=CommandsInOrder,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _saddlepoint(  # pyright: ignore[reportUnusedFunction]
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version and exit."),
) -> None:
    """Play, compare and analyse two-player games, simultaneous-move or turn-based.

    Example: saddlepoint play light_riders human best
    """


add_commands(app)


def call(arguments: Sequence[str]) -> object:
    """Run the command that the words say; raises KeyboardInterrupt where the user gave up at a question."""
    try:
        return _command()(args=list(arguments), prog_name="saddlepoint", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None


@functools.cache
def _command() -> Any:
    """The commands as they are run; `app(...)` would make all of them anew at each call, a tenth of a second."""
    command = typer.main.get_command(app)
    _bound_numbers(command)
    return command


def _bound_numbers(command: Any) -> None:
    """Let every number that any command takes be finite, and one that clocks, threads and compiled code can have."""
    for parameter in command.params:
        if "seed" not in (parameter.name or ""):  # Python draws from a seed of any size
            parameter.callback = functools.partial(_bounded, parameter.callback)
    for inner in getattr(command, "commands", {}).values():
        _bound_numbers(inner)


def _bounded(further: Any, ctx: Any, parameter: Any, value: Any) -> Any:
    for number in value if isinstance(value, (list, tuple)) else (value,):
        most = _MOST_SECONDS if isinstance(number, float) else _MOST_COUNTED
        if isinstance(number, (int, float)) and not -most <= number <= most:
            raise typer.BadParameter(f"expected a number up to {most:,}", ctx, parameter)
    return value if further is None else further(ctx, parameter, value)
