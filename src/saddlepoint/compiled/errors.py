"""Compile errors in words: which method, which line, what is wrong; not two screens of typing trace."""

import ast
import re
from pathlib import Path

import numba

_PACKAGE = Path(__file__).resolve().parent.parent
_NUMBA = Path(numba.__file__).resolve().parent
_LOCATION = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_NOISE = ("During:", "File ", "<source", "^", "This error may", "- Resolution failure", "There are", "Overload", "Rejected")


class KernelError(Exception):
    """A kernel that cannot be compiled: the message names the method, the line and the reason."""


def explain(error: Exception) -> KernelError:
    """The innermost place outside Numba and the package that the error speaks of, with the reason given there."""
    text = _ESCAPES.sub("", str(error))
    places = [(Path(match["file"]), int(match["line"])) for match in _LOCATION.finditer(text)]
    outside = [p for p in places if not p[0].resolve().is_relative_to(_NUMBA)]
    own = [p for p in outside if not p[0].resolve().is_relative_to(_PACKAGE)]
    reason = _reason(text)
    if not outside:
        return KernelError(f"the rules cannot be compiled: {reason}")
    path, line = (own or outside)[-1]
    method, source = _enclosing_method(path, line)
    return KernelError(f"{method} cannot be compiled ({path.name}, line {line}: `{source}`): {reason}")


def _reason(text: str) -> str:
    """The innermost complaint: Numba prints the outermost first, wrapped in lines of context."""
    complaints = [
        line.strip()
        for line in text.splitlines()
        if line.strip() and not line.strip().startswith(_NOISE) and ("not" in line or "No " in line or "Unknown" in line
        or "annot" in line or "nvalid" in line or "Undefined" in line or "ndeclared" in line)
    ]
    return complaints[-1] if complaints else text.strip().splitlines()[0] if text.strip() else "no reason was given"


def _enclosing_method(path: Path, line: int) -> tuple[str, str]:
    try:
        text = path.read_text()
        tree = ast.parse(text)
    except (OSError, SyntaxError):
        return "a kernel", "?"
    name = "a kernel"
    for outer in ast.walk(tree):
        if isinstance(outer, ast.ClassDef):
            for inner in outer.body:
                if isinstance(inner, ast.FunctionDef) and inner.lineno <= line <= (inner.end_lineno or line):
                    name = f"{outer.name}.{inner.name}"
        elif isinstance(outer, ast.FunctionDef) and outer.lineno <= line <= (outer.end_lineno or line):
            name = name if "." in name else outer.name
    return name, text.splitlines()[line - 1].strip()
