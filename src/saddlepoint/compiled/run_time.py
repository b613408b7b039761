"""The run time of compiled code: memory, and pointers to functions."""

import dataclasses
import functools
import itertools
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any

import numba as nb
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from .rules import compiled_as
from .words import from_words

_ORDERING = "seq_cst"


def _place(context: Any, builder: Any, array: Any, value: Any, index: Any) -> Any:
    view = context.make_array(array)(context, builder, value)
    return builder.gep(view.data, [index])


def _set_if_zero_code(typingctx: Any, array: Any, index: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, array, args[0], args[1])
        pair = builder.cmpxchg(place, ir.IntType(array.dtype.bitwidth)(0), args[2], _ORDERING, _ORDERING)
        return builder.extract_value(pair, 0)

    return array.dtype(array, types.int64, array.dtype), codegen


@compiled_as(_set_if_zero_code)
def set_if_zero(array: Any, index: Any, word: Any) -> Any:
    """Write a word to a contiguous array of words of 32 or 64 bits if it is 0 there; returns the word before."""
    with _lock:
        before = array[index]
        if before == 0:
            array[index] = word
        return before


def _add_code(typingctx: Any, array: Any, index: Any, amount: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.atomic_rmw(
            "add", _place(context, builder, array, args[0], args[1]), args[2], _ORDERING
        )

    return types.int64(array, types.int64, types.int64), codegen


@compiled_as(_add_code)
def add_together(array: Any, index: Any, amount: Any) -> Any:
    """Add to an item of a contiguous array of int64; returns what was there before."""
    with _lock:
        before = array[index]
        array[index] = before + amount
        return before


def _read_code(typingctx: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(context, builder, array, args[0], args[1])
        return builder.load_atomic(place, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, types.int64), codegen


@compiled_as(_read_code)
def read_again(array: Any, index: Any) -> Any:
    """An item of a contiguous array of words, of 32 or 64 bits, as it is now; what was written before it was is seen too."""
    return array[index]


_lock = threading.Lock()
"""Plain Python has no such instructions."""


# Arrays in searches that visit millions of positions a second: without reference counts, and fetched ahead of their use.


def _borrowed_code(typingctx: Any, array: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(array)(context, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), codegen


@compiled_as(_borrowed_code)
def borrowed(array: Any) -> Any:
    """The same array for compiled code that its owner outlives.

    Handing an array on counts a reference in memory that all threads share, which a recursion pays for at every call.
    """
    return array


def _prefetch_code(typingctx: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(array)(context, builder, args[0])
        place = builder.bitcast(builder.gep(view.data, [args[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [place.type],
            ir.FunctionType(ir.VoidType(), [place.type, number, number, number]),
        )
        builder.call(fetch, [place, number(0), number(3), number(1)])  # to read; to stay; data
        return context.get_dummy_value()

    return types.none(array, types.int64), codegen


@compiled_as(_prefetch_code)
def prefetch(array: Any, index: Any) -> None:
    """Let the memory of one item of a contiguous array come nearer while something else is computed."""


# Values of a component that compiled code reads from memory, so that all of them share one compilation.
#
# A component with such values is, to compiled code, a pointer to a block of 8-byte slots: a number, each item of a tuple, an array's
# address and shape, the pointer to the block of a component inside it. The block never changes. What follows from such values (a
# property, say) has slots of its own, whether a kernel reads it or not.

MADE = ("_numba_type_", "_plain", "_run_time_values", "_memory", "_captured")
"""The attributes that a component keeps beside its fields, and can make again."""

_MARK = "saddlepoint parameter"
_AT_RUN_TIME = (int, float, bool, "int", "float", "bool")
"""Annotations of a game's fields that compiled code reads at run time unless they are marked."""


def weight(default: Any) -> Any:
    """A component's field, a float or a tuple of floats, that compiled code reads when it runs."""
    return dataclasses.field(default=default, metadata={_MARK: "weight"})


def parameter(default: Any, **options: Any) -> Any:
    """A component's field that is no part of its compiled code: another value needs no other compilation.

    Kernels read numbers, tuples and arrays of numbers, and what follows from them, when they run. They cannot read a text, but what
    properties make of it.

    - `default`: the field's value where none is given.
    - `options`: those of `dataclasses.field`.

    >>> from dataclasses import dataclass
    >>> from saddlepoint import Goofspiel, parameter
    >>> @dataclass(frozen=True)
    ... class Named(Goofspiel):
    ...     title: str = parameter("mine")
    >>> Named(cards=3).title
    'mine'
    """
    return dataclasses.field(default=default, metadata={_MARK: "parameter"}, **options)


def constant(default: Any) -> Any:
    """A component's field that is a constant of its compiled code: every value compiles it anew.

    It must be one if a state's shape depends on it. It may be one if the faster code is worth the wait.

    - `default`: the field's value where none is given.

    >>> from dataclasses import dataclass
    >>> from saddlepoint import Goofspiel, constant
    >>> @dataclass(frozen=True)
    ... class Doubled(Goofspiel):
    ...     factor: int = constant(2)
    >>> Doubled(cards=3).factor
    2
    """
    return dataclasses.field(default=default, metadata={_MARK: "constant"})


@functools.cache
def run_time_fields(cls: Any) -> frozenset[str]:
    """The names of the fields that compiled code does not take for granted."""
    names: set[str] = set()
    for field in dataclasses.fields(cls):
        mark = field.metadata.get(
            _MARK, "parameter" if cls.numbers_at_run_time and field.type in _AT_RUN_TIME else "constant"
        )
        if mark != "constant":
            names.add(field.name)
    return frozenset(names)


def is_run_time(cls: Any, name: str) -> bool:
    """Whether a field is read at run time, so that trying another value compiles nothing."""
    return name in run_time_fields(cls)


def values_of(component: Any, base: type) -> dict[str, Any]:
    """The values that a component has at run time only: fields, values derived from them, components with
    such values.

    `base` is the class whose own attributes do not count: the machinery of all components.
    """
    fields: dict[str, dataclasses.Field[Any]] = {field.name: field for field in dataclasses.fields(component)}
    own = run_time_fields(type(component))
    found: dict[str, Any] = {}
    for name, field in fields.items():
        value = getattr(component, name)
        if name in own:
            found[name] = _as_floats(value) if field.metadata.get(_MARK) == "weight" else value
        elif getattr(value, "_block_address", 0):
            found[name] = value
    if not found:
        return found
    twin = guarded(component)
    for name, value in following(component, base, all_of_them=True).items():
        try:
            getattr(twin, name)
        except Exception:  # it does not follow from the component's constants
            found[name] = value
    return found


def _as_floats(value: Any) -> Any:
    return tuple(map(float, value)) if isinstance(value, tuple) else float(value)


def following(component: Any, base: type, all_of_them: bool) -> dict[str, Any]:
    """The attributes beside its fields that kernels could read: what `__post_init__` left, and with `all_of_them` what properties give."""
    names = {field.name for field in dataclasses.fields(component)}
    classes = [cls for cls in type(component).__mro__ if cls not in base.__mro__]
    kinds = (property, functools.cached_property)
    properties = {name for cls in classes for name, thing in vars(cls).items() if isinstance(thing, kinds)}
    kept = vars(component).keys()
    wanted = kept | properties if all_of_them else kept - properties
    found: dict[str, Any] = {}
    for name in sorted(wanted - names - set(MADE)):
        try:
            found[name] = getattr(component, name)
        except Exception:  # a property that has no value here: no kernel can read it either
            continue
    return found


def own_array(value: np.ndarray) -> np.ndarray:
    """An array of the same numbers, row by row, that nobody can change; itself if it is one."""
    base: Any = value
    while isinstance(base, np.ndarray) and not base.flags.writeable:
        base = base.base
    if base is None and value.flags.c_contiguous:
        return value
    kept = np.array(value, order="C")
    kept.setflags(write=False)
    return kept


def can_be_read(value: Any) -> bool:
    """Whether kernels can read a value at run time: numbers, tuples and arrays of numbers, components."""
    if isinstance(value, tuple):
        return len(value) > 0 and all(map(can_be_read, value))
    if isinstance(value, int) and not isinstance(value, Enum):
        return -(2**63) <= value < 2**64
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biuf"
    return isinstance(value, (float, np.bool_, np.integer, np.floating)) or hasattr(value, "_block_address")


def kind_of(value: Any) -> Any:
    """The Numba type of a value that is read at run time."""
    return nb.typeof(np.ascontiguousarray(value) if isinstance(value, np.ndarray) and value.ndim else value)


class Block:
    """The memory of one component's values."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.slots: dict[str, int] = {}
        """Where a value begins."""
        self._kept: list[Any] = []
        words: list[int] = []
        for name, value in values.items():
            if not can_be_read(value):
                continue
            self.slots[name] = len(words)
            words += words_of(value, self._address)
        self._words_in_memory = np.array(words, np.uint64)
        self.address = int(self._words_in_memory.ctypes.data)

    def _address(self, value: Any) -> int:
        """The address of an array, or of a component's block, in this process.

        It is kept as long as this block.
        """
        if isinstance(value, np.ndarray):
            self._kept.append(np.ascontiguousarray(value) if value.ndim else value)
            return int(self._kept[-1].ctypes.data)
        self._kept.append(value)
        return value._block_address


def words_of(value: Any, address: Callable[[Any], Any]) -> list[Any]:
    """The slots of a value; `address` gives what stands for an array, or for a component inside."""
    if isinstance(value, tuple):
        return [word for item in value for word in words_of(item, address)]
    if isinstance(value, (float, np.floating)):
        return [struct.unpack("<Q", struct.pack("<d", value))[0]]
    if isinstance(value, np.ndarray):
        return [address(value), *value.shape]
    if hasattr(value, "_block_address"):
        return [address(value)]
    return [int(value) & 0xFFFFFFFFFFFFFFFF]


def load(context: Any, builder: Any, slot: int, pointer: Any, kind: Any) -> Any:
    """Code that reads the value of that type from a block."""
    slots = builder.bitcast(pointer, ir.IntType(64).as_pointer())

    def words() -> Iterator[Any]:
        for k in itertools.count(slot):
            word = builder.load(builder.gep(slots, [ir.Constant(ir.IntType(64), k)]))
            word.set_metadata("invariant.load", builder.module.add_metadata([]))
            yield word

    return from_words(context, builder, kind, words())


def guarded(component: Any) -> Any:
    """A twin of a component with its constants alone; compiled code may take what it can compute as fixed."""
    twin: Any = object.__new__(_guarded_class(type(component)))
    for field in dataclasses.fields(component):
        if not is_run_time(type(component), field.name):
            value = getattr(component, field.name)
            twin.__dict__[field.name] = guarded(value) if getattr(value, "_block_address", 0) else value
    return twin


@functools.cache
def _guarded_class(cls: Any) -> Any:
    def refusing(name: str) -> property:
        def refuse(self: Any) -> Any:
            raise TypeError(f"{cls.__name__}.{name} is known at run time only")

        return property(refuse)

    return type(cls.__name__, (cls,), {name: refusing(name) for name in run_time_fields(cls)}, plain=True)


def describe(values: dict[str, Any], names: Iterable[str]) -> list[str]:
    """The kinds of these values, without their sizes, as a component's type names them."""
    return [f"{name}: {kind_of(values[name])}" for name in names if can_be_read(values[name])]
