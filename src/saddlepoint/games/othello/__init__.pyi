from .evaluators import Mobility as Mobility, OthelloNetwork as OthelloNetwork
from .game import PASS as PASS, Othello as Othello
