"""Searches, one algorithm family a file; generic over games and evaluators."""

from .algorithm import Algorithm, Memory, UnsupportedGameError
from .limits import Limits, StopToken
from .result import Iteration, Partial, SearchResult, Statistics
from .sampling.monte_carlo import MonteCarlo
from .searcher import Searcher, search
from .simultaneous.backward_induction import BackwardInduction
from .simultaneous.double_oracle import BoundedInduction, DoubleOracle, DoubleOracleBounds
from .simultaneous.saddle_pruning import SaddlePruning
from .simultaneous.serialised_alpha_beta import AlphaBeta
from .simultaneous.smab import SMAB
from .turns.principal_variation import PrincipalVariation
from .turns.proof_number import ProofNumber

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
