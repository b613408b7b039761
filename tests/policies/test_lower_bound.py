"""A lower bound by games: it stays below the exact figure but for chance, and comes near it where the responder sees the end; of a mean."""

import numpy as np
import pytest

from helpers.random_trees import RandomGame
from helpers.sizes import COMPILED_ONLY
from saddlepoint import BiasedRPS, Goofspiel, Limits, SaddlePruning, Soccer, solve
from saddlepoint.policies import (
    SearchPolicy,
    SolutionPolicy,
    UniformPolicy,
    mean_at_least,
    mean_interval,
    nash_conv,
    nash_conv_bound,
)

SHORT, TREE, GAME_WITH_CLOCK = Goofspiel(cards=3), RandomGame(), Soccer(max_moves=6)


@pytest.mark.plain
@pytest.mark.parametrize(
    "policy",
    [
        pytest.param(UniformPolicy(SHORT), marks=COMPILED_ONLY),
        SearchPolicy(SHORT, SaddlePruning(), Limits(nodes=5)),
    ],
    ids=["even", "search"],
)
def test_the_bound_stays_below_the_exact_figure_and_shows_that_there_is_something_to_gain(policy):
    found = nash_conv_bound(SHORT, policy, games=80, look=10)
    assert 0 < found.low <= found.mean <= found.high
    assert found.low <= nash_conv(SHORT, policy)
    assert found.mean == pytest.approx(sum(found.results))


@pytest.mark.plain
@pytest.mark.compiles_long
@pytest.mark.parametrize("seed", range(4))
def test_no_bound_of_random_games_is_above_the_exact_figure(seed):
    start = TREE.initial_state(seed=seed)
    found = nash_conv_bound(
        TREE, UniformPolicy(TREE), start, games=20, look=3, seed=seed, leaf=lambda state: 0.0
    )
    assert found.low <= nash_conv(TREE, UniformPolicy(TREE), start)


@pytest.mark.plain
@COMPILED_ONLY
def test_an_equilibrium_shows_nothing():
    assert nash_conv_bound(SHORT, SolutionPolicy(solve(SHORT)), games=60, look=10).low <= 0


@pytest.mark.plain
def test_a_responder_that_sees_the_end_gets_what_a_best_response_gets():
    found = nash_conv_bound(BiasedRPS(), lambda state: ({0: 1.0}, {0: 1.0}), games=200)
    assert found.mean == 50.0  # paper wraps rock, 25 on either side
    assert found.high >= 50.0


@pytest.mark.plain
def test_the_same_seed_gives_the_same_games():
    first, again, other = (
        nash_conv_bound(SHORT, UniformPolicy(SHORT), games=8, look=5, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.plain
def test_a_game_whose_positions_come_back_is_played_and_the_leaf_is_asked_where_the_looking_ends():
    done, asked = [], []
    even = UniformPolicy(GAME_WITH_CLOCK)

    def leaf(state):
        asked.append(state)
        return 0.0

    found = nash_conv_bound(GAME_WITH_CLOCK, even, games=4, look=1, leaf=leaf, on_progress=done.append)
    assert found.games == 4
    assert done == [2, 4]
    assert asked


@pytest.mark.plain
def test_too_few_games_are_refused():
    with pytest.raises(ValueError, match="2 games"):
        nash_conv_bound(SHORT, UniformPolicy(SHORT), games=1)


# -- the mean ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [3, 20, 60])
@pytest.mark.parametrize("chance", [0.02, 0.5, 0.98])
@pytest.mark.parametrize("steady", [False, True])
def test_the_true_mean_is_missed_in_one_of_twenty_cases_at_most(count, chance, steady):
    draw, missed = np.random.default_rng(count), 0
    for _ in range(100):
        numbers = np.where(draw.random(count) < chance, 3.0, -1.0).tolist()
        low, high = mean_interval(numbers, -1.0, 3.0, steady=steady)
        missed += not low <= 4 * chance - 1 <= high
    assert missed <= 11  # 5 are expected at most: more than 11 come in one run of 100


def test_many_numbers_tell_much_and_none_tells_nothing():
    assert mean_interval([], -2.0, 5.0) == (-2.0, 5.0)
    low, high = mean_interval([1.0, 0.0] * 500, 0.0, 1.0)
    assert 0.43 < low < 0.5 < high < 0.57
    assert mean_interval([1.0, 0.0] * 500 + [0.0, 1.0] * 500, 0.0, 1.0, steady=True)[0] > low
    low, high = mean_interval([0.25] * 1000, 0.0, 1.0)
    assert 0.2 < low < 0.25 < high < 0.3


def test_few_numbers_that_are_alike_prove_little():
    low, high = mean_interval([1.0] * 5, 0.0, 1.0)
    assert low < 0.6
    assert high == 1.0


@pytest.mark.parametrize(
    ("first", "later", "changes"), [(0.5, 0.5, 0), (0.75, 0.5, 200), (0.02, 0.02, 0), (1.0, 0.3, 100)]
)
def test_bounds_are_right_at_all_looks_together_also_where_the_expectation_changes(first, later, changes):
    draw, wrong, missed = np.random.default_rng(1), 0, 0
    for _ in range(400):
        expected = np.where(np.arange(500) < changes, first, later)
        numbers = (draw.random(500) < expected) * 1.0
        wrong += any(
            mean_at_least(numbers[:looked], 0.0, 1.0, planned=500) > expected[:looked].mean()
            for looked in (10, 50, 150, 250, 500)
        )
        low, high = mean_interval(numbers.tolist(), 0.0, 1.0)
        missed += not low <= expected.mean() <= high
    assert wrong <= 0.05 * 400
    assert missed <= 0.05 * 400


def test_a_lower_bound_is_right_where_each_expectation_follows_from_the_numbers_before():
    draw, wrong = np.random.default_rng(2), 0
    for _ in range(400):
        numbers, expected = [], []
        for _ in range(200):  # who has lost more often than expected is careful from then on
            expected.append(0.1 if sum(numbers) > sum(expected) + 4 else 0.8)
            numbers.append(float(draw.random() < expected[-1]))
        wrong += mean_at_least(numbers, 0.0, 1.0) > sum(expected) / 200
    assert wrong <= 0.05 * 400


def test_a_lower_bound_comes_near_the_mean_and_has_its_units():
    numbers = [-2.0, 6.0] * 2000
    assert 1.6 < mean_at_least(numbers, -2.0, 6.0) < 2.0
    assert mean_at_least([6.0] * 1000, -2.0, 6.0) > 5.9
    assert mean_at_least([], -2.0, 6.0) == -2.0
