"""Signals that end the program: it ends cleanly, with a message and the exit code that shells expect."""

import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from types import FrameType

from ..console.terminal import print_error

_NAMES = ("SIGTERM", "SIGHUP")
_INTERRUPTED = 130


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
        yield ending
    finally:
        for name in before:
            signal.signal(getattr(signal, name), signal.SIG_DFL)
