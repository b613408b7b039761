"""What a client asks of the analysis, checked."""

import math
from typing import Any, NamedTuple

from ..algorithms import Algorithm, Limits
from ..game import Game
from ..roster.analysing import search_of, stage_search_of
from .errors import Refused

SECONDS = 60.0
NODES = 50_000_000
_REVIEW_SECONDS = 5.0
_OVERLAYS = 16


class Request(NamedTuple):
    """One analysis."""

    review: bool
    spec: str
    """The game's."""
    game: Game
    states: tuple[Any, ...]
    """Of the whole game; the last one is analysed."""
    moves: tuple[tuple[int, int], ...]
    algorithm: Algorithm
    alternatives: Algorithm | None
    """What searches the alternatives, if they are wanted."""
    limits: Limits
    """Of the analysis, or of each turn of a review."""
    overlays: tuple[str, ...]


def request_of(data: dict[str, Any], app_state: Any) -> Request:
    """The request in a message; raises Refused in one sentence."""
    kind = data.get("do")
    if kind not in ("analyse", "review"):
        raise Refused("do must be one of analyse, review, stop")
    spec, game, states, moves = _line(data, app_state)
    player, evaluator = (_word(data, key) for key in ("algorithm", "evaluator"))
    review = kind == "review"
    alternatives = review or data.get("alternatives") is True
    limits = _review_limits(data) if review else Limits(seconds=_number(data, "seconds", 10.0, SECONDS))
    overlays = data.get("overlays") or []
    if not isinstance(overlays, list) or len(overlays) > _OVERLAYS or not all(isinstance(one, str) for one in overlays):
        raise Refused("overlays must be a list of their names")
    return Request(
        review, spec, game, tuple(states), tuple(moves), search_of(game, player, evaluator),
        stage_search_of(game, player, evaluator) if alternatives else None, limits, tuple(overlays),
    )  # fmt: skip


def _line(data: dict[str, Any], app_state: Any) -> tuple[str, Game, list[Any], list[tuple[int, int]]]:
    from ..games.catalogue import make_game
    from ..spec import parse_spec

    text, start, moves = data.get("game"), data.get("start"), data.get("moves") or []
    if not isinstance(text, str):
        raise Refused("game must be a text")
    spec = parse_spec(text)
    game = make_game(spec.name, **spec.options)
    states = [game.initial_state() if start is None else game.from_text(start)]
    for a, b in moves:
        states.append(game.next_state(states[-1], *(one for one in (a, b) if one != -1 or game.current_player(states[-1]) == -2)))
    return text, game, states, [(a, b) for a, b in moves]


def _word(data: dict[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise Refused(f"{key} must be a text")
    return value or None


def _number(data: dict[str, Any], key: str, default: float, most: float) -> float:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or not 0 < value <= most:
        raise Refused(f"{key} must be a number above 0, at most {most:g}")
    return float(value)


def _review_limits(data: dict[str, Any]) -> Limits:
    nodes = data.get("nodes_per_turn")
    if nodes is not None:
        if type(nodes) is not int or not 1 <= nodes <= NODES:
            raise Refused(f"nodes_per_turn must be a whole number from 1 to {NODES}")
        return Limits(nodes=nodes, seconds=_REVIEW_SECONDS)
    return Limits(seconds=_number(data, "seconds_per_turn", 0.3, _REVIEW_SECONDS))
