"""The identity of a constant: a text that is the same for two values exactly if compiled code cannot
distinguish them.

Names of compiled types, files of compiled code, tables of searches, ledgers, solutions and specs all go by it. It never comes from a
`repr` of somebody else's: NumPy's leaves out the middle of an array and all digits after the eighth, and an object's may say anything.
"""

import dataclasses
import functools
import hashlib
import math
from collections.abc import Callable
from enum import Enum
from pathlib import PurePath
from types import CodeType
from typing import Any

import numpy as np

_PLAIN: tuple[Any, ...] = (int, float, str, bytes, complex)
_MUTABLE = (list, dict, set, bytearray)


class NoIdentity(TypeError):
    """The error for a value without an identity: an object whose content is not known, such as an open file."""


def identity(value: Any) -> str:
    """The text that stands for a constant.

    Numbers count to the last bit, with their type: 1, 1.0 and True differ, as do 0.0 and -0.0. An array goes by its type of numbers,
    shape and bytes. Tuples, lists, sets, dicts, enums and dataclasses go by what is in them.

    Raises NoIdentity for any other object.
    """
    if isinstance(value, type):
        return _name(value)
    if isinstance(value, Enum):
        return f"{_name(type(value))}.{value.name}={identity(value.value)}"
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes, complex):
        return repr(value)
    if kind is float:
        return repr(value) if not math.isnan(value) else f"nan:{np.float64(value).tobytes().hex()}"
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, np.generic):
        return f"{value.dtype.str}:{value.tobytes().hex()}"
    if isinstance(value, CodeType):
        return _of_code(value)
    if isinstance(value, PurePath):
        return f"{kind.__name__}({str(value)!r})"
    if hasattr(kind, "kernels"):  # a component, which knows what of it is constant
        return f"{value.type_name}{identity(value.run_time_parameters)}"
    if dataclasses.is_dataclass(value):
        return _of_dataclass(value)
    parts = _parts(value)
    if parts is None:
        raise NoIdentity(f"a {kind.__name__} has no identity")
    return f"{'' if kind is tuple else _name(kind)}({','.join(parts)})"


def is_mutable(value: Any) -> bool:
    """Whether a value may become another one while it is in use: a list, say, or a tuple with one in it."""
    if isinstance(value, tuple):
        return any(map(is_mutable, value))
    return isinstance(value, _MUTABLE)


def _parts(value: Any) -> list[str] | None:
    """The identities of the parts of a collection, or of a subclass of a plain type; None for another object."""
    if isinstance(value, (tuple, list)):
        return [identity(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(identity(item) for item in value)
    if isinstance(value, dict):
        return [f"{identity(key)}:{identity(item)}" for key, item in value.items()]
    if isinstance(value, bytearray):
        return [value.hex()]
    for plain in _PLAIN:
        if isinstance(value, plain):
            return [identity(plain.__new__(plain, value)), *_beside(value, ())]
    return None


def _of_array(value: np.ndarray) -> str:
    if value.dtype.hasobject:
        raise NoIdentity("an array of objects has no identity")
    # The order of its numbers in memory is part of how compiled code reads it.
    order = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
    digest = hashlib.blake2b(np.ascontiguousarray(value).tobytes(), digest_size=12).hexdigest()
    return f"{np.lib.format.dtype_to_descr(value.dtype)}{value.shape}{order}:{digest}"


def _of_dataclass(value: Any) -> str:
    """All that it holds: a field may be left out of the repr, and an InitVar leaves what __post_init__ made of it."""
    names = [field.name for field in dataclasses.fields(value)]
    parts = [f"{name}={identity(getattr(value, name))}" for name in names]
    return f"{_name(type(value))}({','.join([*parts, *_beside(value, names)])})"


def _beside(value: Any, names: Any) -> list[str]:
    cached = {
        name
        for cls in type(value).__mro__
        for name, thing in vars(cls).items()
        if isinstance(thing, functools.cached_property)
    }
    kept = getattr(value, "__dict__", {})
    return [f"{name}={identity(kept[name])}" for name in sorted(kept.keys() - set(names) - cached)]


def _of_code(code: CodeType) -> str:
    """The identity of a function's code, independent of its file and line."""
    constants = ["..." if part is Ellipsis else part for part in code.co_consts]
    parts = (
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_argcount,
        code.co_exceptiontable,
    )
    text = "".join(map(identity, (*parts, *constants)))
    return f"code:{hashlib.blake2b(text.encode(), digest_size=12).hexdigest()}"


def _name(cls: Callable[..., Any]) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
