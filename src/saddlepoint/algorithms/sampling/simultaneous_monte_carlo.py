"""The named searches of sampled trees: each is a selection with its settings."""

import functools
from dataclasses import dataclass, field, fields
from typing import ClassVar

from ...compiled import Component
from .sampled_tree import SampledTree
from .selections import DecoupledPUCT, DecoupledUCT, Exp3, OutcomeSampling, RegretMatching, Selection


@functools.cache
def _made(kind: type[Selection], *settings: float) -> Component:
    """One component for the same settings: its type is found once."""
    return kind(*settings)


@dataclass(frozen=True)
class _NamedTree(SampledTree):
    """A tree with the selection `kind`, whose settings are those of the tree with the same names."""

    exploration: float = 1.0

    kind: ClassVar[type[Selection]]

    def __post_init__(self) -> None:
        super().__post_init__()
        if "exploring" in vars(self.kind) and self.exploration >= 1:
            raise ValueError(f"exploration must be 0 to below 1, not {self.exploration}")

    @property
    def selector(self) -> Component:
        return _made(self.kind, *(getattr(self, one.name) for one in fields(self.kind)))


@dataclass(frozen=True)
class RegretMatchingTree(_NamedTree):
    """SM-MCTS with regret matching+; its strategy is the average, without the share `exploration` of random choices."""

    exploration: float = 0.1

    name: ClassVar[str] = "rm"
    title: ClassVar[str] = "Monte Carlo tree search with regret matching"
    kind: ClassVar[type[Selection]] = RegretMatching


@dataclass(frozen=True)
class DecoupledUCTTree(_NamedTree):
    """SM-MCTS with decoupled UCT; its strategy is the share of visits.

    `exploration` is UCT's constant for results from 0 to 1. Scores within `tolerance` of the best are chosen among at random; with
    `random_ties=False` the first of the best is chosen, which may run in a cycle.
    """

    tolerance: float = 0.01
    random_ties: bool = True

    name: ClassVar[str] = "duct"
    title: ClassVar[str] = "Monte Carlo tree search with decoupled UCT"
    kind: ClassVar[type[Selection]] = DecoupledUCT

    @property
    def selector(self) -> Component:
        return _made(self.kind, self.exploration, self.tolerance if self.random_ties else -1.0)


@dataclass(frozen=True)
class DecoupledPUCTTree(_NamedTree):
    """SM-MCTS with decoupled PUCT; its strategy is the share of visits.

    Priors come from the evaluator: a softmax, of this `temperature`, of what it says of an action's joint successors, on average over the
    other player's actions (results from 0 to 1). With `temperature=0`, and without an evaluator, all actions have the same prior.
    """

    tolerance: float = 0.01
    temperature: float = 0.1

    name: ClassVar[str] = "puct"
    title: ClassVar[str] = "Monte Carlo tree search with decoupled PUCT"
    kind: ClassVar[type[Selection]] = DecoupledPUCT


@dataclass(frozen=True)
class Exp3Tree(_NamedTree):
    """SM-MCTS with Exp3; its strategy is the average, without the share `exploration` of random choices."""

    exploration: float = 0.1

    name: ClassVar[str] = "exp3"
    title: ClassVar[str] = "Monte Carlo tree search with Exp3"
    kind: ClassVar[type[Selection]] = Exp3


@dataclass(frozen=True)
class OutcomeSamplingTree(_NamedTree):
    """Online outcome sampling (OOS), from the position that is searched on; its strategy is the average."""

    exploration: float = 0.6

    name: ClassVar[str] = "oos"
    title: ClassVar[str] = "Online outcome sampling"
    kind: ClassVar[type[Selection]] = OutcomeSampling


@dataclass(frozen=True)
class SimultaneousMonteCarlo(SampledTree):
    """SM-MCTS with a selection of your own: `SimultaneousMonteCarlo(selection=Mine())`, in specs `smmcts(selection=./mine.py:Mine)`."""

    selection: Component = field(default=DecoupledUCT())

    name: ClassVar[str] = "smmcts"
    title: ClassVar[str] = "Monte Carlo tree search with a selection of one's own"

    @property
    def selector(self) -> Component:
        return self.selection
