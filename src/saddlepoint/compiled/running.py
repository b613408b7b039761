"""Errors of kernels that ran: which kernel, which line, which position.

Compiled code tells the kind of an error and seldom where it came from. The same call as plain Python tells all.
"""

import os
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from .errors import KernelRunError, source_line
from .patience import TooLong
from .plain import uncompiled
from .states import as_machine_words, is_state

_MACHINERY = Path(__file__).resolve().parent


def is_component(value: object) -> bool:
    """Whether the value is a `Component`, which is built on this module and so is known here by its kernels."""
    return hasattr(type(value), "kernels")


def plain_argument(arg: Any) -> Any:
    """An argument of compiled code as plain Python takes it."""
    if is_component(arg):
        return arg.plain
    return as_machine_words(arg) if is_state(arg) else arg


def repeated(function: Callable[..., Any], args: tuple[Any, ...]) -> Exception | None:
    """The error that the same call raises as plain Python; None if it raises none."""
    try:
        with np.errstate(all="ignore", divide="raise"):  # compiled code raises there, too
            uncompiled(function)(*(plain_argument(arg) for arg in args))
    except Exception as error:
        return error
    return None


def is_same(one: Exception | None, other: Exception) -> bool:
    """Whether plain Python raised what compiled code did; NumPy has its own word for a division by zero."""
    return type(one) is type(other) or (isinstance(one, FloatingPointError) and isinstance(other, ZeroDivisionError))


def run_error(error: BaseException, component: Any, state: Any = None, name: str | None = None) -> KernelRunError:
    """What is known of an error: the innermost kernel of its traceback, its line, and the position that it was asked about.

    `state` and `name` are for errors whose traceback tells nothing.
    """
    frames = _frames(error)
    name, line = name or type(component).__name__, ""
    if frames:
        frame, number = frames[-1]
        name = frame.f_code.co_qualname.rpartition("<locals>.")[2]
        line = f"\n  {Path(frame.f_code.co_filename).name}, line {number}: {source_line(frame.f_code, number)}"
    for frame, _ in reversed(frames):
        if is_state(frame.f_locals.get("state")):
            state = frame.f_locals["state"]
            break
    what = type(error).__name__ + (f": {error}" if str(error) else "")
    if isinstance(error, FloatingPointError):  # NumPy's word for it
        what = "ZeroDivisionError: division by zero"
    if isinstance(error, TooLong):
        what = str(error)
    where = "" if state is None else f"\n  in the position {_text(component, state)}"
    return KernelRunError(f"{name} failed: {what}{line}{where}")


def _frames(error: BaseException) -> list[tuple[FrameType, int]]:
    """The frames of the kernels on the way to an error, outermost first; machinery left out."""
    found: list[tuple[FrameType, int]] = []
    step = error.__traceback__
    while step is not None:
        path = Path(step.tb_frame.f_code.co_filename)
        if not Path(os.path.realpath(path)).is_relative_to(_MACHINERY):
            found.append((step.tb_frame, step.tb_lineno))
        step = step.tb_next
    return found


def _text(component: Any, state: Any) -> str:
    write = getattr(component, "to_text", None)
    try:
        return repr(state) if write is None else write(state)
    except Exception:
        return repr(state)
