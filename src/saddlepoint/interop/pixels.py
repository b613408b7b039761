"""A picture as pixels, by NumPy alone: coarse, for videos of training and for renderers that want an array."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..game.base import GameError
from ..game.picture import Cell, Owner, Picture, Piece

SIDE = 24
"""Pixels of a cell's side."""
_GROUND, _OTHER_GROUND, _LINE, _WALL = (250, 249, 246), (236, 233, 226), (214, 210, 201), (86, 88, 94)
_COLOURS: dict[Owner, tuple[int, int, int]] = {0: (31, 104, 178), 1: (204, 90, 32), None: (110, 112, 118)}
_MARKS = {
    "food": (46, 140, 70),
    "hazard": (225, 190, 190),
    "target": (205, 225, 205),
    "winning": (240, 215, 110),
}
_FONT = {
    "0": ("111", "101", "101", "101", "111"),
    "1": ("010", "110", "010", "010", "111"),
    "2": ("111", "001", "111", "100", "111"),
    "3": ("111", "001", "111", "001", "111"),
    "4": ("101", "101", "111", "001", "001"),
    "5": ("111", "100", "111", "001", "111"),
    "6": ("111", "100", "111", "101", "111"),
    "7": ("111", "001", "001", "001", "001"),
    "8": ("111", "101", "111", "101", "111"),
    "9": ("111", "101", "111", "001", "111"),
}
_ROWS, _COLUMNS = np.mgrid[0:SIDE, 0:SIDE]
_X, _Y = (_COLUMNS - (SIDE - 1) / 2) / (SIDE / 2), (_ROWS - (SIDE - 1) / 2) / (SIDE / 2)
_SHAPES: dict[str, Callable[[], Any]] = {
    "disc": lambda: _X**2 + _Y**2 <= 0.72**2,
    "square": lambda: np.maximum(abs(_X), abs(_Y)) <= 0.74,
    "ring": lambda: abs(np.sqrt(_X**2 + _Y**2) - 0.6) <= 0.14,
    "cross": lambda: (abs(abs(_X) - abs(_Y)) <= 0.17) & (np.maximum(abs(_X), abs(_Y)) <= 0.7),
    "diamond": lambda: abs(_X) + abs(_Y) <= 0.8,
    "card": lambda: (abs(_X) <= 0.62) & (abs(_Y) <= 0.86),
    "none": lambda: np.zeros((SIDE, SIDE), np.bool_),
}


def pixels_of(picture: Picture) -> Any:
    """The board of a picture: uint8 (height, width, 3), red, green and blue, `SIDE` pixels a cell.

    Colours are the players': blue is player 0, orange player 1. Of labels only digits are drawn; names of rows and columns, numbers beside
    the board and the list of moves are left out. Raises GameError for a picture without a board, which is a text.
    """
    if not picture.width:
        raise GameError("this game draws no board, only text: take render_mode 'ansi'")
    found = np.empty((picture.height * SIDE, picture.width * SIDE, 3), np.uint8)
    for y in range(picture.height):
        for x in range(picture.width):
            tile = _tile(found, (x, y))
            tile[...] = _OTHER_GROUND if picture.board == "checkered" and (x + y) % 2 else _GROUND
            if picture.board != "table":
                tile[0], tile[:, 0] = _LINE, _LINE
    for cell in picture.walls:
        _tile(found, cell)[1:, 1:] = _WALL
    for mark in picture.marks:
        colour = _MARKS.get(mark.kind) or _lighter(_COLOURS[mark.owner])
        _tile(found, (mark.x, mark.y))[2:-1, 2:-1] = colour
    for trail in picture.trails:
        for cell in trail.cells:
            _tile(found, cell)[1:, 1:] = _lighter(_COLOURS[trail.owner])
        if trail.head:
            _tile(found, trail.cells[-1])[_SHAPES["disc"]()] = _COLOURS[trail.owner]
    for piece in picture.pieces:
        _put_piece(_tile(found, (piece.x, piece.y)), piece)
    return found


def _tile(pixels: Any, cell: Cell) -> Any:
    x, y = cell
    return pixels[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE]


def _lighter(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    red, green, blue = ((3 * 255 + 2 * part) // 5 for part in colour)
    return red, green, blue


def _put_piece(tile: Any, piece: Piece) -> None:
    colour = _COLOURS[piece.owner]
    tile[_SHAPES.get(piece.shape, _SHAPES["disc"])()] = (
        _WALL if piece.owner is None and piece.shape == "square" else colour
    )
    digits = [_FONT[character] for character in piece.label if character in _FONT]
    if not digits:
        return
    ink, left = (
        (255, 255, 255) if piece.shape in ("disc", "square", "diamond", "card") else colour,
        SIDE // 2 - 4 * len(digits),
    )
    for digit in digits:
        for y, row in enumerate(digit):
            for x, dot in enumerate(row):
                if dot == "1":
                    tile[7 + 2 * y : 9 + 2 * y, max(left + 2 * x, 0) : max(left + 2 * x + 2, 0)] = ink
        left += 8
