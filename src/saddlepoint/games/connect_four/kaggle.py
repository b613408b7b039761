"""Files of `kaggle_environments`: its `connectx`, and OpenSpiel's Connect Four there."""

from collections.abc import Mapping
from typing import Any

from ...play.kaggle import KaggleGame
from .game import ConnectFour


def _game_of(environment: str, told: Mapping[str, Any]) -> ConnectFour:
    line = "inarow" if environment == "connectx" else "x_in_row"
    return ConnectFour(int(told.get("columns", 7)), int(told.get("rows", 6)), int(told.get(line, 4)))


EPISODE = KaggleGame(("connectx", "open_spiel_connect_four"), _game_of).format()
