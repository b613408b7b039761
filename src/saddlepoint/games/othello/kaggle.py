"""Files of `kaggle_environments`: OpenSpiel's Othello there."""

from ..interface import KaggleGame
from .game import Othello

EPISODE = KaggleGame(("open_spiel_othello",), lambda environment, told: Othello()).format()
