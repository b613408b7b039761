"""A picture of a position as cells of a terminal, in colours that are distinct for colour-blind people.

The owner can be seen without colours, too: player 0's pieces are filled, player 1's hollow or dotted; in
ASCII player 0's are capital letters, player 1's small ones, and heads have the player's number.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

from ...game.picture import Cell, Mark, Move, Number, Owner, Picture, Piece
from ...system.text import one_line, printable

_COLOURS: dict[Owner, str] = {0: "#4a90d9", 1: "#e0812f", None: "default"}
_FADED = "#808080"
_MOST_LABEL = 3
_MOST_NAME = 8
_BAR = 10
_SHAPES: dict[str, dict[Owner, str]] = {
    "disc": {0: "●", 1: "○", None: "•"},
    "square": {0: "■", 1: "□", None: "▪"},
    "ring": {0: "◉", 1: "◎", None: "◌"},
    "cross": {0: "X", 1: "\u2573", None: "+"},
    "diamond": {0: "◆", 1: "◇", None: "◊"},
    "card": {0: "▮", 1: "▯", None: "▫"},
}
_PLAIN_SHAPES: dict[str, dict[Owner, str]] = {
    "disc": {0: "O", 1: "o", None: "*"},
    "square": {0: "H", 1: "h", None: "="},
    "ring": {0: "Q", 1: "q", None: "@"},
    "cross": {0: "X", 1: "x", None: "+"},
    "diamond": {0: "V", 1: "v", None: "^"},
    "card": {0: "C", 1: "c", None: "&"},
}
_MARKS = {"target": "+", "hazard": "!", "food": "*", "bonus": "$", "last": "", "winning": ""}


@dataclass(frozen=True)
class _Signs:
    empty: str
    wall: str
    trails: dict[Owner, str]
    across: str
    down: str
    corners: str
    wrapping: tuple[str, str]
    """The borders, across and down, of a board that goes on at the opposite edge."""
    full: str
    rest: str
    shapes: dict[str, dict[Owner, str]]


_UNICODE = _Signs("·", "█", {0: "█", 1: "▒", None: "░"}, "─", "│", "┌┐└┘", ("╌", "┆"), "█", "·", _SHAPES)
_ASCII = _Signs(".", "#", {0: "=", 1: ":", None: "%"}, "-", "|", "++++", (".", ":"), "#", ".", _PLAIN_SHAPES)


@dataclass(frozen=True)
class Drawing:
    text: Text
    width: int
    """Of the widest line, in columns."""
    height: int
    origin: tuple[int, int] = (0, 0)
    """Where cell (0, 0) begins: column and line."""
    cell_width: int = 0
    cell_height: int = 1

    def place(self, cell: Cell) -> tuple[int, int]:
        """The column and the line where the cell begins."""
        return self.origin[0] + cell[0] * self.cell_width, self.origin[1] + cell[1] * self.cell_height


def owner_colour(owner: Owner) -> str:
    """The colour of what is a player's, as rich writes it."""
    return _COLOURS.get(owner, "default")


def draw(
    picture: Picture,
    *,
    plain: bool = False,
    columns: int | None = None,
    chosen: Move | None = None,
    targets: Collection[Cell] = (),
    scale: int = 1,
) -> Drawing:
    """The board, or the text of a picture that has none.

    `plain`: in ASCII. A cell has two columns or more, but one where the board else were wider than `columns`; it has `scale` times
    as many, and as many lines. `chosen` is the move that would be played, `targets` are the cells of all moves.
    """
    has_cells = bool(picture.width and picture.height)
    lines = printable(picture.said if has_cells else picture.text).expandtabs().split("\n")
    said = Text("\n".join(lines))
    if not has_cells:
        return Drawing(said, max(map(cell_len, lines)), len(lines))
    board = _Board(
        picture, _ASCII if plain else _UNICODE, columns, chosen, frozenset(targets), scale
    ).drawing()
    if not picture.said:
        return board
    return replace(
        board,
        text=Text("\n").join((board.text, said)),
        width=max(board.width, *map(cell_len, lines)),
        height=board.height + len(lines),
    )


