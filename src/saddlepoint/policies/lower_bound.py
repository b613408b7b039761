"""A lower bound of exploitability by games against a player that responds."""

import functools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.sampling.playouts import place_at
from ..compiled import hash_of_words, jit, mix, run
from ..compiled.states import as_machine_words
from ..game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL, Game
from ..game.steps import random_step
from .policy import Policy, probabilities

_STRIDE = 0x9E3779B97F4A7C15
_MOST_KEPT = 50_000
"""Positions of which is remembered what the policy plays there."""
_DEEPEST = 64


@jit
def _play_out(game, state, games, seed, memory):
    """The mean result of a number of random games from a position; what is drawn follows from the position and the seed."""
    actions, chances = memory
    drawn, total = mix(hash_of_words(state) + np.uint64(seed)), 0.0
    for _ in range(games):
        now = state
        while True:
            node = game.current_player(now)
            if node == TERMINAL:
                break
            action0, action1 = np.int64(NO_ACTION), np.int64(NO_ACTION)
            drawn = mix(drawn + np.uint64(_STRIDE))
            if node == CHANCE:
                count = game.chance_outcomes(now, actions, chances)
                action0 = np.int64(
                    actions[place_at(np.float64(drawn >> np.uint64(11)) * 2.0**-53, chances, count)]
                )
            if node == SIMULTANEOUS or node == 0:
                action0 = np.int64(actions[np.int64(drawn % np.uint64(game.search_actions(now, 0, actions)))])
            if node == SIMULTANEOUS or node == 1:
                action1 = np.int64(
                    actions[
                        np.int64((drawn >> np.uint64(32)) % np.uint64(game.search_actions(now, 1, actions)))
                    ]
                )
            now = game.successor(now, action0, action1)
        total += game.returns(now)
    return total / games


class RandomGames:
    """An estimate of a position's value: player 0's mean result in random games from there, always the same
    ones.
    """

    def __init__(self, game: Game, games: int = 16, seed: int = 0) -> None:
        self._game, self._games, self._seed = game, games, seed
        choices = max(game.max_actions, game.max_outcomes if game.has_chance else 1)
        self._memory = np.zeros(choices, np.int64), np.zeros(choices)

    def __call__(self, state: Any, /) -> float:
        """Player 0's mean result."""
        return float(
            run(_play_out, self._game, as_machine_words(state), self._games, self._seed, self._memory)
        )


class _TooFarError(Exception):
    """The budget of positions is spent."""


Known = Callable[[Any], tuple[dict[int, float], dict[int, float]]]
"""Each player's probabilities by action in a position; empty where it has no choice."""


def remembered(game: Game, policy: Policy) -> Known:
    """The policy, checked, which remembers what it plays in positions that were met before."""

    @functools.lru_cache(_MOST_KEPT)
    def known(state: Any) -> tuple[dict[int, float], dict[int, float]]:
        given = policy(state)
        return probabilities(game, state, lambda _: given, 0), probabilities(game, state, lambda _: given, 1)

    return known


