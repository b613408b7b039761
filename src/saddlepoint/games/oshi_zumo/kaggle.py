"""Files of `kaggle_environments`: OpenSpiel's Oshi-Zumo there."""

from collections.abc import Mapping
from typing import Any

from ..interface import GameError, KaggleGame, whole
from .game import OshiZumo


def _game_of(environment: str, told: Mapping[str, Any]) -> OshiZumo:
    if told.get("alesia", False):
        raise GameError("with alesia=True the wrestler's half does not count at the end")
    coins, least, horizon = whole(told, "coins", 50), whole(told, "min_bid", 0), whole(told, "horizon", 1000)
    ends_before = least > 0 and horizon >= OshiZumo(coins, 1, least).max_depth
    return OshiZumo(coins, whole(told, "size", 3), least, horizon=0 if ends_before else horizon)


_PARAMETERS = ("alesia", "coins", "min_bid", "horizon", "size")
EPISODE = KaggleGame(("open_spiel_oshi_zumo",), _game_of, _PARAMETERS).format()
