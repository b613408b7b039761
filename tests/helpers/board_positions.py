"""Positions on boards: from rows of arrays and back, inside compiled loops; as sets of cells; evaluators' raw numbers of many at once."""

import numpy as np

from helpers import reference_boards as reference
from saddlepoint.boards.bitboard import empty, single, words_of_board
from saddlepoint.compiled import jit, jit_inline, run
from saddlepoint.game.base import Game
from saddlepoint.games.light_riders import State


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


@jit
def raw_values(game, evaluator, walls, heads, round_, out):
    for k in range(len(walls)):
        words = words_of_board(game.grid, board_of_row(game.grid, walls[k]))
        out[k] = evaluator.raw(game, State(words, heads[k, 0], heads[k, 1], 0, 0, round_, 3))


def raws(game: Game, evaluator, walls, heads, round_=0):
    out = np.zeros(len(walls))
    run(raw_values, game, evaluator, walls, heads, round_, out)
    return out


class Position:
    """A position as sets of cells."""

    def __init__(self, grid, walls, heads):
        self.free = reference.free_of(grid, walls)
        self.heads = [grid.position(int(head)) for head in heads]
        self.mine, self.yours, self.equal = reference.territories(*self.heads, self.free)
        self.reached = [reference.distances(head, self.free) for head in self.heads]
        self.apart = not set(self.reached[0]) & set(self.reached[1])

    def division(self, ties=None):
        return [
            self.mine | (self.equal if ties == 0 else set()),
            self.yours | (self.equal if ties == 1 else set()),
        ]


def front_of(own, other, head):
    return {cell for cell in own if any(there in other or there == head for there in reference.around(cell))}
