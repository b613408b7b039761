"""Signals that end the program: it ends cleanly, with a message and the exit code that shells expect."""

import _thread
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import FrameType

from ..console.terminal import print_error

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
def heeded() -> Generator[EndSignal, None, None]:
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
            threading.Timer(_SOON, _interrupt_main).start()  # not from here: it would be dropped too
        else:
            before(dropped)

    sys.unraisablehook = tell
    try:
        yield
    finally:
        sys.unraisablehook = before


def _interrupt_main() -> None:
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):  # it ends a wait of the main thread too
        signal.pthread_kill(main, signal.SIGINT)
    else:
        _thread.interrupt_main()
