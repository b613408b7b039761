"""Small arrays on the stack of a compiled function: nothing is allocated, nothing is freed."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..compiled import PLAIN_PYTHON
from .bitboard import board_type

if PLAIN_PYTHON:

    def scratch(grid: Any, per_cell: int) -> list[Any]:
        """An uninitialised array of int64: `per_cell` (a constant) places for every cell index, and one more."""
        return [0] * (64 * grid.words * per_cell + 1)

    def scratch_floats(grid: Any, per_cell: int) -> list[Any]:
        """As `scratch`, of float64."""
        return [0.0] * (64 * grid.words * per_cell + 1)

    def scratch_boards(grid: Any, per_cell: int) -> list[int]:
        """As `scratch`, of boards."""
        return [0] * (64 * grid.words * per_cell + 1)
else:

    def _on_stack(element: Any, grid: Any, per_cell: Any) -> Any:
        if not isinstance(per_cell, types.IntegerLiteral):
            return None
        places = 64 * grid.instance.words * per_cell.literal_value + 1

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            # Not `cgutils.alloca_once`, which fills what it makes with zeros at every call of the function.
            with builder.goto_entry_block():
                array = builder.alloca(ir.ArrayType(context.get_data_type(element), places))
            return cgutils.gep_inbounds(builder, array, 0, 0)

        return types.CPointer(element)(grid, per_cell), codegen

    @intrinsic(prefer_literal=True)
    def scratch(typingctx: Any, grid: Any, per_cell: Any) -> Any:
        """An uninitialised array of int64: `per_cell` (a constant) places for every cell index, and one more."""
        return _on_stack(types.int64, grid, per_cell)

    @intrinsic(prefer_literal=True)
    def scratch_floats(typingctx: Any, grid: Any, per_cell: Any) -> Any:
        """As `scratch`, of float64."""
        return _on_stack(types.float64, grid, per_cell)

    @intrinsic(prefer_literal=True)
    def scratch_boards(typingctx: Any, grid: Any, per_cell: Any) -> Any:
        """As `scratch`, of boards."""
        return _on_stack(board_type(grid), grid, per_cell)
