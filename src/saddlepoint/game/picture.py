"""The picture of a position as plain data, drawn by the page in the browser, the terminal's screen and
exports.

Cells are (column, row); (0, 0) is the one at the top left. An owner is player 0, player 1, or None for
nobody.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

Cell = tuple[int, int]
Owner = int | None


@dataclass(frozen=True)
class Piece:
    """Something that lies on a cell.

    >>> from saddlepoint.games.interface import Piece
    >>> Piece(2, 0, owner=1, shape="ring").shape
    'ring'
    """

    x: int
    y: int
    owner: Owner = None
    shape: str = "disc"
    """`disc`, `square`, `ring`, `cross`, `diamond`, `card`, or `none`, where only the label is drawn."""
    label: str = ""
    """Three characters at most, drawn on it."""
    title: str = ""
    """Its description, shown when it is pointed at and read to the blind."""
    locked: bool = False
    """Whether it may not be moved any more; it is drawn so."""
    id: str = ""
    """The same in the next position for the same piece: then its way there is shown."""


@dataclass(frozen=True)
class Trail:
    """The cells that a player has gone over, from the oldest to its head.

    >>> from saddlepoint.games.interface import Trail
    >>> Trail(0, ((0, 0), (1, 0), (2, 0))).cells[-1]
    (2, 0)
    """

    owner: Owner
    cells: tuple[Cell, ...]
    head: bool = True
    """Whether the last cell is a head; a trail without one has ended."""
    moves_on: bool = False
    """Whether its tail moves on too, as a snake's does."""


@dataclass(frozen=True)
class Mark:
    """A cell that is something special, drawn below what lies on it.

    >>> from saddlepoint.games.interface import Mark
    >>> Mark(1, 1, "food").kind
    'food'
    """

    x: int
    y: int
    kind: str
    """`target`, `hazard`, `food`, `bonus`, `last` (just played), `winning`; anything else is drawn by its label."""
    owner: Owner = None
    label: str = ""
    title: str = ""


@dataclass(frozen=True)
class Number:
    """A number that belongs to the position: points, health, pieces left.

    >>> from saddlepoint.games.interface import Number
    >>> Number("round", 3, most=10).value
    3
    """

    label: str
    value: float
    owner: Owner = None
    most: float | None = None
    """With this it is drawn as a bar too."""


@dataclass(frozen=True)
class Move:
    """A legal action, and where on the board it is made.

    >>> from saddlepoint.games.interface import Move
    >>> Move(0, 4, "b2", to=(1, 1)).name
    'b2'
    """

    player: int
    action: int
    name: str
    """Its name by `action_to_string`."""
    to: Cell | None = None
    """The cell to click, or to drag something to; None for a move that is only in the list."""
    start: Cell | None = None
    """The cell of what is moved: it is dragged from there, or clicked first."""
    arrow: str = ""
    """`up`, `right`, `down` or `left`: the key, or the direction of a swipe, that makes it."""
    piece: Piece | None = None
    """The piece after the move: shown before it is made, and to choose from where several moves have one cell."""
    via: Cell | None = None
    """Where a move that moves one piece and then puts down another, `piece` at `to`, brings the one from `start`."""


