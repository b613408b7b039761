"""Positions as text: a line for each snake, its head first, with cells as x,y from the bottom left; and as the JSON of referees."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ..interface import GameError, json_object
from .board import Board, cells_in, stacks_of
from .requests import SETTINGS, Cell, Seen, SeenSnake, read_request
from .rules import SIDES
from .state import CAUSES, MAYBE, OFF_BOARD, Snake, State, food_due, sides_due

_HEADER = re.compile(r"battlesnake (?P<width>\d{1,3})x(?P<height>\d{1,3}) round (?P<round>\d{1,9})")
_SNAKE = re.compile(
    r"snake (?P<player>[01]) health (?P<health>\d{1,9})(?: (?P<cause>[a-z-]+))?: *(?P<cells>.*)"
)
_CELL = re.compile(r"(-?\d{1,3}),(-?\d{1,3})")
_TAKEN = re.compile("taken: " + " ".join(rf"{side} (\d{{1,3}})" for side in SIDES))
_CHANCE = re.compile(r"chance: food (?P<food>maybe|\d{1,6}) sides (?P<sides>\d{1,6})")
_EXPECTED = "battlesnake 11x11 round 0"
_LONGEST = 2_000_000


def written(board: Board, state: State) -> str:
    """The position as lines of text."""
    lines = [f"battlesnake {board.width}x{board.height} round {state.round}"]
    for player in (0, 1):
        snake = board.snake(state, player)
        cause = f" {CAUSES[snake.cause]}" if snake.cause else ""
        lines.append(f"snake {player} health {snake.health}{cause}: {_cells_text(board, snake.cells)}")
    lines.append(f"food: {_cells_text(board, by_column(board, cells_in(board.grid, state.food)))}".rstrip())
    hazards = by_column(board, stacks_of(board.grid, state))
    if hazards:
        lines.append(f"hazards: {_cells_text(board, hazards)}")
    if state.taken:
        lines.append(
            "taken: " + " ".join(f"{side} {state.taken >> 8 * k & 255}" for k, side in enumerate(SIDES))
        )
    if state.due:
        food = food_due(state.due)
        lines.append(f"chance: food {'maybe' if food == MAYBE else food} sides {sides_due(state.due)}")
    return "\n".join(lines)


def by_column(board: Board, cells: list[int]) -> list[int]:
    """Cells ordered by x, then by y, as official lists are."""
    return sorted(cells, key=board.position)


def _cells_text(board: Board, cells: Sequence[int]) -> str:
    return " ".join(f"{x},{y}" for x, y in _positions(board, cells))


def _positions(board: Board, cells: Sequence[int]) -> list[Cell]:
    """(x, y) of each cell; that of a head which left the board lies beyond the edge."""
    return [
        board.position(cell) if cell >= 0 else board.beyond(cells[at + 1], OFF_BOARD - cell)
        for at, cell in enumerate(cells)
    ]


def read(board: Board, royale: bool, text: str) -> State:
    """The position of a text, or of a request in JSON; raises GameError."""
    if _is_json(text):
        return position_of(board, royale, _loaded(text))
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    header = _HEADER.fullmatch(lines[0]) if lines else None
    if header is None:
        raise GameError(f"expected a first line such as {_EXPECTED!r}, not {(lines or [''])[0][:80]!r}")
    if (int(header["width"]), int(header["height"])) != (board.width, board.height):
        raise GameError(
            f"the position is {header['width']}x{header['height']}, the game {board.width}x{board.height}"
        )
    snakes: dict[int, Snake] = {}
    food: list[int] = []
    hazards: list[int] = []
    taken, food_to_come, sides_to_come = (0, 0, 0, 0), 0, 0
    for line in lines[1:]:
        if found := _SNAKE.fullmatch(line):
            player, cause = int(found["player"]), found["cause"] or ""
            if player in snakes or cause not in CAUSES:
                _refuse(line)
            snakes[player] = Snake(
                _body(board, _places(found["cells"], line), line), int(found["health"]), CAUSES.index(cause)
            )
        elif line.startswith("food:"):
            food += _cells(board, line.removeprefix("food:"), line)
        elif line.startswith("hazards:"):
            hazards += _cells(board, line.removeprefix("hazards:"), line)
        elif found := _TAKEN.fullmatch(line):
            left, right, bottom, top = map(int, found.groups())
            taken = left, right, bottom, top
        elif found := _CHANCE.fullmatch(line):
            food_to_come = MAYBE if found["food"] == "maybe" else int(found["food"])
            sides_to_come = int(found["sides"])
        else:
            _refuse(line)
    if len(snakes) != 2:
        raise GameError(
            "the position needs two lines, snake 0 and snake 1, such as 'snake 0 health 100: 1,1 1,1 1,1'"
        )
    return board.state_of(
        (snakes[0], snakes[1]), food, hazards, int(header["round"]), taken, food_to_come, sides_to_come
    )


def parameters_in(text: str) -> dict[str, Any]:
    """The game's parameters in a position's text or request; raises GameError for a request that is none."""
    if _is_json(text):
        return dict(_loaded(text).parameters)
    header = _HEADER.match(text.lstrip())
    return {"width": int(header["width"]), "height": int(header["height"])} if header else {}


def _places(text: str, line: str) -> list[Cell]:
    found = [_CELL.fullmatch(word) or _refuse(line) for word in text.split()]
    return [(int(one[1]), int(one[2])) for one in found]


def _cells(board: Board, text: str, line: str) -> list[int]:
    return [_inside(board, place, line) for place in _places(text, line)]


def _body(board: Board, places: Sequence[Cell], line: str) -> tuple[int, ...]:
    """The cells of a snake; the first may be off the board, next to the second."""
    if len(places) > 1 and not board.is_inside(*places[0]) and board.is_inside(*places[1]):
        neck = board.cell(*places[1])
        for direction in range(4):
            if board.beyond(neck, direction) == places[0]:
                return (OFF_BOARD - direction, *(_inside(board, cell, line) for cell in places[1:]))
    return tuple(_inside(board, cell, line) for cell in places)


def _inside(board: Board, place: Cell, line: str) -> int:
    if not board.is_inside(*place):
        raise GameError(f"{place[0]},{place[1]} is off the {board.width}x{board.height} board: {line[:80]!r}")
    return board.cell(*place)


def _refuse(line: str) -> NoReturn:
    raise GameError(
        f"{line[:80]!r} is no line of a position; expected lines such as 'snake 0 health 100: 1,1 1,1 1,1', 'food: 5,5'"
    )


# -- requests of referees, read ------------------------------------------------------------------------------------------


def _is_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def _loaded(text: str) -> Seen:
    """What a request shows; raises GameError."""
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
            _inside(board, cell, what)
    return seen


def position_of(board: Board, royale: bool, seen: Seen) -> State:
    """The position of a request between two snakes; `you` is player 0. Raises GameError."""
    checked(board, seen)
    if not seen.is_there or len(seen.others) != 1:
        raise GameError(
            f"a position has two snakes alive, `you` among them; this one has {len(seen.others) + seen.is_there}"
        )
    return position(
        board, royale, seen, [snake_of(board, one) for one in (seen.you, *seen.others)], seen.turn
    )


def position(board: Board, royale: bool, seen: Seen, snakes: Sequence[Snake], round_: int) -> State:
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
        snakes, food, hazards, round_, _hazard_margins(board, set(stacks)) if royale else (0, 0, 0, 0)
    )


def snake_of(board: Board, seen: SeenSnake, cause: int = 0) -> Snake:
    """A snake of a request; the head of a dead one may be off the board. Raises GameError."""
    return Snake(_body(board, seen.cells, "body"), seen.health, cause)


def _hazard_margins(board: Board, hazards: set[int]) -> tuple[int, int, int, int]:
    """How many columns and rows from each side are hazards altogether, all that is left at most."""
    columns = [all(board.cell(x, y) in hazards for y in range(board.height)) for x in range(board.width)]
    rows = [all(board.cell(x, y) in hazards for x in range(board.width)) for y in range(board.height)]
    return _leading(columns), _leading(columns[::-1]), _leading(rows), _leading(rows[::-1])


def _leading(flags: list[bool]) -> int:
    return flags.index(False) if False in flags else len(flags)


# -- requests of referees, written ---------------------------------------------------------------------------------------

REQUEST_PARAMETERS = ("mode", "map", *(parameter for parameter, _, _ in SETTINGS.values()), "shrink_every")
"""The game's parameters in a request besides the board's size."""


def game_object(parameters: Mapping[str, Any], game_id: str, timeout: int = 500) -> dict[str, Any]:
    """The `game` of a request, from the game's parameters."""
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
    """What a snake is asked, as plain data; `about` is the `game`. The board shows the living snakes only."""
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
    return [{"x": x, "y": y} for x, y in _positions(board, cells)]
