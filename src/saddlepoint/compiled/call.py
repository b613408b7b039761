"""The one way from Python into compiled code."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from . import announce as _announce  # installs the listener
from .cache import PLAIN_PYTHON
from .component import Component
from .errors import explain, is_compile_error
from .startup import load_numba
from .states import as_machine_words, is_state, register_state

__all__ = ["run"]
del _announce


def run(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function made by `jit`, or a component's kernel, with components, states, numbers and arrays.

    Raises KernelError, naming method and line, where a kernel cannot be compiled (SADDLEPOINT_TRACE=1 adds Numba's
    trace).
    """
    if PLAIN_PYTHON:
        with np.errstate(over="ignore"):  # hashes wrap around, as machine words do
            return function(*(_plain_argument(arg) for arg in args))
    if not _seen:
        load_numba()
    for arg in args:
        kind = type(arg)
        if kind not in _seen:
            if is_state(arg):
                register_state(kind)
            _seen.add(kind)
    try:
        return function(*args)
    except Exception as error:
        if not isinstance(error, NumbaError) and not is_compile_error(error):
            raise
        raise explain(error) from (error if os.environ.get("SADDLEPOINT_TRACE") else None)


_seen: set[type] = set()
"""Types of arguments that need no more thought: a call takes microseconds, and every check counts."""


def _plain_argument(arg: Any) -> Any:
    if isinstance(arg, Component):
        return arg.plain
    return as_machine_words(arg) if is_state(arg) else arg
