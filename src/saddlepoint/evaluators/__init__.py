"""What a position is worth before the game has decided."""

from .chamber_tree import ChamberTree
from .chambers import Chambers
from .constant import Constant
from .linked import Linked
from .queue_territory import QueueTerritory
from .reachable_space import ReachableSpace
from .riders_control import RidersControl
from .voronoi import Voronoi
from .voronoi_edges import VoronoiEdges

__all__ = [
    "ChamberTree",
    "Chambers",
    "Constant",
    "Linked",
    "QueueTerritory",
    "ReachableSpace",
    "RidersControl",
    "Voronoi",
    "VoronoiEdges",
]
