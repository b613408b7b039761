"""The program `saddlepoint`. Everything heavy is imported by the command that needs it."""

import sys

import typer

from . import analyze, listing, match, play, riders
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


for module in (play, match, analyze, riders, listing):
    module.register(app)


def main() -> None:
    """Run the program: exit code 0, 1 (nobody reads the output), 2 (an error), 130 (interrupted)."""
    from ..game import GameError
    from ..players.base import PlayerError
    from ..players.spec import SpecError

    try:
        code = app(standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except (GameError, PlayerError, SpecError, OSError, ValueError) as error:
        code = fail(error)
    except Exception as error:
        # Only click's own errors are left, such as an unknown option; everything else is a bug and shows its trace.
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        code = fail(message())
    sys.exit(code if isinstance(code, int) else 0)
