"""What is said between a referee of Battlesnake and a snake: requests as the official program makes them, and the answers to them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .. import Battlesnake, State
from ..game import DIRECTIONS
from ..requests import TOLD, game_object, request

USUAL_TIMEOUT = 0.5
"""Seconds that a snake has for an answer where nothing else is said."""
NAMES = ("player 0", "player 1")
"""What the snakes are called: who the opponent is, they are not told."""

_LONGEST_SHOWN = 60
_LONGEST_VERSION = 100


class AnswerError(ValueError):
    """An answer that does not count; the message says why, in a few words."""


def about_game(game: Battlesnake, game_id: str, seconds: float) -> dict[str, Any]:
    """The `game` of a request; `seconds` is the time for an answer."""
    return game_object({name: getattr(game, name) for name in TOLD}, game_id, round(1000 * seconds))


def asked(game: Battlesnake, state: State, you: int, about: Mapping[str, Any], seconds: Sequence[float]) -> dict[str, Any]:
    """The body of `/start` and `/move`; `seconds` is what the last answer of each player took."""
    latencies = [f"{1000 * one:.0f}" for one in seconds]
    return request(game.board, state, you, about, NAMES, latencies)


def told_at_the_end(body: Mapping[str, Any]) -> dict[str, Any]:
    """The body of `/end`, from that of the last position."""
    return {**body, "turn": body["turn"] + 1}


def encoded(body: Mapping[str, Any]) -> bytes:
    """A body as it is sent."""
    return json.dumps(body, separators=(",", ":")).encode()


def move_in(answer: bytes) -> int:
    """The action that the answer to `/move` names; raises AnswerError."""
    move = decoded(answer).get("move")
    if not isinstance(move, str) or move not in DIRECTIONS:
        raise AnswerError(f"{shown(str(move))} is no move" if move is not None else "no move in the answer")
    return DIRECTIONS.index(move)


def version_in(about: Mapping[str, Any]) -> str:
    """The version that the answer to `GET /` tells, shortened if need be; empty where it tells none."""
    version = about.get("version")
    return "".join(mark for mark in version if mark.isprintable())[:_LONGEST_VERSION] if isinstance(version, str) else ""


def decoded(answer: bytes) -> dict[str, Any]:
    """The JSON object that an answer is; raises AnswerError."""
    try:
        data = json.loads(answer)
    except (ValueError, RecursionError):  # no UTF-8, no JSON, a number too long, too many brackets
        raise AnswerError("the answer is no JSON") from None
    if not isinstance(data, dict):
        raise AnswerError("the answer is no JSON object")
    return data  # pyright: ignore[reportUnknownVariableType]


def shown(text: str) -> str:
    """What a server wrote, for people: short, on one line."""
    return repr(text[:_LONGEST_SHOWN])
