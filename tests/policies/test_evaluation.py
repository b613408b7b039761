"""Policies are evaluated exactly: by a recursion of the rules written down here, against equilibria, and by playing best responses."""

import math
import random

import pytest
from hypothesis import given, strategies as some

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS, RandomGame
from helpers.sizes import COMPILED_ONLY
from saddlepoint.algorithms import BackwardInduction, Limits
from saddlepoint.algorithms.algorithm import UnsupportedGameError
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL, GameError
from saddlepoint.games.biased_rps import BiasedRPS
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.soccer import Soccer
from saddlepoint.policies import (
    Evaluation,
    JoinedPolicy,
    LikeliestPolicy,
    PolicyError,
    SearchPolicy,
    SolutionPolicy,
    TablePolicy,
    UniformPolicy,
    all_choices,
    best_response,
    nash_conv,
    probabilities,
    value_of,
)
from saddlepoint.solvers.general.positions import TooManyPositions
from saddlepoint.solvers.whole_game import solve

pytestmark = pytest.mark.plain
TREE = RandomGame()


def drawn(game, seed):
    """A policy that draws its probabilities: a Python function."""

    def policy(state):
        draw = random.Random(f"{seed} {game.to_text(state)}")
        mixtures = []
        for player in (0, 1):
            weights = {action: draw.random() ** 3 for action in game.legal_actions(state, player)}
            mixtures.append({action: weight / sum(weights.values()) for action, weight in weights.items()})
        return tuple(mixtures)

    return policy


def by_recursion(game, state, policy, responder=None):
    """What a position is worth to player 0, written down from the definition: every history is walked."""
    node = game.current_player(state)
    if node == TERMINAL:
        return game.returns(state)
    if node == CHANCE:
        after = [
            (chance, game.advance(state, outcome, NO_ACTION))
            for outcome, chance in game.chance_outcomes(state)
        ]
        return sum(chance * by_recursion(game, child, policy, responder) for chance, child in after)
    x, y = (side or {NO_ACTION: 1.0} for side in policy(state))
    cells = {(a, b): by_recursion(game, game.advance(state, a, b), policy, responder) for a in x for b in y}
    if responder == 0:
        return max(sum(y[b] * cells[a, b] for b in y) for a in x)
    if responder == 1:
        return min(sum(x[a] * cells[a, b] for a in x) for b in y)
    return sum(x[a] * y[b] * cells[a, b] for a in x for b in y)


@pytest.mark.compiles_long
@COMPILED_ONLY
@given(
    seed=some.integers(0, 2**32),
    other=some.integers(0, 99),
    kinds=some.sampled_from([MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS]),
)
def test_values_and_best_responses_are_those_of_the_definition(seed, other, kinds):
    start = TREE.initial_state(seed=seed, kinds=kinds)
    first, second = drawn(TREE, seed), drawn(TREE, other)
    assert value_of(TREE, first, second, start) == pytest.approx(
        by_recursion(TREE, start, JoinedPolicy(first, second)), abs=1e-12
    )
    least, most = (by_recursion(TREE, start, first, player) for player in (1, 0))
    assert best_response(TREE, first, 1, start).value == pytest.approx(least, abs=1e-12)
    assert best_response(TREE, first, 0, start).value == pytest.approx(most, abs=1e-12)
    assert nash_conv(TREE, first, start) == pytest.approx(most - least, abs=1e-12)


@pytest.mark.compiles_long
@given(
    seed=some.integers(0, 2**32),
    player=some.sampled_from([0, 1]),
    kinds=some.sampled_from([MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS]),
)
def test_a_best_response_that_is_played_gets_what_it_says(seed, player, kinds):
    start = TREE.initial_state(seed=seed, kinds=kinds)
    response = best_response(TREE, drawn(TREE, seed), player, start)
    assert value_of(TREE, response.policy, state=start) == pytest.approx(response.value, abs=1e-12)


@pytest.mark.compiles_long
@COMPILED_ONLY
@given(seed=some.integers(0, 2**32), kinds=some.sampled_from([MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS]))
def test_an_equilibrium_has_no_distance_whether_solved_or_searched(seed, kinds):
    start = TREE.initial_state(seed=seed, kinds=kinds)
    solved = (
        SolutionPolicy(solve(TREE, start)) if TREE.current_player(start) != TERMINAL else UniformPolicy(TREE)
    )
    for policy in (solved, SearchPolicy(TREE, BackwardInduction())):
        assert nash_conv(TREE, policy, start) == pytest.approx(0.0, abs=1e-9)


@COMPILED_ONLY
def test_the_even_policy_of_goofspiel_is_as_far_from_an_equilibrium_as_its_tree_says():
    """Even hands: nobody is ahead, and best responses to both gain the same."""
    game = Goofspiel(cards=3)
    even = UniformPolicy(game)
    assert value_of(game, even) == pytest.approx(0.0, abs=1e-12)
    assert best_response(game, even, 0).value == pytest.approx(
        by_recursion(game, game.initial_state(), even, 0), abs=1e-12
    )
    assert nash_conv(game, even) == pytest.approx(2 * best_response(game, even, 0).value, abs=1e-12)


@COMPILED_ONLY
def test_the_even_policy_of_goofspiel_4_is_evaluated_as_every_position_by_its_rules():
    game, known = Goofspiel(cards=4), {}

    def worth(state, responder):
        node = game.current_player(state)
        if node == TERMINAL:
            return game.returns(state)
        if (state, responder) not in known:
            if node == CHANCE:
                after = [
                    chance * worth(game.advance(state, card, NO_ACTION), responder)
                    for card, chance in game.chance_outcomes(state)
                ]
                known[state, responder] = sum(after)
            else:
                rows, columns = game.legal_actions(state, 0), game.legal_actions(state, 1)
                cells = [[worth(game.advance(state, a, b), responder) for b in columns] for a in rows]
                means = (
                    [sum(row) / len(columns) for row in cells]
                    if responder == 0
                    else [sum(one) / len(rows) for one in zip(*cells)]
                )
                known[state, responder] = max(means) if responder == 0 else min(means)
        return known[state, responder]

    start = game.initial_state()
    assert nash_conv(game, UniformPolicy(game)) == pytest.approx(worth(start, 0) - worth(start, 1), abs=1e-12)


