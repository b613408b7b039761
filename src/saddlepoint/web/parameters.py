"""Which values a game's parameters may have on the server: what the page offers, and what a client is refused."""

from dataclasses import MISSING, fields
from typing import Any

from ..game import Game
from ..roster.games import GAMES
from .errors import Refused


def check_parameters(game: str, given: dict[str, Any]) -> None:
    """Raise Refused, in one sentence, unless all values are within the ranges of the game of that name (`Game.ranges`)."""
    known, ranges = GAMES[game].parameters, GAMES[game].ranges
    for key, value in given.items():
        if key not in known:
            raise Refused(f"{game} has no parameter {key[:100]!r}; it has: {', '.join(known) or 'none'}")
        if value == known[key] and type(value) is type(known[key]):
            continue
        allowed = ranges.get(key)
        if allowed is None or type(value) is not type(known[key]) or not _is_within(allowed, value):
            raise Refused(f"{game}: {key} must be {_said(allowed, known[key])}, not {str(value)[:100]!r}")


def _is_within(allowed: tuple[Any, ...], value: Any) -> bool:
    return value in allowed if _are_words(allowed) else allowed[0] <= value <= allowed[1]


def _are_words(allowed: tuple[Any, ...]) -> bool:
    return isinstance(allowed[0], str)


def _said(allowed: tuple[Any, ...] | None, default: Any) -> str:
    if allowed is None:
        return repr(default)
    return f"one of {', '.join(allowed)}" if _are_words(allowed) else f"{allowed[0]} to {allowed[1]}"


def described(game: Game) -> list[dict[str, Any]]:
    """The parameters of a game, as the page offers them: a parameter without a range keeps its default."""
    rows: list[dict[str, Any]] = []
    for field in fields(game):  # type: ignore[arg-type]
        allowed = game.ranges.get(field.name)
        if allowed is None or field.default is MISSING:
            continue
        told = {"choices": list(allowed)} if _are_words(allowed) else {"low": allowed[0], "high": allowed[1]}
        rows.append({"name": field.name, "default": field.default, "kind": "choice" if _are_words(allowed) else "int", **told})
    return rows
