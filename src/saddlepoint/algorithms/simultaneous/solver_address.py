"""The matrix solvers as compiled functions behind an address.

Searches need them and every specialisation of a search would otherwise take in their whole code again, which made
up most of its compilation. Behind an address they are compiled once for all games.
"""

import functools
from typing import Any

from numba import (
    carray,  # pyright: ignore[reportPrivateImportUsage]
    types,
)

from ...compiled import PLAIN_PYTHON, compiled_address, jit_inline
from ...matrix import column_window, row_window, solve

if PLAIN_PYTHON:

    def solve_at(address: int, matrix: Any, m: int, n: int, x: Any, y: Any, work: Any) -> tuple[float, int]:
        """`matrix.solve`: (value, method), strategies in x and y."""
        return solve(matrix, m, n, x, y, work)

    def window_at(
        address: int,
        lower: Any,
        upper: Any,
        m: int,
        n: int,
        a: int,
        b: int,
        edge: tuple[float, float],
        rows: Any,
        columns: Any,
        work: Any,
    ) -> tuple[float, float]:
        """`matrix.row_window` and `column_window` of cell (a, b), for alpha and beta in `edge`."""
        low = row_window(lower, upper, m, n, a, b, edge[0], rows, columns, work)
        return low, column_window(lower, upper, m, n, a, b, edge[1], rows, columns, work)

    def solver_address(solver: str = "solver") -> int:
        """Plain Python needs no addresses."""
        return 0

    SOLVERS: dict[str, tuple[Any, Any]] = {}

else:
    from llvmlite import ir
    from numba.core import cgutils
    from numba.extending import intrinsic

    _REALS, _BYTES = types.CPointer(types.float64), types.CPointer(types.uint8)

    def _solve(matrix, width, m, n, x, y, work, size):
        memory = carray(work, (size,))
        value, method = solve(
            carray(matrix, (m, width)), m, n, carray(x, (width,)), carray(y, (width,)), memory
        )
        memory[size - 1] = method
        return value

    def _windows(lower, upper, width, m, n, a, b, alpha, beta, rows, columns, work, size):
        low_cells, high_cells = carray(lower, (m, width)), carray(upper, (m, width))
        alive0, alive1, memory = carray(rows, (width,)), carray(columns, (width,)), carray(work, (size,))
        low = row_window(low_cells, high_cells, m, n, a, b, alpha, alive0, alive1, memory)
        high = column_window(low_cells, high_cells, m, n, a, b, beta, alive0, alive1, memory)
        memory[size - 1] = high
        return low

    _SOLVE = types.float64(_REALS, *[types.int64] * 3, *[_REALS] * 3, types.int64)
    _WINDOWS = types.float64(
        _REALS, _REALS, *[types.int64] * 5, *[types.float64] * 2, _BYTES, _BYTES, _REALS, types.int64
    )

    SOLVERS = {"solver": (_solve, _SOLVE), "window_solver": (_windows, _WINDOWS)}
    """By the workspace's field of their address: the functions, and what they take."""

    @functools.cache
    def solver_address(solver: str = "solver") -> int:
        """The address of a compiled solver in this process: that of stages, or of windows, which takes
        seconds to compile.
        """
        return compiled_address(*SOLVERS[solver])

    @intrinsic
    def call_at(typingctx: Any, address: Any, arguments: Any) -> Any:
        """Call the C function at an address with a tuple of words and reals; it gives a real."""

        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            words = cgutils.unpack_tuple(builder, values[1])
            kind = ir.FunctionType(ir.DoubleType(), [word.type for word in words])
            return builder.call(builder.inttoptr(values[0], kind.as_pointer()), words)

        return types.float64(types.int64, arguments), codegen

    @jit_inline
    def solve_at(address, matrix, m, n, x, y, work):
        """`matrix.solve` at an address: (value, method), strategies in x and y; the matrix is a contiguous square."""
        arguments = (
            matrix.ctypes.data,
            len(matrix),
            m,
            n,
            x.ctypes.data,
            y.ctypes.data,
            work.ctypes.data,
            len(work),
        )
        return call_at(address, arguments), int(work[len(work) - 1])

    @jit_inline
    def window_at(address, lower, upper, m, n, a, b, edge, rows, columns, work):
        """`matrix.row_window` and `column_window` of cell (a, b), for the pair (alpha, beta) in `edge`."""
        low = call_at(
            address,
            (
                lower.ctypes.data,
                upper.ctypes.data,
                len(lower),
                m,
                n,
                a,
                b,
                edge[0],
                edge[1],
                rows.ctypes.data,
                columns.ctypes.data,
                work.ctypes.data,
                len(work),
            ),
        )
        return low, work[len(work) - 1]
