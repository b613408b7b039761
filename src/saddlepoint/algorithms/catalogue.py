"""Every search, a line each: public names, specs, `--help` and what tests and benchmarks go through follow from this list."""

# ruff: noqa: I001, PLC0414 (imported to be found here, in the order of lists that people read)

from .algorithm import Algorithm as _Algorithm
from .simultaneous.induction import BackwardInduction as BackwardInduction, SaddlePruning as SaddlePruning
from .simultaneous.smab import SMAB as SMAB
from .simultaneous.double_oracle import (
    BoundedInduction as BoundedInduction,
    DoubleOracle as DoubleOracle,
    DoubleOracleBounds as DoubleOracleBounds,
)
from .simultaneous.serialised_alpha_beta import SerialisedAlphaBeta as SerialisedAlphaBeta
from .turns.principal_variation import PrincipalVariation as PrincipalVariation
from .turns.proof_number import ProofNumber as ProofNumber
from .sampling.monte_carlo import MonteCarlo as MonteCarlo
from .sampling.selections import (
    RegretMatching as RegretMatching,
    RegretMatchingTree as RegretMatchingTree,
    DecoupledUCT as DecoupledUCT,
    DecoupledUCTTree as DecoupledUCTTree,
    DecoupledPUCT as DecoupledPUCT,
    DecoupledPUCTTree as DecoupledPUCTTree,
    Exp3 as Exp3,
    Exp3Tree as Exp3Tree,
    OutcomeSampling as OutcomeSampling,
    OutcomeSamplingTree as OutcomeSamplingTree,
    SimultaneousMonteCarlo as SimultaneousMonteCarlo,
)

ALGORITHMS: dict[str, type[_Algorithm]] = {
    kind.name: kind
    for kind in tuple(globals().values())
    if isinstance(kind, type) and issubclass(kind, _Algorithm) and kind is not _Algorithm
}
"""Every algorithm by its name in specs."""
