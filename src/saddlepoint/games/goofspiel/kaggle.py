"""Files of `kaggle_environments`: OpenSpiel's Goofspiel there."""

from collections.abc import Mapping
from typing import Any

from ..interface import GameError, KaggleGame, whole
from .game import Goofspiel

_UTILITIES = {"win_loss": "win", "point_difference": "points", "total_points": "points"}
"""By what each player gets there: its points, or how far they are above the mean of both, and the difference of both is our result."""


def _game_of(environment: str, told: Mapping[str, Any]) -> Goofspiel:
    cards = whole(told, "num_cards", 13)
    if told.get("imp_info", False):
        raise GameError("imp_info=True hides the bids, and games here hide nothing")
    if told.get("players", 2) != 2:
        raise GameError(f"{told['players']} players, and games here have two")
    if told.get("num_turns", -1) not in (-1, cards):
        raise GameError(f"num_turns={told['num_turns']} ends the game before all cards are played")
    return Goofspiel(
        cards, str(told.get("points_order", "random")), _UTILITIES[told.get("returns_type", "win_loss")]
    )


def _by_difference(game: Any) -> bool:
    return game.by_points


_PARAMETERS = ("num_cards", "imp_info", "players", "num_turns", "points_order", "returns_type", "egocentric")
EPISODE = KaggleGame(("open_spiel_goofspiel",), _game_of, _PARAMETERS, by_difference=_by_difference).format()