@dataclass(frozen=True)
class Overlay:
    """A layer that explains a position, for example territories.

    >>> from saddlepoint.game.picture import Overlay
    >>> Overlay("reach", points=((0, 0), (1, 0))).name
    'reach'
    """

    name: str
    areas: tuple[tuple[Owner, tuple[Cell, ...]], ...] = ()
    """Cells by owner."""
    points: tuple[Cell, ...] = ()
    paths: tuple[tuple[Owner, tuple[Cell, ...]], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The overlay as plain data; what has its default value is left out."""
        return _plain(self)


@dataclass(frozen=True)
class Picture:
    """A position. Without cells (width 0) it is its `text` and the list of its moves.

    >>> from saddlepoint.games.interface import Picture, Piece
    >>> Picture(3, 3, pieces=(Piece(1, 1, 0),)).width
    3
    """

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
    """Of a player's row `player 0` or `player 1`: a page that knows the names writes them."""
    wraps: bool = False
    """Whether opposite edges are joined."""
    text: str = ""
    said: str = ""
    """Lines of text that stand below the board."""
    fields: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = ()
    """Of a game that says nothing else: the fields of its state by name, each as rows of values; the page draws a table."""

    def to_json(self) -> dict[str, Any]:
        """The picture as plain data; what has its default value is left out."""
        return _plain(self)

    def to_svg(self, width: int = 320) -> str:
        """The board as one element `<svg>`, at most `width` pixels wide; without cells its text.

        A notebook shows it.
        """
        from .svg_picture import svg_of  # few programs draw one

        return svg_of(self, width)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def arrows_of(names: Iterable[str]) -> dict[str, str]:
    """The arrow key (`up`, `right`, `down`, `left`) of every move, by its name, where all are directions; else nothing.

    - `names`: how the game calls its moves.

    >>> from saddlepoint.game.picture import arrows_of
    >>> arrows_of(["up", "left"])
    {'up': 'up', 'left': 'left'}
    """
    arrows = {name: _ARROWS.get(name.lower(), "") for name in names}
    return arrows if all(arrows.values()) else {}


def continued(before: Picture, now: Picture) -> Picture:
    """The picture with facts from the one before: the lengths of trails, and the pieces just played.

    A trail of one cell goes on from where it was, over cells that are walls or nobody's pieces now. A cell that is free
    again is no part of it any more; a player without a head has crashed. New pieces of a player are marked `last`; on a
    `table` the places of those that it just played, until somebody plays again.

    - `before`: the picture of the position before, continued itself.
    - `now`: the picture as the game draws it.
    """
    traced = _Traces(now)
    for owner in (0, 1):
        traced.follow(owner, [one for one in before.trails if one.owner == owner])
    if before.width:
        traced.marks += _last(before, now)
    return traced.picture()


def stands_alone(now: Picture, start: Picture) -> bool:
    """Whether no earlier picture changes this one, but for its marks `last`.

    Trails are whole in it, or there is nothing that they could go on over: nothing is walled that was not at the start.

    - `now`: the picture as the game draws it.
    - `start`: the first picture of the game.
    """
    walled = _walled(now)
    if now.board == "table" or not walled:
        return now.board != "table"
    is_new = bool(walled - _walled(start))
    sides = [[one for one in now.trails if one.owner == owner] for owner in (0, 1)]
    return all(_is_told(trails) or not (trails or is_new) for trails in sides)


def _walled(now: Picture) -> set[Cell]:
    return {
        *now.walls,
        *((one.x, one.y) for one in now.pieces if one.owner is None and one.shape == "square"),
    }


def shown_from(
    first: int,
    last: int,
    drawn: Callable[[int], Picture],
    known: Callable[[int], Picture | None] = lambda number: None,
) -> list[Picture]:
    """The pictures of some positions of a game in a row, each continued from the one before.

    Of those before the first only the ones that matter are drawn: back to one that is known, or stands alone.

    - `first`: the number of the first position that is wanted.
    - `last`: the number of the last one.
    - `drawn`: gives the picture of a position as the game draws it, by its number.
    - `known`: gives the picture of a position that was continued already, by its number, or None.
    """
    plain: dict[int, Picture] = {}
    at, picture = first, known(first)
    start = drawn(0) if picture is None and at else None
    while picture is None and at:
        at -= 1
        picture = known(at)
        if picture is None:
            plain[at] = drawn(at)
            picture = plain[at] if start is not None and stands_alone(plain[at], start) else None
    found = [picture or plain.get(0) or drawn(0)]
    for number in range(at + 1, last + 1):
        found.append(known(number) or continued(found[-1], plain.pop(number, None) or drawn(number)))
    return found[first - at :]


def _is_told(trails: Sequence[Trail]) -> bool:
    """Whether a player's trails are whole in the picture itself."""
    return len(trails) > 1 or any(len(one.cells) > 1 or one.moves_on for one in trails)


def _last(before: Picture, now: Picture) -> list[Mark]:
    """Marks of the pieces that a player just put down, or took from a table."""
    if now.board == "table":
        there = set(now.pieces)
        gone = [one for one in before.pieces if one.owner is not None and one not in there]
        if not gone:
            return [one for one in before.marks if one.kind == "last"]
        return [Mark(one.x, one.y, "last", one.owner, one.label, f"{one.title}, just played") for one in gone]
    placed = {_looks(one) for one in before.pieces}
    new = [
        one
        for one in now.pieces
        if one.owner is not None and _looks(one) not in placed and one.shape != "cross"
    ]
    return [Mark(one.x, one.y, "last", one.owner) for one in new] if len(new) <= _MOST_NEW else []


def _looks(piece: Piece) -> tuple[int, int, Owner, str, str]:
    return piece.x, piece.y, piece.owner, piece.shape, piece.label


_MOST_NEW = 3  # more are no move but another position


class _Traces:
    """A picture with trails that are being extended."""

    def __init__(self, now: Picture) -> None:
        self.now = now
        self.walls = dict.fromkeys(now.walls)
        self.stones = {
            (one.x, one.y): one for one in now.pieces if one.owner is None and one.shape == "square"
        }
        self.trails: list[Trail] = [one for one in now.trails if one.owner is None]
        self.marks = list(now.marks)
        self.crosses: list[Piece] = []

    def follow(self, owner: int, before: list[Trail]) -> None:
        """Put the trails of a player before the head that it has now."""
        now = [one for one in self.now.trails if one.owner == owner]
        heads = {one.cells[-1] for one in now}
        if _is_told(now):
            self.trails += now
            return
        for one in before:
            body = one.cells[:-1] if one.head and one.cells[-1] in heads else one.cells
            parts = self._unbroken(body, heads)
            if one.head and parts and parts[-1][-1] == body[-1]:
                (x0, y0), (x1, y1) = body[-1], now[0].cells[-1] if now else body[-1]
                if abs(x0 - x1) + abs(y0 - y1) == 1:
                    now = [Trail(owner, (*parts.pop(), *now[0].cells), now[0].head)]
                elif not now and not any(
                    piece.shape == "cross" and piece.owner in (owner, None) for piece in self.now.pieces
                ):
                    self.crosses.append(Piece(*body[-1], owner, "cross", title=f"player {owner} crashed"))
            self.trails += [Trail(owner, cells, head=False) for cells in parts]
        self.trails += now

    def _unbroken(self, cells: tuple[Cell, ...], heads: set[Cell]) -> list[tuple[Cell, ...]]:
        """The parts of a trail that are still there, taken from the walls."""
        parts: list[list[Cell]] = [[]]
        for cell in cells:
            if cell in heads or not (cell in self.walls or cell in self.stones):
                parts.append([])
                continue
            self.walls.pop(cell, None)
            self.stones.pop(cell, None)
            parts[-1].append(cell)
        return [tuple(part) for part in parts if part]

    def picture(self) -> Picture:
        kept = tuple(
            one
            for one in self.now.pieces
            if one.owner is not None or one.shape != "square" or (one.x, one.y) in self.stones
        )
        return replace(
            self.now,
            walls=tuple(self.walls),
            pieces=(*kept, *self.crosses),
            trails=tuple(self.trails),
            marks=tuple(self.marks),
        )


_ARROWS = {word[:length]: word for word in ("up", "right", "down", "left") for length in (1, len(word))}


def _plain(value: Any) -> Any:
    if isinstance(value, (Picture, Piece, Trail, Mark, Number, Move, Overlay)):
        return {
            one.name: _plain(getattr(value, one.name))
            for one in fields(value)
            if getattr(value, one.name) != one.default
        }
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
