"""The program `saddlepoint`."""

import _thread
import os
import re
import shlex
import signal
import sys
import threading
import time
import traceback
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from threading import Timer
from types import CodeType, FrameType

from ..system.patience import COMMAND_SAID
from ..system.terminal import WaitingLine, fail, flush, print_error, warn


def main() -> None:
    """Run the program: exit code 0, 1 (nobody reads the output), 2 (an error), 130 (interrupted), 128 and a signal's number.

    `check` ends with 1 too, where the bot is at fault.
    """
    _open_closed_output()
    try:
        code = _run(sys.argv[1:])
        flush()  # a full disk is reported here, and not when nobody listens any more
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 1
    except Exception as error:
        from ..games.catalogue.games import is_told

        message = _message(error)
        # Everything else is a bug, and shows its trace; what is in it may be somebody else's text.
        if message is None:
            print_error(traceback.format_exc(), end="")
        code = 1 if message is None else 2 if is_told(error) else fail(message)
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
        from .program import call

        return call(arguments)
    with end_signals() as ending, said_when_long(arguments):
        try:
            from .program import call  # Ctrl-C while the commands are loaded ends the program as later on

            code = call(arguments)
        except KeyboardInterrupt:
            return ending.code()
        except ImportError as error:
            if _is_interrupted(error):
                return ending.code()
            raise
        return ending.code() if ending.signal_name else code


def _is_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C caused the error; a C module interrupted while it is loaded raises ImportError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _silence_broken_output() -> None:
    """Flush both streams.

    One that cannot be written is replaced, so that Python does not complain when it ends.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is None:  # pyright: ignore[reportUnnecessaryComparison]
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _message(error: Exception) -> object:
    """The message for the user about a wrong input: click's own (an unknown option), or the library's."""
    own = getattr(error, "format_message", None)
    if own is not None:
        # A message that is empty is click's help, which is printed already.
        return f"{own()}{_example(error)}" if own() else "a command is missing: add one of those above"
    if isinstance(error, OSError) and error.strerror:
        if error.filename is None:
            return error.strerror
        return (
            f"there is no file {str(error.filename)!r}"
            if isinstance(error, FileNotFoundError)
            else f"{str(error.filename)!r} is a folder; expected a file"
            if isinstance(error, IsADirectoryError)
            else f"{str(error.filename)!r}: {error.strerror}"
        )
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
    """The end of a usage error's message: an example of the command where a part is missing, or a hint at
    `--help`.
    """
    context, kind = getattr(error, "ctx", None), type(error).__name__
    found = None if context is None else re.search(r"Example: (saddlepoint .*)", context.command.help or "")
    if found and kind.startswith("Missing"):
        return f" For example: {found[1]}"
    return (
        ""
        if context is None or kind != "NoSuchOption" or getattr(error, "possibilities", None)
        else f"; `{context.command_path} --help` lists those that there are"
    )


def _in_one_line(message: str) -> str:
    """A rule's error: what is wrong, and in brackets the line and the position."""
    first, *rest = (line.strip() for line in message.strip().splitlines())
    return f"{first} ({'; '.join(rest)})" if rest else first


# What goes on around a command: a line on stderr where nobody sees a bar, and signals that end it.


@contextmanager
def said_when_long(arguments: Sequence[str]) -> Generator[None]:
    """Say on stderr what runs, once, if it takes long and stderr is no terminal; SADDLEPOINT_QUIET=1 keeps it silent."""
    timer = Timer(COMMAND_SAID, _say, [arguments])
    timer.daemon = True
    quiet = os.environ.get("SADDLEPOINT_QUIET", "") not in ("", "0")
    if not quiet and sys.stderr is not None and not sys.stderr.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _say(arguments: Sequence[str]) -> None:
    if WaitingLine.shown:  # it says what is compiled, or solved, in a line without an end yet
        return
    warn(f"running: {shlex.join(takewhile(lambda word: not word.startswith('-'), arguments))} ...")


# Signals that end the program: it ends cleanly, with a message and the exit code that shells expect.

_NAMES = ("SIGTERM", "SIGHUP")
_INTERRUPTED = 130
_SOON = 0.01


class EndSignal:
    signal_name = ""

    def code(self) -> int:
        """The exit code, 128 and the signal's number; says in a line what nobody at the terminal sent."""
        if not self.signal_name:
            return _INTERRUPTED
        with suppress(OSError, ValueError):  # the terminal may be gone
            print_error(f"saddlepoint: ended by {self.signal_name}")
        return 128 + getattr(signal, self.signal_name).value


@contextmanager
def end_signals() -> Generator[EndSignal, None, None]:
    """SIGTERM and SIGHUP raise KeyboardInterrupt meanwhile, as Ctrl-C does: what was begun is closed on the way out.

    A signal that is ignored (nohup) stays so. In another thread than the main one nothing is changed.
    """
    ending = EndSignal()
    before: dict[str, object] = {}

    def interrupt(number: int, frame: FrameType | None) -> None:
        ending.signal_name = signal.Signals(number).name
        for name in before:  # the first one counts: another must not cut the closing short
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        raise KeyboardInterrupt

    for name in _NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            with suppress(ValueError):
                before[name] = signal.signal(number, interrupt)
    try:
        with _told_again():
            yield ending
    finally:
        for name in before:
            signal.signal(getattr(signal, name), signal.SIG_DFL)


@contextmanager
def _told_again() -> Generator[None]:
    """Ctrl-C comes again where Python dropped it: it drops what is raised in a finalizer, or in the callback of a weak reference."""
    before = sys.unraisablehook

    def tell(dropped: "sys.UnraisableHookArgs") -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            _thread.start_new_thread(
                _interrupt_main, (tell.__code__,)
            )  # not from here: it would be dropped too
        else:
            before(dropped)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        sys.unraisablehook = before


def _interrupt_main(busy: CodeType) -> None:
    """Raise Ctrl-C in the main thread once it has left `busy`, where Python would drop it again."""
    main = threading.main_thread().ident
    if main is None:
        return
    is_busy = True
    while is_busy:
        time.sleep(_SOON)
        is_busy = any(
            frame.f_code is busy for frame, _ in traceback.walk_stack(sys._current_frames().get(main))
        )
    if hasattr(signal, "pthread_kill"):  # it ends a wait of the main thread too
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()
