"""The JSON that a referee of Battlesnake sends: a position in the eyes of one snake. Read with care, written in full."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...game import GameError
from .body import cells_in, stacks_of
from .state import FULL_HEALTH, MOST_STACKED, OFF_BOARD, Snake, State

if TYPE_CHECKING:
    from .game import Battlesnake

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
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GameError(f"no JSON: {str(error).splitlines()[0]}") from None
    return data if isinstance(data, dict) else _refuse("the request", "an object")  # pyright: ignore[reportUnknownVariableType]


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


def position_of(game: "Battlesnake", text: str) -> State:
    """The position of a request between two snakes; `you` is player 0. Raises GameError."""
    data = loaded(text)
    you = _object(data, "you").get("id")
    snakes = [_check(one, dict, "a snake", "an object") for one in _list(_object(data, "board"), "snakes")]
    own = [one for one in snakes if one.get("id") == you]
    others = [one for one in snakes if one.get("id") != you]
    if len(own) != 1 or len(others) != 1:
        raise GameError(f"a position has two snakes alive, `you` among them; this one has {len(snakes)}")
    return position(game, data, [snake_of(game, own[0]), snake_of(game, others[0])])


def position(game: "Battlesnake", data: Mapping[str, Any], snakes: Sequence[Snake]) -> State:
    """The position of a request with these two snakes, its food and its hazards.

    A cell that is in the list of hazards more than `hazard_stack` times counts so often.
    """
    board = _object(data, "board")
    size = _number(board, "width"), _number(board, "height")
    if size != (game.width, game.height):
        raise GameError(f"the position is {size[0]}x{size[1]}, the game {game.width}x{game.height}")
    food = sorted(set(_cells(game, board.get("food", []), "food")))
    stacks = Counter(_cells(game, board.get("hazards", []), "hazards"))
    hazards = [cell for cell, times in stacks.items() for _ in range(min(times, game.hazard_stack))]
    return game.state_of(snakes, food, hazards, _number(data, "turn"), _taken(game, set(stacks)) if game.royale else (0, 0, 0, 0))


def snake_of(game: "Battlesnake", data: Mapping[str, Any], cause: int = 0) -> Snake:
    """A snake of a request; the head of a dead one may be off the board. Raises GameError."""
    places = _places(_list(data, "body"), "body")
    health = _number(data, "health")
    if not cause and not 0 < health <= FULL_HEALTH:
        raise GameError(f"the health of a living snake is 1 to {FULL_HEALTH}, not {health}")
    if len(places) < 2:
        raise GameError(f"a snake's body has 2 cells or more, not {len(places)}")
    cells = [_cell(game, place, "body") for place in places[1:]]
    if game.is_inside(*places[0]) or not cause:
        return Snake((_cell(game, places[0], "body"), *cells), health, cause)
    over = [direction for direction in range(4) if game.beyond(cells[0], direction) == places[0]]
    return Snake((OFF_BOARD - over[0], *cells), health, cause) if over else _refuse("body", "cells that follow each other")


def _taken(game: "Battlesnake", hazards: set[int]) -> tuple[int, int, int, int]:
    """How many columns and rows from each side are hazards altogether, all that is left at most."""
    columns = [all(game.cell(x, y) in hazards for y in range(game.height)) for x in range(game.width)]
    rows = [all(game.cell(x, y) in hazards for x in range(game.width)) for y in range(game.height)]
    return _leading(columns), _leading(columns[::-1]), _leading(rows), _leading(rows[::-1])


def _leading(flags: list[bool]) -> int:
    return flags.index(False) if False in flags else len(flags)


# -- writing -------------------------------------------------------------------------------------------------------------


def game_object(game: "Battlesnake", game_id: str, timeout: int = 500) -> dict[str, Any]:
    """The `game` of a request."""
    settings = {
        "foodSpawnChance": game.food_spawn_chance, "minimumFood": game.minimum_food, "hazardDamagePerTurn": game.hazard_damage,
        "hazardMap": "", "hazardMapAuthor": "", "royale": {"shrinkEveryNTurns": game.shrink_every},
        "squad": {"allowBodyCollisions": False, "sharedElimination": False, "sharedHealth": False, "sharedLength": False},
    }  # fmt: skip
    return {
        "id": game_id, "ruleset": {"name": game.mode, "version": "cli", "settings": settings}, "map": game.map,
        "timeout": timeout, "source": "",
    }  # fmt: skip


def request(
    game: "Battlesnake", state: State, you: int, about: Mapping[str, Any], names: Sequence[str] = ("0", "1"),
    latencies: Sequence[str] = ("0", "0"),
) -> dict[str, Any]:  # fmt: skip
    """What a snake is asked, as plain data; `about` is the `game`. The board shows the living snakes only."""
    snakes = [snake_object(game, state, player, names[player], latencies[player]) for player in (0, 1)]
    alive = [snakes[player] for player in (0, 1) if not game.snake(state, player).cause]
    board = {
        "height": game.height, "width": game.width, "snakes": alive,
        "food": _points(game, sorted(cells_in(game.grid, state.food), key=game.position)),
        "hazards": _points(game, sorted(stacks_of(game.grid, state), key=game.position)),
    }  # fmt: skip
    return {"game": dict(about), "turn": int(state.round), "board": board, "you": snakes[you] | {"latency": "0"}}


def snake_object(game: "Battlesnake", state: State, player: int, name: str, latency: str = "0") -> dict[str, Any]:
    """A snake of a request; its id is `snake-` and the player's number."""
    snake = game.snake(state, player)
    body = _points(game, snake.cells)
    return {
        "id": f"snake-{player}", "name": name, "latency": latency, "health": snake.health, "body": body, "head": body[0],
        "length": len(body), "shout": "", "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }  # fmt: skip


def _points(game: "Battlesnake", cells: Sequence[int]) -> list[dict[str, int]]:
    points: list[dict[str, int]] = []
    for at, cell in enumerate(cells):
        x, y = game.position(cell) if cell >= 0 else game.beyond(cells[at + 1], OFF_BOARD - cell)
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


def _cells(game: "Battlesnake", values: Any, what: str) -> list[int]:
    return [_cell(game, place, what) for place in _places(values, what)]


def _cell(game: "Battlesnake", place: tuple[int, int], what: str) -> int:
    if not game.is_inside(*place):
        raise GameError(f"{what}: {place[0]},{place[1]} is off the {game.width}x{game.height} board")
    return game.cell(*place)
