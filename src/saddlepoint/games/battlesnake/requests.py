"""The JSON that a referee of Battlesnake sends: a position in the eyes of one snake. Read with care, written in full."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...game import GameError
from ...json_fields import json_object
from .board import Board
from .body import cells_in, stacks_of
from .state import FULL_HEALTH, MOST_STACKED, OFF_BOARD, Snake, State

_LONGEST = 2_000_000
_NUMBERS = {
    "foodSpawnChance": "food_spawn_chance", "minimumFood": "minimum_food", "hazardDamagePerTurn": "hazard_damage",
}  # fmt: skip


def is_request(text: str) -> bool:
    """Whether a text is meant to be JSON."""
    return text.lstrip().startswith("{")


def loaded(text: str) -> dict[str, Any]:
    """The object of a JSON text; raises GameError."""
    if len(text) > _LONGEST:
        raise GameError(f"a request has at most {_LONGEST} characters, not {len(text)}")
    try:
        return json_object(text)
    except ValueError as error:
        raise GameError(str(error)) from None


def parameters_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The game's parameters as a request tells them; what it leaves out, or what is not known here, has its usual value.

    Raises GameError where there is no board.
    """
    board, about = _object(data, "board"), _optional(data, "game")
    ruleset = _optional(about, "ruleset")
    settings = _optional(ruleset, "settings")
    found: dict[str, Any] = {"width": _number(board, "width"), "height": _number(board, "height")}
    mode, map_ = ruleset.get("name"), about.get("map")
    found["mode"] = mode if mode in ("wrapped", "constrictor", "wrapped_constrictor", "royale") else "standard"
    found["map"] = map_ if map_ in ("empty", "royale") else "standard"
    for told, name in _NUMBERS.items():
        if told in settings:
            found[name] = _number(settings, told)
    hazards = [(one.get("x"), one.get("y")) for one in _list(board, "hazards") if isinstance(one, dict)] if board.get("hazards") else []
    if len(hazards) > len(set(hazards)):
        found["hazard_stack"] = MOST_STACKED
    royale = _optional(settings, "royale")
    if royale.get("shrinkEveryNTurns"):
        found["shrink_every"] = _number(royale, "shrinkEveryNTurns")
    return found


def position_of(board: Board, royale: bool, text: str) -> State:
    """The position of a request between two snakes; `you` is player 0. Raises GameError."""
    data = loaded(text)
    you = _object(data, "you").get("id")
    snakes = [_check(one, dict, "a snake", "an object") for one in _list(_object(data, "board"), "snakes")]
    own = [one for one in snakes if one.get("id") == you]
    others = [one for one in snakes if one.get("id") != you]
    if len(own) != 1 or len(others) != 1:
        raise GameError(f"a position has two snakes alive, `you` among them; this one has {len(snakes)}")
    return position(board, royale, data, [snake_of(board, own[0]), snake_of(board, others[0])])


def position(board: Board, royale: bool, data: Mapping[str, Any], snakes: Sequence[Snake]) -> State:
    """The position of a request with these two snakes, its food and its hazards.

    A cell that is in the list of hazards more than `hazard_stack` times counts so often.
    """
    told = _object(data, "board")
    size = _number(told, "width"), _number(told, "height")
    if size != (board.width, board.height):
        raise GameError(f"the position is {size[0]}x{size[1]}, the game {board.width}x{board.height}")
    food = sorted(set(_cells(board, told.get("food", []), "food")))
    stacks = Counter(_cells(board, told.get("hazards", []), "hazards"))
    hazards = [cell for cell, times in stacks.items() for _ in range(min(times, board.hazard_stack))]
    return board.state_of(snakes, food, hazards, _number(data, "turn"), hazard_margins(board, set(stacks)) if royale else (0, 0, 0, 0))


def snake_of(board: Board, data: Mapping[str, Any], cause: int = 0) -> Snake:
    """A snake of a request; the head of a dead one may be off the board. Raises GameError."""
    places = _places(_list(data, "body"), "body")
    health = _number(data, "health")
    if not cause and not 0 < health <= FULL_HEALTH:
        raise GameError(f"the health of a living snake is 1 to {FULL_HEALTH}, not {health}")
    if len(places) < 2:
        raise GameError(f"a snake's body has 2 cells or more, not {len(places)}")
    cells = [_cell(board, place, "body") for place in places[1:]]
    if board.is_inside(*places[0]) or not cause:
        return Snake((_cell(board, places[0], "body"), *cells), health, cause)
    over = [direction for direction in range(4) if board.beyond(cells[0], direction) == places[0]]
    return Snake((OFF_BOARD - over[0], *cells), health, cause) if over else _refuse("body", "cells that follow each other")


