"""CFR+ over all positions: known equilibria, exact values, and the published algorithm written down on histories."""

from typing import Any

import pytest

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS, RandomGame
from helpers.sizes import COMPILED_ONLY
from saddlepoint import BiasedRPS, Goofspiel, Soccer, UnsupportedGameError
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.policies import cfr_plus, nash_conv, value_of
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
TREE = RandomGame()


@pytest.mark.compiles_long
@pytest.mark.parametrize(
    "game",
    [
        Goofspiel(4, "descending"),
        pytest.param(Goofspiel(4), marks=COMPILED_ONLY),
        pytest.param(Goofspiel(4, "3 1 4 2", utility="points"), marks=COMPILED_ONLY),
    ],
)
def test_it_comes_close_to_an_equilibrium_whose_value_is_the_solvers(game: Goofspiel) -> None:
    """After 100 iterations; what it says of itself is what the policy that it hands out is worth."""
    found = cfr_plus(game, 100, at=[1, 10])
    assert [iteration for iteration, _ in found.measured] == [1, 10, 100]
    distances = [distance for _, distance in found.measured]
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.005 * (game.max_utility - game.min_utility)
    low, high = found.bounds
    assert low - 1e-12 <= solve_positions(game).value <= high + 1e-12
    assert found.nash_conv == pytest.approx(nash_conv(game, found.policy), abs=1e-12)
    assert found.value == pytest.approx(value_of(game, found.policy), abs=1e-12)


class ByHistories:
    """CFR+ as published, written down: a regret and a strategy for each player in every history, recursively."""

    def __init__(self, game, root):
        self.game, self.root = game, root
        self.regrets, self.played, self.sums = {}, {}, {}

    def actions(self, state, player):
        return self.game.legal_actions(state, player) or [NO_ACTION]

    def strategy(self, history, state, player):
        return self.played.setdefault((history, player), shares([0] * len(self.actions(state, player))))

    def walk(self, history, state, player, own, others, weight):
        """The value for player 0; updates the player's regrets on the way."""
        game, node = self.game, self.game.current_player(state)
        if node == TERMINAL:
            return game.returns(state)
        if node == CHANCE:
            after = [
                (chance, (*history, one), game.advance(state, one, NO_ACTION))
                for one, chance in game.chance_outcomes(state)
            ]
            return sum(
                chance * self.walk(longer, child, player, own, others * chance, weight)
                for chance, longer, child in after
            )
        x, y = (list(self.strategy(history, state, side)) for side in (0, 1))
        mine, sign = ((x, 1), (y, -1))[player]
        value, gains = 0.0, [0.0] * len(mine)
        for i, a in enumerate(self.actions(state, 0)):
            for j, b in enumerate(self.actions(state, 1)):
                k, its, theirs = (i, x[i], y[j]) if player == 0 else (j, y[j], x[i])
                child = game.advance(state, a, b)
                worth = self.walk((*history, (a, b)), child, player, own * its, others * theirs, weight)
                value += its * theirs * worth
                gains[k] += theirs * worth * sign
        key = (history, player)
        regrets = self.regrets.setdefault(key, [0.0] * len(mine))
        sums = self.sums.setdefault(key, [0.0] * len(mine))
        for k, share in enumerate(mine):
            sums[k] += weight * own * share
            regrets[k] = max(0.0, regrets[k] + others * (gains[k] - sign * value))
        self.played[key] = shares(regrets)
        return value

    def average(self, history):
        return [shares(self.sums[history, player]) for player in (0, 1)]


def shares(numbers):
    """In the ratio of the numbers; all alike where they are 0."""
    total = sum(numbers)
    return [one / total for one in numbers] if total > 0 else [1 / len(numbers)] * len(numbers)


@pytest.mark.compiles_long
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
@pytest.mark.parametrize("kinds", [MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS])
def test_on_a_tree_it_is_the_published_algorithm(seed: int, kinds: int) -> None:
    """Random games, whose positions have one way to each: average strategies as of a recursion over histories."""
    start = TREE.initial_state(seed=seed, kinds=kinds)
    if TREE.current_player(start) == TERMINAL:
        return
    found, plain = cfr_plus(TREE, 12, start), ByHistories(TREE, start)
    for iteration in range(1, 13):
        for player in (0, 1):
            plain.walk((), start, player, 1.0, 1.0, iteration)
    waiting = [((), start)]
    while waiting:
        history, state = waiting.pop()
        node = TREE.current_player(state)
        if node == CHANCE:
            waiting += [
                ((*history, o), TREE.advance(state, o, NO_ACTION)) for o, _ in TREE.chance_outcomes(state)
            ]
        elif node != TERMINAL:
            for mixture, expected in zip(found.policy(state), plain.average(history), strict=True):
                assert list(mixture.values() or [1.0]) == pytest.approx(expected, abs=1e-9)
            own = [plain.actions(state, player) for player in (0, 1)]
            waiting += [((*history, (a, b)), TREE.advance(state, a, b)) for a in own[0] for b in own[1]]


@pytest.mark.parametrize(
    ("game", "iterations", "moves", "kind", "said"),
    [
        (BiasedRPS(), 0, [], ValueError, "1 or more"),
        (BiasedRPS(), 2.5, [], ValueError, "whole number"),
        (Soccer(), 1, [], UnsupportedGameError, "come back"),
        (BiasedRPS(), 1, [(0, 0)], ValueError, "over"),
    ],
)
def test_what_it_cannot_do_is_refused(game: Any, iterations: int, moves: Any, kind: Any, said: str) -> None:
    state = game.initial_state()
    for joint in moves:
        state = game.advance(state, *joint)
    with pytest.raises(kind, match=said):
        cfr_plus(game, iterations, state)
