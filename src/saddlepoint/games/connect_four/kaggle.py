"""Files of `kaggle_environments`: its `connectx`, and OpenSpiel's Connect Four there."""

from collections.abc import Mapping
from typing import Any

from ..interface import KaggleGame, whole
from .game import ConnectFour


def _game_of(environment: str, told: Mapping[str, Any]) -> ConnectFour:
    line = "inarow" if environment == "connectx" else "x_in_row"
    return ConnectFour(whole(told, "columns", 7), whole(told, "rows", 6), whole(told, line, 4))


_PARAMETERS = ("columns", "rows", "x_in_row", "egocentric_obs_tensor")
EPISODE = KaggleGame(("connectx", "open_spiel_connect_four"), _game_of, _PARAMETERS).format()
