# For kinds of games; those of one game lie with it. A name in specs is its class's in small letters, with _ between the words.
from .constant import Constant as Constant
from .network.fitted import Fitted as Fitted
from .territory.chamber_tree import ChamberTree as ChamberTree
from .territory.chambers import Chambers as Chambers
from .territory.endgame import Endgame as Endgame
from .territory.prospects import Prospects as Prospects
from .territory.queue_territory import QueueTerritory as QueueTerritory
from .territory.reachable_chambers import ReachableChambers as ReachableChambers
from .territory.reachable_space import ReachableSpace as ReachableSpace
from .territory.separated import Separated as Separated
from .territory.voronoi import Voronoi as Voronoi
from .territory.voronoi_edges import VoronoiEdges as VoronoiEdges
