"""Which values a game's parameters may have on the server: what the page offers, and what a client is refused."""

from dataclasses import dataclass
from typing import Any

from ..games.catalogue import GAMES
from .errors import Refused


@dataclass(frozen=True)
class Bounds:
    """The values of a parameter: one of `choices`, or a number in a range."""

    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


_MAPS = (
    "empty_room", "divider", "joust", "hunger_games", "empty_room_13", "small_room", "center_block", "diagonal_blocks",
)  # fmt: skip

BOUNDS: dict[str, dict[str, Bounds]] = {
    "light_riders": {"width": Bounds(low=4, high=32), "height": Bounds(low=3, high=32), "max_rounds": Bounds(low=0, high=1000)},
    "simplexity": {
        "rows": Bounds(low=1, high=16), "cols": Bounds(low=1, high=16), "win": Bounds(low=1, high=16),
        "round": Bounds(low=0, high=256), "square": Bounds(low=0, high=256), "supply": Bounds(("same", "own")),
    },
    "tron41": {"map": Bounds(_MAPS), "start": Bounds(("map", "random"))},
    "rubiks_flip": {"double_lock": Bounds(("draw", "opponent", "mover"))},
    "battlesnake": {
        "width": Bounds(low=3, high=25), "height": Bounds(low=3, high=25),
        "mode": Bounds(("standard", "wrapped", "constrictor", "wrapped_constrictor", "royale")),
        "map": Bounds(("standard", "empty", "royale")),
        "food_spawn_chance": Bounds(low=0, high=101), "minimum_food": Bounds(low=0, high=20), "hazard_damage": Bounds(low=-100, high=100),
        "shrink_every": Bounds(low=1, high=1000), "max_rounds": Bounds(low=1, high=2000), "hazard_stack": Bounds(low=1, high=4),
    },
    "goofspiel": {
        "cards": Bounds(low=1, high=13), "order": Bounds(("random", "descending", "ascending")),
        "utility": Bounds(("win", "points")), "lowest": Bounds(low=0, high=100),
    },
    "oshi_zumo": {
        "coins": Bounds(low=1, high=100), "size": Bounds(low=1, high=20), "min_bid": Bounds(low=1, high=100),
        "utility": Bounds(("win", "field")),
    },
    "tic_tac_toe": {},
    "tron": {"width": Bounds(low=1, high=32), "height": Bounds(low=1, high=32)},
    "pursuit_evasion": {"width": Bounds(low=2, high=32), "height": Bounds(low=2, high=32), "depth": Bounds(low=1, high=1000)},
    "biased_rps": {"rock": Bounds(low=1, high=1000), "paper": Bounds(low=1, high=1000), "scissors": Bounds(low=1, high=1000)},
    "random_game": {
        "actions": Bounds(low=1, high=16), "depth": Bounds(low=1, high=100), "utility": Bounds(("uniform", "sums")),
        "seed": Bounds(low=0, high=1_000_000),
    },
    "connect_four": {"columns": Bounds(low=1, high=12), "rows": Bounds(low=1, high=12), "line": Bounds(low=2, high=12)},
    "othello": {"size": Bounds(low=4, high=8), "utility": Bounds(("win", "discs"))},
    "soccer": {"width": Bounds(low=2, high=20), "height": Bounds(low=1, high=20), "max_moves": Bounds(low=1, high=10_000)},
}  # fmt: skip
"""By game and parameter. A parameter that is not here keeps its default: a path, say, would be read."""


def check_parameters(game: str, given: dict[str, Any]) -> None:
    """Raise Refused, in one sentence, unless all values are within the bounds of this library's game."""
    known, bounds = GAMES[game].parameters, BOUNDS.get(game, {})
    for key, value in given.items():
        if key not in known:
            raise Refused(f"{game} has no parameter {key[:100]!r}; it has: {', '.join(known) or 'none'}")
        if value == known[key] and type(value) is type(known[key]):
            continue
        if key not in bounds or type(value) is not type(known[key]):
            raise Refused(f"{game}: {key} must be {_said(bounds.get(key), known[key])}, not {str(value)[:100]!r}")
        one = bounds[key]
        if value not in one.choices if one.choices else not one.low <= value <= one.high:
            raise Refused(f"{game}: {key} must be {_said(one, known[key])}, not {str(value)[:100]!r}")


def _said(bounds: Bounds | None, default: Any) -> str:
    if bounds is None:
        return repr(default)
    return f"one of {', '.join(bounds.choices)}" if bounds.choices else f"{bounds.low} to {bounds.high}"


def described(game: str) -> list[dict[str, Any]]:
    """The parameters of this library's game, as the page offers them."""
    rows: list[dict[str, Any]] = []
    for name, default in GAMES[game].parameters.items():
        one = BOUNDS.get(game, {}).get(name)
        if one is None:
            continue
        if one.choices:
            rows.append({"name": name, "default": default, "kind": "choice", "choices": list(one.choices)})
        else:
            rows.append({"name": name, "default": default, "kind": "int", "low": one.low, "high": one.high})
    return rows
