"""Weights: numbers of a component that are no part of its type, so that all their values share one compilation.

A component with weights is, to compiled code, a pointer to a block of 8-byte slots: a number for each weight, a row of
numbers for a tuple, a pointer to its own block for each component inside it. The block never changes.
"""

import dataclasses
import functools
from typing import Any

import numpy as np
from llvmlite import ir

_MARK = "saddlepoint weight"


def weight(default: Any) -> Any:
    """A component's field, a float or a tuple of floats, that compiled code reads when it runs.

    Other fields are constants of the compiled code, and every value of theirs compiles it anew. A property that kernels
    read must not depend on weights.
    """
    return dataclasses.field(default=default, metadata={_MARK: True})


@functools.cache
def weights_of(cls: type) -> frozenset[str]:
    """The names of a component class's weights."""
    return frozenset(field.name for field in dataclasses.fields(cls) if field.metadata.get(_MARK))


def is_weight(cls: type, name: str) -> bool:
    """Whether a field is a weight."""
    return name in weights_of(cls)


class WeightBlock:
    """The memory of one component's weights."""

    def __init__(self, slots: dict[str, int], numbers: list[float | int]) -> None:
        self.slots = slots
        """Where a field begins."""
        self._numbers = np.zeros(len(numbers), dtype=np.float64)
        addresses = self._numbers.view(np.int64)
        for slot, number in enumerate(numbers):
            if isinstance(number, float):
                self._numbers[slot] = number
            else:
                addresses[slot] = number
        self.address = int(self._numbers.ctypes.data)

    @classmethod
    def of(cls, component: Any) -> "WeightBlock | None":
        """The block of a component; None if neither it nor any component in it has weights."""
        slots: dict[str, int] = {}
        numbers: list[float | int] = []
        for field in dataclasses.fields(component):
            value = getattr(component, field.name)
            if is_weight(type(component), field.name):
                slots[field.name] = len(numbers)
                numbers += map(float, value) if isinstance(value, tuple) else [float(value)]
            elif inner := getattr(value, "_weights_address", 0):
                slots[field.name] = len(numbers)
                numbers.append(int(inner))
        return cls(slots, numbers) if slots else None


def load_weight(context: Any, builder: Any, block: WeightBlock, pointer: Any, name: str, count: int | None) -> Any:
    """Code that reads a weight; `count` numbers of a tuple."""
    slots = builder.bitcast(pointer, ir.DoubleType().as_pointer())

    def number(offset: int) -> Any:
        place = builder.gep(slots, [ir.Constant(ir.IntType(64), block.slots[name] + offset)])
        return _unchanging(builder, builder.load(place))

    if count is None:
        return number(0)
    from numba import types

    return context.make_tuple(builder, types.UniTuple(types.float64, count), [number(k) for k in range(count)])


def load_component(context: Any, builder: Any, block: WeightBlock, pointer: Any, name: str) -> Any:
    """Code that reads the pointer to the weights of a component inside a component; no pointer if that one has none."""
    if name not in block.slots:
        return context.get_dummy_value()
    slots = builder.bitcast(pointer, pointer.type.as_pointer())
    place = builder.gep(slots, [ir.Constant(ir.IntType(64), block.slots[name])])
    return _unchanging(builder, builder.load(place))


def _unchanging(builder: Any, loaded: Any) -> Any:
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


def guarded(component: Any) -> Any:
    """A twin of a component that refuses to tell its weights: what it still tells, compiled code may take for granted."""
    twin = object.__new__(_guarded_class(type(component)))
    for name, value in component.__getstate__().items():
        if name not in weights_of(type(component)):
            twin.__dict__[name] = guarded(value) if getattr(value, "_weights_address", 0) else value
    return twin


@functools.cache
def _guarded_class(cls: Any) -> Any:
    def refusing(name: str) -> property:
        def refuse(self: Any) -> Any:
            raise TypeError(f"the weight {cls.__name__}.{name} is known at run time only, and no constant of a kernel may depend on it")

        return property(refuse)

    return type(cls.__name__, (cls,), {name: refusing(name) for name in weights_of(cls)}, plain=True)
