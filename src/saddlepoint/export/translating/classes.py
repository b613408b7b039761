"""Classes: NamedTuples, dataclasses, errors, and others that say how their objects begin."""

import dataclasses
from enum import Enum
from types import FunctionType
from typing import Any

from ..lowering import ExportError
from .parts import Reached
from .scope import Source
from .writing import quoted

_REFUSED = (
    "__getattr__", "__getitem__", "__setitem__", "__contains__", "__iter__", "__len__", "__bool__", "__call__", "__eq__", "__lt__",
    "__add__",
    "__sub__", "__mul__", "__or__", "__and__", "__xor__", "__invert__", "__hash__", "__format__", "__new__", "__setattr__",
)  # fmt: skip


def class_text(program: Reached, cls: type, source: Source | None, node: Any) -> str:
    """A class, as what makes it; its methods are added later."""
    name = quoted(cls.__name__)
    if issubclass(cls, BaseException):
        return f"$.error({name}, {program.class_(cls.__bases__[0], source, node)})"
    if hasattr(cls, "_fields") and issubclass(cls, tuple):
        usual = {one: program.data(value, source, node) for one, value in cls._field_defaults.items()}  # type: ignore[attr-defined]
        return f"$.namedTuple({name}, {_names(cls._fields)}{_usual(usual)})"  # type: ignore[attr-defined]
    if dataclasses.is_dataclass(cls):
        fields = dataclasses.fields(cls)
        usual = {}
        for one in fields:
            if one.default is not dataclasses.MISSING:
                usual[one.name] = program.data(one.default, source, node)
            elif one.default_factory is not dataclasses.MISSING:
                usual[one.name] = f"$.made({program.class_(one.default_factory)})"  # type: ignore[arg-type]
        return f"$.record({name}, {_names([one.name for one in fields])}{_usual(usual)})"
    return f"$.plainClass({name})"


def refusal(cls: type, source: Source | None, node: Any) -> ExportError | None:
    """Why objects of a class have no translation; None where they have one."""
    if issubclass(cls, BaseException) or (hasattr(cls, "_fields") and issubclass(cls, tuple)):
        return None
    if cls.__module__ in ("builtins", "typing", "collections.abc") or issubclass(cls, Enum):
        return _refused(cls, source, node, "it")
    own = [base for base in cls.__mro__ if base is not object and not _is_library(base)]
    written = (one for base in own for one in _REFUSED if isinstance(vars(base).get(one), FunctionType) and not _is_made(vars(base)[one]))
    special = next(written, None)
    if special is not None:
        return _refused(cls, source, node, f"its {special}")
    for one in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
        if not one.init:
            return _refused(cls, source, node, f"its field {one.name}, which is not given,")
        factory: Any = one.default_factory
        if factory is not dataclasses.MISSING and factory not in (list, dict, set, tuple):
            return _refused(cls, source, node, f"the default of {one.name}")
    return None


def _is_library(base: type) -> bool:
    return base.__module__ in ("builtins", "typing", "abc", "collections.abc")


def _is_made(method: FunctionType) -> bool:
    """Whether a decorator wrote it."""
    return method.__code__.co_filename.startswith("<")


def _names(fields: Any) -> str:
    return f"[{', '.join(map(quoted, fields))}]"


def _usual(values: dict[str, str]) -> str:
    return f", {{ {', '.join(f'{name}: {text}' for name, text in values.items())} }}" if values else ""


def _refused(cls: type, source: Source | None, node: Any, what: str) -> ExportError:
    words = f"the class {cls.__name__}: {what} has no translation"
    return ExportError(f"{words[0].upper()}{words[1:]}") if source is None else source.refuse(node, words)
