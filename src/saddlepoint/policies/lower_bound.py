"""How far a policy is from an equilibrium at least, where its positions are too many to be enumerated: by games against a responder.

Whatever a responder plays, it gets no more on average than a best response would. NashConv is what the best response of player 0 gets
and what that of player 1 gets together, so the mean results of a responder on either side, added up, are at most NashConv; each pair of
games, one on either side, is one sample of that sum.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..game import CHANCE, NO_ACTION, TERMINAL, Game
from .interval import mean_interval
from .policy import Policy
from .responder import AskedPolicy, RandomGames, Responder


@dataclass(frozen=True)
class NashConvBound:
    """A lower bound of NashConv, as games showed it; never the value itself."""

    mean: float
    """What a responder got on both sides together, a pair of games on average: NashConv is this or more, but for chance."""
    low: float
    """NashConv is this or more with a confidence of 97.5 %: the lower end of the 95 % interval of the mean's expectation."""
    high: float
    """The upper end of that interval: it bounds what this responder gets, and not NashConv."""
    results: tuple[float, float]
    """The responder's mean result as player 0, and as player 1, from its own view."""
    games: int
    """Two a pair."""


def nash_conv_bound(
    game: Game,
    policy: Policy,
    state: Any = None,
    *,
    games: int = 400,
    look: int = 100,
    seed: int = 0,
    leaf: Callable[[Any], float] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> NashConvBound:
    """A proven lower bound of a policy's NashConv, in the game's units, with a 95 % interval from sampled games.

    Half of the games are played by a responder as player 0 against the policy as player 1, and half the other way round, from `state`
    or the usual start. The responder looks ahead in expectation over what the policy plays, as far as that takes `look` positions to
    ask it for a move. `leaf(position)` says what is worth to player 0 where the looking ends; by default random games do. `on_progress`
    is told how many games are over.

    The interval is one for means of bounded numbers that holds for any number of games (`interval`). The same seed gives the same
    games. Raises ValueError for less than two games, PolicyError for a policy that gives no probabilities.
    """
    if games < 2 or look < 1:
        raise ValueError(f"a bound takes 2 games and a look at 1 position at least, not {games} and {look}")
    root = game.initial_state() if state is None else state
    asked, leaf = AskedPolicy(game, policy), leaf or RandomGames(game, seed=seed)
    responders = [Responder(game, asked, player, leaf, look) for player in (0, 1)]
    pairs: list[tuple[float, float]] = []
    for pair in range((games + 1) // 2):
        first, second = (_played(game, root, asked, responders[player], player, f"{seed} {pair}") for player in (0, 1))
        pairs.append((first, -second))
        if on_progress is not None:
            on_progress(2 * len(pairs))
    sums = [sum(pair) for pair in pairs]
    spread = float(game.max_utility - game.min_utility)
    low, high = mean_interval(sums, -spread, spread)
    first, second = (sum(results) / len(pairs) for results in zip(*pairs, strict=True))
    return NashConvBound(first + second, low, high, (first, second), 2 * len(pairs))


def _played(game: Game, state: Any, policy: AskedPolicy, responder: Responder, player: int, seed: str) -> float:
    """Player 0's result of one game; the policy's actions and chance's outcomes are drawn."""
    draw = random.Random(seed)
    while (node := game.current_player(state)) != TERMINAL:
        if node == CHANCE:
            outcomes, chances = zip(*game.chance_outcomes(state), strict=True)
            state = game.advance(state, draw.choices(outcomes, chances)[0], NO_ACTION)
            continue
        joint = [NO_ACTION, NO_ACTION]
        if mixture := policy.mixture(state, 1 - player):
            joint[1 - player] = draw.choices(list(mixture), list(mixture.values()))[0]
        if game.legal_actions(state, player):
            joint[player] = responder.choose(state)
        state = game.advance(state, *joint)
    return float(game.returns(state))
