"""What a position is worth before the game has decided."""

from ..compiled import Component
from .ace import Ace
from .bob import Bob
from .chamber_tree import ChamberTree
from .chambers import Chambers
from .constant import Constant
from .endgame import Endgame
from .linked import Linked
from .queue_territory import QueueTerritory
from .reachable_space import ReachableSpace
from .riders_control import RidersControl
from .separated import Separated
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
}
"""Every evaluator of territory by its name in specs."""

__all__ = [
    "EVALUATORS",
    "Ace",
    "Bob",
    "ChamberTree",
    "Chambers",
    "Constant",
    "Endgame",
    "Linked",
    "QueueTerritory",
    "ReachableSpace",
    "RidersControl",
    "Separated",
    "Voronoi",
    "VoronoiEdges",
]
