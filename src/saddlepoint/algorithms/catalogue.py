"""Every search, a line each: public names, specs, `--help` and what tests and benchmarks go through follow from this list.

And all of them compared on one position.
"""

# ruff: noqa: I001, PLC0414 (imported to be found here, in the order of lists that people read)

from collections.abc import Callable, Sequence
from typing import Any

from ..game.base import Game
from ..matrix import solve_matrix
from .algorithm import Algorithm, UnsupportedGameError, both_ways
from .chance import searched_form
from .limits import Limits, StopToken, watched
from .result import SearchResult
from .searcher import Searcher, search
from .simultaneous.double_oracle import OracleTrace, trace_double_oracle
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

ALGORITHMS: dict[str, type[Algorithm]] = {
    kind.name: kind
    for kind in tuple(globals().values())
    if isinstance(kind, type) and issubclass(kind, Algorithm) and kind is not Algorithm
}
"""Every algorithm by its name in specs."""


# Searches compared on one position, one after the other, and double oracle step by step.

_AGREE = 1e-9
"""Values of exact searches that are no further apart are the same."""
_WARMING = Limits(depth=1, nodes=1_000)

Labelled = tuple[str, Algorithm]
"""A search, and what it is called in a table."""
Progress = Callable[[int, str], None]
"""Called with how many searches are done, and how far the next one is."""


def all_searches(game: Game, evaluator: Any) -> tuple[list[Labelled], dict[str, str]]:
    """Every search of the catalogue that takes the game, and why the others do not; who commits first is a search of its own."""
    chosen: list[Labelled] = []
    refused: dict[str, str] = {}
    for name, kind in ALGORITHMS.items():
        made = kind(
            None if getattr(kind, "playouts", False) is True else evaluator
        )  # which plays to the end instead of asking one
        try:
            made.check(game)
        except UnsupportedGameError as error:
            refused[name] = str(error)
            continue
        ways = both_ways(game, made)
        chosen += [(name if len(ways) == 1 else f"{name}(first={k})", way) for k, way in enumerate(ways)]
    return chosen, refused


class Comparison:
    """Some searches of one position; what has to be compiled is compiled when this is made, before any clock runs.

    With a `tracer` its stage is solved step by step, too, as deep as that search came among the others, or else comes first.
    """

    def __init__(
        self, game: Game, state: Any, searches: Sequence[Labelled], tracer: DoubleOracle | None = None
    ) -> None:
        self.game, self.state, self.searches, self._tracer = game, state, searches, tracer
        self.results: list[SearchResult] = []
        """Of the searches that are finished, in their order."""
        self.trace: OracleTrace | None = None
        self.interrupted = False
        """Whether Ctrl-C ended it."""
        for algorithm in dict.fromkeys(
            [algorithm for _, algorithm in searches] + ([] if tracer is None else [tracer])
        ):
            search(self.form(algorithm), state, algorithm, _WARMING, variation=False)
        if tracer is not None:
            solve_matrix([[0.0, 1.0, 2.0]])

    def form(self, algorithm: Algorithm) -> Game:
        """The form of the game that a search looks at."""
        return searched_form(self.game, algorithm, self.state)

    def run(self, limits: Limits, progress: Progress) -> None:
        """Run all searches, each within the limits; Ctrl-C ends the one that runs, and those before it stay."""
        try:
            for label, algorithm in self.searches:
                self.results.append(self._searched(label, algorithm, limits, progress))
            if self._tracer is not None:
                self.trace = self._traced(self._tracer, limits, progress)
        except KeyboardInterrupt:
            self.interrupted = True

    @property
    def agree(self) -> bool | None:
        """Whether all exact values are the same; None where there are not two."""
        values = [result.value for result in self.results if result.exact]
        return None if len(values) < 2 else max(values) - min(values) <= _AGREE

    def _searched(self, label: str, algorithm: Algorithm, limits: Limits, progress: Progress) -> SearchResult:
        searcher, stop = Searcher(self.form(algorithm), algorithm), StopToken()

        def look() -> None:
            progress(
                len(self.results),
                f"{label}: depth {searcher.depth_under_way}, {searcher.counters().nodes:,} nodes",
            )

        return watched(lambda: searcher.search(self.state, limits, stop=stop), stop, look)

    def _traced(self, tracer: DoubleOracle, limits: Limits, progress: Progress) -> OracleTrace:
        known = next(
            (found for (_, one), found in zip(self.searches, self.results, strict=True) if one is tracer),
            None,
        )
        depth = max((known or self._searched("do", tracer, limits, progress)).depth, 1)
        stop = StopToken()
        return watched(
            lambda: trace_double_oracle(self.form(tracer), self.state, tracer, depth, stop=stop),
            stop,
            lambda: progress(len(self.results), "double oracle, step by step"),
        )
