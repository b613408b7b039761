"""What a position is worth, for games too deep to search out; Light Riders and Tron share them."""

from ..compiled import Component
from .constant import Constant
from .reachable import ReachableSpace
from .voronoi import Voronoi, VoronoiEdges

EVALUATORS: dict[str, type[Component]] = {
    "constant": Constant,
    "reachable": ReachableSpace,
    "voronoi": Voronoi,
    "voronoi_edges": VoronoiEdges,
}
"""Every evaluator by its name in specs."""

__all__ = ["EVALUATORS", "Constant", "ReachableSpace", "Voronoi", "VoronoiEdges"]
