"""What a position is worth before the game has decided."""

from ..compiled import Component
from .ace import Ace
from .bob import Bob
from .broken_runs import BrokenRuns
from .centre_distance import CentreDistance
from .chamber_tree import ChamberTree
from .chambers import Chambers
from .constant import Constant
from .endgame import Endgame
from .lines import Lines
from .linked import Linked
from .prospects import Prospects
from .queue_territory import QueueTerritory
from .reachable_space import ReachableSpace
from .riders_control import RidersControl
from .room_alone import RoomAlone
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
    "prospects": Prospects,
    "room_alone": RoomAlone,
    "lines": Lines,
    "centre_distance": CentreDistance,
    "broken_runs": BrokenRuns,
    "ace": Ace,
    "bob": Bob,
    "tron_control": TronControl,
    "tron_freespace": TronFreespace,
    "tron_own_fill": TronOwnFill,
    "tron_two_fills": TronTwoFills,
}
"""Evaluators by their names in specs; those that begin with `tron` are for tron41 alone."""

__all__ = [
    "EVALUATORS",
    "Ace",
    "Bob",
    "BrokenRuns",
    "CentreDistance",
    "ChamberTree",
    "Chambers",
    "Constant",
    "Endgame",
    "Lines",
    "Linked",
    "Prospects",
    "QueueTerritory",
    "ReachableSpace",
    "RidersControl",
    "RoomAlone",
    "Separated",
    "TronControl",
    "TronFreespace",
    "TronOwnFill",
    "TronTwoFills",
    "Voronoi",
    "VoronoiEdges",
]
