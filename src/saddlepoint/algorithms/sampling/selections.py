"""The selections at a node of a sampled tree, a few lines a paper, and the searches with one selection each.

A selection is a component with three kernels, which see one player's actions at one node: `own` is an array of records, of which the
first `count` are used (the fields are those of `joint_tree.ACTION`). All results and values are from 0 to 1 for that player. The search
itself keeps `visits` and `total` of every action and samples; its strategy is in proportion to `average`.
"""

import functools
import math
from dataclasses import dataclass, field, fields
from typing import ClassVar

from ...compiled import Component, jit_inline, kernel
from ...compiled.run_time import weight
from .sampled_tree import SampledTree


@dataclass(frozen=True)
class Selection(Component):
    """Base of all selections. What a class does not bring is as it stands here.

    >>> from dataclasses import dataclass
    >>> from saddlepoint import BiasedRPS, Limits, Selection, SimultaneousMonteCarlo, search
    >>> @dataclass(frozen=True)
    ... class AllAlike(Selection):
    ...     pass
    >>> game = BiasedRPS()
    >>> mine = SimultaneousMonteCarlo(selection=AllAlike())
    >>> result = search(game, game.initial_state(), mine, Limits(nodes=3000), seed=1)
    >>> max(result.strategy(0).values()) < 0.4
    True
    """

    needs_replies: ClassVar[bool] = False
    """Whether `learn` reads `replies`; else they are not filled."""
    alternates: ClassVar[bool] = False
    """Whether the players learn in turns: one explores and learns, the other one plays its strategy and remembers it."""

    @property
    def exploring(self) -> float:
        """The share of choices that are made uniformly at random, whatever `mixture` says."""
        return 0.0

    @kernel
    def mixture(self, own, count, visits, out):
        """Fill `out` with the probabilities of the player's actions at the node's next visit; it had `visits` before."""
        for k in range(count):
            out[k] = 1.0 / count

    @kernel
    def learn(self, own, count, chosen, value, replies, out, chance, below, against):
        """After a visit in which the action `chosen` was taken and the result was `value`; its `visits` and `total` do not count it yet.

        `out` is what `mixture` had filled, and `chance` the probability with which `chosen` was taken, exploration counted.
        `replies[k]`: what action k is worth against what the other player chose: its successor's `worth` (`joint_tree.NODE`), this
        visit counted; where the tree has none, the worth of the node itself.
        `below`: how likely this player's own later choices were by `mixture`, divided by how likely they were with exploration.
        `against`: the same of the other player's choice at this node.
        """

    @kernel
    def remember(self, own, count, visits, chosen, out):
        """Add to `average`, which makes the strategy: by default a visit."""
        own[chosen].average += 1.0


@jit_inline
def spread_over_best(scores, count, tolerance):
    """Turn scores into probabilities: all within `tolerance` of the best alike; below 0 the first of the best alone."""
    best, first = scores[0], 0
    for k in range(1, count):
        if scores[k] > best:
            best, first = scores[k], k
    tied = 0
    for k in range(count):
        is_best = k == first if tolerance < 0.0 else scores[k] >= best - tolerance
        scores[k] = 1.0 if is_best else 0.0
        tied += is_best
    for k in range(count):
        scores[k] /= tied


@dataclass(frozen=True)
class DecoupledUCT(Selection):
    """Each player takes the action with the greatest upper confidence bound, as if it were alone (Finnsson and Björnsson 2008).

    The choice is random among scores within `tolerance` of the best (Bošanský et al. 2016); below 0 it is the first of the best,
    deterministic, and may run in a cycle for ever (Shafiei, Sturtevant and Schaeffer 2009).

    >>> from saddlepoint import DecoupledUCT, SimultaneousMonteCarlo
    >>> SimultaneousMonteCarlo(selection=DecoupledUCT(exploration=0.5)).selector
    DecoupledUCT(exploration=0.5, tolerance=0.01)
    """

    exploration: float = weight(1.0)
    tolerance: float = weight(0.01)

    @kernel
    def mixture(self, own, count, visits, out):
        logarithm = math.log(visits + 1.0)
        for k in range(count):
            tried = own[k].visits
            out[k] = (
                1e9
                if tried == 0.0
                else own[k].total / tried + self.exploration * math.sqrt(logarithm / tried)
            )
        spread_over_best(out, count, self.tolerance)


@dataclass(frozen=True)
class DecoupledPUCT(Selection):
    """Decoupled UCT whose exploration follows priors: PUCT (Rosin 2011, in the form of Silver et al. 2017), each player as if alone.

    An action without a visit counts as the mean of all.

    >>> from saddlepoint import DecoupledPUCT, SimultaneousMonteCarlo
    >>> SimultaneousMonteCarlo(selection=DecoupledPUCT(exploration=0.5)).selector
    DecoupledPUCT(exploration=0.5, tolerance=0.01)
    """

    exploration: float = weight(1.0)
    tolerance: float = weight(0.01)

    @kernel
    def mixture(self, own, count, visits, out):
        tried, total = 0.0, 0.0
        for k in range(count):
            tried += own[k].visits
            total += own[k].total
        mean, spread = total / tried if tried > 0.0 else 0.5, self.exploration * math.sqrt(visits + 1.0)
        for k in range(count):
            own_mean = own[k].total / own[k].visits if own[k].visits > 0.0 else mean
            out[k] = own_mean + spread * own[k].prior / (1.0 + own[k].visits)
        spread_over_best(out, count, self.tolerance)


