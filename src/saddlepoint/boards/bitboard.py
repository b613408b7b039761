"""Boards as vectors of rows: one machine vector whose lanes are the rows of the grid.

A step left or right shifts inside every lane, a step up or down moves the lanes: a few vector instructions for the
whole board (AVX2, AVX-512 or NEON where there are any). In plain Python a board is an int with the same bits.

Steps may leave bits outside the field; callers keep only free cells (`& free`), and a game's walls cover the outside.
"""

import operator
from typing import Any

from ..compiled import PLAIN_PYTHON, jit_inline
from .grid import int_of, words_of

if PLAIN_PYTHON:

    def board_of(grid: Any, words: Any) -> int:
        """The board of a tuple of 64-bit words."""
        return int_of(words)

    def words_of_board(grid: Any, board: int) -> tuple[int, ...]:
        """The words of a board; inverse of `board_of`."""
        return words_of(board & _everything(grid), grid.words)

    def empty_board(grid: Any) -> int:
        """No cell."""
        return 0

    def single(grid: Any, cell: int) -> int:
        """One cell."""
        return 1 << int(cell)

    def contains(grid: Any, board: int, cell: int) -> bool:
        """Whether the cell is on the board."""
        return bool(board >> int(cell) & 1)

    def complement(grid: Any, board: int) -> int:
        """Every other bit, those outside the field included."""
        return ~board & _everything(grid)

    def north(grid: Any, board: int) -> int:
        """Every cell one row up (y - 1)."""
        return board >> grid.stride

    def south(grid: Any, board: int) -> int:
        """Every cell one row down."""
        return board << grid.stride & _everything(grid)

    def east(grid: Any, board: int) -> int:
        """Every cell one column to the right."""
        return board << 1 & _everything(grid) & ~_column(grid, 0)

    def west(grid: Any, board: int) -> int:
        """Every cell one column to the left."""
        return board >> 1 & ~_column(grid, grid.stride - 1)

    def is_empty(board: int) -> bool:
        """Whether no cell is on the board."""
        return board == 0

    def count(board: int) -> int:
        """Number of cells."""
        return board.bit_count()

    def lowest(board: int) -> int:
        """The index of the first cell; only for a board that is not empty."""
        return (board & -board).bit_length() - 1

    def _everything(grid: Any) -> int:
        return (1 << 64 * grid.words) - 1

    def _column(grid: Any, x: int) -> int:
        return sum(1 << y * grid.stride + x for y in range(64 * grid.words // grid.stride))

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, models, overload, register_model

    _INDEX = ir.IntType(32)
    _WORD = ir.IntType(64)

    class Board(types.Type):  # type: ignore[misc]
        """The Numba type of a board: `lanes` rows of `lane` bits."""

        def __init__(self, lane: int, lanes: int) -> None:
            self.lane, self.lanes = lane, lanes
            super().__init__(name=f"Board({lane}x{lanes})")

        @property
        def vector(self) -> Any:
            """LLVM's vector of rows."""
            return ir.VectorType(ir.IntType(self.lane), self.lanes)

        @property
        def words(self) -> Any:
            """LLVM's vector of 64-bit words with the same bits."""
            return ir.VectorType(_WORD, self.lane * self.lanes // 64)

    @register_model(Board)
    class _BoardModel(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, board: Board) -> None:
            super().__init__(manager, board, board.vector)

    def _board_type(grid: Any) -> Board:
        instance = grid.instance
        return Board(instance.stride, 64 * instance.words // instance.stride)

    @intrinsic
    def board_of(typingctx: Any, grid: Any, words: Any) -> Any:
        """The board of a tuple of 64-bit words."""
        board = _board_type(grid)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vector = ir.Constant(board.words, ir.Undefined)
            for k, word in enumerate(cgutils.unpack_tuple(builder, args[1])):
                vector = builder.insert_element(vector, word, _INDEX(k))
            return builder.bitcast(vector, board.vector)

        return board(grid, words), codegen

    @intrinsic
    def words_of_board(typingctx: Any, grid: Any, board: Any) -> Any:
        """The words of a board; inverse of `board_of`."""
        result = types.UniTuple(types.uint64, board.words.count)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = builder.bitcast(args[1], board.words)
            return context.make_tuple(
                builder, result, [builder.extract_element(words, _INDEX(k)) for k in range(board.words.count)]
            )

        return result(grid, board), codegen

    @intrinsic
    def empty_board(typingctx: Any, grid: Any) -> Any:
        """No cell."""
        board = _board_type(grid)
        return board(grid), lambda context, builder, signature, args: ir.Constant(board.vector, None)

    @intrinsic
    def single(typingctx: Any, grid: Any, cell: Any) -> Any:
        """One cell."""
        board = _board_type(grid)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # Compare every lane's number with the cell's row: no memory, no branches.
            lane = ir.IntType(board.lane)
            shift = (board.lane - 1).bit_length()
            row = builder.trunc(builder.lshr(args[1], _WORD(shift)), lane)
            bit = builder.shl(lane(1), builder.trunc(builder.and_(args[1], _WORD(board.lane - 1)), lane))
            rows, bits = _splat(builder, board, row), _splat(builder, board, bit)
            numbers = ir.Constant(board.vector, list(range(board.lanes)))
            return builder.select(
                builder.icmp_unsigned("==", rows, numbers), bits, ir.Constant(board.vector, None)
            )

        return board(grid, types.int64), codegen

    def _splat(builder: Any, board: Board, value: Any) -> Any:
        first = builder.insert_element(ir.Constant(board.vector, ir.Undefined), value, _INDEX(0))
        mask = ir.Constant(ir.VectorType(_INDEX, board.lanes), [0] * board.lanes)
        return builder.shuffle_vector(first, first, mask)

    @intrinsic
    def contains(typingctx: Any, grid: Any, board: Any, cell: Any) -> Any:
        """Whether the cell is on the board."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            shift = (board.lane - 1).bit_length()
            row = builder.extract_element(args[1], builder.trunc(builder.lshr(args[2], _WORD(shift)), _INDEX))
            bit = builder.trunc(builder.and_(args[2], _WORD(board.lane - 1)), ir.IntType(board.lane))
            return builder.trunc(builder.lshr(row, bit), ir.IntType(1))

        return types.boolean(grid, board, types.int64), codegen

    def _unary(name: str, build: Any) -> Any:
        @intrinsic
        def operation(typingctx: Any, grid: Any, board: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return build(builder, board, args[1])

            return board(grid, board), codegen

        operation.__doc__ = name
        return operation

    def _ones(board: Board) -> Any:
        return ir.Constant(board.vector, [1] * board.lanes)

    def _moved(builder: Any, board: Board, value: Any, lanes: list[int]) -> Any:
        """Lanes rearranged; the number of lanes stands for an empty one."""
        mask = ir.Constant(ir.VectorType(_INDEX, board.lanes), lanes)
        return builder.shuffle_vector(value, ir.Constant(board.vector, None), mask)

    complement = _unary("Every other bit, those outside the field included.", lambda b, t, v: b.not_(v))
    north = _unary("Every cell one row up (y - 1).", lambda b, t, v: _moved(b, t, v, [*range(1, t.lanes), t.lanes]))
    south = _unary("Every cell one row down.", lambda b, t, v: _moved(b, t, v, [t.lanes, *range(t.lanes - 1)]))
    east = _unary("Every cell one column to the right.", lambda b, t, v: b.shl(v, _ones(t)))
    west = _unary("Every cell one column to the left.", lambda b, t, v: b.lshr(v, _ones(t)))

    @intrinsic
    def is_empty(typingctx: Any, board: Any) -> Any:
        """Whether no cell is on the board."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            whole = ir.IntType(board.lane * board.lanes)
            return builder.icmp_unsigned("==", builder.bitcast(args[0], whole), whole(0))

        return types.boolean(board), codegen

    @intrinsic
    def count(typingctx: Any, board: Any) -> Any:
        """Number of cells."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words, total = builder.bitcast(args[0], board.words), _WORD(0)
            for k in range(board.words.count):
                total = builder.add(total, builder.ctpop(builder.extract_element(words, _INDEX(k))))
            return total

        return types.int64(board), codegen

    @intrinsic
    def lowest(typingctx: Any, board: Any) -> Any:
        """The index of the first cell; only for a board that is not empty."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words, answer = builder.bitcast(args[0], board.words), _WORD(0)
            for k in reversed(range(board.words.count)):
                word = builder.extract_element(words, _INDEX(k))
                here = builder.add(_WORD(64 * k), builder.cttz(word, ir.IntType(1)(0)))
                answer = builder.select(builder.icmp_unsigned("==", word, _WORD(0)), answer, here)
            return answer

        return types.int64(board), codegen

    def _operator(symbol: Any, build: str) -> None:
        @intrinsic
        def operation(typingctx: Any, left: Any, right: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return getattr(builder, build)(args[0], args[1])

            return left(left, right), codegen

        def resolve(left, right):  # annotations would not match the implementation's
            if isinstance(left, Board) and left == right:
                return lambda left, right: operation(left, right)
            return None

        overload(symbol)(resolve)

    _operator(operator.and_, "and_")
    _operator(operator.or_, "or_")
    _operator(operator.xor, "xor")


@jit_inline
def neighbours(grid, board):
    """The cells beside the board's cells (and possibly bits outside the field)."""
    return north(grid, board) | south(grid, board) | east(grid, board) | west(grid, board)


@jit_inline
def without(grid, board, other):
    """The board's cells that are not on the other."""
    return board & complement(grid, other)
