"""A state's layout: which of its numbers the machine words of the host are."""

import typing
from typing import Any

import numpy as np

from ...compiled.states import _hints, as_machine_words
from ..lowering import ExportError
from .parts import Reached
from .writing import quoted

_LETTERS: tuple[tuple[Any, str], ...] = (
    (bool, "b"), (int, "i"), (np.unsignedinteger, "U"), (np.integer, "I"), (np.bool_, "B"), (np.floating, "F"), (float, "f"),
)  # fmt: skip
"""The kinds of numbers, the first that fits."""


def layout_text(program: Reached, start: Any) -> str:
    """The layout of a game's states, with the class of each NamedTuple and the annotations by which a text is read."""
    return _layout(program, as_machine_words(start), type(start))


def _layout(program: Reached, value: Any, annotation: Any) -> str:
    """A number's kind is a letter: unsigned, signed, a bool, a float; a capital where the annotation is one of NumPy's."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        hints = _hints(type(value))
        names: Any = value._fields  # pyright: ignore[reportAttributeAccessIssue]
        inner = [_layout(program, one, hints[name]) for name, one in zip(names, value, strict=True)]
        return f"[{program.class_(type(value))}, {', '.join(inner)}]"
    if isinstance(value, tuple):
        parts = typing.get_args(annotation)
        kinds = [parts[0]] * len(value) if len(parts) == 2 and parts[1] is Ellipsis else list(parts)
        inner = [_layout(program, one, kind) for one, kind in zip(value, kinds, strict=True)]
        return f"[null, {', '.join(inner)}]"
    for kind, letter in _LETTERS:
        if isinstance(value, kind):
            return quoted(letter)
    raise ExportError(f"a state with a {type(value).__name__} cannot be translated to JavaScript")
