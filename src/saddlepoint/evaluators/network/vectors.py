"""Vectors of single precision in the code of networks, of any number of lanes that is a power of 2."""

from typing import Any

from llvmlite import ir
from numba import config

_INT, _SINGLE = ir.IntType(32), ir.FloatType()


def lanes_at_once() -> int:
    """How many sums a processor's registers can hold while numbers are added to them.

    A processor of which nothing is told has sixteen registers of four numbers; so has what runs WebAssembly. Others have longer ones.
    """
    return 16 if getattr(config, "CPU_NAME", None) == "generic" else 256


def constant(number: float, size: int) -> Any:
    """A vector of one number."""
    return ir.Constant(ir.VectorType(_SINGLE, size), [number] * size)


def spread(builder: Any, number: Any, size: int) -> Any:
    """A vector of one value."""
    empty = ir.Constant(ir.VectorType(number.type, size), ir.Undefined)
    one = builder.insert_element(empty, number, _INT(0))
    return builder.shuffle_vector(one, empty, ir.Constant(ir.VectorType(_INT, size), [0] * size))


def clipped(builder: Any, vector: Any, low: float, high: float) -> Any:
    """Each number cut off below and above."""
    least, most = (constant(number, vector.type.count) for number in (low, high))
    above = builder.select(builder.fcmp_ordered(">", vector, least), vector, least)
    return builder.select(builder.fcmp_ordered("<", above, most), above, most)


def added_up(builder: Any, vector: Any) -> Any:
    """The sum of a vector's numbers in double precision, added in halves; the upper one has zeros where it is shorter."""
    size = vector.type.count
    while size > 1:
        half = 1 << (size - 1).bit_length() - 1
        zeros = constant(0.0, size)
        halves = [
            builder.shuffle_vector(vector, zeros, ir.Constant(ir.VectorType(_INT, half), [min(start + k, size) for k in range(half)]))
            for start in (0, half)
        ]
        vector, size = builder.fadd(*halves), half
    return builder.fpext(builder.extract_element(vector, _INT(0)), ir.DoubleType())
