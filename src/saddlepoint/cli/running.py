"""What goes on around a command: a line on stderr where nobody sees a bar, and signals that end it."""

import _thread
import os
import shlex
import signal
import sys
import threading
import time
import traceback
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from threading import Timer
from types import CodeType, FrameType

from ..system.patience import COMMAND_SAID
from ..system.terminal import print_error, warn


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
    waiting = sys.modules.get("saddlepoint.compiled.waiting_line")  # loading it here would load Numba
    if (
        waiting is not None and waiting.is_shown()
    ):  # it says what is compiled, or solved, in a line without an end yet
        return
    warn(f"running: {shlex.join(takewhile(lambda word: not word.startswith('-'), arguments))} ...")


# Signals that end the program: it ends cleanly, with a message and the exit code that shells expect.

_NAMES = ("SIGTERM", "SIGHUP")
_INTERRUPTED = 130
_SOON = 0.01


class EndSignal:
    """Why the program ends."""

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
