"""From rows of arrays to boards and back, inside compiled loops."""

from saddlepoint.boards.bitboard import empty, single, words_of_board
from saddlepoint.compiled import jit_inline


@jit_inline
def board_of_row(grid, row):
    """The board whose words are a row of an array."""
    board = empty(grid)
    for cell in range(64 * len(row)):
        if row[cell >> 6] >> (cell & 63) & 1:
            board = board | single(grid, cell)
    return board


@jit_inline
def write_board(grid, board, row):
    """Write a board's words to a row of an array."""
    words = words_of_board(grid, board)
    for k in range(len(row)):
        row[k] = words[k]
