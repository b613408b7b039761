from .game import Battlesnake as Battlesnake
from .snake_prospects import SnakeProspects as SnakeProspects
from .state import CAUSES as CAUSES, Snake as Snake, State as State
from .voronoi import SnakeVoronoi as SnakeVoronoi
