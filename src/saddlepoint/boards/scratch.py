"""Small arrays on the stack of a compiled function: nothing is allocated, nothing is freed."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..compiled import PLAIN_PYTHON
from .bitboard import board_type


def _on_stack(element_of: Callable[[Any], Any], zero: float) -> Any:
    """A function `(grid, per_cell)` that makes an array of that element type; a list of zeros in plain Python."""
    if PLAIN_PYTHON:
        return lambda grid, per_cell: [zero] * (64 * grid.words * per_cell + 1)

    @intrinsic(prefer_literal=True)
    def array_of(typingctx: Any, grid: Any, per_cell: Any) -> Any:
        if not isinstance(per_cell, types.IntegerLiteral):
            return None
        element, places = element_of(grid), 64 * grid.instance.words * per_cell.literal_value + 1

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            # Not `cgutils.alloca_once`, which fills what it makes with zeros at every call of the function.
            with builder.goto_entry_block():
                array = builder.alloca(ir.ArrayType(context.get_data_type(element), places))
            return cgutils.gep_inbounds(builder, array, 0, 0)

        return types.CPointer(element)(grid, per_cell), codegen

    return array_of


scratch = _on_stack(lambda grid: types.int64, 0)
"""An uninitialised array of int64: `per_cell` (a constant) places for every cell index, and one more."""
scratch_floats = _on_stack(lambda grid: types.float64, 0.0)
"""As `scratch`, of float64."""
scratch_boards = _on_stack(board_type, 0)
"""As `scratch`, of boards."""
