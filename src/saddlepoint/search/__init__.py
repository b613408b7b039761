"""Searches, one algorithm family a file; generic over games and evaluators."""

from .algorithm import Algorithm, Memory, UnsupportedGameError
from .api import Searcher, search
from .backward_induction import BackwardInduction
from .double_oracle import BoundedInduction, DoubleOracle, DoubleOracleBounds
from .limits import Limits, StopToken
from .monte_carlo import MonteCarlo
from .proof_number import ProofNumber
from .result import Iteration, Partial, SearchResult, Statistics
from .saddle_pruning import SaddlePruning
from .serial import AlphaBeta
from .smab import SMAB
from .turn_search import PrincipalVariation

ALGORITHMS: dict[str, type[Algorithm]] = {
    cls.name: cls
    for cls in (
        BackwardInduction, SaddlePruning, SMAB, BoundedInduction, DoubleOracle, DoubleOracleBounds, AlphaBeta,
        PrincipalVariation, ProofNumber, MonteCarlo,
    )
}  # fmt: skip
"""Every algorithm by its name in specs."""

__all__ = [
    "ALGORITHMS",
    "SMAB",
    "Algorithm",
    "AlphaBeta",
    "BackwardInduction",
    "BoundedInduction",
    "DoubleOracle",
    "DoubleOracleBounds",
    "Iteration",
    "Limits",
    "Memory",
    "MonteCarlo",
    "Partial",
    "PrincipalVariation",
    "ProofNumber",
    "SaddlePruning",
    "SearchResult",
    "Searcher",
    "Statistics",
    "StopToken",
    "UnsupportedGameError",
    "search",
]
