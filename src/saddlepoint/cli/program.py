"""The program's commands as typer reads them. A command is imported when it is asked for."""

from collections.abc import Sequence

import typer

from ..system.terminal import installed_version, print
from .catalogue import Commands


def _version(wanted: bool) -> None:
    if wanted:
        print(f"saddlepoint {installed_version() or '(not installed)'}")
        raise typer.Exit


app = typer.Typer(
    name="saddlepoint",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _saddlepoint(  # pyright: ignore[reportUnusedFunction]
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Play, compare and analyse two-player games, simultaneous-move or turn-based.

    Example: saddlepoint play light_riders human best
    """


def call(arguments: Sequence[str]) -> object:
    """Run the command that the words say; raises KeyboardInterrupt where the user gave up at a question."""
    try:
        command = typer.main.get_command(app)
        return command(args=list(arguments), prog_name="saddlepoint", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
