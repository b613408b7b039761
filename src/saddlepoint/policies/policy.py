"""Policies: each player's probabilities by action in every position."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..algorithms import Algorithm, Limits, Searcher, search
from ..algorithms.sampling.sampled_tree import tree_positions
from ..game.base import Game

if TYPE_CHECKING:
    from ..solvers.general import Solution


Mixtures = tuple[Mapping[int, float], Mapping[int, float]]
"""Each player's probabilities by action; an action that is left out has none, and a player without a choice has an empty mapping."""

_TOLERANCE = 1e-6
"""By how much probabilities may miss 1 together; what is missed is shared out in proportion."""


class Policy(Protocol):
    """Anything that is called with a position and gives both players' probabilities: an object from here, or a Python function.

    It depends on the position alone. Where it is evaluated it is asked once for each position in which a player chooses.

    >>> from saddlepoint import BiasedRPS, nash_conv
    >>> def rock(state):
    ...     return {0: 1.0}, {0: 1.0}
    >>> nash_conv(BiasedRPS(), rock)
    50.0
    """

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action, see `Mixtures`."""
        ...


class PolicyError(ValueError):
    """A policy that gives no probabilities, or some for what is no legal action: the message has the position.

    >>> from saddlepoint.policies import PolicyError
    >>> issubclass(PolicyError, Exception)
    True
    """


def probabilities(game: Game, state: Any, policy: Policy, player: int) -> dict[int, float]:
    """A policy's probabilities for a player's legal actions, in their order; they add up to 1.

    Empty without a choice.

    - `game`: the rules.
    - `state`: the position.
    - `policy`: the policy.
    - `player`: the player, 0 or 1.

    Raises PolicyError for a number that is negative or none, for probabilities that do not add up to 1 within a millionth, and for an
    action that is not legal.

    >>> from saddlepoint import BiasedRPS
    >>> from saddlepoint.policies import UniformPolicy, probabilities
    >>> game = BiasedRPS()
    >>> sum(probabilities(game, game.initial_state(), UniformPolicy(game), 0).values())
    1.0
    """
    legal = game.legal_actions(state, player)
    given = _of_player(game, state, policy(state), player) if legal else {}
    wrong = [action for action in given if action not in legal]
    if wrong:
        raise PolicyError(
            _at(game, state, f"player {player} has no action {wrong[0]!r}; its actions are {legal}")
        )
    try:
        weights = [float(given.get(action, 0.0)) for action in legal]
    except TypeError as error:
        raise PolicyError(
            _at(game, state, f"player {player}'s probabilities are {given!r}: {error}")
        ) from None
    total = math.fsum(weights)
    if legal and not (
        all(0.0 <= weight <= 1.0 + _TOLERANCE for weight in weights) and abs(total - 1.0) <= _TOLERANCE
    ):
        raise PolicyError(
            _at(
                game,
                state,
                f"player {player}'s probabilities {weights} are none: they must be from 0 to 1 and add up to 1",
            )
        )
    return {action: weight / total for action, weight in zip(legal, weights, strict=True)}


def _of_player(game: Game, state: Any, given: Any, player: int) -> Mapping[int, float]:
    """One player's probabilities of what a policy gives, which may be somebody's function."""
    both = given if isinstance(given, Sequence) and len(given) == 2 else (None, None)
    mixture = both[player]
    if isinstance(mixture, Mapping):
        return mixture
    wanted = "it must give each player's probabilities by action, as in ({0: 0.5, 1: 0.5}, {}), not "
    raise PolicyError(_at(game, state, f"{wanted}{given!r}"))


def _at(game: Game, state: Any, what: str) -> str:
    return f"a policy fails: {what}, in this position:\n{game.render(state)}"


@dataclass(frozen=True)
class UniformPolicy:
    """All legal actions alike, or with `only_searched` all that are worth searching (`search_actions`), as the player `random` does.

    >>> from saddlepoint import BiasedRPS, nash_conv
    >>> from saddlepoint.policies import UniformPolicy
    >>> game = BiasedRPS()
    >>> round(nash_conv(game, UniformPolicy(game)), 4)
    16.6667
    """

    game: Game
    only_searched: bool = False

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        actions = self.game.search_actions if self.only_searched else self.game.legal_actions
        first, second = (
            {action: 1.0 / len(own) for action in own} for own in (actions(state, 0), actions(state, 1))
        )
        return first, second


@dataclass(frozen=True)
class TablePolicy:
    """A policy given by a table: positions, as states or as `game.to_text` writes them, with both
    probabilities.

    A position that is not there is played by `otherwise`; without one it raises PolicyError.

    >>> from saddlepoint import BiasedRPS, nash_conv
    >>> from saddlepoint.policies import TablePolicy
    >>> game = BiasedRPS()
    >>> policy = TablePolicy(game, {game.initial_state(): ({0: 1.0}, {1: 1.0})})
    >>> nash_conv(game, policy) > 0
    True
    """

    game: Game
    rows: Mapping[Any, Mixtures]
    otherwise: Policy | None = None

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        found = self.rows.get(state)
        if found is None:
            found = self.rows.get(self.game.to_text(state))
        if found is not None:
            return found
        if self.otherwise is None:
            raise PolicyError(_at(self.game, state, "its table has no row, and there is no `otherwise`"))
        return self.otherwise(state)


@dataclass(frozen=True)
class SolutionPolicy:
    """The equilibrium of a solved game (`solve`, or `load_checked` of a file); a position that cannot come about raises GameError.

    >>> from saddlepoint import Goofspiel, nash_conv, solve
    >>> from saddlepoint.policies import SolutionPolicy
    >>> game = Goofspiel(cards=3)
    >>> round(nash_conv(game, SolutionPolicy(solve(game))), 6)
    0.0
    """

    solution: "Solution"

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        return self.solution.at(state).strategies


def position_seed(game: Game, state: Any, seed: int) -> int:
    """The seed of what is drawn in a position, made of another one and the position.

    - `game`: the rules.
    - `state`: the position.
    - `seed`: any whole number.

    >>> from saddlepoint import Goofspiel
    >>> from saddlepoint.policies import position_seed
    >>> game = Goofspiel(cards=3)
    >>> position_seed(game, game.initial_state(), 1) == position_seed(game, game.initial_state(), 1)
    True
    """
    return int.from_bytes(hashlib.blake2b(f"{seed} {game.to_text(state)}".encode(), digest_size=7).digest())


@dataclass(frozen=True)
class LikeliestPolicy:
    """A policy that always plays another policy's most probable action (the first of equals).

    >>> from saddlepoint import BiasedRPS
    >>> from saddlepoint.policies import LikeliestPolicy, UniformPolicy, probabilities
    >>> game = BiasedRPS()
    >>> probabilities(game, game.initial_state(), LikeliestPolicy(UniformPolicy(game)), 0)
    {0: 1.0, 1: 0.0, 2: 0.0}
    """

    policy: Policy

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        first, second = (
            {max(own, key=lambda action: own[action]): 1.0} if own else {} for own in self.policy(state)
        )
        return first, second


@dataclass(frozen=True)
class SearchPolicy:
    """A policy of the strategies that a search finds, each position searched anew within the limits.

    A player without a strategy in the search's result plays uniformly. `seed` is for algorithms that sample:
    every position has a seed of its own, made of this one and the position. With a limit of nodes, and none
    of seconds, the policy is the same at every call.

    >>> from saddlepoint import BackwardInduction, BiasedRPS, nash_conv
    >>> from saddlepoint.policies import SearchPolicy
    >>> game = BiasedRPS()
    >>> round(nash_conv(game, SearchPolicy(game, BackwardInduction())), 6)
    0.0
    """

    game: Game
    algorithm: Algorithm
    limits: Limits = field(default_factory=Limits)
    seed: int = 0

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        seed = position_seed(self.game, state, self.seed)
        found = search(self.game, state, self.algorithm, self.limits, seed=seed, variation=False)
        first, second = (
            given if given and own else own
            for given, own in zip(found.strategies, UniformPolicy(self.game)(state), strict=True)
        )
        return first, second


@dataclass(frozen=True)
class JoinedPolicy:
    """Player 0 of one policy and player 1 of another.

    >>> from saddlepoint import BiasedRPS
    >>> from saddlepoint.policies import JoinedPolicy, LikeliestPolicy, UniformPolicy, probabilities
    >>> game = BiasedRPS()
    >>> uniform = UniformPolicy(game)
    >>> both = JoinedPolicy(LikeliestPolicy(uniform), uniform)
    >>> [len(probabilities(game, game.initial_state(), both, player)) for player in (0, 1)]
    [3, 3]
    """

    first: Policy
    second: Policy

    def __call__(self, state: Any, /) -> Mixtures:
        """Each player's probabilities by action."""
        return self.first(state)[0], self.second(state)[1]


