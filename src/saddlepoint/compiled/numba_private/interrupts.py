"""Ctrl-C waits while machine code is made or loaded, until Numba comes to a place where nothing is lost.

LLVM asks Python for the code that was kept on disk, through a callback of ctypes. A signal's handler that raises there is
lost, and the code with it: Numba goes on with address 0, and the process ends with a segmentation fault (Numba 0.68). And
what is raised in a callback of a weak reference, of which Numba has many, is lost too: Ctrl-C was not heard then. So the
handlers are called between two passes of the compiler: milliseconds later as a rule, seconds where a large function is
compiled.

Numba makes a result's named tuples by calling their class, in Python, without a look whether that went well.
"""

import functools
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from numba import types
from numba.core import cgutils

from .borrowings import private

_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)]
"""Ctrl-C last: its handler is the last one to be put back, so that another Ctrl-C leaves none of them behind."""


class PutOff:
    """Signals that end the program are met and not handled yet."""

    def __init__(self) -> None:
        self._handlers: dict[int, Any] = {}
        self._met: list[int] = []

    def begin(self) -> None:
        """From now on they are put off. Python handles signals in the main thread alone: in another thread nothing changes."""
        if threading.current_thread() is not threading.main_thread():
            return
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):  # what is ignored, or ends the process without Python, stays so
                self._handlers[number] = handler
                signal.signal(number, lambda number, frame: self._met.append(number))

    def heed(self) -> None:
        """Call the handlers of those that were met."""
        if self._met:
            met, self._met = list(dict.fromkeys(self._met)), []
            _handle(met, self._handlers)

    def end(self) -> None:
        """The handlers are as before, and called where something was met."""
        handlers = dict(self._handlers)
        self._handlers.clear()  # a handler that raises leaves nothing behind
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if self._met:
            met, self._met = list(dict.fromkeys(self._met)), []
            _handle(met, handlers)


@contextmanager
def interrupts_put_off() -> Generator[None]:
    """Signals that end the program are handled at the end of it."""
    put_off = PutOff()
    try:
        put_off.begin()
        yield
    finally:
        put_off.end()


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


_engine = private("core.codegen:JitEngine")
if hasattr(_engine, "finalize_object"):
    _engine.finalize_object = _guarded(_engine.finalize_object)

_box_tuple = private("core.boxing:box_tuple")


def _box_named_tuple(kind: Any, value: Any, c: Any) -> Any:
    """As Numba's own, which goes on, and crashes, with a class or a part that Ctrl-C has kept from being made."""
    made = cgutils.alloca_once_value(c.builder, c.pyapi.get_null_object())
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(kind.instance_class))
    with c.builder.if_then(cgutils.is_not_null(c.builder, cls), likely=True):
        parts = _box_tuple(kind, value, c)
        with c.builder.if_then(cgutils.is_null(c.builder, c.pyapi.err_occurred()), likely=True):
            c.builder.store(c.pyapi.call(cls, parts), made)
        c.pyapi.decref(parts)
        c.pyapi.decref(cls)
    return c.builder.load(made)


_boxers = private("core.pythonapi:_boxers.functions")
if _box_tuple is not None and _boxers is not None:
    _boxers.update(dict.fromkeys((types.NamedTuple, types.NamedUniTuple), _box_named_tuple))
