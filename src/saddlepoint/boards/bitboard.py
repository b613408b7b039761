"""Boards as machine vectors: a set of cells is one vector with a lane of bits a row.

On a grid of 16x16 a board is `<16 x i16>`: a step left or right shifts every lane, a step up or down moves whole lanes,
and neither needs a mask. LLVM maps such vectors to AVX2, AVX-512 or NEON registers and splits them where a processor
has only narrower ones. Outside compiled code a board is a Python int of the same bit layout.

A step east from the last column moves a bit off its lane, or into the padding between the width and the lane's
width; `~` sets bits outside the field. So results are only meaningful after `&` with cells inside, such as
`free_cells`: a game's walls have every outside bit set.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model, type_callable

from ..compiled import PLAIN_PYTHON, compiled_as, jit_inline
from .grid import int_of

_ALTERNATING = 0x5555_5555_5555_5555


class BoardType(types.Type):  # type: ignore[misc]
    """A vector of `lanes` lanes of `lane_bits` bits: the boards of all grids with that layout."""

    def __init__(self, lane_bits: int, lanes: int) -> None:
        self.lane_bits, self.lanes = lane_bits, lanes
        super().__init__(name=f"Board({lane_bits} bits x {lanes})")

    @property
    def words(self) -> int:
        """Number of 64-bit words of the same size."""
        return self.lane_bits * self.lanes // 64

    @property
    def padding(self) -> int:
        """Lanes behind the last one that are no cells: three words and a fourth are one register, where LLVM takes three for three."""
        return self.lanes // 3 if self.words == 3 else 0

    @property
    def vector(self) -> ir.VectorType:
        """The LLVM type, one lane a row, and padding."""
        return ir.VectorType(ir.IntType(self.lane_bits), self.lanes + self.padding)

    @property
    def packed(self) -> ir.VectorType:
        """The LLVM type of the same bits as words."""
        return ir.VectorType(ir.IntType(64), self.words + (self.padding > 0))


@register_model(BoardType)
class _BoardModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, board_type: BoardType) -> None:
        super().__init__(manager, board_type, board_type.vector)


def board_type(grid: Any) -> BoardType:
    """The board type of a grid, from the grid or from the Numba type of one."""
    grid = getattr(grid, "instance", grid)
    return BoardType(grid.stride, grid.words * 64 // grid.stride)


def _splat(vector: ir.VectorType, value: int) -> ir.Constant:
    return ir.Constant(vector, [value] * vector.count)


def _as_integer(builder: Any, board: Any) -> Any:
    return builder.bitcast(board, ir.IntType(board.type.count * board.type.element.width))


def _define_operators() -> None:
    def define(emit: Callable[..., Any], result: Any, arity: int, *operators: Any) -> None:
        """`result` is None where it is a board too."""
        for symbol in operators:

            @type_callable(symbol)
            def typing(context: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
                def typer(*boards: Any) -> Any:
                    is_board = len(set(boards)) == 1 and isinstance(boards[0], BoardType)
                    return (result or boards[0]) if is_board and len(boards) == arity else None

                return typer

            lower_builtin(symbol, *[BoardType] * arity)(
                lambda context, builder, sig, args: emit(builder, *args)
            )

    def comparison(predicate: str) -> Callable[..., Any]:
        def emit(builder: Any, *boards: Any) -> Any:
            return builder.icmp_unsigned(predicate, *(_as_integer(builder, board) for board in boards))

        return emit

    define(lambda builder, a, b: builder.and_(a, b), None, 2, operator.and_, operator.iand)
    define(lambda builder, a, b: builder.or_(a, b), None, 2, operator.or_, operator.ior)
    define(lambda builder, a, b: builder.xor(a, b), None, 2, operator.xor, operator.ixor)
    # llvmlite's `not_` writes a scalar -1
    define(lambda builder, board: builder.xor(board, _splat(board.type, -1)), None, 1, operator.invert)
    define(comparison("=="), types.boolean, 2, operator.eq)
    define(comparison("!="), types.boolean, 2, operator.ne)


def _shuffled(builder: Any, board: Any, mask: list[int]) -> Any:
    """The lanes at these places; zero where a place is the number of lanes."""
    return builder.shuffle_vector(
        board, ir.Constant(board.type, None), ir.Constant(ir.VectorType(ir.IntType(32), len(mask)), mask)
    )


def _shifted_rows(builder: Any, board: Any, kind: BoardType, by: int) -> Any:
    """Every lane moved `by` places, 1 or -1, zeros following; nothing comes out of the padding."""
    if kind.packed.count == 4 and kind.lane_bits < 32:
        return _shifted_words(builder, board, kind, by)
    places = kind.vector.count
    return _shuffled(
        builder,
        board,
        [k - by if 0 <= k - by < kind.lanes and k < kind.lanes else places for k in range(places)],
    )


def _shifted_words(builder: Any, board: Any, kind: BoardType, by: int) -> Any:
    """The same by shifts in words and of words: a processor shifts them faster than it shuffles small lanes of a whole register."""
    words = builder.bitcast(board, kind.packed)
    near, far = _splat(kind.packed, kind.lane_bits), _splat(kind.packed, 64 - kind.lane_bits)
    # The padding stays where it is: with zeros in its place LLVM would take an instruction for all four that is slower than a shuffle.
    next_to = _shuffled(
        builder,
        words,
        [(k - by if 0 <= k - by < kind.words else 4) if k < kind.words else k for k in range(4)],
    )
    if by > 0:
        moved = builder.or_(builder.shl(words, near), builder.lshr(next_to, far))
    else:
        moved = builder.or_(builder.lshr(words, near), builder.shl(next_to, far))
    return builder.bitcast(moved, kind.vector)


if not PLAIN_PYTHON:
    _define_operators()


# -- what compiled code has in the place of the functions below ---------------------------------------------------


def _board_of_code(typingctx: Any, grid: Any, words: Any) -> Any:
    result = board_type(grid)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        packed = ir.Constant(result.packed, None)
        for k, word in enumerate(cgutils.unpack_tuple(builder, args[1])):
            packed = builder.insert_element(packed, word, ir.IntType(32)(k))
        return builder.bitcast(packed, result.vector)

    return result(grid, types.UniTuple(types.uint64, result.words)), codegen


def _words_of_board_code(typingctx: Any, grid: Any, board: Any) -> Any:
    result = types.UniTuple(types.uint64, board.words)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        packed = builder.bitcast(args[1], board.packed)
        return context.make_tuple(
            builder, result, [builder.extract_element(packed, ir.IntType(32)(k)) for k in range(board.words)]
        )

    return result(grid, board), codegen


def _constant_code(lanes_of: Callable[[BoardType], Any]) -> Callable[..., Any]:
    def constant(typingctx: Any, grid: Any) -> Any:
        result = board_type(grid)
        lanes = lanes_of(result) + [0] * result.padding
        return result(grid), lambda context, builder, sig, args: ir.Constant(result.vector, lanes)

    return constant


def _single_code(typingctx: Any, grid: Any, cell: Any) -> Any:
    result = board_type(grid)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        vector, lane, index = result.vector, ir.IntType(result.lane_bits), ir.IntType(32)
        cell = builder.trunc(args[1], index)
        row = builder.lshr(cell, index(result.lane_bits.bit_length() - 1))
        column = builder.trunc(builder.and_(cell, index(result.lane_bits - 1)), ir.IntType(8))
        column = column if result.lane_bits == 8 else builder.zext(column, lane)
        bit = builder.shl(lane(1), column)
        # A comparison of lane numbers, because inserting at a variable place goes through memory.
        row = builder.trunc(row, lane) if result.lane_bits < 32 else row
        undefined, first = ir.Constant(vector, ir.Undefined), index(0)
        zeros = ir.Constant(ir.VectorType(index, vector.count), None)
        rows = builder.shuffle_vector(builder.insert_element(undefined, row, first), undefined, zeros)
        bits = builder.shuffle_vector(builder.insert_element(undefined, bit, first), undefined, zeros)
        here = builder.icmp_unsigned(
            "==", rows, ir.Constant(vector, [*range(result.lanes), *[-1] * result.padding])
        )
        return builder.select(here, bits, ir.Constant(vector, None))

    return result(grid, types.int64), codegen


def _is_empty_code(typingctx: Any, board: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = _as_integer(builder, args[0])
        return builder.icmp_unsigned("==", bits, bits.type(0))

    return types.boolean(board), codegen


def _count_code(typingctx: Any, board: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        packed = builder.bitcast(args[0], board.packed)
        total = ir.IntType(64)(0)
        for k in range(board.words):
            total = builder.add(total, builder.ctpop(builder.extract_element(packed, ir.IntType(32)(k))))
        return total

    return types.int64(board), codegen


def _lowest_code(typingctx: Any, board: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        packed = builder.bitcast(args[0], board.packed)
        word = ir.IntType(64)
        found = word(0)
        for k in reversed(range(board.words)):
            item = builder.extract_element(packed, ir.IntType(32)(k))
            place = builder.add(builder.cttz(item, cgutils.true_bit), word(64 * k))
            found = builder.select(builder.icmp_unsigned("!=", item, word(0)), place, found)
        return found

    return types.int64(board), codegen


def _step_code(move: Callable[[Any, Any, BoardType], Any]) -> Callable[..., Any]:
    def step(typingctx: Any, grid: Any, board: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return move(builder, args[1], board)

        return board(grid, board), codegen

    return step


# -- boards -------------------------------------------------------------------------------------------------------


@functools.cache
def _all_but_column(grid: Any, x: int) -> int:
    return full(grid) & ~sum(1 << cell for cell in range(x, 64 * grid.words, grid.stride))


@compiled_as(_board_of_code)
def board_of(grid: Any, words: Any) -> Any:
    """The board whose bits are a tuple of 64-bit words."""
    return int_of(words)


@compiled_as(_words_of_board_code)
def words_of_board(grid: Any, board: Any) -> Any:
    """The 64-bit words of a board; inverse of `board_of`."""
    return tuple(np.uint64(board >> 64 * k & (1 << 64) - 1) for k in range(grid.words))


@compiled_as(_constant_code(lambda board: [0] * board.lanes))
def empty(grid: Any) -> Any:
    """The board without any cell."""
    return 0


@compiled_as(_constant_code(lambda board: [-1] * board.lanes))
def full(grid: Any) -> Any:
    """The board with every bit set, outside the field too."""
    return (1 << 64 * grid.words) - 1


@jit_inline
def free_cells(grid, walls):
    """The cells that are not blocked, from the words of blocked cells with every outside bit set."""
    return board_of(grid, walls) ^ full(grid)


@compiled_as(
    _constant_code(
        lambda board: [(_ALTERNATING << y % 2) % (1 << board.lane_bits) for y in range(board.lanes)]
    )
)
def dark_cells(grid: Any) -> Any:
    """Every second cell, as on a checkerboard: those whose column and row add up to an even number."""
    return sum(
        (_ALTERNATING << y % 2) % (1 << grid.stride) << y * grid.stride
        for y in range(64 * grid.words // grid.stride)
    )


@compiled_as(_single_code)
def single(grid: Any, cell: int) -> Any:
    """The board of one cell."""
    return 1 << int(cell)


@compiled_as(_is_empty_code)
def is_empty(board: Any) -> bool:
    """Whether no bit is set."""
    return board == 0


@compiled_as(_count_code)
def count(board: Any) -> int:
    """Number of set bits."""
    return int(board).bit_count()


@compiled_as(_lowest_code)
def lowest(board: Any) -> int:
    """The lowest cell of a board that is not empty."""
    return (board & -board).bit_length() - 1


@compiled_as(_step_code(lambda builder, board, kind: _shifted_rows(builder, board, kind, -1)))
def north(grid: Any, board: Any) -> Any:
    """Every cell moved one row up."""
    return (board & full(grid)) >> grid.stride


@compiled_as(_step_code(lambda builder, board, kind: _shifted_rows(builder, board, kind, 1)))
def south(grid: Any, board: Any) -> Any:
    """Every cell moved one row down."""
    return board << grid.stride & full(grid)


@compiled_as(_step_code(lambda builder, board, kind: builder.shl(board, _splat(kind.vector, 1))))
def east(grid: Any, board: Any) -> Any:
    """Every cell moved one column to the right."""
    return (board & _all_but_column(grid, grid.stride - 1)) << 1


@compiled_as(_step_code(lambda builder, board, kind: builder.lshr(board, _splat(kind.vector, 1))))
def west(grid: Any, board: Any) -> Any:
    """Every cell moved one column to the left."""
    return (board & _all_but_column(grid, 0)) >> 1


@jit_inline
def shifted(grid, board, direction):
    """Every cell moved one step up, right, down or left (0 to 3, a constant)."""
    if direction == 0:
        return north(grid, board)
    if direction == 1:
        return east(grid, board)
    return south(grid, board) if direction == 2 else west(grid, board)


@jit_inline
def neighbours(grid, board):
    """The cells next to a cell of the board, up, down, left or right of it (the board itself is not added)."""
    return (north(grid, board) | south(grid, board)) | (east(grid, board) | west(grid, board))


@jit_inline
def contains(grid, board, cell):
    """Whether the cell belongs to the board."""
    return not is_empty(board & single(grid, cell))
