"""Two-player games with simultaneous or alternating moves: search, equilibria, arena."""

from typing import TYPE_CHECKING, Any

from ._lazy import load

if TYPE_CHECKING:
    from .algorithms import (
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
    "algorithms": (
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
