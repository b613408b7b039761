"""States as machine words: how a NamedTuple's annotations become a Numba type; one item of a tuple set."""

import functools
import sys
import threading
import typing
from collections.abc import Iterator
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload, typeof_impl

from .compile_errors import RULE
from .sources import lasting_name, name_script

# States as machine words: how a NamedTuple's annotations become a Numba type.
#
# A state is a NamedTuple annotated with `int` (64 bits), `float`, `bool`, NumPy scalars (`np.uint64`, ...), tuples of
# these, or further NamedTuples. The annotations decide the machine type, so a state that came back to Python as plain
# ints goes in again as what it was.

_SCALARS: dict[Any, Any] = {int: types.int64, float: types.float64, bool: types.boolean}
_registered: set[type] = set()
_registering = threading.RLock()


def is_state(value: object) -> bool:
    """Whether the value is a NamedTuple."""
    return isinstance(value, tuple) and hasattr(value, "_fields")


@functools.cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


class StateError(TypeError):
    """A state with a field that compiled code cannot hold; the message says what to use."""


def _machine_type(annotation: Any, value: Any) -> Any:
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return numba.from_dtype(cast(Any, np.dtype(annotation)))
    if typing.get_origin(annotation) is tuple:
        if not isinstance(value, tuple):
            raise StateError(
                f"a state's field annotated {annotation} holds a {type(value).__name__}: make it a tuple"
            )
        parts = typing.get_args(annotation)
        if len(parts) == 2 and parts[1] is Ellipsis:
            return types.UniTuple(_machine_type(parts[0], value[0] if value else None), len(value))
        return types.Tuple([_machine_type(part, item) for part, item in annotated_items(annotation, value)])
    if isinstance(annotation, type) and is_state(value):
        return state_type(value)
    raise StateError(_unfit(annotation))


def _unfit(annotation: Any) -> str:
    name = (
        getattr(annotation, "__name__", str(annotation)) if isinstance(annotation, type) else str(annotation)
    )
    if annotation is list or typing.get_origin(annotation) is list:
        inner = typing.get_args(annotation)
        kind = getattr(inner[0], "__name__", str(inner[0])) if inner else "int"
        return f"a state cannot hold a list: use a tuple, annotated tuple[{kind}, ...], and with_item to set one of its items"
    if annotation is np.ndarray or typing.get_origin(annotation) is np.ndarray:
        return "a state cannot hold an array: use a tuple, annotated tuple[int, ...], and with_item to set one of its items"
    if annotation in (str, bytes):
        return f"a state cannot hold {name}: use an int that stands for it"
    if annotation in (None, type(None)) or type(None) in typing.get_args(annotation):
        return "a state cannot hold None: annotate the field int, and let a number that does not occur, such as -1, stand for nothing"
    return f"a state cannot hold {name}: use int, float, bool, NumPy scalars, or tuples of them"


def _hint(hints: dict[str, Any], cls: type, name: str) -> Any:
    if name not in hints:
        raise StateError(
            f"a state's fields need annotations: write class {cls.__name__}(NamedTuple) with `{name}: int` in it"
        )
    return hints[name]


def state_type(state: Any) -> Any:
    """The Numba type of a NamedTuple, from its annotations (and the lengths of its open tuples)."""
    hints = _hints(type(state))
    fields = [
        _machine_type(_hint(hints, type(state), name), value)
        for name, value in zip(state._fields, state, strict=True)
    ]
    return types.BaseTuple.from_types(fields, type(state))


def _as_machine_value(annotation: Any, value: Any) -> Any:
    if annotation in _SCALARS or (isinstance(annotation, type) and issubclass(annotation, np.generic)):
        return annotation(value)
    if is_state(value):
        return as_machine_words(value)
    return tuple(_as_machine_value(kind, item) for kind, item in annotated_items(annotation, value))


