"""What a position is worth before the game has decided."""

from ..compiled import Component
from .chamber_tree import ChamberTree
from .chambers import Chambers
from .constant import Constant
from .endgame import Endgame
from .linked import Linked
from .queue_territory import QueueTerritory
from .reachable_space import ReachableSpace
from .riders_control import RidersControl
from .separated import Separated
from .tron_control import TronControl
from .tron_fills import TronOwnFill, TronTwoFills
from .tron_freespace import TronFreespace
from .voronoi import Voronoi
from .voronoi_edges import VoronoiEdges

EVALUATORS: dict[str, type[Component]] = {
    "constant": Constant,
    "reachable": ReachableSpace,
    "voronoi": Voronoi,
    "control": RidersControl,
    "queue": QueueTerritory,
    "chambers": Chambers,
    "voronoi_edges": VoronoiEdges,
    "chamber_tree": ChamberTree,
    "tron_control": TronControl,
    "tron_freespace": TronFreespace,
    "tron_own_fill": TronOwnFill,
    "tron_two_fills": TronTwoFills,
}
"""Every evaluator of territory by its name in specs; those that begin with `tron` are for tron41 alone."""

__all__ = [
    "EVALUATORS",
    "ChamberTree",
    "Chambers",
    "Constant",
    "Endgame",
    "Linked",
    "QueueTerritory",
    "ReachableSpace",
    "RidersControl",
    "Separated",
    "TronControl",
    "TronFreespace",
    "TronOwnFill",
    "TronTwoFills",
    "Voronoi",
    "VoronoiEdges",
]
