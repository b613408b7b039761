"""Two-player games with simultaneous or alternating moves: search, equilibria, arena."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ._lazy import load

if TYPE_CHECKING:
    from .game import (
        CHANCE,
        SIMULTANEOUS,
        TERMINAL,
        Game,
        GameError,
        IllegalActionError,
        KernelError,
        Symmetry,
        kernel,
        with_item,
    )
    from .games.goofspiel import Goofspiel
    from .games.light_riders import LightRiders
    from .games.rubiks_flip import RubiksFlip
    from .games.simplexity import Simplexity
    from .search import (
        SMAB,
        AlphaBeta,
        BackwardInduction,
        BoundedInduction,
        DoubleOracle,
        DoubleOracleBounds,
        Limits,
        PrincipalVariation,
        SaddlePruning,
        SearchResult,
        StopToken,
        search,
    )

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "SMAB",
    "TERMINAL",
    "AlphaBeta",
    "BackwardInduction",
    "BoundedInduction",
    "DoubleOracle",
    "DoubleOracleBounds",
    "Game",
    "GameError",
    "Goofspiel",
    "IllegalActionError",
    "KernelError",
    "LightRiders",
    "Limits",
    "PrincipalVariation",
    "RubiksFlip",
    "SaddlePruning",
    "SearchResult",
    "Simplexity",
    "StopToken",
    "Symmetry",
    "kernel",
    "search",
    "with_item",
]

_SUBMODULES = {
    "game": (
        "CHANCE", "SIMULTANEOUS", "TERMINAL", "Game", "GameError", "IllegalActionError", "KernelError", "Symmetry",
        "kernel", "with_item",
    ),
    "games.goofspiel": ("Goofspiel",),
    "games.light_riders": ("LightRiders",),
    "games.simplexity": ("Simplexity",),
    "games.rubiks_flip": ("RubiksFlip",),
    "search": (
        "SMAB", "AlphaBeta", "BackwardInduction", "BoundedInduction", "DoubleOracle", "DoubleOracleBounds", "Limits",
        "PrincipalVariation", "SaddlePruning", "SearchResult", "StopToken", "search",
    ),
}  # fmt: skip
_HOME = {name: submodule for submodule, names in _SUBMODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    # Numba takes most of half a second to import: not before a name is used that needs it.
    return load(__name__, _HOME, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        # Importing the subpackage `search` binds its name here; the function of that name must win.
        super().__setattr__(name, value.search if name == "search" and isinstance(value, ModuleType) else value)


sys.modules[__name__].__class__ = _Package
