"""What a position looks like, as plain data: the page in the browser, the terminal's screen and exports draw from it.

Cells are (column, row); (0, 0) is the one at the top left. An owner is player 0, player 1, or None for what is nobody's.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

Cell = tuple[int, int]
Owner = int | None


@dataclass(frozen=True)
class Piece:
    """Something that lies on a cell."""

    x: int
    y: int
    owner: Owner = None
    shape: str = "disc"
    """`disc`, `square`, `ring`, `cross`, `diamond`, `card`, or `none`, where only the label is drawn."""
    label: str = ""
    """Three characters at most, drawn on it."""
    title: str = ""
    """What it is, in words, for who points at it or cannot see it."""
    locked: bool = False
    """Whether it may not be moved any more; it is drawn so."""
    id: str = ""
    """The same in the next position for the same piece: then its way there is shown."""


@dataclass(frozen=True)
class Trail:
    """The cells that a player has gone over, from the oldest to its head."""

    owner: Owner
    cells: tuple[Cell, ...]
    head: bool = True
    """Whether the last cell is a head; a trail without one has ended."""
    moves_on: bool = False
    """Whether its tail moves on too, as a snake's does."""


@dataclass(frozen=True)
class Mark:
    """A cell that is something special, drawn below what lies on it."""

    x: int
    y: int
    kind: str
    """`target`, `hazard`, `food`, `bonus`, `last` (just played), `winning`; anything else is drawn by its label."""
    owner: Owner = None
    label: str = ""
    title: str = ""


@dataclass(frozen=True)
class Number:
    """A number that belongs to the position: points, health, pieces left."""

    label: str
    value: float
    owner: Owner = None
    most: float | None = None
    """With this it is drawn as a bar too."""


@dataclass(frozen=True)
class Move:
    """A legal action, and where on the board it is made."""

    player: int
    action: int
    name: str
    """What `action_to_string` calls it."""
    to: Cell | None = None
    """The cell to click, or to drag something to; None for a move that is only in the list."""
    start: Cell | None = None
    """The cell of what is moved: it is dragged from there, or clicked first."""
    arrow: str = ""
    """`up`, `right`, `down` or `left`: the key, or the direction of a swipe, that makes it."""
    piece: Piece | None = None
    """What will lie there: shown before the move is made, and where several moves have one cell, to choose from."""


@dataclass(frozen=True)
class Overlay:
    """What may be drawn over a position to explain it, such as territories."""

    name: str
    areas: tuple[tuple[Owner, tuple[Cell, ...]], ...] = ()
    """Cells by whose they are."""
    points: tuple[Cell, ...] = ()
    paths: tuple[tuple[Owner, tuple[Cell, ...]], ...] = ()


@dataclass(frozen=True)
class Picture:
    """A position. Without cells (width 0) it is its `text` and the list of its moves."""

    width: int = 0
    height: int = 0
    board: str = "cells"
    """`cells`, `checkered`, `frame` (cells in a frame with round holes, for pieces that fall), or `table` (no grid: cards)."""
    walls: tuple[Cell, ...] = ()
    marks: tuple[Mark, ...] = ()
    trails: tuple[Trail, ...] = ()
    pieces: tuple[Piece, ...] = ()
    numbers: tuple[Number, ...] = ()
    moves: tuple[Move, ...] = ()
    column_names: tuple[str, ...] = ()
    row_names: tuple[str, ...] = ()
    wraps: bool = False
    """Whether who leaves over an edge comes in at the opposite one."""
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """The picture as plain data; what has its default value is left out."""
        return _plain(self)


def arrows_of(names: Iterable[str]) -> dict[str, str]:
    """The arrow key (`up`, `right`, `down`, `left`) of every move, by its name, where all are directions; else nothing."""
    arrows = {name: _ARROWS.get(name.lower(), "") for name in names}
    return arrows if all(arrows.values()) else {}


_ARROWS = {word[:length]: word for word in ("up", "right", "down", "left") for length in (1, len(word))}


def _plain(value: Any) -> Any:
    if isinstance(value, (Picture, Piece, Trail, Mark, Number, Move, Overlay)):
        return {
            one.name: _plain(getattr(value, one.name))
            for one in fields(value)
            if getattr(value, one.name) != one.default
        }
    return [_plain(one) for one in value] if isinstance(value, tuple) else value

