"""A small neural network that compares two players: one hidden layer, written out as straight vector code."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ..compiled import compiled_as

HIGHEST = 4.0
"""A hidden unit's output is cut off at 0 and here."""


class Network(NamedTuple):
    """The weights: rows of `hidden` numbers each, one row an input."""

    own: tuple[tuple[float, ...], ...]
    """A row for each feature of the player who is looked at."""
    other: tuple[tuple[float, ...], ...]
    """A row for each feature of the opponent."""
    shared: tuple[tuple[float, ...], ...]
    """A row for each number that belongs to both."""
    bias: tuple[float, ...]
    out: tuple[float, ...]
    """What each hidden unit adds to a player's strength."""


def comparison(network: Network, sums: int = 1) -> Callable[..., Any]:
    """A function `lead(features0, features1, shared)` of three tuples of floats, of 64 or 32 bits, for compiled code and for Python.

    A player's strength is the sum over the hidden units of out * min(max(bias + inputs * weights, 0), HIGHEST); the
    lead is player 0's less player 1's, so that exchanging the players changes its sign and nothing else. Computed in
    32-bit floats. `sums`: how many sums each hidden unit's inputs are added up in; two or more, which a processor adds up at once,
    are faster, and round otherwise.
    """
    size = 1 << (len(network.bias) - 1).bit_length()  # halves are added to each other, down to one number

    def code(typingctx: Any, features0: Any, features1: Any, shared: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _lead_code(builder, network, size, sums, *(cgutils.unpack_tuple(builder, arg) for arg in args))

        given = zip((features0, features1, shared), (network.own, network.own, network.shared), strict=True)
        kinds = [types.UniTuple(types.float32 if one.dtype == types.float32 else types.float64, len(rows)) for one, rows in given]
        return types.float64(*kinds), codegen

    own, other, shared_weights = (np.array(rows, np.float32) for rows in (network.own, network.other, network.shared))
    bias, out = np.array(network.bias, np.float32), np.array(network.out, np.float32)

    @compiled_as(code)
    def lead(features0: Any, features1: Any, shared: Any) -> float:
        """How far player 0 is ahead."""
        mine, yours = np.array(features0, np.float32), np.array(features1, np.float32)
        base = bias + np.array(shared, np.float32) @ shared_weights
        hidden = [np.clip(base + one @ own + two @ other, 0.0, HIGHEST) for one, two in ((mine, yours), (yours, mine))]
        return float((hidden[0] - hidden[1]) @ out)

    return lead


def _lead_code(builder: Any, network: Network, size: int, sums: int, features0: Any, features1: Any, shared: Any) -> Any:
    """The same as instructions: both players' hidden layers stay in vector registers."""
    single, vector, index = ir.FloatType(), ir.VectorType(ir.FloatType(), size), ir.IntType(32)

    def constant(numbers: Any) -> Any:
        padding = [0.0] * (size - len(numbers))
        return ir.Constant(vector, [*(float(np.float32(number)) for number in numbers), *padding])

    def spread(value: Any) -> Any:
        value = value if value.type == single else builder.fptrunc(value, single)
        first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, index(0))
        return builder.shuffle_vector(
            first, ir.Constant(vector, ir.Undefined), ir.Constant(ir.VectorType(index, size), [0] * size)
        )

    def added(total: Any, value: Any, weights: Any) -> Any:
        # `contract` lets a processor that can multiply and add at once do so.
        return builder.fadd(total, builder.fmul(value, weights, flags=("contract",)), flags=("contract",))

    base: Any = constant(network.bias)
    for value, weights in zip(shared, network.shared, strict=True):
        base = added(base, spread(value), constant(weights))
    zeros = constant([])
    parts = [[base if sums == 1 else zeros] * 2 for _ in range(sums)]
    for place, (one, two, own, other) in enumerate(zip(features0, features1, network.own, network.other, strict=True)):
        one, two, own, other = spread(one), spread(two), constant(own), constant(other)
        part = parts[place % sums]
        part = [added(part[0], one, own), added(part[1], two, own)]
        parts[place % sums] = [added(part[0], two, other), added(part[1], one, other)]
    hidden = [base, base] if sums > 1 else parts[0]
    for part in parts if sums > 1 else []:
        hidden = [builder.fadd(total, more) for total, more in zip(hidden, part, strict=True)]
    low, high = constant([0.0] * size), constant([HIGHEST] * size)
    for k in (0, 1):
        above = builder.select(builder.fcmp_ordered(">", hidden[k], low), hidden[k], low)
        hidden[k] = builder.select(builder.fcmp_ordered("<", above, high), above, high)
    product = builder.fmul(builder.fsub(hidden[0], hidden[1]), constant(network.out))
    while size > 1:
        size //= 2
        halves = [
            builder.shuffle_vector(
                product, ir.Constant(product.type, ir.Undefined),
                ir.Constant(ir.VectorType(index, size), list(range(start, start + size))),
            )
            for start in (0, size)
        ]  # fmt: skip
        product = builder.fadd(*halves)
    return builder.fpext(builder.extract_element(product, index(0)), ir.DoubleType())
