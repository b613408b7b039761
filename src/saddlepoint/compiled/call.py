"""The one way from Python into compiled code."""

import os
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numba.core.errors import NumbaError

from . import announce as _announce  # installs the listener
from .compile_errors import explain, failed_compilation, is_compile_error
from .errors import KernelError, KernelRunError, MachineFault, in_words, position_text
from .rules import PLAIN_PYTHON, uncompiled
from .signals import raise_again, raised
from .states import StateError, as_machine_words, is_state, register_state
from .waiting_line import TooLong

__all__ = ["run", "run_error"]
del _announce


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
