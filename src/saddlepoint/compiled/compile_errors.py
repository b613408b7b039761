"""Compile errors in words: which method, which line, what is wrong; not two screens of typing trace.

Numba compiles the innermost function first, so the first compilation that fails is the one that holds the mistake; its
own message is short. What is wrapped around it on the way out is only the way in.
"""

import builtins
import dis
import inspect
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from numba.core import event

from .errors import KernelError, lines_of, place_of
from .numba_private import failure_of
from .sources import PACKAGE

_MACHINERY = Path(__file__).resolve().parent
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&",
    "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">",
    "ge": ">=", "iadd": "+=", "isub": "-=", "imul": "*=", "contains": "in",
}  # fmt: skip
RULE = "[saddlepoint] "
"""Begins the messages of this package's own checks in what Numba says."""

_EXPLANATION = "_saddlepoint_explanation"
USABLE = "inside compiled code a constant is a number, a string, a tuple of these or a NumPy array"


class _Failures(threading.local):
    """The failed compilations of the call that is going on, innermost first."""

    def __init__(self) -> None:
        self.found: list[tuple[Callable[..., Any], BaseException]] = []
        self.starts: list[int] = []
        self.callers: list[Callable[..., Any]] = []
        """The functions that are being compiled, innermost last."""
        self.misfits: dict[Callable[..., Any], Callable[..., Any]] = {}
        """Kernels that compiled well and do not fit their caller, by the caller."""

    def clear(self) -> None:
        self.found.clear()
        self.misfits.clear()


_failures = _Failures()


class _Recorder(event.Listener):
    def on_start(self, event: Any) -> None:
        if not _failures.starts:
            _failures.clear()
        _failures.starts.append(len(_failures.found))
        _failures.callers.append(event.data["dispatcher"].py_func)

    def on_end(self, event: Any) -> None:
        start = _failures.starts.pop() if _failures.starts else 0
        del _failures.callers[len(_failures.starts) :]
        details = failure_of(event)
        if details is None:
            # It worked in the end: what failed within were attempts, with literal types for example.
            del _failures.found[start:]
        else:
            _failures.found.append((event.data["dispatcher"].py_func, details[1]))


event.register("numba:compile", _Recorder())


def blame(kernel: Callable[..., Any]) -> None:
    """Note that the failure is about this kernel's call: the mistake is the kernel's where the package calls
    it.
    """
    if _failures.callers:
        _failures.misfits.setdefault(_failures.callers[-1], kernel)


def is_compile_error(error: BaseException) -> bool:
    """Whether the exception comes from compiling and not from running (Numba raises more than its own classes)."""
    return any(failure is error for _, failure in _failures.found)


def failed_compilation(error: BaseException) -> str:
    """The name of the function whose compilation the exception ended."""
    function = next((function for function, failure in _failures.found if failure is error), None)
    _failures.clear()
    return "a function" if function is None else function.__qualname__.rpartition("<locals>.")[2]


def explain(error: BaseException) -> KernelError:
    """The innermost place outside this package's machinery that failed to compile, with the first reason given.

    What failed before fails again with the same exception, and Numba does not look into it a second time.
    """
    known: str | None = getattr(error, _EXPLANATION, None)
    if known is None:
        known = _explanation(error)
        setattr(error, _EXPLANATION, known)
    _failures.clear()
    return KernelError(known)


def _explanation(error: BaseException) -> str:
    found, misfits = _failures.found, _failures.misfits
    if not found:
        return f"the rules cannot be compiled: {_first_line(str(error))}"
    function, failure = next(((f, e) for f, e in found if not _within(f, _MACHINERY)), found[0])
    if function in misfits and _within(function, PACKAGE):
        function, line = misfits[function], None
    else:
        line = _line_of(failure, function)
    text = _ESCAPES.sub("", str(getattr(found[0][1], "msg", found[0][1])))
    if line is None:
        line = _likely_line(function, text)
    reason = _reason(text, function, line)
    name = function.__qualname__.rpartition("<locals>.")[2]
    return f"{name} cannot be compiled: {reason}{place_of(function, line)}"


def _file(function: Callable[..., Any]) -> Path:
    return Path(function.__code__.co_filename)


def _within(function: Callable[..., Any], directory: Path) -> bool:
    return _file(function).resolve().is_relative_to(directory)


# -- where ---------------------------------------------------------------------------------------------------------


def _line_of(failure: BaseException, function: Callable[..., Any]) -> int | None:
    location = getattr(failure, "loc", None)
    if location is not None and Path(location.filename) == _file(function):
        return location.line
    text = _ESCAPES.sub("", str(failure))
    match = re.search(r'File "[^"]*", line (\d+)', text) or re.search(r"Raised from \S+ \((\d+)\)", text)
    return int(match[1]) if match else None


