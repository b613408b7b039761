"""Policies made from players' specs: the probabilities in any position, without a clock."""

import functools
from dataclasses import replace
from typing import Any

from ...algorithms import Algorithm, Limits, SearchResult, search
from ...game.base import Game
from ...game.spec import COMMAND, HUMAN, SNAKE, Spec, SpecError
from ...players.clock import ENDLESS
from ...players.searching import SearchPlayer
from ...policies import Mixtures, Policy, position_seed
from ...policies.measuring import NamedPolicy
from .make import make_player
from .searches import player_spec

_ASKED = "exploit takes random, solution(FILE) and players that search, such as alphabeta(depth=3)"


def _searched_alone(game: Game, seats: tuple[SearchPlayer, SearchPlayer], seed: int) -> Policy:
    """The policy of a searching player: each position is searched alone, without a clock and earlier moves.

    `seats` are the player as player 0 and as player 1, both begun. A search that serves both is made once. `seed` is for searches that
    sample: each position has a seed of its own.
    """

    def mixtures(state: Any, /) -> Mixtures:
        @functools.cache
        def searched(algorithm: Algorithm) -> SearchResult:
            return search(
                game,
                state,
                algorithm,
                seats[0].limits,
                seed=position_seed(game, state, seed),
                deepen=True,
                variation=False,
                root_step=1,
            )

        first, second = (
            seat.mixture(state, searched) if game.legal_actions(state, player) else {}
            for player, seat in enumerate(seats)
        )
        return first, second

    return mixtures


def policy_of(
    spec: str, game: Game, state: Any = None, *, nodes: int | None = None, seed: int = 0
) -> NamedPolicy:
    """The policy of a spec's player from a position on, by default from the start.

    Both sides play by the same spec.

    A player that draws from its mixture has that mixture, one that takes the best action plays it always.
    `nodes` bounds each search where the spec does not limit it. Raises SpecError, in one sentence, for
    programs and people, whose probabilities are not known, and for a search without a limit of nodes or
    depth.
    """
    parsed = _asked(spec)

    limits = None if nodes is None else Limits(nodes=nodes)
    player = make_player(parsed, game, limits)
    if (policy := player.strategy(game)) is not None:
        return NamedPolicy(policy, False)
    if not isinstance(player, SearchPlayer) or any(plan.adapts for plan in player.plans):
        raise SpecError(
            f"{spec}: nobody can tell with which probabilities it plays; exploit --study 5000 learns it by games"
        )
    if player.plans and (found := _solved(player, game, state)) is not None:
        return found
    _check_limits(spec, player)
    seats = player, make_player(parsed, game, limits)
    assert isinstance(seats[1], SearchPlayer)
    for side, seat in enumerate(seats):
        seat.begin(game, side, seed)
    return NamedPolicy(_searched_alone(game, seats, seed), True)  # type: ignore[arg-type]


def _asked(spec: str) -> Spec:
    """The spec of a player that thinks in this process; raises SpecError for another."""
    parsed = player_spec(spec)
    if parsed.name == HUMAN:
        raise SpecError(f"human: nobody can tell with which probabilities a person plays; {_ASKED}")
    if parsed.name in (COMMAND, SNAKE):
        raise SpecError(f"{spec}: a program does not tell with which probabilities it plays; {_ASKED}")
    return parsed


def _solved(player: SearchPlayer, game: Game, state: Any) -> NamedPolicy | None:
    """The policy of a player that has solved the whole game beforehand."""
    from ...players.solving import policy_from  # the solvers are long to load

    player.begin(game, 0, 0)
    player.follow(game.initial_state() if state is None else state, ENDLESS, (0.0, 0.0))
    if player.solution is None:
        return None
    return NamedPolicy(policy_from(player.solution, player.choice), False)


def _check_limits(spec: str, player: SearchPlayer) -> None:
    """Raise SpecError where the search is not the same every time."""
    limits = player.limits
    if limits.nodes is None and (limits.depth is None or bool(player.plans)):
        raise SpecError(
            f"{spec} searches as long as its clock lets it, which is not the same twice: --nodes 1000 gives a limit of nodes"
        )
    player.limits = replace(limits, seconds=None)
