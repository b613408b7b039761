"""What a position is worth before the game has decided.

Each evaluator is loaded when it is first asked for: a player needs one or two of them, and starts the sooner.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .._lazy import load

if TYPE_CHECKING:
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

_HOMES = {
    "Ace": "ace",
    "Bob": "bob",
    "BrokenRuns": "broken_runs",
    "CentreDistance": "centre_distance",
    "ChamberTree": "chamber_tree",
    "Chambers": "chambers",
    "Constant": "constant",
    "Endgame": "endgame",
    "Lines": "lines",
    "Linked": "linked",
    "Prospects": "prospects",
    "QueueTerritory": "queue_territory",
    "ReachableSpace": "reachable_space",
    "RidersControl": "riders_control",
    "RoomAlone": "room_alone",
    "Separated": "separated",
    "TronControl": "tron_control",
    "TronOwnFill": "tron_fills",
    "TronTwoFills": "tron_fills",
    "TronFreespace": "tron_freespace",
    "Voronoi": "voronoi",
    "VoronoiEdges": "voronoi_edges",
}
"""The module of each class."""

_CLASSES = {
    "constant": "Constant",
    "reachable": "ReachableSpace",
    "voronoi": "Voronoi",
    "control": "RidersControl",
    "queue": "QueueTerritory",
    "chambers": "Chambers",
    "voronoi_edges": "VoronoiEdges",
    "chamber_tree": "ChamberTree",
    "prospects": "Prospects",
    "room_alone": "RoomAlone",
    "lines": "Lines",
    "centre_distance": "CentreDistance",
    "broken_runs": "BrokenRuns",
    "ace": "Ace",
    "bob": "Bob",
    "tron_control": "TronControl",
    "tron_freespace": "TronFreespace",
    "tron_own_fill": "TronOwnFill",
    "tron_two_fills": "TronTwoFills",
}


def __getattr__(name: str) -> Any:
    return load(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _ByName(Mapping[str, "type[Component]"]):
    def __getitem__(self, name: str) -> "type[Component]":
        return load(__name__, _HOMES, _CLASSES[name])

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


EVALUATORS: Mapping[str, "type[Component]"] = _ByName()
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
