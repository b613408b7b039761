"""The program `saddlepoint`."""

import contextlib
import os
import re
import sys
from pathlib import Path

from ..system.terminal import fail, flush, print_error
from .running import end_signals, said_when_long


def main() -> None:
    """Run the program: exit code 0, 1 (nobody reads the output), 2 (an error), 130 (interrupted), 128 and a signal's number.

    `check` ends with 1 too, where the bot is at fault.
    """
    _open_closed_output()
    try:
        code = _run(sys.argv[1:])
        flush()  # a full disk is told here, and not when nobody listens any more
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 1
    except Exception as error:
        from ..games.catalogue.games import is_told

        message = _message(error)
        # Everything else is a bug, and shows its trace; what is in it may be somebody else's text.
        code = _trace() if message is None else 2 if is_told(error) else fail(message)
    _silence_broken_output()
    # Ctrl-C that passed through a text that Python executes (a dataclass is made of one) would end the process by the signal in the place
    # of the exit code. Python forgets of it when it executes another text.
    exec("")
    sys.exit(code if isinstance(code, int) else 0)


def _open_closed_output() -> None:
    """Let output go nowhere where it was closed before the program began (`>&-`): Python has no stream there to print on."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (open until the program ends)


def _run(arguments: list[str]) -> object:
    if arguments[:1] == ["bot"]:  # it is ended by whoever started it, at once
        return _call(arguments)
    with end_signals() as ending, said_when_long(arguments):
        try:
            code = _call(arguments)
        except KeyboardInterrupt:
            return ending.code()
        except ImportError as error:
            if _is_interrupted(error):
                return ending.code()
            raise
        return ending.code() if ending.signal_name else code


def _is_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is what made it: a module written in C, met by it while it is loaded, tells of an ImportError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _call(arguments: list[str]) -> object:
    from .program import (
        call,  # here, and not above: Ctrl-C while the commands are loaded ends the program as later on
    )

    return call(arguments)


def _trace() -> int:
    import traceback

    print_error(traceback.format_exc(), end="")
    return 1


def _silence_broken_output() -> None:
    """What is left to write and cannot be written must not be complained about again when Python ends."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:  # pyright: ignore[reportUnnecessaryComparison]
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _message(error: Exception) -> object:
    """What to tell the user about an error that is the input's: click's own (an unknown option), or the library's."""
    own = getattr(error, "format_message", None)
    if own is not None:
        # A message that is empty is click's help, which is printed already.
        return f"{own()}{_example(error)}" if own() else "a command is missing: add one of those above"
    if isinstance(error, OSError) and error.strerror:
        if error.filename is None:
            return error.strerror
        if isinstance(error, FileNotFoundError):
            return f"there is no file {str(error.filename)!r}"
        if isinstance(error, IsADirectoryError):
            return f"{str(error.filename)!r} is a folder; expected a file"
        return f"{str(error.filename)!r}: {error.strerror}"
    if isinstance(error, (OSError, ValueError)):  # GameError, SpecError and ReplayError are ValueErrors
        return error
    from ..compiled.errors import KernelError, in_words
    from ..players.base import MachineFault, PlayerError

    if isinstance(error, KernelError):
        return _in_one_line(str(error))
    if isinstance(error, (MachineFault, PlayerError)):
        return error
    from ..game.own_games import is_loaded

    found = in_words(error)
    return (
        _in_one_line(f"{found.method} failed: {found.sentence()}{found.place}")
        if found.file and is_loaded(found.file)
        else None
    )


def _example(error: Exception) -> str:
    """What follows an error of usage: how the command's help calls it where an argument or option is missing, else that there is help."""
    context, kind = getattr(error, "ctx", None), type(error).__name__
    found = None if context is None else re.search(r"Example: (saddlepoint .*)", context.command.help or "")
    if found and kind.startswith("Missing"):
        return f" For example: {found[1]}"
    if context is None or kind != "NoSuchOption" or getattr(error, "possibilities", None):
        return ""
    return f"; `{context.command_path} --help` lists those that there are"


def _in_one_line(message: str) -> str:
    """A rule's error: what is wrong, and in brackets the line and the position."""
    first, *rest = (line.strip() for line in message.strip().splitlines())
    return f"{first} ({'; '.join(rest)})" if rest else first
