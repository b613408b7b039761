from .game import PASS as PASS, Othello as Othello
from .mobility import Mobility as Mobility
from .network import OthelloNetwork as OthelloNetwork
