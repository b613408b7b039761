"""What a position is worth before the game has decided.

Each evaluator is loaded when it is first asked for: a player needs one or two of them, and starts the sooner.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .._lazy import load

if TYPE_CHECKING:
    from ..compiled import Component
    from .constant import Constant
    from .light_riders.prospects import Prospects
    from .lines.broken_runs import BrokenRuns
    from .lines.centre_distance import CentreDistance
    from .lines.lines import Lines
    from .linked import Linked
    from .rubiks_flip.ace import Ace
    from .rubiks_flip.bob import Bob
    from .territory.chamber_tree import ChamberTree
    from .territory.chambers import Chambers
    from .territory.endgame import Endgame
    from .territory.queue_territory import QueueTerritory
    from .territory.reachable_space import ReachableSpace
    from .territory.riders_control import RidersControl
    from .territory.room_alone import RoomAlone
    from .territory.separated import Separated
    from .territory.voronoi import Voronoi
    from .territory.voronoi_edges import VoronoiEdges
    from .tron41.control import TronControl
    from .tron41.fills import TronOwnFill, TronTwoFills
    from .tron41.freespace import TronFreespace

_HOMES = {
    "Ace": "rubiks_flip.ace",
    "Bob": "rubiks_flip.bob",
    "BrokenRuns": "lines.broken_runs",
    "CentreDistance": "lines.centre_distance",
    "ChamberTree": "territory.chamber_tree",
    "Chambers": "territory.chambers",
    "Constant": "constant",
    "Endgame": "territory.endgame",
    "Lines": "lines.lines",
    "Linked": "linked",
    "Prospects": "light_riders.prospects",
    "QueueTerritory": "territory.queue_territory",
    "ReachableSpace": "territory.reachable_space",
    "RidersControl": "territory.riders_control",
    "RoomAlone": "territory.room_alone",
    "Separated": "territory.separated",
    "TronControl": "tron41.control",
    "TronOwnFill": "tron41.fills",
    "TronTwoFills": "tron41.fills",
    "TronFreespace": "tron41.freespace",
    "Voronoi": "territory.voronoi",
    "VoronoiEdges": "territory.voronoi_edges",
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
