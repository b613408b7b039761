"""Files of `kaggle_environments`: OpenSpiel's tic-tac-toe there."""

from ..interface import KaggleGame
from .game import TicTacToe

EPISODE = KaggleGame(("open_spiel_tic_tac_toe",), lambda environment, told: TicTacToe()).format()
