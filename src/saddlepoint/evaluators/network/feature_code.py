"""A network over an evaluator's own features as straight machine code: numbers of either player and of both, two layers, one output.

As in `code.py` the weights are read when it runs, and only the numbers of inputs and units are part of the code.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError

from ...compiled import compiled_as
from ...compiled.component import attribute_code
from .coding import HIGHEST
from .vectors import added_up, clipped, constant, lanes_at_once, spread

ARRAYS = ("first", "first_bias", "second", "second_bias", "last", "folded")
"""The arrays that the code reads of an evaluator, all float32: rows of inputs, then the layers."""
_INT, _SINGLE = ir.IntType(32), ir.FloatType()
_LANES = 64
"""So many sums at once keep a processor busy: fewer units have several sums each."""
_SECOND_SUMS = 4


class _Emitter:
    def __init__(self, builder: Any, data: dict[str, Any]) -> None:
        self.builder, self.data = builder, data

    def row(self, name: str, place: int, size: int, columns: range) -> Any:
        """These columns of a row of a matrix of so many columns."""
        first = self.builder.gep(self.data[name], [_INT(place * size + columns.start)], inbounds=True)
        return self.builder.load(self.builder.bitcast(first, ir.VectorType(_SINGLE, len(columns)).as_pointer()), align=4)

    def layer(self, name: str, numbers: list[Any], size: int, units: range, sums: int) -> Any:
        """What these units of so many have before they are cut off, each added up in so many sums."""
        builder, lanes = self.builder, len(units)
        parts = [self.row(f"{name}_bias", 0, size, units), *[constant(0.0, lanes)] * (sums - 1)]
        for place, number in enumerate(numbers):
            # `contract` lets a processor that can multiply and add at once do so.
            product = builder.fmul(spread(builder, number, lanes), self.row(name, place, size, units), flags=("contract",))
            parts[place % sums] = builder.fadd(parts[place % sums], product, flags=("contract",))
        while len(parts) > 1:
            parts = [builder.fadd(one, other) for one, other in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    def lead(self, numbers: list[Any], units: int, second: int, steps: int) -> Any:
        """The output; with `steps` the second layer is the ladder of `ladder_of`, and `folded` is what it adds up."""
        builder, passed, total = self.builder, list[Any](), ir.Constant(ir.DoubleType(), 0.0)
        sums = max(1, min(4, _LANES // units))
        width = max(4, lanes_at_once() // sums)
        for first in range(0, units, width):
            some = range(first, min(first + width, units))
            hidden = clipped(builder, self.layer("first", numbers, units, some, sums), 0.0, HIGHEST)
            if steps:
                total = builder.fadd(total, added_up(builder, builder.fmul(hidden, self.row("folded", 0, units, some))))
            else:
                passed += [builder.extract_element(hidden, _INT(k)) for k in range(len(some))]
        if steps:
            most, least = (ir.Constant(total.type, sign * steps * HIGHEST) for sign in (1, -1))
            total = builder.select(builder.fcmp_ordered("<", total, most), total, most)
            return builder.select(builder.fcmp_ordered(">", total, least), total, least)
        every = range(second)
        outputs = clipped(builder, self.layer("second", passed, second, every, _SECOND_SUMS), 0.0, HIGHEST)
        return added_up(builder, builder.fmul(outputs, self.row("last", 0, second, every)))


def _kinds(several: Any) -> list[Any]:
    """The types of a tuple's items."""
    return list(several)


def _wrong_count(evaluator: Any, numbers: int) -> str:
    return f"the network is fitted to {evaluator.inputs} numbers, not to {numbers}, which the features are"


def _lead_code(typingctx: Any, evaluator: Any, features0: Any, features1: Any, shared: Any) -> Any:
    given = (features0, features1, shared)
    for kind in given:
        if not isinstance(kind, types.BaseTuple) or not all(isinstance(one, types.Number | types.Boolean) for one in _kinds(kind)):
            raise TypingError(f"an evaluator's features are three tuples of numbers: of player 0, of player 1, of both; not {kind}")
    if len(features0) != len(features1):
        raise TypingError(f"an evaluator's features must be as many of either player, not {len(features0)} and {len(features1)}")
    count, known = sum(map(len, given)), evaluator.instance
    if known.inputs not in (0, count):
        raise TypingError(_wrong_count(known, count))

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not known.inputs:  # nothing is learnt yet
            return ir.DoubleType()(0.0)
        numbers = [
            context.cast(builder, number, one, types.float32)
            for kind, several in zip(given, args[1:], strict=True)
            for one, number in zip(_kinds(kind), cgutils.unpack_tuple(builder, several, len(kind)), strict=True)
        ]
        data: dict[str, Any] = {}
        for name in ARRAYS:
            kind, array = attribute_code(context, builder, evaluator, args[0], name)
            data[name] = context.make_array(kind)(context, builder, array).data
        return _Emitter(builder, data).lead(numbers, known.units, known.second_units, known.steps)

    return types.float64(evaluator, *given), codegen


@compiled_as(_lead_code)
def feature_lead(evaluator: Any, features0: Any, features1: Any, shared: Any) -> float:
    """The network's output for these numbers of player 0, of player 1 and of both, without its last bias; 0 where nothing is learnt."""
    numbers = np.array((*features0, *features1, *shared), np.float32)
    if not evaluator.inputs:
        return 0.0
    if len(numbers) != evaluator.inputs:
        raise ValueError(_wrong_count(evaluator, len(numbers)))
    hidden = np.clip(evaluator.first_bias + numbers @ evaluator.first, 0, HIGHEST)
    return float(np.clip(hidden @ evaluator.second + evaluator.second_bias, 0, HIGHEST) @ evaluator.last)


def _put_code(typingctx: Any, several: Any, out: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data, place = context.make_array(out)(context, builder, args[1]).data, 0
        for kind, numbers in zip(_kinds(several), cgutils.unpack_tuple(builder, args[0], len(several)), strict=True):
            for one, number in zip(_kinds(kind), cgutils.unpack_tuple(builder, numbers, len(kind)), strict=True):
                builder.store(context.cast(builder, number, one, types.float64), builder.gep(data, [_INT(place)]))
                place += 1
        return context.get_dummy_value()

    return types.none(several, out), codegen


@compiled_as(_put_code)
def put_numbers(several: Any, out: Any) -> None:
    """Write tuples of numbers, one after the other, to a contiguous array of floats that has room for them."""
    out[:] = [number for numbers in several for number in numbers]
