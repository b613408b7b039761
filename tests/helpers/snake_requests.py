"""Requests of a referee of Battlesnake, as the rules of the contest write them."""

from collections.abc import Sequence
from typing import Any

Cell = tuple[int, int]


def points(cells: Sequence[Cell]) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in cells]


def snake(id_: str, cells: Sequence[Cell], health: int = 100, latency: str = "0") -> dict[str, Any]:
    body = points(cells)
    return {
        "id": id_,
        "name": id_.upper(),
        "latency": latency,
        "health": health,
        "body": body,
        "head": body[0],
        "length": len(body),
        "shout": "",
        "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }


def asked(
    you: dict[str, Any],
    *others: dict[str, Any],
    size: int = 11,
    food: Sequence[Cell] = (),
    hazards: Sequence[Cell] = (),
    turn: int = 3,
    mode: str = "standard",
    game: str = "game",
    timeout: int = 2000,
) -> dict[str, Any]:
    """What `you` is asked."""
    settings = {
        "foodSpawnChance": 15,
        "minimumFood": 1,
        "hazardDamagePerTurn": 14,
        "hazardMap": "",
        "hazardMapAuthor": "",
        "royale": {"shrinkEveryNTurns": 25},
        "squad": {
            "allowBodyCollisions": False,
            "sharedElimination": False,
            "sharedHealth": False,
            "sharedLength": False,
        },
    }
    about = {
        "id": game,
        "ruleset": {"name": mode, "version": "cli", "settings": settings},
        "map": "standard",
        "timeout": timeout,
        "source": "",
    }
    board = {
        "height": size,
        "width": size,
        "snakes": [you, *others],
        "food": points(food),
        "hazards": points(hazards),
    }
    return {"game": about, "turn": turn, "board": board, "you": you}


def duel(size: int = 7, **more: Any) -> dict[str, Any]:
    """Two snakes at the start of a game."""
    last = size - 2
    start = {"size": size, "food": [(0, 2), (size // 2, size // 2)], "turn": 0, **more}
    return asked(snake("me", [(1, 1)] * 3), snake("you", [(last, last)] * 3), **start)
