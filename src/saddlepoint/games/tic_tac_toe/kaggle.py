"""Files of `kaggle_environments`: OpenSpiel's tic-tac-toe there."""

from collections.abc import Mapping
from typing import Any

from ...play.kaggle import KaggleGame
from .game import TicTacToe


def _game_of(environment: str, told: Mapping[str, Any]) -> TicTacToe:
    return TicTacToe()


EPISODE = KaggleGame(("open_spiel_tic_tac_toe",), _game_of).format()
