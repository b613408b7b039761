"""The program `saddlepoint`. Everything heavy is imported by the command that needs it."""

import sys

import typer

from . import (
    analyze,
    bot,
    league,
    ledger_games,
    listing,
    match,
    play,
    report,
    riders,
    solve,
    tournament,
    tron,
    tune,
)
from .common import fail


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"saddlepoint {version('saddlepoint')}")
        except PackageNotFoundError:
            print("saddlepoint (not installed)")
        raise typer.Exit


app = typer.Typer(
    name="saddlepoint",
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
    """Two-player games with simultaneous or alternating moves: play, compare, analyse, compete."""


for module in (play, match, tournament, league, tune, report, ledger_games, analyze, bot, riders, tron, listing, solve):
    module.register(app)


def main() -> None:
    """Run the program: exit code 0, 1 (nobody reads the output), 2 (an error), 130 (interrupted)."""
    try:
        code = app(standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except Exception as error:
        # Everything else is a bug, and shows its trace.
        message = _message(error)
        if message is None:
            raise
        code = fail(message)
    sys.exit(code if isinstance(code, int) else 0)


def _message(error: Exception) -> object:
    """What to tell the user about an error that is the input's: click's own (an unknown option), or the library's."""
    own = getattr(error, "format_message", None)
    if own is not None:
        return own()
    if isinstance(error, FileNotFoundError) and isinstance(error.filename, str):
        return f"there is no file {error.filename!r}"
    if isinstance(error, (OSError, ValueError)):  # GameError, SpecError and ReplayError are ValueErrors
        return error
    from ..compiled import KernelError
    from ..players.base import MachineFault, PlayerError

    return error if isinstance(error, (KernelError, MachineFault, PlayerError)) else None