def annotated_items(annotation: Any, values: Any) -> Iterator[tuple[Any, Any]]:
    """The items of a tuple, each with its annotation; raises ValueError where their numbers differ."""
    kinds = typing.get_args(annotation)
    is_open = len(kinds) == 2 and kinds[1] is Ellipsis
    return zip(kinds[:1] * len(values) if is_open else kinds, values, strict=True)


def as_machine_words(state: Any) -> Any:
    """The state with every field of its annotated type: what compiled code would see, for plain Python."""
    hints = _hints(type(state))
    fields = zip(state._fields, state, strict=True)
    return type(state)(*(_as_machine_value(hints[name], value) for name, value in fields))


def misfit(state: Any) -> str:
    """Which field of a state does not hold what it is annotated with, in words; empty if all do.

    Compiled code would cut off a fraction, or wrap a number around, without a word.
    """
    hints = _hints(type(state))
    for name, value in zip(state._fields, state, strict=True):
        if not _fits(hints[name], value):
            kind = (
                getattr(hints[name], "__name__", hints[name])
                if isinstance(hints[name], type)
                else hints[name]
            )
            return f"the field {name!r} is annotated {kind} and holds {_shown(value)}"
    return ""


def _shown(value: Any) -> str:
    """A value in one line, with what it is where that is not seen."""
    if isinstance(value, np.ndarray):
        return "an array; use a tuple: tuple(int(x) for x in array)"
    if isinstance(value, list):
        return f"the list {value!r}; use a tuple"
    return repr(value)


def _fits(annotation: Any, value: Any) -> bool:
    if annotation is bool:
        return isinstance(value, (bool, np.bool_)) or bool(value in (0, 1))
    is_numpy = isinstance(annotation, type) and issubclass(annotation, np.generic)
    if annotation is int or (is_numpy and issubclass(annotation, np.integer)):
        limits = np.iinfo(np.int64 if annotation is int else annotation)
        return isinstance(value, (int, np.integer, np.bool_)) and limits.min <= int(value) <= limits.max
    if annotation is float or is_numpy:
        return isinstance(value, (int, float, np.generic))
    if is_state(value):
        return not misfit(value)
    try:
        return isinstance(value, tuple) and all(_fits(*pair) for pair in annotated_items(annotation, value))
    except ValueError:  # another number of items
        return False


def plain_values(value: Any) -> Any:
    """A state as nested plain tuples of Python's own numbers; `state_from_values` is the inverse."""
    if isinstance(value, tuple):
        return tuple(plain_values(item) for item in cast(tuple[Any, ...], value))
    return value.item() if isinstance(value, np.generic) else value


def state_from_values(cls: Any, values: Any) -> Any:
    """The state of that class; raises ValueError or TypeError where the values do not fit its annotations."""
    hints = _hints(cls)
    if not isinstance(values, tuple):
        raise TypeError(f"expected a tuple, not {values!r}")
    names = zip(cls._fields, cast(tuple[Any, ...], values), strict=True)
    return cls(*(_from_values(hints[name], value) for name, value in names))


def _from_values(annotation: Any, value: Any) -> Any:
    if annotation in (int, bool, float):
        if type(value) is not annotation:
            raise TypeError(f"expected {annotation.__name__}, not {value!r}")
        return value
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return annotation(value)
    if hasattr(annotation, "_fields"):
        return state_from_values(annotation, value)
    return tuple(_from_values(kind, item) for kind, item in annotated_items(annotation, value))


def register_state(cls: type) -> None:
    """Make Numba type instances of this NamedTuple, and of those in it, by their annotations."""
    with _registering:  # once registered it may be used at once
        if cls in _registered:
            return
        name = lasting_name(cls.__module__)
        main = sys.modules.get(cls.__module__)
        if name != cls.__module__ and getattr(main, cls.__qualname__, None) is cls:
            # Cached code names the class by module; the script's own name is the same in every process that loads it.
            name_script(cls.__module__)
            cls.__module__ = name
        typeof_impl.register(cls)(lambda value, context: state_type(value))
        for hint in _hints(cls).values():
            for kind in (hint, *typing.get_args(hint)):
                if isinstance(kind, type) and hasattr(kind, "_fields"):
                    register_state(kind)
        _registered.add(cls)


