"""What a picture of a position promises."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..game import Game
from ..picture import Cell, Picture

_BOARDS = ("cells", "checkered", "frame", "table")
_SHAPES = ("disc", "square", "ring", "cross", "diamond", "card", "none")
_ARROWS = ("", "up", "right", "down", "left")
_MOST_CHARACTERS = 3


def broken_promise(game: Game, state: Any, picture: Any) -> str:
    """The rule that the picture of a position breaks, in a sentence; empty where it keeps all."""
    if not isinstance(picture, Picture):
        return f"picture must give a Picture, not {type(picture).__name__}"
    return next((rule for rule in (*_of_moves(game, state, picture), *_of_board(picture), *_of_words(picture)) if rule), "")


def _of_moves(game: Game, state: Any, picture: Picture) -> Iterator[str]:
    legal = Counter((player, action) for player in game.players_to_act(state) for action in game.legal_actions(state, player))
    drawn = Counter((move.player, move.action) for move in picture.moves)
    if drawn != legal:
        (player, action), count = next(iter(((drawn - legal) or (legal - drawn)).items()))
        what = "more" if (player, action) in drawn - legal else "less"
        yield f"picture must have every legal action once as a move: action {action} of player {player} is there {count} time {what}"
    for move in picture.moves:
        if move.name != game.action_to_string(state, move.player, move.action):
            yield f"a move's name must be what action_to_string gives, not {move.name!r}"
        if move.arrow not in _ARROWS:
            yield f"a move's arrow must be up, right, down or left, not {move.arrow!r}"
        if move.to is None and (move.start is not None or move.via is not None):
            yield f"the move {move.name} has a start, so it must have the cell it goes to"
    arrows = Counter((move.player, move.arrow) for move in picture.moves if move.arrow)
    yield from (f"the arrow {arrow} must be one move of player {player}" for (player, arrow), n in arrows.items() if n > 1)


def _of_board(picture: Picture) -> Iterator[str]:
    if picture.board not in _BOARDS:
        yield f"board must be one of {', '.join(_BOARDS)}, not {picture.board!r}"
    for cell, what in _cells(picture):
        if not (0 <= cell[0] < picture.width and 0 <= cell[1] < picture.height):
            yield f"{what} must lie on the board of {picture.width} x {picture.height} cells, not at {cell}"
    for trail in picture.trails:
        if not trail.cells:
            yield "a trail must have a cell at least"
    if picture.column_names and len(picture.column_names) != picture.width:
        yield f"column_names must name all {picture.width} columns or none"
    if picture.row_names and len(picture.row_names) != picture.height:
        yield f"row_names must name all {picture.height} rows or none"


def _cells(picture: Picture) -> Iterator[tuple[Cell, str]]:
    for cell in picture.walls:
        yield cell, "a wall"
    for one in (*picture.pieces, *picture.marks):
        yield (one.x, one.y), "a piece or mark"
    for trail in picture.trails:
        for cell in trail.cells:
            yield cell, "a trail"
    for move in picture.moves:
        for cell in (move.start, move.via, move.to):
            if cell is not None:
                yield cell, f"the move {move.name}"


def _of_words(picture: Picture) -> Iterator[str]:
    for piece in picture.pieces:
        if piece.shape not in _SHAPES:
            yield f"a piece's shape must be one of {', '.join(_SHAPES)}, not {piece.shape!r}"
        if len(piece.label) > _MOST_CHARACTERS:
            yield f"a piece's label must have at most {_MOST_CHARACTERS} characters, not be {piece.label!r}"
    for one in (*picture.pieces, *picture.trails, *picture.marks, *picture.numbers):
        if one.owner not in (0, 1, None):
            yield f"an owner must be 0, 1 or None, not {one.owner!r}"
    try:
        json.dumps(picture.to_json(), allow_nan=False)
    except (TypeError, ValueError) as error:
        yield f"picture must hold plain numbers and texts: {error}"
