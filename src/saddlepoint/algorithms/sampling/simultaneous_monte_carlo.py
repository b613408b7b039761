"""The named searches of sampled trees: each is a selection with its settings."""

import functools
from dataclasses import dataclass, field
from typing import ClassVar

from ...compiled import Component
from .sampled_tree import SampledTree
from .selections import DecoupledPUCT, DecoupledUCT, Exp3, OutcomeSampling, RegretMatching, Selection


@functools.cache
def _made(kind: type[Selection], *settings: float) -> Component:
    """One component for the same settings: its type is found once."""
    return kind(*settings)


@dataclass(frozen=True)
class _Exploring(SampledTree):
    """One with a constant of exploration that is a probability."""

    def __post_init__(self) -> None:
        super().__post_init__()
        share = getattr(self, "exploration", 0.0)
        if not 0 <= share < 1:
            raise ValueError(f"exploration must be 0 to below 1, not {share}")


@dataclass(frozen=True)
class RegretMatchingTree(_Exploring):
    """SM-MCTS with regret matching+; the strategy it tells is the average, without the share `exploration` of random choices."""

    exploration: float = 0.1

    name: ClassVar[str] = "rm"
    title: ClassVar[str] = "Monte Carlo tree search with regret matching"

    @property
    def selector(self) -> Component:
        return _made(RegretMatching, self.exploration)


@dataclass(frozen=True)
class DecoupledUCTTree(SampledTree):
    """SM-MCTS with decoupled UCT; the strategy it tells is the share of visits.

    `exploration` is UCT's constant for results from 0 to 1. Scores within `tolerance` of the best are chosen among at random; with
    `random_ties=False` the first of the best is chosen, which may run in a cycle.
    """

    exploration: float = 1.0
    tolerance: float = 0.01
    random_ties: bool = True

    name: ClassVar[str] = "duct"
    title: ClassVar[str] = "Monte Carlo tree search with decoupled UCT"

    def __post_init__(self) -> None:
        super().__post_init__()
        for setting in ("exploration", "tolerance"):
            if getattr(self, setting) < 0:
                raise ValueError(f"{setting} must be 0 or more, not {getattr(self, setting)}")

    @property
    def selector(self) -> Component:
        return _made(DecoupledUCT, self.exploration, self.tolerance if self.random_ties else -1.0)


@dataclass(frozen=True)
class DecoupledPUCTTree(SampledTree):
    """SM-MCTS with decoupled PUCT; the strategy it tells is the share of visits.

    Priors come from the evaluator: a softmax, of this `temperature`, of what it says of an action's joint successors, on average over the
    other player's actions (results from 0 to 1). With `temperature=0`, and without an evaluator, all actions have the same prior.
    """

    exploration: float = 1.0
    tolerance: float = 0.01
    temperature: float = 0.1

    name: ClassVar[str] = "puct"
    title: ClassVar[str] = "Monte Carlo tree search with decoupled PUCT"

    def __post_init__(self) -> None:
        super().__post_init__()
        for setting in ("exploration", "tolerance", "temperature"):
            if getattr(self, setting) < 0:
                raise ValueError(f"{setting} must be 0 or more, not {getattr(self, setting)}")

    @property
    def selector(self) -> Component:
        return _made(DecoupledPUCT, self.exploration, self.tolerance)

    @property
    def prior_temperature(self) -> float:
        return self.temperature


@dataclass(frozen=True)
class Exp3Tree(_Exploring):
    """SM-MCTS with Exp3; the strategy it tells is the average, without the share `exploration` of random choices."""

    exploration: float = 0.1

    name: ClassVar[str] = "exp3"
    title: ClassVar[str] = "Monte Carlo tree search with Exp3"

    @property
    def selector(self) -> Component:
        return _made(Exp3, self.exploration)


@dataclass(frozen=True)
class OutcomeSamplingTree(_Exploring):
    """Online outcome sampling (OOS), from the position that is searched on; the strategy it tells is the average."""

    exploration: float = 0.6

    name: ClassVar[str] = "oos"
    title: ClassVar[str] = "Online outcome sampling"

    @property
    def selector(self) -> Component:
        return _made(OutcomeSampling, self.exploration)


@dataclass(frozen=True)
class SimultaneousMonteCarlo(SampledTree):
    """SM-MCTS with a selection of your own: `SimultaneousMonteCarlo(selection=Mine())`, in specs `smmcts(selection=./mine.py:Mine)`."""

    selection: Component = field(default=DecoupledUCT())

    name: ClassVar[str] = "smmcts"
    title: ClassVar[str] = "Monte Carlo tree search with a selection of one's own"

    @property
    def selector(self) -> Component:
        return self.selection