@pytest.mark.parametrize("fold", [True, pytest.param(False, marks=COMPILED_ONLY)])
def test_a_solution_plays_the_same_in_compiled_code_and_asked_position_by_position(fold):
    """Folded, half of the positions are images whose strategies have other names."""
    game = Goofspiel(cards=3, utility="points")
    policy = SolutionPolicy(solve(game, fold=fold))
    asked = policy.__call__  # a function, which compiled code knows nothing of
    assert value_of(game, policy, UniformPolicy(game)) == pytest.approx(
        value_of(game, asked, UniformPolicy(game)), abs=1e-12
    )
    assert nash_conv(game, policy) == pytest.approx(0.0, abs=1e-9)


def test_a_solution_of_another_start_is_refused_where_it_does_not_know_a_position():
    game = Goofspiel(cards=3)
    later = game.next_state(game.initial_state(), 2)
    with pytest.raises(GameError, match="cannot come about"):
        nash_conv(game, SolutionPolicy(solve(game, later)))


def test_the_likeliest_actions_are_played_always():
    game = BiasedRPS()
    mixed = TablePolicy(game, {game.initial_state(): ({0: 0.3, 1: 0.4, 2: 0.3}, {0: 0.5, 1: 0.5})})
    assert LikeliestPolicy(mixed)(game.initial_state()) == ({1: 1.0}, {0: 1.0})
    assert value_of(game, LikeliestPolicy(mixed)) == 25.0


@pytest.mark.compiles_long
def test_what_is_worth_searching_alone_may_be_played():
    game = LightRiders(width=4, height=3)
    policy = UniformPolicy(game, only_searched=True)
    assert nash_conv(game, policy) == pytest.approx(nash_conv(game, policy.__call__), abs=1e-12)
    assert nash_conv(game, policy) != pytest.approx(nash_conv(game, UniformPolicy(game)), abs=1e-3)


def test_gains_are_told_for_each_player():
    game = BiasedRPS()
    always_rock = TablePolicy(game, {game.initial_state(): ({0: 1.0}, {0: 1.0})})
    found = Evaluation.of(game, always_rock)
    assert (found.value, found.best_values, found.gains, found.nash_conv) == (
        0.0,
        (25.0, -25.0),
        (25.0, 25.0),
        50.0,
    )


def test_what_does_not_fit_into_memory_is_refused():
    with pytest.raises(TooManyPositions, match="MB"):
        all_choices(Goofspiel(cards=3), memory=100_000)


def test_a_table_is_played_where_it_has_a_row_and_the_other_policy_elsewhere():
    game = Goofspiel(cards=3, order="descending")
    start = game.initial_state()
    highest = {game.to_text(start): ({2: 1.0}, {0: 1.0})}
    with pytest.raises(PolicyError, match="no row"):
        value_of(game, TablePolicy(game, highest))
    even = UniformPolicy(game)
    table = TablePolicy(game, highest, even)
    child = game.advance(start, 2, 0)
    assert value_of(game, table) == pytest.approx(by_recursion(game, child, even), abs=1e-12)
    assert value_of(game, TablePolicy(game, {start: ({2: 1.0}, {0: 1.0})}, even)) == value_of(game, table)


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        (({0: 0.5}, {0: 1.0}), "add up to 1"),
        (({0: 1.5, 1: -0.5}, {0: 1.0}), "from 0 to 1"),
        (({0: math.nan}, {0: 1.0}), "from 0 to 1"),
        (({7: 1.0}, {0: 1.0}), "no action 7"),
    ],
)
def test_what_is_no_policy_is_refused_with_the_position(given_, told):
    game = Goofspiel(cards=3, order="descending")
    with pytest.raises(PolicyError, match=told) as error:
        nash_conv(game, TablePolicy(game, {game.initial_state(): given_}, UniformPolicy(game)))
    assert game.render(game.initial_state()) in str(error.value)


def test_what_a_millionth_misses_is_shared_out():
    game = Goofspiel(cards=3, order="descending")
    found = probabilities(game, game.initial_state(), lambda state: ({0: 0.5, 2: 0.4999999}, {}), 0)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-15)
    assert found[1] == 0.0


@COMPILED_ONLY
def test_a_search_with_nodes_and_a_seed_is_the_same_policy_twice():
    game = Goofspiel(cards=4, order="descending")
    policy = SearchPolicy(game, BackwardInduction(), Limits(nodes=50), seed=3)
    assert (
        nash_conv(game, policy)
        == nash_conv(game, SearchPolicy(game, BackwardInduction(), Limits(nodes=50), seed=3))
        > 0
    )


def test_an_ended_game_is_its_result():
    ended = TREE.initial_state(depth=0)
    assert value_of(TREE, UniformPolicy(TREE), state=ended) == TREE.returns(ended)
    assert nash_conv(TREE, UniformPolicy(TREE), ended) == 0.0


def test_a_player_is_0_or_1_and_a_game_ends():
    game = Goofspiel(cards=3)
    with pytest.raises(ValueError, match="0 or 1"):
        best_response(game, UniformPolicy(game), 2)
    with pytest.raises(UnsupportedGameError, match="come back"):
        nash_conv(Soccer(), UniformPolicy(Soccer()))