def hazard_margins(board: Board, hazards: set[int]) -> tuple[int, int, int, int]:
    """How many columns and rows from each side are hazards altogether, all that is left at most."""
    columns = [all(board.cell(x, y) in hazards for y in range(board.height)) for x in range(board.width)]
    rows = [all(board.cell(x, y) in hazards for x in range(board.width)) for y in range(board.height)]
    return _leading(columns), _leading(columns[::-1]), _leading(rows), _leading(rows[::-1])


def _leading(flags: list[bool]) -> int:
    return flags.index(False) if False in flags else len(flags)


# -- writing -------------------------------------------------------------------------------------------------------------

TOLD = ("mode", "map", *_NUMBERS.values(), "shrink_every")
"""The game's parameters that a request tells besides the board's size."""


def game_object(parameters: Mapping[str, Any], game_id: str, timeout: int = 500) -> dict[str, Any]:
    """The `game` of a request, from the game's parameters."""
    settings: dict[str, Any] = {told: parameters[name] for told, name in _NUMBERS.items()}
    settings |= {
        "hazardMap": "", "hazardMapAuthor": "", "royale": {"shrinkEveryNTurns": parameters["shrink_every"]},
        "squad": {"allowBodyCollisions": False, "sharedElimination": False, "sharedHealth": False, "sharedLength": False},
    }  # fmt: skip
    return {
        "id": game_id, "ruleset": {"name": parameters["mode"], "version": "cli", "settings": settings}, "map": parameters["map"],
        "timeout": timeout, "source": "",
    }  # fmt: skip


def request(
    board: Board, state: State, you: int, about: Mapping[str, Any], names: Sequence[str] = ("0", "1"),
    latencies: Sequence[str] = ("0", "0"),
) -> dict[str, Any]:  # fmt: skip
    """What a snake is asked, as plain data; `about` is the `game`. The board shows the living snakes only."""
    snakes = [snake_object(board, state, player, names[player], latencies[player]) for player in (0, 1)]
    alive = [snakes[player] for player in (0, 1) if not board.snake(state, player).cause]
    shown = {
        "height": board.height, "width": board.width, "snakes": alive,
        "food": _points(board, sorted(cells_in(board.grid, state.food), key=board.position)),
        "hazards": _points(board, sorted(stacks_of(board.grid, state), key=board.position)),
    }  # fmt: skip
    return {"game": dict(about), "turn": int(state.round), "board": shown, "you": snakes[you] | {"latency": "0"}}


def snake_object(board: Board, state: State, player: int, name: str, latency: str = "0") -> dict[str, Any]:
    """A snake of a request; its id is `snake-` and the player's number."""
    snake = board.snake(state, player)
    body = _points(board, snake.cells)
    return {
        "id": f"snake-{player}", "name": name, "latency": latency, "health": snake.health, "body": body, "head": body[0],
        "length": len(body), "shout": "", "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }  # fmt: skip


def _points(board: Board, cells: Sequence[int]) -> list[dict[str, int]]:
    points: list[dict[str, int]] = []
    for at, cell in enumerate(cells):
        x, y = board.position(cell) if cell >= 0 else board.beyond(cells[at + 1], OFF_BOARD - cell)
        points.append({"x": x, "y": y})
    return points


# -- fields of what is not trusted ------------------------------------------------------------------------------------------


def _refuse(what: str, expected: str) -> Any:
    raise GameError(f"{what} must be {expected}")


def _check(value: Any, kind: type, what: str, expected: str) -> Any:
    return value if isinstance(value, kind) and not isinstance(value, bool) else _refuse(what, expected)


def _object(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return _check(data.get(name), dict, f"{name!r}", "an object")


def _optional(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    return _check(data.get(name), list, f"{name!r}", "a list")


def _number(data: Mapping[str, Any], name: str) -> int:
    number = _check(data.get(name), int, f"{name!r}", "a whole number")
    return number if abs(number) < 10**9 else _refuse(f"{name!r}", "below 1000000000")


def _places(values: Any, what: str) -> list[tuple[int, int]]:
    cells = [_check(one, dict, what, "a list of cells {x, y}") for one in _check(values or [], list, what, "a list of cells {x, y}")]
    return [(_number(one, "x"), _number(one, "y")) for one in cells]


def _cells(board: Board, values: Any, what: str) -> list[int]:
    return [_cell(board, place, what) for place in _places(values, what)]


def _cell(board: Board, place: tuple[int, int], what: str) -> int:
    if not board.is_inside(*place):
        raise GameError(f"{what}: {place[0]},{place[1]} is off the {board.width}x{board.height} board")
    return board.cell(*place)
