"""Where in a position's text the cells of its picture stand, so that a click on a cell can change the text. No game says it: it is tried.

Rows of characters as wide and as many as the board, in the text, are taken for the board where changing one of the characters changes
this one cell of the picture and no other.
"""

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ..game.base import Game
from ..game.picture import Picture
from .limits import Refused
from .positions import moves_to_middle, position_of

_SEPARATORS = (r"[\n/]", r"[\n/ ]")
_BORDERS = (0, 1)
_TRIED, _CONVINCING = 60, 8
"""Cells that are tried at most, and cells that agree which are enough."""
_LEAST = 2
_MOST_TRIES = 2000
"""Of changed texts, over all candidates."""
_MOST_CELLS, _MOST_SYMBOLS = 2500, 12
_MOST_KNOWN = 32
"""Games whose texts are remembered."""
_PASSING = ("last", "winning", "target")
"""Marks that are no part of what lies on a cell."""


class _Rows(NamedTuple):
    """A candidate: the place in the text of each cell, by rows from the top of the picture."""

    form: tuple[str, int, int, bool]
    """How it is found in any text of the game: what separates its rows, the border, the first row's number, whether it is upside down."""
    cells: tuple[tuple[int, ...], ...]

    def symbols(self, text: str) -> list[str]:
        """What stands at these places, each once."""
        return list(dict.fromkeys(text[at] for row in self.cells for at in row))


def grid_json(game: Game, text: str) -> dict[str, Any] | None:
    """`cells` (places in the text, by rows) and the `symbols` that may stand there; None where the text is no plain grid."""
    picture = _picture(game, text)
    if picture is None or not 0 < picture.width * picture.height <= _MOST_CELLS:
        return None
    others, tries = _other_texts(game), iter(range(_MOST_TRIES))
    for rows in _candidates(text, picture):
        symbols = rows.symbols(text)
        for other in others:  # it may be longer or shorter before its rows: a round 22 beside a round 0
            for same in _candidates(other, picture):
                if same.form == rows.form:
                    symbols += [one for one in same.symbols(other) if one not in symbols]
        symbols = symbols[:_MOST_SYMBOLS]
        if _holds(game, text, picture, rows, symbols, tries):
            return {"cells": rows.cells, "symbols": symbols}
    return None


@lru_cache(_MOST_KNOWN)  # each edit asks again
def _other_texts(game: Game) -> tuple[str, str]:
    """Positions of a game that was played at random: they have the symbols that the first position lacks."""
    state = game.initial_state()
    first = game.to_text(state)
    for joint in moves_to_middle(game)[0]:
        state = game.advance(state, *joint)
    return first, game.to_text(state)


def _candidates(text: str, picture: Picture) -> Iterator[_Rows]:
    width, height = picture.width, picture.height
    for separators in _SEPARATORS:
        parts = _parts(text, separators)
        for border in _BORDERS:
            wide, high = width + 2 * border, height + 2 * border
            for first in range(len(parts) - high + 1):
                block = parts[first : first + high]
                if any(length != wide for _, length in block):
                    continue
                rows = [
                    tuple(start + border + x for x in range(width))
                    for start, _ in block[border : high - border]
                ]
                yield _Rows((separators, border, first, False), tuple(rows))
                yield _Rows((separators, border, first, True), tuple(reversed(rows)))


def _parts(text: str, separators: str) -> list[tuple[int, int]]:
    """Where each part of the text begins, and how long it is."""
    parts: list[tuple[int, int]] = []
    begin = 0
    for one in re.finditer(separators, text):
        parts.append((begin, one.start() - begin))
        begin = one.end()
    return [*parts, (begin, len(text) - begin)]


def _holds(
    game: Game, text: str, picture: Picture, rows: _Rows, symbols: Sequence[str], tries: Iterator[int]
) -> bool:
    """Whether a change of a character changes its own cell, as far as that was tried: reading a changed text takes one of the `tries`."""
    before, agreed = _content(picture), 0
    cells = [(x, y) for y in range(picture.height) for x in range(picture.width)]
    random.Random(0).shuffle(cells)
    for x, y in cells[:_TRIED]:
        at = rows.cells[y][x]
        for symbol in symbols:
            if symbol == text[at]:
                continue
            if next(tries, None) is None:
                return agreed >= _LEAST
            changed = _picture(game, text[:at] + symbol + text[at + 1 :])
            if changed is None:
                continue
            after = _content(changed)
            differing = {cell for cell in before.keys() | after.keys() if before.get(cell) != after.get(cell)}
            if differing - {(x, y)}:
                return False
            agreed += bool(differing)
        if agreed >= _CONVINCING:
            break
    return agreed >= _LEAST


def _content(picture: Picture) -> dict[tuple[int, int], set[Any]]:
    """What lies on each cell."""
    found: dict[tuple[int, int], set[Any]] = {}
    for piece in picture.pieces:
        found.setdefault((piece.x, piece.y), set()).add((piece.owner, piece.shape, piece.label, piece.locked))
    for mark in picture.marks:
        if mark.kind not in _PASSING:
            found.setdefault((mark.x, mark.y), set()).add((mark.kind, mark.owner, mark.label))
    for cell in picture.walls:
        found.setdefault((cell[0], cell[1]), set()).add("wall")
    for trail in picture.trails:
        for cell in trail.cells:
            found.setdefault((cell[0], cell[1]), set()).add(("trail", trail.owner))
    return found


def _picture(game: Game, text: str) -> Picture | None:
    try:
        return game.picture(position_of(game, text))
    except (Refused, ValueError, ArithmeticError, LookupError, TypeError):
        return None
