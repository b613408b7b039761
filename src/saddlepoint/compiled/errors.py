"""Errors in somebody's code, in words: which method, what is wrong, what to do about it, and the line where it is."""

import errno
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from numba.core.errors import NumbaError

from .sources import is_library

_MACHINERY = Path(__file__).resolve().parent
_MACHINE_ERRNO = frozenset(
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EIO", "EROFS")
    if hasattr(errno, name)
)
_WAYS_OUT = (
    (
        "does not support item assignment",
        "a state never changes; make a new tuple: board = with_item(board, index, value)",
    ),
    ("can't set attribute", "a state never changes; make a new one"),
    ("object attribute", "a state never changes; make a new one"),
    ("cannot assign to field", "a game never changes; what changes is the state's"),
    ("has no attribute 'append'", "a tuple never grows; set an item: board = with_item(board, index, value)"),
    ("tuple index out of range", "look at the index before you use it"),
    ("by zero", "look at the divisor before you divide"),
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
    (r"annotated int and holds (np\.float\d+\()?-?\d+[.e]", "use // and int(...)"),
    ("holds None", "a number that does not occur, such as -1, may stand for nothing"),
    ("annotated .* and holds '", "a state holds no texts, use a number that stands for it"),
)
"""(pattern of an error's message, the way out) of common mistakes."""


class KernelError(Exception):
    """A kernel that cannot be compiled, or that failed when it ran.

    The message names the method, the line and the reason; of a kernel that ran also the position, where it is known.

    >>> from saddlepoint import KernelError
    >>> issubclass(KernelError, Exception)
    True
    """


class KernelRunError(KernelError):
    """A kernel that failed when it ran: an index beyond a tuple, a division by zero, a `raise`."""


class MachineFault(Exception):
    """The machine, not a rule or a player, is at fault: a full disk, a failed compilation, a stalled referee.

    A game in which it is raised has no result: it is void and is played again.
    """


def is_machine_error(error: BaseException) -> bool:
    """Whether an exception is the machine's fault: a full disk, no more memory or files, a compilation that failed.

    What is more than a plain KernelError failed when it ran: that is whoever's kernel it is.
    """
    if isinstance(error, OSError) and error.errno in _MACHINE_ERRNO:
        return True
    return isinstance(error, (MachineFault, MemoryError, NumbaError)) or type(error) is KernelError


# -- what --------------------------------------------------------------------------------------------------------------


class ErrorInWords(NamedTuple):
    """An exception in words."""

    method: str
    """The innermost method or function of somebody's own, as it is called in its file; empty if there is none."""
    what: str
    way: str
    """`; ` and what to do about it; empty where nothing general can be said."""
    place: str
    """The line of the message that says where; empty where there is none."""
    file: str
    """The path of the file that this line is in; empty where there is none."""

    def sentence(self, method: str = "") -> str:
        """The error, the place where it is not in `method`, and the way out."""
        inside = (
            f" in {self.method}" if method and self.method and not self.method.endswith(f".{method}") else ""
        )
        return f"{self.what}{inside}{self.way}"


def in_words(error: BaseException, *, anywhere: bool = False) -> ErrorInWords:
    """An exception in words, with the line of the user's code that it came from.

    anywhere: without a line of the user's, one of this package's games or of a library.
    """
    steps = list(traceback.walk_tb(error.__traceback__))
    own = [step for step in steps if _is_somebodys(step[0].f_code)]
    if anywhere and not own:
        own = [
            step
            for step in steps
            if not Path(step[0].f_code.co_filename).resolve().is_relative_to(_MACHINERY)
        ]
    what = _words(error)
    if not own:
        return ErrorInWords("", what, way_out(what), "", "")
    code, line = own[-1][0].f_code, own[-1][1]
    return ErrorInWords(
        code.co_qualname.rpartition("<locals>.")[2],
        what,
        way_out(what),
        place_of(code, line),
        code.co_filename,
    )


def way_out(what: str) -> str:
    """`; ` and what to do about a mistake of which that is said; empty where nothing general can be said."""
    return next((f"; {way}" for words, way in _WAYS_OUT if re.search(words, what)), "")


def _words(error: BaseException) -> str:
    """The kind of an exception and its message in one line."""
    if isinstance(error, FloatingPointError):  # NumPy's word for it
        return "ZeroDivisionError: division by zero"
    lines = str(error).strip().splitlines()
    if isinstance(error, (NameError, AttributeError)):  # Python's own guess at what was meant
        lines = [
            list(traceback.TracebackException.from_exception(error).format_exception_only())[-1]
            .strip()
            .partition(": ")[2]
        ]
    return f"{type(error).__name__}: {lines[0].removesuffix('.')}" if lines else type(error).__name__


def called(name: str, args: tuple[Any, ...]) -> str:
    """A call as one would write it, without the arrays to be filled."""
    return f"{name}({', '.join(str(arg) for arg in args if not hasattr(arg, 'shape') or arg.shape == ())})"


def position_text(game: Any, state: Any) -> str:
    """A position in one line: as the game writes it, or by its fields where it writes none, or fails."""
    try:
        text = game.to_text(state)
    except Exception:
        return repr(state)
    return text if isinstance(text, str) and "\n" not in text else repr(state)


# -- where -------------------------------------------------------------------------------------------------------------


def place_of(function: Callable[..., Any] | CodeType, line: int | None = None) -> str:
    """The line of a message that says where: the file, the number and the line of a function, its `def` by default."""
    code = function if isinstance(function, CodeType) else function.__code__
    lines, first = lines_of(function)
    number = first + _first(lines, "def ") if line is None else line
    shown = lines[number - first].strip() if 0 <= number - first < len(lines) else "(no source)"
    return f"\n  {Path(code.co_filename).name}, line {number}: {shown}"


def place_of_method(thing: Any, name: str) -> str:
    """The line that says where a class's method of that name is; empty where there is no source of somebody's own."""
    cls = thing if isinstance(thing, type) else type(thing)
    method = cls.kernels.get(name) or inspect.getattr_static(cls, name, None)
    method = inspect.unwrap(
        getattr(method, "py_func", getattr(method, "fget", getattr(method, "__func__", method)))
    )
    return place_of(method) if inspect.isfunction(method) and _is_somebodys(method.__code__) else ""


def place_of_class(cls: type) -> str:
    """The line that says where a class is."""
    try:
        lines, first = inspect.getsourcelines(cls)
        file = Path(
            str(getattr(sys.modules.get(cls.__module__), "__file__", None) or inspect.getsourcefile(cls))
        )
    except (OSError, TypeError):
        return ""
    offset = _first(lines, "class ")
    return f"\n  {file.name}, line {first + offset}: {lines[offset].strip()}"


def lines_of(function: Callable[..., Any] | CodeType) -> tuple[list[str], int]:
    """The lines of a function's source, none where there is no source, and the number of the first one."""
    try:
        return inspect.getsourcelines(function)
    except (OSError, TypeError):
        return [], (function if isinstance(function, CodeType) else function.__code__).co_firstlineno


def _first(lines: list[str], word: str) -> int:
    return next((k for k, line in enumerate(lines) if line.lstrip().startswith(word)), 0)


def _is_somebodys(code: CodeType) -> bool:
    """Whether code is neither this package's, nor Python's or a library's."""
    return not code.co_filename.startswith("<frozen") and not is_library(code.co_filename)
