"""A referee's request as plain Python: everything on the board, with any number of snakes, read with forgiveness.

What is not understood is left out, as long as our own snake's head and the board's size are told.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

DIRECTIONS = ("up", "right", "down", "left")
STEPS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
USUAL_TIMEOUT = 500
_LONGEST_SIDE = 1000
_LONGEST_TIMEOUT = 60_000
_LONGEST_NAME = 200
_FULL_HEALTH = 100

Cell = tuple[int, int]


@dataclass(frozen=True)
class SeenSnake:
    """A snake; its cells are (x, y) from the bottom left, the head first, and may repeat at the tail."""

    id: str
    name: str
    cells: tuple[Cell, ...]
    health: int

    @property
    def head(self) -> Cell:
        """Its first cell."""
        return self.cells[0]

    @property
    def staying(self) -> tuple[Cell, ...]:
        """The cells that are its own in the next round too: all but the tail, which moves on where it is not doubled."""
        return self.cells[:-1]


@dataclass(frozen=True)
class Seen:
    """What a request shows, in the eyes of `you`, who need not be among those on the board."""

    width: int
    height: int
    wrapped: bool
    constrictor: bool
    damage: int
    """Health that a hazard costs besides the round's 1."""
    you: SeenSnake
    others: tuple[SeenSnake, ...]
    """The others that are alive."""
    food: frozenset[Cell]
    hazards: Mapping[Cell, int]
    """How often each hazard is listed."""
    turn: int
    is_there: bool
    """Whether `you` is among the living."""

    def beside(self, cell: Cell) -> Iterator[tuple[str, Cell]]:
        """The directions from a cell that stay on the board, and where they lead."""
        for name, (dx, dy) in STEPS.items():
            x, y = cell[0] + dx, cell[1] + dy
            if self.wrapped:
                yield name, (x % self.width, y % self.height)
            elif 0 <= x < self.width and 0 <= y < self.height:
                yield name, (x, y)

    def nearest(self) -> SeenSnake | None:
        """The other snake whose head is the fewest steps away; of equals the longest."""
        return min(self.others, key=lambda one: (self._steps(self.you.head, one.head), -len(one.cells)), default=None)

    def _steps(self, here: Cell, there: Cell) -> int:
        dx, dy = abs(here[0] - there[0]), abs(here[1] - there[1])
        return min(dx, abs(self.width - dx)) + min(dy, abs(self.height - dy)) if self.wrapped else dx + dy


def read_seen(data: Mapping[str, Any]) -> Seen:
    """What a request shows; raises ValueError in one sentence where there is no board, or no head of `you`."""
    board, ruleset = object_in(data, "board"), object_in(object_in(data, "game"), "ruleset")
    width, height = whole(board.get("width"), 0), whole(board.get("height"), 0)
    if not (0 < width <= _LONGEST_SIDE and 0 < height <= _LONGEST_SIDE):
        raise ValueError(f"a board's width and height are 1 to {_LONGEST_SIDE}")
    mode = text(ruleset.get("name"))
    you = _snake(object_in(data, "you"))
    if you is None:
        raise ValueError("'you' has no body")
    snakes = [snake for one in _objects(board.get("snakes")) if (snake := _snake(one)) is not None]
    hazards: dict[Cell, int] = {}
    for cell in _cells(board.get("hazards")):
        hazards[cell] = hazards.get(cell, 0) + 1
    return Seen(
        width, height, mode.startswith("wrapped"), mode.endswith("constrictor"),
        whole(object_in(ruleset, "settings").get("hazardDamagePerTurn"), 14), you, tuple(one for one in snakes if one.id != you.id),
        frozenset(_cells(board.get("food"))), hazards, max(0, whole(data.get("turn"), 0)), any(one.id == you.id for one in snakes),
    )  # fmt: skip


def timeout_of(data: Mapping[str, Any]) -> float:
    """Seconds that the whole exchange may take."""
    told = whole(object_in(data, "game").get("timeout"), 0)
    return min(told if told > 0 else USUAL_TIMEOUT, _LONGEST_TIMEOUT) / 1000


def latency_of(data: Mapping[str, Any]) -> float:
    """Seconds that our last answer took, as the referee saw it; 0 where it is not told.

    The official program tells it in the list of all snakes only.
    """
    you = object_in(data, "you")
    listed = [one for one in _objects(object_in(data, "board").get("snakes")) if one.get("id") == you.get("id")]
    return max((_milliseconds(one.get("latency")) for one in (you, *listed)), default=0.0) / 1000


def object_in(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object of that name; an empty one where there is none."""
    value = data.get(name)
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def whole(value: Any, default: int) -> int:
    """A whole number that is not immoderate; else the default."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9 else default


def text(value: Any) -> str:
    """A text, its beginning where it is long; empty where there is none."""
    return value[:_LONGEST_NAME] if isinstance(value, str) else ""


def _milliseconds(value: Any) -> float:
    """A latency, which is a text of digits; some referees write a number."""
    try:
        found = float(value) if isinstance(value, (str, int, float)) and len(str(value)) < 12 else 0.0
    except ValueError:
        return 0.0
    return found if math.isfinite(found) and 0 <= found <= _LONGEST_TIMEOUT else 0.0


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []  # pyright: ignore


def _cells(value: Any) -> list[Cell]:
    cells: list[Cell] = []
    for one in _objects(value):
        x, y = whole(one.get("x"), -(10**9)), whole(one.get("y"), -(10**9))
        if x > -(10**9) and y > -(10**9):
            cells.append((x, y))
    return cells


def _snake(data: Mapping[str, Any]) -> SeenSnake | None:
    """A snake; its head alone where no body is told; None for what is none."""
    cells = _cells(data.get("body")) or _cells([data.get("head")])
    if not cells:
        return None
    health = min(max(whole(data.get("health"), _FULL_HEALTH), 0), _FULL_HEALTH)
    return SeenSnake(text(data.get("id")), text(data.get("name")), tuple(cells), health)
