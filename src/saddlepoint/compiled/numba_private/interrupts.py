"""Ctrl-C waits while machine code is loaded.

LLVM asks Python for the code that was kept on disk, through a callback of ctypes. A signal's handler that raises there is
lost, and the code with it: Numba goes on with address 0, and the process ends with a segmentation fault (Numba 0.68). So
the handlers are called after it: a moment later, milliseconds as a rule, seconds where a large function is compiled.
"""

import functools
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from .borrowings import numbas

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)]
"""Ctrl-C last: its handler is the last one to be put back, so that another Ctrl-C leaves none of them behind."""


@contextmanager
def interrupts_put_off() -> Generator[None]:
    """Signals that end the program are handled at the end of it.

    Python handles signals in the main thread alone: in another thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers: dict[int, Any] = {}
    met: list[int] = []
    try:
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):  # what is ignored, or ends the process without Python, stays so
                handlers[number] = handler
                signal.signal(number, lambda number, frame: met.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        _handle(list(dict.fromkeys(met)), handlers)


def _handle(met: list[int], handlers: dict[int, Any]) -> None:
    """Call the handler of each, whatever another one raises."""
    if met:
        try:
            handlers[met[0]](met[0], None)
        finally:
            _handle(met[1:], handlers)


def _guarded(finalize: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(finalize)
    def finalize_object(*args: Any, **options: Any) -> Any:
        with interrupts_put_off():
            return finalize(*args, **options)

    return finalize_object


_engine = numbas("core.codegen:JitEngine")
if hasattr(_engine, "finalize_object"):
    _engine.finalize_object = _guarded(_engine.finalize_object)
