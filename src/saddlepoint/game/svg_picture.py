"""A picture as SVG, for notebooks and documents: the board as the page draws it, in light colours and without motion.

`picture.py` says what the parts of a picture are, and asks here; so they are not imported.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

_CELL = 40
_HALF = _CELL // 2
_INK, _SOFT, _FIELD, _LINE, _EDGE, _PAPER = "#1c2430", "#5c6675", "#f5f7fa", "#dfe4ea", "#aab3c0", "#ffffff"
_WALL, _FRAME, _HOLE, _DARK, _CARD = "#5d6878", "#ccd4de", "#f8fafc", "#dfe5ec", "#ffffff"
_COLOURS = {0: "#2f6fb7", 1: "#d0711c", None: "#6d7787"}


def svg_of(picture: Any, width: int = 320) -> str:
    """The picture as one element `<svg>`, at most `width` pixels wide.

    Without cells it is the position's text. Player 1's pieces have a line inside, so that no colours are
    needed to distinguish them.
    """
    if not picture.width:
        return _text_only(picture.text)
    columns, rows = picture.width * _CELL, picture.height * _CELL
    left = 6 + (max(16, 7 * max(map(len, picture.row_names))) if picture.row_names else 0)
    below = 24 if picture.column_names else 6
    said = picture.said.split("\n") if picture.said else []
    box = (-left, -6, columns + left + 6, rows + below + 6 + 18 * len(said))
    parts = [
        *_ground(picture),
        *_names(picture, left),
        *_marks(picture, above=False),
        *(f'<path fill="{_WALL}" d="{_square(x, y)}"/>' for x, y in picture.walls),
        *(part for trail in picture.trails for part in _trail(trail)),
        *(_piece(piece, framed=picture.board == "frame") for piece in picture.pieces),
        *_plate(picture),
        *_marks(picture, above=True),
        *(
            f'<text x="{columns // 2}" y="{rows + below + 18 * n + 12}" fill="{_SOFT}" font-size="12">{escape(line)}</text>'
            for n, line in enumerate(said)
        ),
    ]
    shown = min(width, 2 * box[2])
    size = f'viewBox="{" ".join(map(str, box))}" width="{shown}" height="{round(shown * box[3] / box[2])}"'
    style = 'role="img" font-family="system-ui, sans-serif" font-weight="600" text-anchor="middle"'
    paper = f'<rect x="{box[0]}" y="{box[1]}" width="{box[2]}" height="{box[3]}" fill="{_PAPER}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{paper}{"".join(parts)}</svg>'


def _text_only(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    width, height = 8 * max(map(len, lines)) + 12, 17 * len(lines) + 10
    drawn = "".join(
        f'<text x="6" y="{17 * n + 18}" xml:space="preserve">{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'font-family="monospace" font-size="13"><rect width="{width}" height="{height}" fill="{_PAPER}"/>{drawn}</svg>'
    )


def _ground(picture: Any) -> Iterator[str]:
    columns, rows = picture.width * _CELL, picture.height * _CELL
    if picture.board == "frame":
        yield f'<rect width="{columns}" height="{rows}" rx="8" fill="{_HOLE}"/>'
    elif picture.board != "table":
        yield f'<rect x="-2" y="-2" width="{columns + 4}" height="{rows + 4}" rx="5" fill="{_FIELD}"/>'
        if picture.board == "checkered":
            dark = "".join(
                _square(x, y) for y in range(picture.height) for x in range((y + 1) % 2, picture.width, 2)
            )
            yield f'<path fill="{_DARK}" d="{dark}"/>'
        else:
            lines = "".join(f"M{x * _CELL} 0v{rows}" for x in range(1, picture.width))
            lines += "".join(f"M0 {y * _CELL}h{columns}" for y in range(1, picture.height))
            yield f'<path fill="none" stroke="{_LINE}" d="{lines}"/>'
        dashes = ' stroke-dasharray="6 6"' if picture.wraps else ""
        yield (
            f'<rect x="-2" y="-2" width="{columns + 4}" height="{rows + 4}" rx="5" fill="none" stroke="{_EDGE}" stroke-width="2"{dashes}/>'
        )


def _plate(picture: Any) -> Iterator[str]:
    """The front of a frame into which pieces fall, with its round holes."""
    if picture.board == "frame":
        columns, rows = picture.width * _CELL, picture.height * _CELL
        holes = "".join(
            f"M{x * _CELL + 3} {y * _CELL + _HALF}a17 17 0 0 0 34 0a17 17 0 0 0 -34 0z"
            for y in range(picture.height)
            for x in range(picture.width)
        )
        yield f'<path fill="{_FRAME}" fill-rule="evenodd" d="M-4-4h{columns + 8}v{rows + 8}h{-columns - 8}z{holes}"/>'


def _names(picture: Any, left: int) -> Iterator[str]:
    size = f'fill="{_SOFT}" font-size="12" font-weight="500"'
    for x, name in enumerate(picture.column_names):
        yield f'<text x="{x * _CELL + _HALF}" y="{picture.height * _CELL + 17}" {size}>{escape(name)}</text>'
    for y, name in enumerate(picture.row_names):
        yield f'<text x="{-left // 2 - 1}" y="{y * _CELL + _HALF + 4}" {size}>{escape(name)}</text>'


def _marks(picture: Any, *, above: bool) -> Iterator[str]:
    framed, on_table = picture.board == "frame", picture.board == "table"
    for mark in picture.marks:
        if (mark.kind == "winning" or (framed and mark.kind == "last")) == above:
            yield _placed(mark.x, mark.y, _mark(mark, framed, on_table), mark.title)


def _mark(mark: Any, framed: bool, on_table: bool) -> str:
    own = _COLOURS[mark.owner]
    drawn = {
        "last": _path(_rounded(14.5, 18, 4), stroke=own, width=1.5, more='stroke-dasharray="3 3"')
        if on_table
        else _path(_circle(18), stroke=own, width=2.5, more='opacity=".55"')
        if framed
        else f'<path fill="{own}" opacity=".2" d="M-19 -19h38v38h-38z"/>',
        "winning": _path(_circle(18) if framed else _rounded(18, 18, 5), stroke=_INK, width=3),
        "target": f'<path fill="{_INK if mark.owner is None else own}" d="{_rounded(17, 20.5, 6)}"/>'
        if on_table
        else _path(_circle(16), stroke=own, width=3),
        "hazard": _path(
            "M-16 -6L-6 -16M-16 6L6 -16M-16 16L16 -16M-6 16L16 -6M6 16L16 6",
            stroke=_SOFT,
            width=2,
            more='opacity=".7"',
        ),
        "food": f'<path fill="{_INK}" d="{_circle(8)}"/>',
        "bonus": _path(_circle(12), stroke=_SOFT, width=1.5),
    }.get(mark.kind, "")
    return drawn + _label(mark.label, own if mark.kind == "last" else _SOFT, 13)


def _trail(trail: Any) -> Iterator[str]:
    own, drawn, before = _COLOURS[trail.owner], "", None
    for x, y in trail.cells:
        near = before is not None and abs(x - before[0]) + abs(y - before[1]) <= 1
        drawn += f"{'L' if near else 'M'}{x * _CELL + _HALF} {y * _CELL + _HALF}"  # over an edge the line begins anew
        before = x, y
    if len(trail.cells) == 1:
        drawn += "h0.01"
    yield _path(drawn, stroke=own, width=22, more='stroke-linecap="round" stroke-linejoin="round"')
    if trail.owner == 1:
        yield _path(
            drawn,
            stroke=_FIELD,
            width=5,
            more='stroke-opacity=".75" stroke-linecap="round" stroke-linejoin="round"',
        )
    if trail.head and trail.cells:
        body = f'<path fill="{own}" stroke="{_FIELD}" stroke-width="2" d="{_circle(15)}"/>'
        if trail.owner == 1:
            body += f'<path fill="{_FIELD}" d="{_circle(9)}"/>'
        turn = _turn(trail.cells)
        if turn is not None:
            nose = own if trail.owner == 1 else _PAPER
            body += f'<path fill="{nose}" transform="rotate({turn})" d="M-3 -5.5L7 0L-3 5.5z"/>'
        x, y = trail.cells[-1]
        yield _placed(x, y, body, "")


def _turn(cells: Sequence[tuple[int, int]]) -> int | None:
    """The direction of a head, in degrees; None where it has not moved."""
    if len(cells) < 2:
        return None
    (x0, y0), (x1, y1) = cells[-2:]
    across, down = x1 - x0, y1 - y0
    if abs(across) + abs(down) > 1:  # it came over an edge
        across, down = -_sign(across), -_sign(down)
    return {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}.get((across, down))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _piece(piece: Any, *, framed: bool) -> str:
    own = _COLOURS[piece.owner]
    body, inner = _body(piece.shape, framed, own)
    on_paper = piece.shape in ("none", "ring", "card")
    if piece.owner == 1 and inner:
        body += _path(
            inner,
            stroke=own if on_paper else _PAPER,
            width=1 if on_paper else 1.8,
            more='stroke-opacity=".85"',
        )
    body += _label(piece.label, own if on_paper else _PAPER, 16 if len(piece.label) < 2 else 13)
    if piece.locked:
        body += (
            f'<g transform="translate(13.5 13.5)"><circle r="6" fill="{_FIELD}"/>'
            f'<path fill="{own}" stroke="{own}" d="M-2.7 -.4h5.4v3.6h-5.4zM-1.7 -.4v-1.4a1.7 1.7 0 0 1 3.4 0v1.4"/></g>'
        )
    return _placed(piece.x, piece.y, body, piece.title)


def _body(shape: str, framed: bool, own: str) -> tuple[str, str]:
    """A piece's shape, and the path of the line inside that player 1's has."""
    if shape == "none":
        return "", ""
    if shape == "ring":
        return _path(_circle(13), stroke=own, width=5), ""
    if shape == "cross":
        halo = f'<circle r="14" fill="{_FIELD}" stroke="{own}" stroke-width="3"/>'
        return halo + _path("M-6 -6L6 6M6 -6L-6 6", stroke=own, width=5, more='stroke-linecap="round"'), ""
    if shape == "card":
        return (
            f'<path fill="{_CARD}" stroke="{own}" stroke-width="2" d="{_rounded(14.5, 18, 4)}"/>',
            _rounded(12, 15.5, 2.5),
        )
    if shape == "square":
        outer, inner = (
            (_rounded(12, 12, 3), _rounded(10, 10, 2))
            if framed
            else (_rounded(14, 14, 3.5), _rounded(11.8, 11.8, 2.2))
        )
    elif shape == "diamond":
        outer, inner = (_diamond(16), _diamond(13.5)) if framed else (_diamond(18.5), _diamond(15.7))
    else:
        outer, inner = _circle(15), _circle(12.7)
    return f'<path fill="{own}" d="{outer}"/>', inner


def _placed(x: int, y: int, body: str, title: str) -> str:
    told = f"<title>{escape(title)}</title>" if title else ""
    return f'<g transform="translate({x * _CELL + _HALF} {y * _CELL + _HALF})">{told}{body}</g>'


def _label(label: str, colour: str, size: int) -> str:
    return f'<text y="5" font-size="{size}" fill="{colour}">{escape(label)}</text>' if label else ""


def _path(drawn: str, *, stroke: str, width: float, more: str = "") -> str:
    return f'<path fill="none" stroke="{stroke}" stroke-width="{width}" {more} d="{drawn}"/>'


def _square(x: int, y: int) -> str:
    """A whole cell."""
    return f"M{x * _CELL} {y * _CELL}h{_CELL}v{_CELL}h{-_CELL}z"


def _circle(radius: float) -> str:
    return f"M{-radius} 0a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 {-2 * radius} 0z"


def _diamond(radius: float) -> str:
    return f"M0 {-radius}L{radius} 0L0 {radius}L{-radius} 0z"


def _rounded(width: float, height: float, corner: float) -> str:
    arc = f"a{corner} {corner} 0 0 1"
    across, down = 2 * (width - corner), 2 * (height - corner)
    return (
        f"M{-width + corner} {-height}h{across}{arc} {corner} {corner}v{down}{arc} {-corner} {corner}"
        f"h{-across}{arc} {-corner} {-corner}v{-down}{arc} {corner} {-corner}z"
    )
