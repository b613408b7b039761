# For kinds of games; those of one game lie with it. A name in specs is its class's in small letters, with _ between the words.
from .from_rules import ActionCounts as ActionCounts, ResultSoFar as ResultSoFar
from .network.fitted import Fitted as Fitted
from .squashed import Constant as Constant
from .territory.counts import (
    Chambers as Chambers,
    ChamberTree as ChamberTree,
    Endgame as Endgame,
    QueueTerritory as QueueTerritory,
    ReachableChambers as ReachableChambers,
    ReachableSpace as ReachableSpace,
    Separated as Separated,
    Voronoi as Voronoi,
    VoronoiEdges as VoronoiEdges,
)
from .territory.prospects import Prospects as Prospects
