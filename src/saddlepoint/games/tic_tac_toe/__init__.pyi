from .game import CELLS as CELLS, SIDE as SIDE, State as State, TicTacToe as TicTacToe
