"""Requests of a referee of Battlesnake as the rules of the contest write them, files as the official program does, and random positions."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from saddlepoint import CHANCE, TERMINAL
from saddlepoint.games.battlesnake import Battlesnake, State
from saddlepoint.games.battlesnake.requests import REQUEST_PARAMETERS, game_object, request
from saddlepoint.play.replay import Replay, actions_of

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


def random_positions(game: Battlesnake, number: int, seed: int) -> list[Any]:
    """So many positions in which both are to move, of games in which nobody dies at once if it can be helped."""
    drawn = random.Random(seed)
    found: list[Any] = []
    while len(found) < number:
        state = game.initial_state(drawn.randrange(99))
        while game.current_player(state) != TERMINAL and len(found) < number:
            if game.current_player(state) == CHANCE:
                state = game.next_state(
                    state, int(game.drawn_outcome(state, np.uint64(drawn.getrandbits(64))))
                )
                continue
            found.append(state)
            state = game.next_state(
                state, *(drawn.choice(game.search_actions(state, player)) for player in (0, 1))
            )
    return found


def battlesnake_lines(replay: Replay, timeout: int = 500) -> Iterator[dict[str, Any]]:
    """The lines of such a file for a game of Battlesnake, with the ids `snake-0` and `snake-1`.

    Raises ValueError for another game.
    """
    game = replay.make_game()
    if not isinstance(game, Battlesnake):
        raise ValueError(f"{replay.game} is not played on a board of Battlesnake")
    if replay.result is None:
        raise ValueError("the game is not over, and such a file ends with the winner")
    about = game_object(
        {name: getattr(game, name) for name in REQUEST_PARAMETERS}, f"saddlepoint-{replay.seed or 0}", timeout
    )
    yield about
    state = game.from_text(replay.start)
    latencies = ("0", "0")
    yield _line(game, state, about, replay.players, latencies)
    for played in replay.rounds:
        if played.chance is None:
            latencies = f"{played.ms[0]:.0f}", f"{played.ms[1]:.0f}"
        state = game.next_state(state, *actions_of(game, state, played))
        if game.current_player(state) != CHANCE:
            yield _line(game, state, about, replay.players, latencies)
    winner = 0 if replay.result > 0 else 1
    drawn = replay.result == 0
    yield {
        "winnerId": "" if drawn else f"snake-{winner}",
        "winnerName": "" if drawn else replay.players[winner],
        "isDraw": drawn,
    }


def _line(
    game: Battlesnake, state: State, about: Mapping[str, Any], names: Sequence[str], latencies: Sequence[str]
) -> dict[str, Any]:
    """A position of the file. Other than in a request, `you` has its latency too."""
    line = request(game, state, 0, about, names, latencies)
    line["you"]["latency"] = latencies[0]
    return line
