from .evaluators.snake_prospects import SnakeProspects as SnakeProspects
from .evaluators.voronoi import SnakeVoronoi as SnakeVoronoi
from .game import Battlesnake as Battlesnake
from .state import CAUSES as CAUSES, Snake as Snake, State as State
