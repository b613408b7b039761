"""Policies are evaluated exactly: by a recursion of the rules written down here, against equilibria, and by playing best responses."""

import functools
import math
import random

import numpy as np
import pytest
from hypothesis import given, strategies as some

from helpers.random_trees import MIXED, ONLY_SIMULTANEOUS, ONLY_TURNS, RandomGame
from helpers.sizes import COMPILED_ONLY
from saddlepoint import BackwardInduction, Goofspiel, LightRiders, Limits, Soccer, UnsupportedGameError, solve
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL, GameError
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

pytestmark = pytest.mark.plain
TREE, SHORT, FIXED = RandomGame(), Goofspiel(cards=3), Goofspiel(cards=3, order="descending")


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


def by_recursion(game, start, policy, responder=None):
    """What a position is worth to player 0, written down from the definition."""

    @functools.cache
    def worth(state):
        node = game.current_player(state)
        if node == TERMINAL:
            return game.returns(state)
        if node == CHANCE:
            outcomes = game.chance_outcomes(state)
            return sum(chance * worth(game.advance(state, one, NO_ACTION)) for one, chance in outcomes)
        x, y = (side or {NO_ACTION: 1.0} for side in policy(state))
        cells = {(a, b): worth(game.advance(state, a, b)) for a in x for b in y}
        rows = [sum(y[b] * cells[a, b] for b in y) for a in x]
        columns = [sum(x[a] * cells[a, b] for a in x) for b in y]
        return (
            max(rows) if responder == 0 else min(columns) if responder == 1 else np.dot([*x.values()], rows)
        )

    return worth(start)


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


def test_the_likeliest_actions_are_played_always():
    start = FIXED.initial_state()
    first = ({0: 0.3, 1: 0.4, 2: 0.3}, {0: 0.5, 1: 0.5})
    likeliest = LikeliestPolicy(TablePolicy(FIXED, {start: first}, UniformPolicy(FIXED)))
    assert likeliest(start) == ({1: 1.0}, {0: 1.0})
    assert value_of(FIXED, likeliest) == by_recursion(FIXED, start, likeliest) == 1.0


@pytest.mark.compiles_long
def test_what_is_worth_searching_alone_may_be_played():
    game = LightRiders(width=4, height=3)
    policy = UniformPolicy(game, only_searched=True)
    assert nash_conv(game, policy) == pytest.approx(nash_conv(game, policy.__call__), abs=1e-12)
    assert nash_conv(game, policy) != pytest.approx(nash_conv(game, UniformPolicy(game)), abs=1e-3)


def test_gains_are_told_for_each_player():
    """Who plays the low card for the first prize, which is the high one, loses it to the high card."""
    game = Goofspiel(2, order="descending")
    low = TablePolicy(game, {game.initial_state(): ({0: 1.0}, {0: 1.0})}, UniformPolicy(game))
    found = Evaluation.of(game, low)
    assert (found.value, found.best_values, found.gains) == (0.0, (1.0, -1.0), (1.0, 1.0))
    assert found.nash_conv == 2.0


def test_a_table_is_played_where_it_has_a_row_and_the_other_policy_elsewhere():
    even, start, highest = UniformPolicy(FIXED), FIXED.initial_state(), ({2: 1.0}, {0: 1.0})
    child = FIXED.advance(start, 2, 0)
    for key in (FIXED.to_text(start), start):
        found = value_of(FIXED, TablePolicy(FIXED, {key: highest}, even))
        assert found == pytest.approx(by_recursion(FIXED, child, even), abs=1e-12)


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        (({0: 0.5}, {0: 1.0}), "add up to 1"),
        (({0: 1.5, 1: -0.5}, {0: 1.0}), "from 0 to 1"),
        (({0: math.nan}, {0: 1.0}), "from 0 to 1"),
        (({7: 1.0}, {0: 1.0}), "no action 7"),
        (({0: 1.0},), "each player's probabilities by action"),
        (([1.0], [1.0]), "each player's probabilities by action"),
        (({0: None}, {0: 1.0}), "player 0's probabilities are {0: None}: "),
        (({0: 1j}, {0: 1.0}), "player 0's probabilities are {0: 1j}: "),
    ],
)
def test_what_is_no_policy_is_refused_with_the_position(given_, told):
    start = FIXED.initial_state()
    with pytest.raises(PolicyError, match=told) as error:
        nash_conv(FIXED, TablePolicy(FIXED, {start: given_}, UniformPolicy(FIXED)))
    assert FIXED.render(start) in str(error.value)


def test_what_a_millionth_misses_is_shared_out():
    found = probabilities(FIXED, FIXED.initial_state(), lambda state: ({0: 0.5, 2: 0.4999999}, {}), 0)
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-15)
    assert found[1] == 0.0


@COMPILED_ONLY
def test_a_search_with_nodes_and_a_seed_is_the_same_policy_twice():
    game = Goofspiel(cards=4, order="descending")
    policies = (SearchPolicy(game, BackwardInduction(), Limits(nodes=50), seed=3) for _ in range(2))
    first, second = (nash_conv(game, policy) for policy in policies)
    assert first == second > 0


def test_an_ended_game_is_its_result():
    ended = SHORT.from_text("goofspiel hand0=0 hand1=0 deck=0 prize=-1 points=2")
    assert value_of(SHORT, UniformPolicy(SHORT), state=ended) == 1.0
    assert nash_conv(SHORT, UniformPolicy(SHORT), ended) == 0.0


@pytest.mark.parametrize(
    ("ask", "kind", "said"),
    [
        (lambda: best_response(SHORT, UniformPolicy(SHORT), 2), ValueError, "0 or 1"),
        (lambda: nash_conv(Soccer(), UniformPolicy(Soccer())), UnsupportedGameError, "come back"),
        (lambda: all_choices(SHORT, memory=100_000), TooManyPositions, "MB"),
        (
            lambda: nash_conv(
                SHORT, SolutionPolicy(solve(SHORT, SHORT.next_state(SHORT.initial_state(), 2)))
            ),
            GameError,
            "cannot come about",
        ),
        (lambda: value_of(FIXED, TablePolicy(FIXED, {})), PolicyError, "no row"),
    ],
    ids=["a third player", "a game without an end", "memory", "another start", "a table without a row"],
)
def test_what_cannot_be_evaluated_is_refused(ask, kind, said):
    with pytest.raises(kind, match=said):
        ask()