class Responder:
    """Chooses against a known policy: in each position the action with the best expected value against it.

    It looks one step farther after the other, own actions maximised, the policy's and chance's outcomes expected, until that would
    ask the policy in more than `look` positions for a move. Where the looking ends a position is worth what `leaf` says (player 0's
    expected result). It is the same every time. `player` is the one that responds.
    """

    def __init__(
        self, game: Game, policy: Known, player: int, leaf: Callable[[Any], float], look: int
    ) -> None:
        self._game, self._policy, self._player, self._leaf, self._look = game, policy, player, leaf, look
        self._sign, self._asked, self._is_cut = (1, -1)[player], 0, False

    def choose(self, state: Any) -> int:
        """An action in a position in which the player has a choice."""
        actions = self._game.search_actions(state, self._player)
        best = actions[0]
        if len(actions) == 1:
            return best
        self._asked = 0
        try:
            for depth in range(1, _DEEPEST):
                self._is_cut = False
                worth = {action: self._after(state, action, depth) for action in actions}
                best = max(actions, key=lambda action: worth[action])
                if not self._is_cut:
                    break
        except _TooFarError:
            pass
        return best

    def _after(self, state: Any, action: int, depth: int) -> float:
        """The expected value of an action for the responder."""
        replies = self._policy(state)[1 - self._player] or {NO_ACTION: 1.0}
        return math.fsum(
            chance * self._worth(self._advanced(state, action, reply), depth - 1)
            for reply, chance in replies.items()
            if chance > 0
        )

    def _advanced(self, state: Any, own: int, other: int) -> Any:
        return self._game.advance(state, *((own, other) if self._player == 0 else (other, own)))

    def _worth(self, state: Any, depth: int) -> float:
        game = self._game
        node = game.current_player(state)
        if node == TERMINAL:
            return self._sign * float(game.returns(state))
        if depth == 0:
            self._is_cut = True
            return self._sign * self._leaf(state)
        if node == CHANCE:
            return math.fsum(
                chance * self._worth(game.advance(state, outcome, NO_ACTION), depth)
                for outcome, chance in game.chance_outcomes(state)
            )
        self._asked += 1
        if self._asked > self._look:
            raise _TooFarError
        own = (
            game.search_actions(state, self._player) if node in (SIMULTANEOUS, self._player) else [NO_ACTION]
        )
        return max(self._after(state, action, depth) for action in own)


# Bounds for the mean of bounded numbers, by betting; they hold for few of them too, and where the numbers change on the way.
#
# After Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting (JRSS B, 2024). The bets are fixed: with 1 + s x
# for the stake s, the product over all x, divided by the product of the expectations 1 + s m, is a martingale, whatever each m depends on,
# and exceeds 1 / alpha with a probability of alpha at most (Ville). The latter product is at most the power of its mean: of all products
# with one sum, that of equal factors is the largest. The capital is shared out among stakes that double, since the best one is not known;
# the first would be the best if pairs of games were coins.

_STAKES, _HALVINGS = 16, 50


def mean_at_least(
    numbers: Sequence[float],
    low: float,
    high: float,
    planned: int | None = None,
    alpha: float = 0.05,
    steady: bool = False,
) -> float:
    """A lower bound, with a confidence of 1 - alpha, of the mean of what numbers were expected to be; `low` without any.

    Each expectation may follow from all numbers before it, as where somebody learns meanwhile. With the same `planned` the bound holds
    whenever it is looked at: all bounds of a series are true together.

    - `numbers`: what was measured, in its order.
    - `low`: the least that one can be.
    - `high`: the most that one can be.
    - `planned`: how many there will be, fixed beforehand; None: so many as there are.
    - `alpha`: how often a bound may be wrong.
    - `steady`: all have the same expectation, so that the best bound on the way holds for it, too.

    >>> from saddlepoint.policies import mean_at_least
    >>> 0.4 < mean_at_least([0.0, 1.0] * 500, 0.0, 1.0) < 0.5
    True
    """
    count = len(numbers)
    if not count or high <= low:
        return low
    x = np.clip((np.asarray(numbers, float) - low) / (high - low), 0.0, 1.0)
    stakes = math.sqrt(16 * math.log(1 / alpha) / (planned or count)) * 2.0 ** np.arange(_STAKES)
    shares = -math.log(2) * np.arange(1, _STAKES + 1)  # together less than 1
    places = np.arange(1, count + 1)
    grown = shares[:, None] + np.log1p(np.outer(stakes, x)).cumsum(axis=1)
    if not steady:
        places, grown = places[-1:], grown[:, -1:]
    least, most = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        capital = np.logaddexp.reduce(grown - np.outer(np.log1p(stakes * middle), places)).max()
        least, most = (middle, most) if capital >= math.log(1 / alpha) else (least, middle)
    return low + (high - low) * least


