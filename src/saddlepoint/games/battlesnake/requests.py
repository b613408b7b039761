"""The JSON of a Battlesnake referee, read and written, with any number of snakes, and as positions of two
snakes.

What is not understood is left out, and the first such field becomes `Seen.problem`: a server plays on, the reader of a file refuses it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..interface import GameError, json_object
from .board import Board, Cell, cells_in, stacks_of
from .state import FULL_HEALTH, OFF_BOARD, Snake, State

STEPS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}
SETTINGS = {
    "foodSpawnChance": ("food_spawn_chance", 0, 101),
    "minimumFood": ("minimum_food", 0, 625),
    "hazardDamagePerTurn": ("hazard_damage", -100, 100),
}
"""The game's parameter for each number of a ruleset, with its range."""
USUAL_TIMEOUT = 500
USUAL_DAMAGE = 14
_MODES = ("wrapped", "constrictor", "wrapped_constrictor", "royale")
_MAPS = ("empty", "royale")
_STACKED = 4
_LONGEST = 2_000_000
_LONGEST_SIDE = 1000
_LONGEST_TIMEOUT = 60_000
_LONGEST_NAME = 200
_TOO_LARGE = 10**9


class SeenSnake(NamedTuple):
    """A snake; its cells are (x, y) from the bottom left, the head first, and may repeat at the tail."""

    id: str
    name: str
    cells: tuple[Cell, ...]
    health: int
    latency: float
    """Milliseconds that its last answer took, as the referee saw it; 0 where that is not said."""

    @property
    def head(self) -> Cell:
        return self.cells[0]

    @property
    def staying(self) -> tuple[Cell, ...]:
        """The cells that are its own in the next round too: all but the tail, which moves on where it is not doubled."""
        return self.cells[:-1]


@dataclass(frozen=True)
class Seen:
    """The content of a request, seen by `you`, which need not be on the board."""

    width: int
    height: int
    wrapped: bool
    constrictor: bool
    you: SeenSnake
    others: tuple[SeenSnake, ...]
    """The others that are alive."""
    food: frozenset[Cell]
    hazards: Mapping[Cell, int]
    """How often each hazard is listed."""
    turn: int
    is_there: bool
    """Whether `you` is among the living."""
    parameters: Mapping[str, Any]
    """The game's parameters, as far as the request has them."""
    problem: str
    """The first field that was not understood, in a sentence; empty where there is none."""

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
        return min(self.others, key=self.distance, default=None)

    def distance(self, one: SeenSnake) -> tuple[int, int]:
        """The steps to a snake's head; less its length, so that of equally near ones the longest is the nearest."""
        here, there = self.you.head, one.head
        dx, dy = abs(here[0] - there[0]), abs(here[1] - there[1])
        if self.wrapped:
            dx, dy = min(dx, abs(self.width - dx)), min(dy, abs(self.height - dy))
        return dx + dy, -len(one.cells)


def read_request(data: Mapping[str, Any]) -> Seen:
    """The content of a request.

    Raises ValueError in one sentence where there is no board, or no head of `you`.
    """
    reader = _Reader()
    if not isinstance(data.get("board"), dict):
        raise ValueError("'board' must be an object")
    board, about = object_in(data, "board"), object_in(data, "game")
    ruleset = object_in(about, "ruleset")
    width, height = whole(board.get("width"), 0), whole(board.get("height"), 0)
    if not (0 < width <= _LONGEST_SIDE and 0 < height <= _LONGEST_SIDE):
        raise ValueError(f"a board's width and height are 1 to {_LONGEST_SIDE}")
    snakes = [snake for one in reader.objects(board, "snakes") if (snake := reader.snake(one)) is not None]
    data_of_you = object_in(data, "you")
    own = [one for one in snakes if one.id == text_in(data_of_you, "id")]
    you = own[0] if len(own) == 1 else reader.snake(data_of_you)
    if you is None:
        raise ValueError("'you' has no body, and is not among the snakes")
    if len(own) > 1:
        reader.note("two snakes have the id of 'you'")
    hazards = Counter(reader.cells(board, "hazards"))
    parameters = reader.parameters(about, ruleset) | {"width": width, "height": height}
    if any(times > 1 for times in hazards.values()):
        parameters["hazard_stack"] = _STACKED
    mode = text_in(ruleset, "name")
    return Seen(
        width,
        height,
        mode.startswith("wrapped"),
        mode.endswith("constrictor"),
        you._replace(
            latency=max(you.latency, _milliseconds(data_of_you.get("latency")))
        ),  # it stands in one of two places
        tuple(one for one in snakes if one.id != you.id),
        frozenset(reader.cells(board, "food")),
        hazards,
        reader.whole(data, "turn", 0, _TOO_LARGE - 1, 0),
        bool(own),
        parameters,
        reader.problem,
    )


def timeout_of(data: Mapping[str, Any]) -> float:
    """Seconds that the whole exchange may take."""
    told = whole(object_in(data, "game").get("timeout"), 0)
    return min(told if told > 0 else USUAL_TIMEOUT, _LONGEST_TIMEOUT) / 1000


