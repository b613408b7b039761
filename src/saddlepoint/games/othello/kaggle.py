"""Files of `kaggle_environments`: OpenSpiel's Othello there."""

from collections.abc import Mapping
from typing import Any

from ...play.kaggle import KaggleGame
from .game import Othello


def _game_of(environment: str, told: Mapping[str, Any]) -> Othello:
    return Othello()


EPISODE = KaggleGame(("open_spiel_othello",), _game_of).format()