def _likely_line(function: Callable[..., Any], text: str) -> int | None:
    """The first line of the function with a word that the message names; None if there is none."""
    lines, first = lines_of(function)
    words: list[str] = [
        *re.findall(r"'(?:<class ')?(?:[\w.]+\.)?(\w+)\b", text),
        *re.findall(r"\.(\w+) =", text),
    ]
    found = (
        first + k for word in words for k, line in enumerate(lines[2:], 2) if re.search(rf"\b{word}\b", line)
    )
    return next(found, None)


# -- why -----------------------------------------------------------------------------------------------------------


def _reason(text: str, function: Callable[..., Any], line: int | None) -> str:
    for pattern, sentence in _SENTENCES:
        match = re.search(pattern, text, re.DOTALL)
        if match:
            return sentence(*(group or "" for group in match.groups()))
    match = re.search(r"Cannot determine Numba type of <class '([\w.]+)'>", text)
    return _about_name(match[1], function, line) if match else _first_line(text)


def _first_line(text: str) -> str:
    lines = [line.strip() for line in _ESCAPES.sub("", text).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("Failed in nopython mode")] or lines
    return lines[0] if lines else "no reason was given"


def _about_name(kind: str, function: Callable[..., Any], line: int | None) -> str:
    """The message about a name that the line takes from the module."""
    scope = {**vars(builtins), **function.__globals__, **inspect.getclosurevars(function).nonlocals}
    loaded = [
        one
        for one in dis.get_instructions(function)
        if one.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF")
    ]
    names = [
        cast(str, one.argval) for one in loaded if one.positions is not None and one.positions.lineno == line
    ]
    if kind.endswith("UndefinedType"):
        missing = next((name for name in names if name not in scope), None)
        return f"the name '{missing}' is not defined" if missing else "a name in this line is not defined"
    guilty = next((n for n in names if type(scope.get(n)).__name__ == kind.rpartition(".")[2]), None)
    if guilty is None:
        return f"a value of type {kind} cannot be used here; {USABLE}"
    if inspect.isfunction(scope[guilty]):
        return f"'{guilty}' is an ordinary Python function; decorate it with saddlepoint.compiled.jit_inline"
    return f"'{guilty}' is a {kind}; {USABLE}"


def _plain_type(text: str) -> str:
    """A Numba type in a Python programmer's words."""
    text = re.sub(r"Literal\[(\w+)\]\([^()]*\)", r"\1", text.strip())
    text = re.sub(r"(\w+)@[0-9a-f]{12}\((?:[^()]|\([^()]*\))*\)", r"\1", text)
    text = re.sub(
        r"\b([A-Z]\w*)\((?:u?int|float|bool|UniTuple|Tuple)[^()]*(?:\([^()]*\)[^()]*)*\)", _state_name, text
    )
    text = re.sub(
        r"type\(CPUDispatcher\(<function (?:[\w.]*<locals>\.)*(\w+) at 0x\w+>\)\)", r"function \1", text
    )
    text = re.sub(r"<iv=.*?>", "", text)
    for machine, plain in (
        ("unicode_type", "str"),
        ("int64", "int"),
        ("float64", "float"),
        ("boolean", "bool"),
    ):
        text = re.sub(rf"\b{machine}\b", plain, text)
    return text


def _state_name(match: re.Match[str]) -> str:
    return match[0] if match[1] in ("Tuple", "UniTuple", "Array") else match[1]


def _no_implementation(name: str, arguments: str, rest: str) -> str:
    # Another component's kernel of that name is found on every component, until somebody calls it.
    foreign = re.search(r"BoundFunction\(.*?'(\w+)'\) for (\S+?)\)?$", arguments)
    if foreign:
        return _no_attribute(foreign[1], foreign[2])
    parts = [_plain_type(part) for part in _split(arguments)]
    if name in _OPERATORS and len(parts) == 2:
        return f"`{_OPERATORS[name]}` does not work between {parts[0]} and {parts[1]}"
    if name == "setitem" and parts[0].startswith(("UniTuple", "Tuple")):
        return "a tuple never changes, so no item of it can be set; make a new one: board = with_item(board, index, value)"
    if name in ("getitem", "static_getitem", "setitem") and len(parts) >= 2:
        return f"{parts[0]} cannot be indexed by {parts[1]}"
    if name in ("max", "min", "sorted") and "key=" in arguments:
        return f"{name}(...) takes no key in compiled code; write a loop"
    if name == "exception_match":
        return "`except` can only catch Exception as a whole in compiled code; look before you compute, or write `except Exception:`"
    hint = re.search(r"raised a specific error:\s+\w+: ([^\n]+)", rest)
    because = f": {hint[1]}" if hint and "missing a required argument" not in hint[1] else ""
    return f"{name} is not supported for ({', '.join(parts)}) in compiled code{because}"


