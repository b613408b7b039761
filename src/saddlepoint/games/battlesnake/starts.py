"""How games begin: the official spots, and the first food."""

import random
from itertools import combinations

from .board import Board
from .state import Snake, State

Cell = tuple[int, int]
"""(x, y) from the bottom left."""

_LENGTH = 3
_OFFICIAL_SIDE = 7
_DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_OTHER_STARTS = 12


def spots(board: Board) -> list[tuple[Cell, Cell]]:
    """The pairs of spots on which two snakes may begin, each pair once: two corners or two sides; none on other boards."""
    if board.width != board.height or board.width < _OFFICIAL_SIDE:
        return []
    low, middle, high = 1, (board.width - 1) // 2, board.width - 2
    corners = [(x, y) for x in (low, high) for y in (low, high)]
    sides = [(low, middle), (middle, low), (middle, high), (high, middle)]
    return [*combinations(corners, 2), *combinations(sides, 2)]


def drawn(board: Board, has_food: bool, draw: random.Random, swapped: bool) -> State:
    """A start by the official rules."""
    pairs = spots(board)
    if pairs:
        first, second = draw.choice(pairs)
        if draw.random() < 0.5:
            first, second = second, first
        return official_start(board, has_food, draw, (first, second), swapped)
    cells = [(x, y) for x in range(board.width) for y in range(board.height)]
    middle = _middle(board)
    first, second = draw.sample([(x, y) for x, y in cells if (x + y) % 2 == 0 and (x, y) != middle], 2)
    food = draw.sample([cell for cell in cells if cell not in (first, second)], 2) if has_food else []
    return _start(board, (first, second), food, swapped)


def official_start(board: Board, has_food: bool, draw: random.Random, pair: tuple[Cell, Cell], swapped: bool) -> State:
    """The start on two spots: a piece of food beside each, away from the middle, and one on it."""
    food: list[Cell] = []
    middle = _middle(board)
    corners = [(x, y) for x in (0, board.width - 1) for y in (0, board.height - 1)]
    for head in pair if has_food else ():
        around = [(head[0] + dx, head[1] + dy) for dx, dy in _DIAGONALS]
        taken = [*pair, *food, middle, *corners]
        food.append(draw.choice([cell for cell in around if cell not in taken and _is_farther(cell, head, middle)]))
    return _start(board, pair, [*food, middle] if has_food else [], swapped)


def all_starts(board: Board, has_food: bool) -> list[State]:
    """Both orders of every pair, one after the other, with the same food; of other boards twelve pairs, always the same."""
    found: list[State] = []
    pairs = spots(board)
    for number in range(len(pairs) or _OTHER_STARTS):
        for swapped in (False, True):
            draw = random.Random(f"battlesnake start {number}")
            found.append(official_start(board, has_food, draw, pairs[number], swapped) if pairs else drawn(board, has_food, draw, swapped))
    return found


def _start(board: Board, heads: tuple[Cell, Cell], food: list[Cell], swapped: bool) -> State:
    snakes = [Snake((board.cell(*head),) * _LENGTH) for head in (heads[::-1] if swapped else heads)]
    return board.state_of(snakes, [board.cell(*cell) for cell in food])


def _middle(board: Board) -> Cell:
    return (board.width - 1) // 2, (board.height - 1) // 2


def _is_farther(cell: Cell, head: Cell, middle: Cell) -> bool:
    """Whether the cell is farther from the middle than the head, on its side, in a column or a row."""
    return any(c < h < m or m < h < c for c, h, m in zip(cell, head, middle, strict=True))