def object_in(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def whole(value: Any, default: Any) -> Any:
    """A whole number (no bool) within the limits of a request; else the default."""
    return value if type(value) is int and abs(value) < _TOO_LARGE else default


def text_in(data: Mapping[str, Any], name: str) -> str:
    """The text of that name, its beginning where it is long; empty where there is none."""
    value = data.get(name)
    return value[:_LONGEST_NAME] if isinstance(value, str) else ""


class _Reader:
    """Takes fields out of objects, and notes the first that is not what it should be."""

    def __init__(self) -> None:
        self.problem = ""

    def note(self, problem: str) -> None:
        self.problem = self.problem or problem

    def whole(self, data: Mapping[str, Any], name: str, low: int, high: int, default: Any) -> Any:
        value = data.get(name)
        if type(value) is int and low <= value <= high:
            return value
        self.note(f"{name!r} must be a whole number, {low} to {high}")
        return default

    def objects(self, data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
        values: Any = data.get(name) or []
        found: list[dict[str, Any]] = (
            [one for one in values if isinstance(one, dict)] if isinstance(values, list) else []
        )
        if not isinstance(values, list) or len(found) < len(values):
            self.note(f"{name!r} must be a list of objects")
        return found

    def cells(self, data: Mapping[str, Any], name: str) -> list[Cell]:
        cells: list[Cell] = []
        for one in self.objects(data, name):
            x, y = whole(one.get("x"), None), whole(one.get("y"), None)
            if x is None or y is None:
                self.note(f"{name!r} must be a list of cells {{x, y}}")
            else:
                cells.append((x, y))
        return cells

    def snake(self, data: Mapping[str, Any]) -> SeenSnake | None:
        """A snake; its head alone where it has no body; None for what is none."""
        cells = self.cells(data, "body") or self.cells(
            {"head": [data["head"]] if "head" in data else []}, "head"
        )
        if not cells:
            self.note("a snake has no body")
            return None
        nearest = min(max(whole(data.get("health"), FULL_HEALTH), 0), FULL_HEALTH)
        return SeenSnake(
            text_in(data, "id"),
            text_in(data, "name"),
            tuple(cells),
            self.whole(data, "health", 0, FULL_HEALTH, nearest),
            _milliseconds(data.get("latency")),
        )

    def parameters(self, about: Mapping[str, Any], ruleset: Mapping[str, Any]) -> dict[str, Any]:
        """The game's parameters but the board's; modes and maps that are not known here are played as `standard`."""
        settings, mode, map_ = object_in(ruleset, "settings"), ruleset.get("name"), about.get("map")
        found: dict[str, Any] = {
            "mode": mode if mode in _MODES else "standard",
            "map": map_ if map_ in _MAPS else "standard",
        }
        for name, (parameter, low, high) in SETTINGS.items():
            if name in settings and (number := self.whole(settings, name, low, high, None)) is not None:
                found[parameter] = number
        royale = object_in(settings, "royale")
        if royale.get("shrinkEveryNTurns") and (
            rounds := self.whole(royale, "shrinkEveryNTurns", 1, 10**6, None)
        ):
            found["shrink_every"] = rounds
        return found


def _milliseconds(value: Any) -> float:
    """A latency, which is a text of digits; some referees write a number."""
    try:
        found = float(value) if isinstance(value, (str, int, float)) and len(str(value)) < 12 else 0.0
    except ValueError:
        return 0.0
    return found if 0 <= found <= _LONGEST_TIMEOUT else 0.0  # not where it is no number


# Positions of requests.


def body_of(board: Board, places: Sequence[Cell], line: str) -> tuple[int, ...]:
    """The cells of a snake; the first may be off the board, next to the second."""
    if len(places) > 1 and not board.is_inside(*places[0]) and board.is_inside(*places[1]):
        neck = board.cell(*places[1])
        for direction in range(4):
            if board.beyond(neck, direction) == places[0]:
                return (OFF_BOARD - direction, *(cell_inside(board, cell, line) for cell in places[1:]))
    return tuple(cell_inside(board, cell, line) for cell in places)


def cell_inside(board: Board, place: Cell, line: str) -> int:
    if not board.is_inside(*place):
        raise GameError(f"{place[0]},{place[1]} is off the {board.width}x{board.height} board: {line[:80]!r}")
    return board.cell(*place)


def is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def request_in(text: str) -> Seen:
    """The content of a request in JSON; raises GameError."""
    if len(text) > _LONGEST:
        raise GameError(f"a request has at most {_LONGEST} characters, not {len(text)}")
    try:
        return read_request(json_object(text))
    except ValueError as error:
        raise GameError(str(error)) from None


def checked(board: Board, seen: Seen) -> Seen:
    """The same request, in which everything is understood and on the board; raises GameError for another one."""
    if seen.problem:
        raise GameError(seen.problem)
    if (seen.width, seen.height) != (board.width, board.height):
        raise GameError(f"the position is {seen.width}x{seen.height}, the game {board.width}x{board.height}")
    for cells, what in ((seen.food, "food"), (seen.hazards, "hazards")):
        for cell in cells:
            cell_inside(board, cell, what)
    return seen


def position_of(board: Board, seen: Seen) -> State:
    """The position of a request between two snakes; `you` is player 0. Raises GameError."""
    checked(board, seen)
    if not seen.is_there or len(seen.others) != 1:
        raise GameError(
            f"a position has two snakes alive, `you` among them; this one has {len(seen.others) + seen.is_there}"
        )
    return position(board, seen, [snake_of(board, one) for one in (seen.you, *seen.others)], seen.turn)


def position(board: Board, seen: Seen, snakes: Sequence[Snake], round_: int) -> State:
    """The position of a request with these two snakes, and with its food and its hazards as far as they are on the board.

    A cell that is in the list of hazards more than `hazard_stack` times counts so often.
    """
    food = sorted(board.cell(*cell) for cell in seen.food if board.is_inside(*cell))
    stacks = {
        board.cell(*cell): min(times, board.hazard_stack)
        for cell, times in seen.hazards.items()
        if board.is_inside(*cell)
    }
    hazards = [cell for cell, times in stacks.items() for _ in range(times)]
    return board.state_of(
        snakes, food, hazards, round_, _hazard_margins(board, set(stacks)) if board.royale else (0, 0, 0, 0)
    )


def snake_of(board: Board, seen: SeenSnake, cause: int = 0) -> Snake:
    """A snake of a request; the head of a dead one may be off the board. Raises GameError."""
    return Snake(body_of(board, seen.cells, "body"), seen.health, cause)


def _hazard_margins(board: Board, hazards: set[int]) -> tuple[int, int, int, int]:
    """How many columns and rows from each side are hazards altogether, all that is left at most."""
    columns = [all(board.cell(x, y) in hazards for y in range(board.height)) for x in range(board.width)]
    rows = [all(board.cell(x, y) in hazards for x in range(board.width)) for y in range(board.height)]
    left, right, bottom, top = (
        [*line, False].index(False) for line in (columns, columns[::-1], rows, rows[::-1])
    )
    return left, right, bottom, top


# Requests, written.

REQUEST_PARAMETERS = ("mode", "map", *(parameter for parameter, _, _ in SETTINGS.values()), "shrink_every")
"""The game's parameters in a request besides the board's size."""


def game_object(parameters: Mapping[str, Any], game_id: str, timeout: int = 500) -> dict[str, Any]:
    settings: dict[str, Any] = {key: parameters[name] for key, (name, _, _) in SETTINGS.items()}
    settings |= {
        "hazardMap": "",
        "hazardMapAuthor": "",
        "royale": {"shrinkEveryNTurns": parameters["shrink_every"]},
        "squad": {
            "allowBodyCollisions": False,
            "sharedElimination": False,
            "sharedHealth": False,
            "sharedLength": False,
        },
    }
    return {
        "id": game_id,
        "ruleset": {"name": parameters["mode"], "version": "cli", "settings": settings},
        "map": parameters["map"],
        "timeout": timeout,
        "source": "",
    }


def request(
    board: Board,
    state: State,
    you: int,
    about: Mapping[str, Any],
    names: Sequence[str] = ("0", "1"),
    latencies: Sequence[str] = ("0", "0"),
) -> dict[str, Any]:
    """The request to a snake, as plain data; `about` is the `game`. The board shows the living snakes only."""
    snakes = [snake_object(board, state, player, names[player], latencies[player]) for player in (0, 1)]
    alive = [snakes[player] for player in (0, 1) if not board.snake(state, player).cause]
    shown = {
        "height": board.height,
        "width": board.width,
        "snakes": alive,
        "food": _points(board, by_column(board, cells_in(board.grid, state.food))),
        "hazards": _points(board, by_column(board, stacks_of(board.grid, state))),
    }
    return {
        "game": dict(about),
        "turn": int(state.round),
        "board": shown,
        "you": snakes[you] | {"latency": "0"},
    }


def snake_object(board: Board, state: State, player: int, name: str, latency: str = "0") -> dict[str, Any]:
    """A snake of a request; its id is `snake-` and the player's number."""
    snake = board.snake(state, player)
    body = _points(board, snake.cells)
    return {
        "id": f"snake-{player}",
        "name": name,
        "latency": latency,
        "health": snake.health,
        "body": body,
        "head": body[0],
        "length": len(body),
        "shout": "",
        "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }


def _points(board: Board, cells: Sequence[int]) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in positions_of(board, cells)]


def by_column(board: Board, cells: list[int]) -> list[int]:
    return sorted(cells, key=board.position)


def positions_of(board: Board, cells: Sequence[int]) -> list[Cell]:
    """(x, y) of each cell; that of a head which left the board lies beyond the edge."""
    return [
        board.position(cell) if cell >= 0 else board.beyond(cells[at + 1], OFF_BOARD - cell)
        for at, cell in enumerate(cells)
    ]
