# The games, in the order in which they are shown; a game's name is its module's. See `catalogue`.
# ruff: noqa: I001
from .light_riders import LightRiders as LightRiders
from .simplexity import Simplexity as Simplexity
from .tron41 import Tron41 as Tron41
from .goofspiel import Goofspiel as Goofspiel
from .rubiks_flip import RubiksFlip as RubiksFlip
from .battlesnake import Battlesnake as Battlesnake
from .oshi_zumo import OshiZumo as OshiZumo
from .tic_tac_toe import TicTacToe as TicTacToe
from .tron import Tron as Tron
from .pursuit_evasion import PursuitEvasion as PursuitEvasion
from .biased_rps import BiasedRPS as BiasedRPS
from .random_game import RandomGame as RandomGame
from .connect_four import ConnectFour as ConnectFour
from .othello import Othello as Othello
from .soccer import Soccer as Soccer
