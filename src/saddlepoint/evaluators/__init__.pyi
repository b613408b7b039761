# The evaluators. A name in specs is its class's in small letters, with _ between the words. See `catalogue`.
from .battlesnake.snake_prospects import SnakeProspects as SnakeProspects
from .battlesnake.voronoi import SnakeVoronoi as SnakeVoronoi
from .constant import Constant as Constant
from .goofspiel.hands import Hands as Hands
from .light_riders.prospects import Prospects as Prospects
from .lines.broken_runs import BrokenRuns as BrokenRuns
from .lines.centre_distance import CentreDistance as CentreDistance
from .lines.lines import Lines as Lines
from .lines.threats import Threats as Threats
from .othello.mobility import Mobility as Mobility
from .rubiks_flip.ace import Ace as Ace
from .rubiks_flip.bob import Bob as Bob
from .territory.chamber_tree import ChamberTree as ChamberTree
from .territory.chambers import Chambers as Chambers
from .territory.endgame import Endgame as Endgame
from .territory.queue_territory import QueueTerritory as QueueTerritory
from .territory.reachable_chambers import ReachableChambers as ReachableChambers
from .territory.reachable_space import ReachableSpace as ReachableSpace
from .territory.separated import Separated as Separated
from .territory.voronoi import Voronoi as Voronoi
from .territory.voronoi_edges import VoronoiEdges as VoronoiEdges
from .tron41.control import TronControl as TronControl
from .tron41.fills import TronOwnFill as TronOwnFill, TronTwoFills as TronTwoFills
from .tron41.freespace import TronFreespace as TronFreespace