# The average strategies of a sampled tree, in all of its positions, as a policy.


def tree_policy(
    game: Game, algorithm: Algorithm, limits: Limits, seed: int = 0, state: Any = None
) -> TablePolicy:
    """A policy of one search's strategies in the positions of its tree; uniform in all others.

    So the whole game is played by one tree, as the convergence of sampling searches is measured. Of a position that was reached in several
    ways, the strategies are those with the most visits.

    - `game`: the rules.
    - `algorithm`: a search that keeps one tree.
    - `limits`: when it stops.
    - `seed`: of what it draws.
    - `state`: where the search begins; None: the game's usual start.

    Raises UnsupportedGameError for a search without such a tree or with several: see `SampledTree`.

    >>> from saddlepoint import Goofspiel, Limits, RegretMatchingTree
    >>> from saddlepoint.policies import probabilities, tree_policy
    >>> game = Goofspiel(cards=3)
    >>> policy = tree_policy(game, RegretMatchingTree(), Limits(nodes=2000))
    >>> state = game.next_state(game.initial_state(), game.chance_outcomes(game.initial_state())[0][0])
    >>> round(sum(probabilities(game, state, policy, 0).values()), 6)
    1.0
    """
    searcher = Searcher(game, algorithm)
    root = game.initial_state() if state is None else state
    searcher.search(root, limits, seed=seed, variation=False)
    most: dict[Any, int] = {}
    rows: dict[Any, Mixtures] = {}
    for position, visits, strategies in tree_positions(searcher, root):
        if visits > most.get(position, 0):
            most[position], rows[position] = visits, strategies
    return TablePolicy(game, rows, UniformPolicy(game))