def refuse_fractions(source: Any, target: Any, field: str = "") -> None:
    """Raise TypingError where a value of that type, as one of the other, would lose a fraction."""
    if all(isinstance(t, types.BaseTuple) for t in (source, target)) and len(source) == len(target):
        names: tuple[str, ...] = getattr(target, "fields", ())
        for k, (one, other) in enumerate(zip(source.types, target.types, strict=True)):
            refuse_fractions(one, other, names[k] if names else field)
    elif isinstance(source, types.Float) and isinstance(target, (types.Integer, types.Boolean)):
        raise TypingError(
            f"{RULE}it gives a float for the field '{field}', which is annotated as a whole number: use // and int(...); "
            "a uint64 and an int make a float, too"
        )


def cast_items(context: Any, builder: Any, value: Any, source: Any, target: Any) -> Any:
    """Code that casts a value (a tuple, say) item by item to another type."""
    if source == target:
        return value
    if all(isinstance(t, types.BaseTuple) for t in (source, target)) and len(source) == len(target):
        items = cgutils.unpack_tuple(builder, value)
        triples = zip(items, source.types, target.types, strict=True)
        return context.make_tuple(
            builder, target, [cast_items(context, builder, *triple) for triple in triples]
        )
    return context.cast(builder, value, source, target)


# One item of a tuple set: boards are tuples, and tuples never change.

Item = TypeVar("Item")


def with_item(values: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """The same tuple with one item set, for kernels and for Python: `board = with_item(board, cell, 1)`.

    - `values`: a tuple whose items have one type.
    - `index`: which item; a negative number counts from the end.
    - `value`: what it becomes, made one of the items' type.

    Raises IndexError beyond the tuple, TypeError (a compile error in kernels) for a fraction among whole numbers.

    >>> from saddlepoint import with_item
    >>> with_item((0, 0, 0), 1, 5)
    (0, 5, 0)
    """
    size = len(values)
    place = int(index)
    if not -size <= place < size:
        raise IndexError("with_item: the index is beyond the tuple")
    place %= size
    old: Any = values[place]
    given: Any = value
    if not hasattr(given, "dtype") and isinstance(given, float) and not isinstance(old, float):
        raise TypeError("with_item: a float cannot be an item of a tuple of whole numbers")
    new: Any = type(old)(given) if isinstance(old, (bool, int, float)) or hasattr(old, "dtype") else given
    return (*values[:place], new, *values[place + 1 :])


@intrinsic
def _replaced(typingctx: Any, values: Any, index: Any, value: Any) -> Any:
    """The tuple with the item at 0 <= index < len set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        tuple_type, index_type, value_type = signature.args
        item = context.cast(builder, args[2], value_type, tuple_type.dtype)
        place = context.cast(builder, args[1], index_type, types.intp)
        memory = cgutils.alloca_once_value(builder, args[0])
        zero = ir.Constant(ir.IntType(32), 0)
        builder.store(item, builder.gep(memory, [zero, place]))
        return builder.load(memory)

    return values(values, index, value), codegen


@overload(with_item)
def _with_item(values: Any, index: Any, value: Any) -> Any:
    if not isinstance(values, types.UniTuple):
        raise TypingError(f"{RULE}with_item takes a tuple whose items have one type")
    if isinstance(value, types.Float) and isinstance(values.dtype, (types.Integer, types.Boolean)):
        raise TypingError(f"{RULE}with_item: a float cannot be an item of a tuple of whole numbers")
    if not isinstance(index, types.Integer):
        raise TypingError(f"{RULE}with_item takes an int as the index")
    size = values.count

    def replace(values: Any, index: Any, value: Any) -> Any:
        place = index + size if index < 0 else index
        if place < 0 or place >= size:
            raise IndexError("with_item: the index is beyond the tuple")
        return _replaced(values, place, value)  # pyright: ignore[reportCallIssue] (compiled code gives no context)

    return replace
