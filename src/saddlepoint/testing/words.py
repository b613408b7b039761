"""Mistakes in a game's methods, told as a sentence and the line: the method, what is wrong, what to write."""

import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from ..compiled.errors import place_of, source_line
from ..compiled.imports import is_library

_WAYS_OUT = (
    ("does not support item assignment", "a state never changes; make a new tuple: board = with_item(board, index, value)"),
    ("can't set attribute", "a state never changes; make a new one"),
    ("object attribute", "a state never changes; make a new one"),
    ("cannot assign to field", "a game never changes; what changes is the state's"),
    ("has no attribute 'append'", "a tuple never grows; set an item: board = with_item(board, index, value)"),
    ("tuple index out of range", "look at the index before you use it"),
    ("division by zero", "look at the divisor before you divide"),
    ("is not defined", "define it above the class, or correct the name"),
    ("has no attribute", "correct the name, or add it"),
    ("required positional argument", "give it all of its arguments"),
    ("positional arguments but", "give it the arguments that it takes"),
    ("maximum recursion depth", "write a loop instead"),
    ("can only concatenate", "both sides must be numbers"),
    ("unsupported operand", "both sides must be numbers"),
    ("is not subscriptable", "only a tuple or an array has items"),
    ("cannot access local variable", "give it a value first, on every way"),
    ("only integers, slices", "use // or int(...) for an index"),
    ("No such file", "a rule reads no files; read them when the module is imported"),
    ("float cannot be an item", "use // and int(...)"),
)  # fmt: skip


class Told(NamedTuple):
    """An exception in words."""

    method: str
    """The innermost method or function of the game's, as it is called in its file; empty if there is none."""
    what: str
    way: str
    """What to do about it; empty where nothing general can be said."""
    place: str
    """The line of the message that says where; empty where there is none."""
    file: str
    """The path of the file that this line is in; empty where there is none."""

    def sentence(self, method: str = "") -> str:
        """What happened, where it was not in the method that is spoken of, and what to do."""
        inside = f" in {self.method}" if method and self.method and not self.method.endswith(f".{method}") else ""
        way = f"; {self.way}" if self.way else ""
        return f"{self.what}{inside}{way}"


def told(error: BaseException) -> Told:
    """What an exception says, and which line of somebody's own it came from."""
    frames = _own_frames(error)
    what = words_of(error)
    way = next((way for words, way in _WAYS_OUT if words in what), "")
    if not frames:
        return Told("", what, way, "", "")
    frame, number = frames[-1]
    return Told(_name(frame.f_code), what, way, _place(frame.f_code, number), frame.f_code.co_filename)


def words_of(error: BaseException) -> str:
    """The kind of an exception and its message in one line."""
    lines = str(error).strip().splitlines()
    if isinstance(error, (NameError, AttributeError)):  # Python's own guess at what was meant
        lines = [list(traceback.TracebackException.from_exception(error).format_exception_only())[-1].strip().partition(": ")[2]]
    return f"{type(error).__name__}: {lines[0].removesuffix('.')}" if lines else type(error).__name__


def place_of_method(thing: Any, name: str) -> str:
    """The line that says where a class's method of that name is; empty where there is no source of somebody's own."""
    cls = thing if isinstance(thing, type) else type(thing)
    method = cls.kernels.get(name) or inspect.getattr_static(cls, name, None)
    method = inspect.unwrap(getattr(method, "py_func", getattr(method, "fget", getattr(method, "__func__", method))))
    if not inspect.isfunction(method) or not _is_somebodys(method.__code__):
        return ""
    return place_of(method)


def place_of_class(cls: type) -> str:
    """The line that says where a class is."""
    try:
        lines, first = inspect.getsourcelines(cls)
        file = Path(str(getattr(sys.modules.get(cls.__module__), "__file__", None) or inspect.getsourcefile(cls)))
    except (OSError, TypeError):
        return ""
    offset = next((k for k, line in enumerate(lines) if line.lstrip().startswith("class ")), 0)
    return f"\n  {file.name}, line {first + offset}: {lines[offset].strip()}"


def called(function: Callable[..., Any] | str, args: tuple[Any, ...]) -> str:
    """A call as one would write it, without the arrays to be filled."""
    name = function if isinstance(function, str) else function.__name__
    return f"{name}({', '.join(str(arg) for arg in args if not hasattr(arg, 'shape') or arg.shape == ())})"


def _name(code: CodeType) -> str:
    return code.co_qualname.rpartition("<locals>.")[2]


def _place(code: CodeType, number: int) -> str:
    return f"\n  {Path(code.co_filename).name}, line {number}: {source_line(code, number)}"


def _own_frames(error: BaseException) -> list[tuple[FrameType, int]]:
    found: list[tuple[FrameType, int]] = []
    step = error.__traceback__
    while step is not None:
        if _is_somebodys(step.tb_frame.f_code):
            found.append((step.tb_frame, step.tb_lineno))
        step = step.tb_next
    return found


def _is_somebodys(code: CodeType) -> bool:
    """Whether code is neither this package's, nor Python's or a library's."""
    return not code.co_filename.startswith("<frozen") and not is_library(code.co_filename)
