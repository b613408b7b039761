"""From a player's spec to its policy: the probabilities with which it plays in any position, without a clock."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..spec import COMMAND, HUMAN, SNAKE, Spec, SpecError, parse_spec
from .make import make_player
from .own_classes import own_search

if TYPE_CHECKING:
    from ..algorithms import Algorithm, SearchResult
    from ..game import Game
    from ..players.searching import SearchPlayer
    from ..policies import Mixtures, Policy

_ASKED = "exploit takes random, solution(FILE) and players that search, such as alphabeta(depth=3)"


class PlayerPolicy:
    """What a player that searches plays in each position, as one that meets it alone: no clock, and nothing kept from moves before.

    `seats` are the player as player 0 and as player 1, both begun. A search that serves both is made once. `seed` is for searches that
    sample: each position has a seed of its own.
    """

    def __init__(self, game: "Game", seats: "tuple[SearchPlayer, SearchPlayer]", seed: int) -> None:
        self.game, self.limits, self.seed = game, seats[0].limits, seed
        self._seats = seats

    def __call__(self, state: Any, /) -> "Mixtures":
        """Each player's probabilities by action."""
        search = self._search_of(state)
        first, second = (
            seat.mixture(state, search) if self.game.legal_actions(state, player) else {} for player, seat in enumerate(self._seats)
        )
        return first, second

    def _search_of(self, state: Any) -> "Callable[[Algorithm], SearchResult]":
        """What searches this position, each algorithm once."""
        from ..algorithms import search
        from ..policies import position_seed

        found: dict[Algorithm, SearchResult] = {}

        def searched(algorithm: "Algorithm") -> "SearchResult":
            if algorithm not in found:
                found[algorithm] = search(
                    self.game, state, algorithm, self.limits, seed=position_seed(self.game, state, self.seed), deepen=True, variation=False,
                    root_step=1,
                )  # fmt: skip
            return found[algorithm]

        return searched


class NamedPolicy(NamedTuple):
    """A player's policy, and what is to be known of it."""

    policy: "Policy"
    is_searched: bool
    """Whether each position is searched, so that the limit of nodes changes what is played."""


def policy_of(spec: str, game: "Game", state: Any = None, *, nodes: int | None = None, seed: int = 0) -> NamedPolicy:
    """How the player of a spec plays this game from a position on, by default from the start; both sides play by the same spec.

    A player that draws from its mixture has that mixture, one that takes the best action plays it always. `nodes` bounds each search
    where the spec does not say it. Raises SpecError, in one sentence, for programs and people, for whom nobody can tell probabilities,
    and for a search without a limit of nodes or depth.
    """
    parsed = _asked(spec)
    from ..algorithms import Limits
    from ..players.random_player import RandomPlayer
    from ..players.searching import SearchPlayer
    from ..players.solution import SolutionPlayer
    from ..policies import LikeliestPolicy, SolutionPolicy, UniformPolicy

    limits = None if nodes is None else Limits(nodes=nodes)
    player = make_player(parsed, game, limits)
    if isinstance(player, RandomPlayer):
        return NamedPolicy(UniformPolicy(game, only_searched=True), False)
    if isinstance(player, SolutionPlayer):
        solved = SolutionPolicy(player.solution)
        return NamedPolicy(solved if player.choice == "mixture" else LikeliestPolicy(solved), False)
    if not isinstance(player, SearchPlayer):
        raise SpecError(f"{spec}: nobody can tell with which probabilities it plays; {_ASKED}")
    if player.endgame is not None and (found := _solved(player, game, state)) is not None:
        return found
    _check_limits(spec, player)
    seats = player, make_player(parsed, game, limits)
    assert isinstance(seats[1], SearchPlayer)
    for side, seat in enumerate(seats):
        seat.begin(game, side, seed)
    return NamedPolicy(PlayerPolicy(game, seats, seed), True)  # type: ignore[arg-type]


def _asked(spec: str) -> Spec:
    """The spec of a player that thinks in this process; raises SpecError for another."""
    parsed = parse_spec(spec)
    if (search := own_search(parsed)) is not None:
        return search
    if parsed.name == HUMAN:
        raise SpecError(f"human: nobody can tell with which probabilities a person plays; {_ASKED}")
    if parsed.name in (COMMAND, SNAKE):
        raise SpecError(f"{spec}: a program does not tell with which probabilities it plays; {_ASKED}")
    return parsed


def _solved(player: "SearchPlayer", game: "Game", state: Any) -> NamedPolicy | None:
    """The policy of a player that has solved the whole game beforehand."""
    from ..policies import LikeliestPolicy, SolutionPolicy

    plan = player.endgame
    assert plan is not None
    player.begin(game, 0, 0)
    plan.begin_at(player, game.initial_state() if state is None else state)
    if plan.solution is None:
        return None
    solved = SolutionPolicy(plan.solution)
    return NamedPolicy(solved if player.choice == "mixture" else LikeliestPolicy(solved), False)


def _check_limits(spec: str, player: "SearchPlayer") -> None:
    """Raise SpecError where the search is not the same every time."""
    limits = player.limits
    if limits.nodes is None and (limits.depth is None or player.endgame is not None):
        raise SpecError(f"{spec} searches as long as its clock lets it, which is not the same twice: --nodes 1000 gives a limit of nodes")
    player.limits = replace(limits, seconds=None)
