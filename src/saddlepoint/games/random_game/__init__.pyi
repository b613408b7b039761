from .game import RandomGame as RandomGame, Sums as Sums