def mean_interval(
    numbers: Sequence[float], low: float, high: float, alpha: float = 0.05, steady: bool = False
) -> tuple[float, float]:
    """Bounds from below and above of the mean of what numbers were expected to be, as `mean_at_least`; both hold with 1 - alpha.

    - `numbers`: what was measured, in its order.
    - `low`: the least that one can be.
    - `high`: the most that one can be.
    - `alpha`: how often the interval may be wrong.
    - `steady`: all have the same expectation; the interval is narrower then.

    >>> from saddlepoint.policies import mean_interval
    >>> low, high = mean_interval([0.0, 1.0] * 100, 0.0, 1.0)
    >>> low < 0.5 < high
    True
    """
    turned = [-number for number in numbers]
    least = mean_at_least(numbers, low, high, None, alpha / 2, steady)
    return least, -mean_at_least(turned, -high, -low, None, alpha / 2, steady)


# How far a policy is from an equilibrium at least, where its positions are too many to be enumerated: by games against a responder.
#
# Whatever a responder plays, it gets no more on average than a best response would. NashConv is what the best response of player 0 gets
# and what that of player 1 gets together, so the mean results of a responder on either side, added up, are at most NashConv; each pair of
# games, one on either side, is one sample of that sum.


@dataclass(frozen=True)
class NashConvBound:
    """A lower bound of NashConv, as games showed it; never the value itself.

    >>> from saddlepoint.policies import NashConvBound
    >>> NashConvBound(mean=0.2, low=0.1, high=0.3, results=(0.1, 0.1), games=400).low
    0.1
    """

    mean: float
    """The responder's mean result of a pair of games, one on each side: a lower bound of NashConv, up to chance."""
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

    Half of the games are played by a responder as player 0 against the policy as player 1, and half the other way round. The responder
    looks ahead in expectation over what the policy plays. The interval is one for means of bounded numbers that holds for any number
    of games (`mean_interval`).

    - `game`: the rules.
    - `policy`: what is measured.
    - `state`: where the games begin; None: their usual start.
    - `games`: how many are played, 2 or more.
    - `look`: the responder looks as far ahead as that takes so many positions to ask the policy for a move.
    - `seed`: the same seed gives the same games.
    - `leaf`: gives what a position where the looking ends is worth to player 0; None: random games do.
    - `on_progress`: called with how many games are over.

    Raises ValueError for less than two games, PolicyError for a policy that gives no probabilities.

    >>> from saddlepoint import BiasedRPS, nash_conv_bound
    >>> from saddlepoint.policies import UniformPolicy
    >>> game = BiasedRPS()
    >>> found = nash_conv_bound(game, UniformPolicy(game), games=100)
    >>> found.low <= found.mean <= found.high
    True
    """
    if games < 2 or look < 1:
        raise ValueError(f"a bound takes 2 games and a look at 1 position at least, not {games} and {look}")
    root = game.initial_state() if state is None else state
    asked, leaf = remembered(game, policy), leaf or RandomGames(game, seed=seed)
    responders = [Responder(game, asked, player, leaf, look) for player in (0, 1)]
    pairs: list[tuple[float, float]] = []
    for pair in range((games + 1) // 2):
        first, second = (
            _played(game, root, asked, responders[player], player, f"{seed} {pair}") for player in (0, 1)
        )
        pairs.append((first, -second))
        if on_progress is not None:
            on_progress(2 * len(pairs))
    sums = [sum(pair) for pair in pairs]
    spread = float(game.max_utility - game.min_utility)
    low, high = mean_interval(sums, -spread, spread, steady=True)
    first, second = (sum(results) / len(pairs) for results in zip(*pairs, strict=True))
    return NashConvBound(first + second, low, high, (first, second), 2 * len(pairs))


def _played(game: Game, state: Any, policy: Known, responder: Responder, player: int, seed: str) -> float:
    """Player 0's result of one game; the policy's actions and chance's outcomes are drawn."""
    draw = random.Random(seed)
    while (node := game.current_player(state)) != TERMINAL:
        if node == CHANCE:
            state = random_step(game, state, draw)
            continue
        joint = [NO_ACTION, NO_ACTION]
        if mixture := policy(state)[1 - player]:
            joint[1 - player] = draw.choices(list(mixture), list(mixture.values()))[0]
        if game.legal_actions(state, player):
            joint[player] = responder.choose(state)
        state = game.advance(state, *joint)
    return float(game.returns(state))