@jit_inline
def add_mixture(own, count, weight, out):
    """Add what was played, without its exploration, to the average."""
    for k in range(count):
        own[k].average += weight * out[k]


@dataclass(frozen=True)
class RegretMatching(Selection):
    """Regret matching+ : regrets of what every action is worth against what the other player chose; they never fall below 0.

    Probabilities are in proportion to positive regrets; without any all are alike (Hart and Mas-Colell 2000).
    Lanctot, Wittlinger, Winands and Den Teuling 2013; the plus is from Tammelin 2014. All actions, the chosen one too, count with means,
    not with the sampled result (averaged values, Kovařík and Lisý 2020), and a visit counts by how likely the other player's choice is
    without exploration, so that exploration does not move the equilibrium. Visit t weighs t squared in the average (Brown and Sandholm
    2019).

    >>> from saddlepoint import RegretMatching, SimultaneousMonteCarlo
    >>> SimultaneousMonteCarlo(selection=RegretMatching(exploration=0.2)).selector
    RegretMatching(exploration=0.2)
    """

    exploration: float = weight(0.3)
    needs_replies: ClassVar[bool] = True

    @property
    def exploring(self) -> float:
        return self.exploration

    @kernel
    def mixture(self, own, count, visits, out):
        total = 0.0
        for k in range(count):
            out[k] = max(own[k].regret, 0.0)
            total += out[k]
        for k in range(count):
            out[k] = out[k] / total if total > 0.0 else 1.0 / count

    @kernel
    def learn(self, own, count, chosen, value, replies, out, chance, below, against):
        played = 0.0
        for k in range(count):
            played += out[k] * replies[k]
        for k in range(count):
            own[k].regret = max(own[k].regret + against * (replies[k] - played), 0.0)

    @kernel
    def remember(self, own, count, visits, chosen, out):
        add_mixture(own, count, (visits + 1.0) * (visits + 1.0), out)


@dataclass(frozen=True)
class Exp3(Selection):
    """Exponential weights of estimated sums (Auer, Cesa-Bianchi, Freund and Schapire 2002).

    >>> from saddlepoint import Exp3, SimultaneousMonteCarlo
    >>> SimultaneousMonteCarlo(selection=Exp3(exploration=0.2)).selector
    Exp3(exploration=0.2)
    """

    exploration: float = weight(0.1)

    @property
    def exploring(self) -> float:
        return self.exploration

    @kernel
    def mixture(self, own, count, visits, out):
        most = own[0].regret
        for k in range(1, count):
            most = max(most, own[k].regret)
        total = 0.0
        for k in range(count):
            out[k] = math.exp((own[k].regret - most) * self.exploration / count)
            total += out[k]
        for k in range(count):
            out[k] /= total

    @kernel
    def learn(self, own, count, chosen, value, replies, out, chance, below, against):
        own[chosen].regret += value / chance

    @kernel
    def remember(self, own, count, visits, chosen, out):
        add_mixture(own, count, 1.0, out)


@jit_inline
def baseline_of(action):
    """The mean of an action's results so far; before the first the middle of what is possible."""
    return action.total / action.visits if action.visits > 0.0 else 0.5


@dataclass(frozen=True)
class OutcomeSampling(RegretMatching):
    """Outcome sampling from the root on: counterfactual regrets, by the result of one line, weighed by how unlikely it was.

    Lanctot, Lisý and Bowling 2014, for simultaneous moves Bošanský et al. 2016: since both know the position, what lies before a node
    plays no part in what is best there. Only what a result differs by from the action's mean is weighed (baselines, Schmid et al. 2019);
    regrets never fall below 0, and later visits weigh more in the average (Tammelin 2014).

    >>> from saddlepoint import OutcomeSampling, SimultaneousMonteCarlo
    >>> SimultaneousMonteCarlo(selection=OutcomeSampling(exploration=0.5)).selector
    OutcomeSampling(exploration=0.5)
    """

    exploration: float = weight(0.6)
    needs_replies: ClassVar[bool] = False
    alternates: ClassVar[bool] = True

    @kernel
    def learn(self, own, count, chosen, value, replies, out, chance, below, against):
        played = 0.0
        for k in range(count):
            played += out[k] * baseline_of(own[k])
        correction = (value - baseline_of(own[chosen])) * below / chance
        played += out[chosen] * correction
        for k in range(count):
            worth = baseline_of(own[k]) + (correction if k == chosen else 0.0)
            own[k].regret = max(own[k].regret + worth - played, 0.0)