def _split(arguments: str) -> list[str]:
    """Arguments at the top level of brackets."""
    parts, depth = [""], 0
    for mark in arguments:
        depth += (mark in "([{<") - (mark in ")]}>")
        if mark == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += mark
    return [part for part in parts if part.strip()]


def _no_attribute(attribute: str, holder: str) -> str:
    if attribute == "_replace":
        return f"{_plain_type(holder)} has no _replace in compiled code; write {_plain_type(holder)}(...) with all of its fields"
    if holder.startswith(("UniTuple", "Tuple", "unicode_type")):
        kind = "a text" if holder.startswith("unicode") else "a plain tuple"
        return f"{kind} has no attribute '{attribute}'; a position is the NamedTuple of its game"
    usable = " that compiled code can use" if "@" in holder else ""
    return f"{_plain_type(holder)} has no attribute '{attribute}'{usable}"


def _unset(holder: str, attribute: str) -> str:
    return f"'{attribute}' cannot be set: {_plain_type(holder)} never changes; make a new one"


def _cannot_cast(given: str, wanted: str) -> str:
    if "list(" in given and "Tuple" in wanted:
        return "it gives a list where the state has a tuple; states hold tuples, and with_item sets one of their items"
    return f"it gives {_plain_type(given)}, not {_plain_type(wanted)}"


_SENTENCES: list[tuple[str, Callable[..., str]]] = [
    (re.escape(RULE) + r"([^\n]+)", lambda what: what),
    (
        r"maximum recursion depth exceeded|runaway recursion|compiler re-entrant",
        lambda: "it calls itself, whose result has no type before it is compiled; write a loop instead",
    ),
    (r"NameError: name '(\w+)' is not defined", lambda name: f"the name '{name}' is not defined"),
    (r"Unknown attribute '(\w+)' of type ([^\n]+)", _no_attribute),
    (
        r"Function\(<class 'tuple'>\) found for signature:\s+>>> tuple\((?:reflected )?list\(",
        lambda: (
            "tuple(...) of a list has no length before it runs; set the items of a tuple: board = with_item(board, index, value)"
        ),
    ),
    (
        r"No implementation of function Function\(<[^>]*?([\w.]+?)'?(?: at 0x\w+)?>\).*?>>> \w+\(([^\n]*)\)\n(.*)",
        _no_implementation,
    ),
    (
        r"Cannot bind '.*?' to signature '(.*?)' due to \"TypeError: (.*?)\"\.?(?:.*?<function ([\w.<>]+) at)?",
        lambda signature, what, name: (
            f"{name.rpartition('<locals>.')[2] or 'the function'}{signature}: {what}"
        ),
    ),
    (
        r"Can't unify return type from the following types: ([^\n]+)",
        lambda kinds: f"it returns different types: {' or '.join(map(_plain_type, _split(kinds)))}",
    ),
    (
        r"Cannot unify ([^\n]+?) and ([^\n]+?) for '([\w$]+)[.\d]*'",
        lambda one, two, name: (
            f"'{name}' is {_plain_type(one)} in one place and {_plain_type(two)} in another"
        ),
    ),
    (r"Cannot resolve setattr: \((.+?)\)\.(\w+) =", _unset),
    (r"No definition for lowering (.+?)\.(\w+) =", _unset),
    (r"Variable '(\w+)' is not defined", lambda name: f"the variable '{name}' has no value when it is used"),
    (
        r"Cannot infer the type of variable '(\w+)'",
        lambda name: (
            f"the type of the elements of '{name}' is unknown; use np.zeros(n, np.int64), or a tuple"
        ),
    ),
    (r"Cannot cast (.+?) to (.+?)(?:: %.*)?$", _cannot_cast),
    (r"In '<class '(?:[\w.]+\.)?(\w+)'>': ([^\n]+)", lambda name, what: f"{name}(...): {what}"),
    (
        r"format spec in f-strings not supported yet|unsupported opcode \(FORMAT_WITH_SPEC\)",  # the latter from Python 3.13 on
        lambda: "format spec in f-strings not supported yet; a rule makes no texts, leave them to render",
    ),
    (r"unsupported opcode \(IMPORT_NAME\)", lambda: "imports belong to the top of the file"),
    (
        r"unsupported opcode \((\w+)\)",
        lambda name: f"compiled code does not know this part of Python ({name})",
    ),
    (r"The 'with [^\n]*construct is not supported", lambda: "`with` is not supported in compiled code"),
    (r"yield in a closure", lambda: "generator expressions are not supported in compiled code; write a loop"),
    (r"^([^\n]*?)\.? Raised from", lambda what: what),
]