class _Board:
    def __init__(
        self,
        picture: Picture,
        signs: _Signs,
        columns: int | None,
        chosen: Move | None,
        targets: frozenset[Cell],
        scale: int,
    ) -> None:
        self._picture, self._signs, self._targets, self._scale = picture, signs, targets, scale
        self._cursor = None if chosen is None else chosen.to
        self._start = None if chosen is None else chosen.start
        self._preview = None if chosen is None else chosen.piece
        names = [
            set_cell_size(one_line(name), min(cell_len(one_line(name)), _MOST_NAME))
            for name in picture.row_names
        ]
        self._row_names = names
        self._margin = 1 + max(map(cell_len, names)) if names else 0
        labels = (cell_len(one_line(mark.label)[:_MOST_LABEL]) for mark in picture.marks)
        self._cell = scale * (1 + max([1, *(_content_width(piece) for piece in picture.pieces), *labels]))
        if columns is not None and self._margin + 2 + picture.width * self._cell + 1 > columns:
            self._cell = 1
        # With a column between the cells the last one has one behind it too: the cursor's second bracket stands there.
        self._inner = picture.width * self._cell + (self._cell > 1)
        self._walls = frozenset(picture.walls)
        self._marks = {(mark.x, mark.y): mark for mark in picture.marks}
        self._pieces = {(piece.x, piece.y): piece for piece in picture.pieces}
        self._trails = {cell: trail.owner for trail in picture.trails for cell in trail.cells}
        self._heads = {trail.cells[-1]: trail.owner for trail in picture.trails if trail.head and trail.cells}

    def drawing(self) -> Drawing:
        lines = [line for line in (self._column_names(), self._border(0)) if line is not None]
        above = len(lines)
        lines += [self._row(y, part) for y in range(self._picture.height) for part in range(self._scale)]
        lines += [line for line in (self._border(2),) if line is not None]
        return Drawing(
            Text("\n").join(lines),
            max(line.cell_len for line in lines),
            len(lines),
            (self._margin + (self._picture.board != "table"), above),
            self._cell,
            self._scale,
        )

    def _column_names(self) -> Text | None:
        names = self._picture.column_names
        if not names:
            return None
        lead = " " * (self._margin + (self._picture.board != "table"))
        words = [" " * (self._cell > 1) + one_line(name) for name in names]
        # Where names are wider than a cell only some of them are written, so far apart that they can be read.
        longest = max(map(cell_len, words))
        every = 1 if longest <= self._cell else -(-(longest + (self._cell == 1)) // self._cell)
        return Text(
            (lead + "".join(set_cell_size(word, self._cell * every) for word in words[::every])).rstrip(),
            _FADED,
        )

    def _border(self, first: int) -> Text | None:
        if self._picture.board == "table":
            return None
        signs = self._signs
        across = signs.wrapping[0] if self._picture.wraps else signs.across
        left, right = signs.corners[first : first + 2]
        return Text(" " * self._margin + left + across * self._inner + right, _FADED)

    def _row(self, y: int, part: int) -> Text:
        """A line of a row; of a cell of several lines the first has its sign, the others what fills it."""
        picture, signs = self._picture, self._signs
        framed = picture.board != "table"
        side = (signs.wrapping[1] if picture.wraps else signs.down) if framed else ""
        name = self._row_names[y] if y < len(self._row_names) and not part else ""
        line = Text(set_cell_size(name, self._margin) if self._margin else "", _FADED)
        line.append(side, _FADED)
        for x in range(picture.width):
            line.append_text(self._cell_text(x, y, part))
        if self._cell > 1:
            line.append("]" if self._cursor == (picture.width - 1, y) and not part else " ", "bold")
        line.append(side, _FADED)
        return line

    def _cell_text(self, x: int, y: int, part: int) -> Text:
        cell = (x, y)
        mark = self._marks.get(cell)
        content, style, fills = self._content(cell, mark)
        if part and not fills:
            return Text(" " * self._cell)
        if mark is not None and mark.kind == "winning":
            style += " reverse"
        elif mark is not None and mark.kind == "last":
            style += " underline"
        if cell == self._start or (cell == self._cursor and self._cell == 1):
            style += " reverse"
        if self._cell == 1:
            return Text(content[:1], style)
        lead = (
            "["
            if cell == self._cursor and not part
            else "]"
            if self._cursor == (x - 1, y) and not part
            else content[:1]
            if fills
            else " "
        )
        shown = Text().append(lead, "bold" if lead in ("[", "]") else style.replace(" underline", ""))
        return shown.append(set_cell_size(content[1:] if fills else content, self._cell - 1), style)

    def _content(self, cell: Cell, mark: Mark | None) -> tuple[str, str, bool]:
        """(text, style, whether it fills the cell without a space before it) of a cell."""
        signs = self._signs
        piece = self._pieces.get(cell)
        if piece is None and cell == self._cursor:
            piece = self._preview
        if piece is not None:
            text = one_line(piece.label)[:_MOST_LABEL]
            if piece.shape != "none":
                text = signs.shapes.get(piece.shape, signs.shapes["disc"])[piece.owner] + text
            # A locked piece differs by more than its colour.
            return (
                text or " ",
                f"{owner_colour(piece.owner)}{' italic dim' if piece.locked else ' bold'}",
                False,
            )
        if cell in self._heads:
            owner = self._heads[cell]
            number = "*" if owner is None else str(owner)
            return number * self._cell, f"bold reverse {owner_colour(owner)}", True
        if cell in self._trails:
            owner = self._trails[cell]
            return signs.trails[owner] * self._cell, owner_colour(owner), True
        if cell in self._walls:
            return signs.wall * self._cell, _FADED, True
        if mark is not None and (sign := one_line(mark.label)[:_MOST_LABEL] or _MARKS.get(mark.kind, "?")):
            return sign, f"bold {owner_colour(mark.owner)}", False
        if cell in self._targets:
            return "+", "default", False
        return (" " if self._picture.board == "table" else signs.empty), _FADED, False


def _content_width(piece: Piece) -> int:
    return min(cell_len(one_line(piece.label)), _MOST_LABEL) + (piece.shape != "none")


def number_table(numbers: Collection[Number], *, plain: bool = False) -> Table:
    """The numbers of a position, a row each: a label, the value, and a bar where it has a most."""
    signs = _ASCII if plain else _UNICODE
    table = Table.grid(padding=(0, 1, 0, 0))
    for number in numbers:
        full = round(_BAR * min(max(number.value / number.most, 0.0), 1.0)) if number.most else 0
        bar = signs.full * full + signs.rest * (_BAR - full) if number.most else ""
        who = " " if number.owner is None else str(number.owner)
        cells = (who, one_line(number.label), f"{number.value:g}", bar)
        table.add_row(
            *(Text(cell, owner_colour(number.owner), no_wrap=True, overflow="crop") for cell in cells)
        )
    return table