# The named searches of sampled trees: each is a selection with its settings.


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
        if self.kind.exploring is not Selection.exploring and self.exploration >= 1:
            raise ValueError(f"exploration must be 0 to below 1, not {self.exploration}")

    @property
    def selector(self) -> Component:
        return _made(self.kind, *(getattr(self, one.name) for one in fields(self.kind)))


@dataclass(frozen=True)
class RegretMatchingTree(_NamedTree):
    """SM-MCTS with regret matching+; its strategy is the average, without the share `exploration` of random choices.

    >>> from saddlepoint import BiasedRPS, Limits, RegretMatchingTree, search
    >>> game = BiasedRPS()
    >>> result = search(game, game.initial_state(), RegretMatchingTree(), Limits(nodes=20_000), seed=1)
    >>> {action: round(share, 1) for action, share in result.strategy(0).items()}
    {0: 0.1, 1: 0.7, 2: 0.3}
    """

    exploration: float = 0.3

    name: ClassVar[str] = "rm"
    title: ClassVar[str] = "Monte Carlo tree search with regret matching"
    kind: ClassVar[type[Selection]] = RegretMatching


@dataclass(frozen=True)
class DecoupledUCTTree(_NamedTree):
    """SM-MCTS with decoupled UCT; its strategy is the share of visits.

    `exploration` is UCT's constant for results from 0 to 1. Scores within `tolerance` of the best are chosen among at random; with
    `random_ties=False` the first of the best is chosen, which may run in a cycle.

    >>> from saddlepoint import BiasedRPS, DecoupledUCTTree, Limits, search
    >>> game = BiasedRPS()
    >>> result = search(game, game.initial_state(), DecoupledUCTTree(), Limits(nodes=2000), seed=1)
    >>> round(sum(result.strategy(0).values()), 6)
    1.0
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

    >>> from saddlepoint import BiasedRPS, DecoupledPUCTTree, Limits, search
    >>> game = BiasedRPS()
    >>> result = search(game, game.initial_state(), DecoupledPUCTTree(), Limits(nodes=2000), seed=1)
    >>> round(sum(result.strategy(0).values()), 6)
    1.0
    """

    tolerance: float = 0.01
    temperature: float = 0.1

    name: ClassVar[str] = "puct"
    title: ClassVar[str] = "Monte Carlo tree search with decoupled PUCT"
    kind: ClassVar[type[Selection]] = DecoupledPUCT


@dataclass(frozen=True)
class Exp3Tree(_NamedTree):
    """SM-MCTS with Exp3; its strategy is the average, without the share `exploration` of random choices.

    >>> from saddlepoint import BiasedRPS, Exp3Tree, Limits, search
    >>> game = BiasedRPS()
    >>> result = search(game, game.initial_state(), Exp3Tree(), Limits(nodes=2000), seed=1)
    >>> round(sum(result.strategy(0).values()), 6)
    1.0
    """

    exploration: float = 0.1

    name: ClassVar[str] = "exp3"
    title: ClassVar[str] = "Monte Carlo tree search with Exp3"
    kind: ClassVar[type[Selection]] = Exp3


@dataclass(frozen=True)
class OutcomeSamplingTree(_NamedTree):
    """Online outcome sampling (OOS), from the position that is searched on; its strategy is the average.

    >>> from saddlepoint import BiasedRPS, Limits, OutcomeSamplingTree, search
    >>> game = BiasedRPS()
    >>> result = search(game, game.initial_state(), OutcomeSamplingTree(), Limits(nodes=2000), seed=1)
    >>> round(sum(result.strategy(0).values()), 6)
    1.0
    """

    exploration: float = 0.6

    name: ClassVar[str] = "oos"
    title: ClassVar[str] = "Online outcome sampling"
    kind: ClassVar[type[Selection]] = OutcomeSampling


@dataclass(frozen=True)
class SimultaneousMonteCarlo(SampledTree):
    """SM-MCTS with a selection of your own: `SimultaneousMonteCarlo(selection=Mine())`, in specs `smmcts(selection=./mine.py:Mine)`.

    >>> from saddlepoint import BiasedRPS, Exp3, Limits, SimultaneousMonteCarlo, search
    >>> game = BiasedRPS()
    >>> mine = SimultaneousMonteCarlo(selection=Exp3(exploration=0.2))
    >>> search(game, game.initial_state(), mine, Limits(nodes=500), seed=1).exact
    False
    """

    selection: Component = field(default=DecoupledUCT())

    name: ClassVar[str] = "smmcts"
    title: ClassVar[str] = "Monte Carlo tree search with a selection of one's own"

    @property
    def selector(self) -> Component:
        return self.selection


SELECTIONS: dict[str, type[Selection]] = {tree.name: tree.kind for tree in _NamedTree.__subclasses__()}
"""By the name of its search, as in `smmcts(selection=rm(exploration=0.2))`."""
