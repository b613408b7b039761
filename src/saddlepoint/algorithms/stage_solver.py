"""The matrix solvers as compiled functions behind an address.

Every search needs them and every specialisation of a search would otherwise take in their whole code again, which made
up most of its compilation. Behind an address they are compiled once for all games.
"""

import functools
from typing import Any

from numba import (
    carray,  # pyright: ignore[reportPrivateImportUsage]
    types,
)

from ..compiled import PLAIN_PYTHON, compiled_address
from ..matrix import column_window, row_window, solve

if PLAIN_PYTHON:

    def solve_at(address: int, matrix: Any, m: int, n: int, x: Any, y: Any, work: Any) -> tuple[float, int]:
        """`matrix.solve`: (value, method), strategies in x and y."""
        return solve(matrix, m, n, x, y, work)

    def window_at(
        address: int, lower: Any, upper: Any, m: int, n: int, a: int, b: int, edge: tuple[float, float],
        rows: Any, columns: Any, work: Any,
    ) -> tuple[float, float]:
        """`matrix.row_window` and `column_window` of cell (a, b), for alpha and beta in `edge`."""
        low = row_window(lower, upper, m, n, a, b, edge[0], rows, columns, work)
        return low, column_window(lower, upper, m, n, a, b, edge[1], rows, columns, work)

    def solver_addresses() -> tuple[int, int]:
        """Plain Python needs no addresses."""
        return 0, 0

else:
    from llvmlite import ir
    from numba.core import cgutils
    from numba.extending import intrinsic

    _REAL, _WORD, _BYTE = ir.DoubleType(), ir.IntType(64), ir.IntType(8)
    _REALS, _BYTES = types.CPointer(types.float64), types.CPointer(types.uint8)

    def _solve(matrix, width, m, n, x, y, work, size, method):
        value, how = solve(
            carray(matrix, (m, width)), m, n, carray(x, (width,)), carray(y, (width,)), carray(work, (size,))
        )
        method[0] = how
        return value

    def _windows(lower, upper, width, cell, edges, rows, columns, work, size):
        shape = carray(cell, (4,))
        m, n, a, b = shape[0], shape[1], shape[2], shape[3]
        low_cells, high_cells = carray(lower, (m, width)), carray(upper, (m, width))
        alive0, alive1, memory = carray(rows, (width,)), carray(columns, (width,)), carray(work, (size,))
        low = row_window(low_cells, high_cells, m, n, a, b, edges[0], alive0, alive1, memory)
        edges[1] = column_window(low_cells, high_cells, m, n, a, b, edges[1], alive0, alive1, memory)
        edges[0] = low

    _SOLVE = types.float64(
        _REALS, types.int64, types.int64, types.int64, _REALS, _REALS, _REALS, types.int64, types.CPointer(types.int64)
    )
    _WINDOWS = types.void(
        _REALS, _REALS, types.int64, types.CPointer(types.int64), _REALS, _BYTES, _BYTES, _REALS, types.int64
    )

    @functools.cache
    def solver_addresses() -> tuple[int, int]:
        """Where the compiled solver of stages, and that of windows, stand in this process."""
        return compiled_address(_solve, _SOLVE), compiled_address(_windows, _WINDOWS)

    def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        return context.make_array(kind)(context, builder, value)

    @intrinsic
    def solve_at(typingctx: Any, address: Any, matrix: Any, m: Any, n: Any, x: Any, y: Any, work: Any) -> Any:
        """`matrix.solve` at an address: (value, method), strategies in x and y; the matrix is a contiguous square."""
        result = types.Tuple((types.float64, types.int64))

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cells, row, column, memory = (
                _data(context, builder, signature.args[k], args[k]) for k in (1, 4, 5, 6)
            )
            width = builder.extract_value(cells.shape, 1)
            size = builder.extract_value(memory.shape, 0)
            method = cgutils.alloca_once(builder, _WORD)
            reals, words = _REAL.as_pointer(), _WORD.as_pointer()
            kind = ir.FunctionType(_REAL, [reals, _WORD, _WORD, _WORD, reals, reals, reals, _WORD, words])
            function = builder.inttoptr(args[0], kind.as_pointer())
            value = builder.call(
                function, [cells.data, width, args[2], args[3], row.data, column.data, memory.data, size, method]
            )
            return context.make_tuple(builder, result, [value, builder.load(method)])

        return result(types.int64, matrix, types.int64, types.int64, x, y, work), codegen

    @intrinsic
    def window_at(
        typingctx: Any, address: Any, lower: Any, upper: Any, m: Any, n: Any, a: Any, b: Any, edge: Any, rows: Any,
        columns: Any, work: Any,
    ) -> Any:  # fmt: skip
        """`matrix.row_window` and `column_window` of cell (a, b), for the pair (alpha, beta) in `edge`."""
        result = types.UniTuple(types.float64, 2)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            low, high, alive0, alive1, memory = (
                _data(context, builder, signature.args[k], args[k]) for k in (1, 2, 8, 9, 10)
            )
            width = builder.extract_value(low.shape, 1)
            size = builder.extract_value(memory.shape, 0)
            cell, edges = cgutils.alloca_once(builder, _WORD, 4), cgutils.alloca_once(builder, _REAL, 2)
            for k in range(4):
                builder.store(args[3 + k], cgutils.gep_inbounds(builder, cell, k))
            for k, value in enumerate(cgutils.unpack_tuple(builder, args[7])):
                builder.store(value, cgutils.gep_inbounds(builder, edges, k))
            reals, words, octets = _REAL.as_pointer(), _WORD.as_pointer(), _BYTE.as_pointer()
            kind = ir.FunctionType(
                ir.VoidType(), [reals, reals, _WORD, words, reals, octets, octets, reals, _WORD]
            )
            function = builder.inttoptr(args[0], kind.as_pointer())
            builder.call(
                function, [low.data, high.data, width, cell, edges, alive0.data, alive1.data, memory.data, size]
            )
            found = [builder.load(cgutils.gep_inbounds(builder, edges, k)) for k in range(2)]
            return context.make_tuple(builder, result, found)

        count, real = types.int64, types.float64
        return result(count, lower, upper, count, count, count, count, types.UniTuple(real, 2), rows, columns, work), codegen

