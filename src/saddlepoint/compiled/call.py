"""The one way from Python into compiled code; and what is said while it is compiled, since a first run may take seconds."""

import contextlib
import os
import threading
import time
import traceback
from collections.abc import Callable, Generator
from typing import Any, NoReturn

import numpy as np
from numba.core import event
from numba.core.errors import NumbaError

from ..system.patience import COMPILING_SAID
from ..system.terminal import WaitingLine
from .cache import PackageCache
from .compile_errors import explain, failed_compilation, is_compile_error
from .directory import why_not_kept
from .endless_loops import TooLong
from .errors import KernelError, KernelRunError, MachineFault, in_words, position_text
from .numba_private import cache_of, failure_of, is_own
from .rules import PLAIN_PYTHON, uncompiled
from .signals import PutOff, raise_again, raised, step
from .states import StateError, as_machine_words, is_state, register_state


def run(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function made by `jit`, or a component's kernel, with components, states, numbers and arrays.

    Raises KernelError, naming method and line, where a kernel cannot be compiled or fails when it runs
    (SADDLEPOINT_TRACE=1 adds the trace), and MachineFault where the machine could not compile it.
    """
    if PLAIN_PYTHON:
        return _run_plain(function, args)
    try:
        for arg in args:
            kind = type(arg)
            if kind not in _seen:
                if is_state(arg):
                    register_state(kind)
                _seen.add(kind)
                if _is_component(arg):
                    _components.add(kind)
            if kind in _components:
                arg.make_callable()
        result = function(*args)
    except Exception as error:
        if raised:
            raise_again()
        _raise(function, args, error)
    if raised:
        raise_again()
    return result


_seen: set[type] = set()
"""Types of arguments that need no more thought: a call takes microseconds, and every check counts."""
_components: set[type] = set()
"""Those of them that are components."""


def _run_plain(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    component = _component(args)
    try:
        with np.errstate(over="ignore"):  # hashes wrap around, as machine words do
            return function(*map(_plain_argument, args))
    except KernelError:
        raise
    except Exception as error:
        if component is None or isinstance(error, TypeError):
            raise
        raise run_error(error, component) from _trace(error)


def _raise(function: Callable[..., Any], args: tuple[Any, ...], error: Exception) -> NoReturn:
    """The error in words."""
    if isinstance(error, SystemError) and isinstance(error.__cause__, KeyboardInterrupt):
        raise error.__cause__  # Ctrl-C met Numba while it put the result together
    if isinstance(error, (OSError, MemoryError)) and is_compile_error(error):
        raise MachineFault(
            f"{failed_compilation(error)} could not be compiled: {str(error) or type(error).__name__}"
        ) from error
    if isinstance(error, NumbaError) or is_compile_error(error):
        raise explain(error) from _trace(error)
    if isinstance(error, StateError):
        raise KernelError(str(error)) from _trace(error)
    component = _component(args)
    if component is None or isinstance(error, KernelError):
        raise error
    name, state, again = None, None, None
    rule = getattr(function, "__name__", "").strip("_")
    if rule in component.kernels:  # not a search: to do it again takes a hundred times as long
        name = f"{type(component).__name__}.{rule}"
        state, again = next((arg for arg in args if is_state(arg)), None), _repeated(function, args)
    is_numpys_word = isinstance(again, FloatingPointError) and isinstance(error, ZeroDivisionError)
    if type(again) is type(error) or is_numpys_word:
        raise run_error(again or error, component, state, name) from _trace(error)
    if isinstance(error, TypeError):  # arguments that are none of the function's
        raise error
    raise run_error(error, component, state, name) from _trace(error)


def run_error(
    error: BaseException, component: Any, state: Any = None, name: str | None = None
) -> KernelRunError:
    """The error of a kernel with the innermost kernel of its traceback, the line, and the position it was
    called with.

    `state` and `name` are for errors without a useful traceback.
    """
    found = in_words(error, anywhere=True)
    seen = [frame.f_locals.get("state") for frame, _ in traceback.walk_tb(error.__traceback__)]
    position = next((one for one in reversed(seen) if is_state(one)), state)
    what = str(error) if isinstance(error, TooLong) else found.sentence()
    where = "" if position is None else f"\n  in the position {position_text(component, position)}"
    return KernelRunError(
        f"{found.method or name or type(component).__name__} failed: {what}{found.place}{where}"
    )


def _repeated(function: Callable[..., Any], args: tuple[Any, ...]) -> Exception | None:
    """The error that the same call raises as plain Python, which has a traceback; None if it raises none."""
    try:
        with np.errstate(all="ignore", divide="raise"):  # compiled code raises there, too
            uncompiled(function)(*map(_plain_argument, args))
    except Exception as error:
        return error
    return None


def _plain_argument(arg: Any) -> Any:
    """An argument of compiled code as plain Python takes it."""
    if _is_component(arg):
        return arg.plain
    return as_machine_words(arg) if is_state(arg) else arg


def _is_component(value: object) -> bool:
    """Whether the value is a `Component`, which is built on this module and so is known here by its kernels."""
    return hasattr(type(value), "kernels")


def _component(args: tuple[Any, ...]) -> Any:
    return next((arg for arg in args if _is_component(arg)), None)


def _trace(error: Exception) -> Exception | None:
    return error if os.environ.get("SADDLEPOINT_TRACE") else None


# A compilation is announced, and its seconds are counted.


class _State(threading.local):
    """This thread's compilations."""

    def __init__(self) -> None:
        self.depth = 0
        self.since = self.seconds = 0.0
        self.line: WaitingLine | None = None
        self.put_off: PutOff | None = None
        """The signals that end the program, while something of this library is compiled."""


_state = _State()


def seconds_compiling() -> float:
    """Seconds that this thread's finished compilations took, in all."""
    return _state.seconds


def _describe(function: Any, arguments: Any) -> str:
    parts: list[str] = [a.class_key.partition("@")[0] for a in arguments if hasattr(a, "class_key")]
    name = function.__qualname__.strip("_")
    return f"{name} for {', '.join(parts)}" if parts else name


class _Announcer(event.Listener):
    """Announces outermost compilations; those within are part of them."""

    def on_start(self, event: Any) -> None:
        _state.depth += 1
        if _state.depth > 1:
            return
        _state.since = time.perf_counter()
        dispatcher, arguments = event.data["dispatcher"], event.data["args"]
        if is_own(dispatcher):
            cache = cache_of(dispatcher)
            kept = isinstance(cache, PackageCache) and cache.keeps(arguments)
            _state.line = _line(_describe(dispatcher.py_func, arguments), kept)
            _state.put_off = PutOff()
            _state.put_off.begin()

    def on_end(self, event: Any) -> None:
        cache = cache_of(event.data["dispatcher"])
        if failure_of(event) is not None and isinstance(cache, PackageCache):
            cache.release_locks()  # another process may try
        _state.depth -= 1
        if _state.depth:
            return
        _state.seconds += time.perf_counter() - _state.since
        line, put_off, _state.line, _state.put_off = _state.line, _state.put_off, None, None
        if line is not None and put_off is not None:
            line.close(finished=failure_of(event) is None)
            put_off.end()


class _Passes(event.Listener):
    """Between two passes of the compiler Ctrl-C ends a compilation."""

    def on_start(self, event: Any) -> None:
        if _state.put_off is not None:
            _state.put_off.heed()
            step()

    def on_end(self, event: Any) -> None:
        pass


def _line(what: str, kept: bool) -> WaitingLine:
    """The line that announces a compilation."""
    why = why_not_kept() if kept else "its rules are in no file"
    how_often = (
        f"again in every run: it cannot be kept, {why}" if why else "once; later runs load it from disk"
    )
    return WaitingLine(f"compiling {what} ({how_often})", f"compiled {what}", COMPILING_SAID)


@contextlib.contextmanager
def _waiting(function: Any, arguments: Any) -> Generator[None]:
    """Another process compiles what is wanted here."""
    if _state.depth:  # within a compilation that is announced
        yield
        return
    started = time.perf_counter()
    line = _line(
        f"{_describe(function, getattr(arguments, 'args', arguments))} in another process", kept=True
    )
    try:
        yield
    finally:
        _state.seconds += time.perf_counter() - started
        line.close(finished=True)


event.register("numba:compile", _Announcer())
event.register("numba:run_pass", _Passes())
PackageCache.tell = staticmethod(_waiting)
