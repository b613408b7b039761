from .game import RandomGame as RandomGame
from .sums import Sums as Sums
