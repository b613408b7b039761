"""A lower bound by games: it stays below the exact figure but for chance, and comes near it where the responder sees the end."""

import pytest

from helpers.random_trees import RandomGame
from helpers.sizes import COMPILED_ONLY
from saddlepoint import BiasedRPS, Goofspiel, Limits, SaddlePruning, Soccer, solve
from saddlepoint.policies import SearchPolicy, SolutionPolicy, UniformPolicy, nash_conv, nash_conv_bound

pytestmark = pytest.mark.plain
SHORT, TREE, GAME_WITH_CLOCK = Goofspiel(cards=3), RandomGame(), Soccer(max_moves=6)


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


@pytest.mark.compiles_long
@pytest.mark.parametrize("seed", range(4))
def test_no_bound_of_random_games_is_above_the_exact_figure(seed):
    start = TREE.initial_state(seed=seed)
    found = nash_conv_bound(
        TREE, UniformPolicy(TREE), start, games=20, look=3, seed=seed, leaf=lambda state: 0.0
    )
    assert found.low <= nash_conv(TREE, UniformPolicy(TREE), start)


@COMPILED_ONLY
def test_an_equilibrium_shows_nothing():
    assert nash_conv_bound(SHORT, SolutionPolicy(solve(SHORT)), games=60, look=10).low <= 0


def test_a_responder_that_sees_the_end_gets_what_a_best_response_gets():
    found = nash_conv_bound(BiasedRPS(), lambda state: ({0: 1.0}, {0: 1.0}), games=200)
    assert found.mean == 50.0  # paper wraps rock, 25 on either side
    assert found.high >= 50.0


def test_the_same_seed_gives_the_same_games():
    first, again, other = (
        nash_conv_bound(SHORT, UniformPolicy(SHORT), games=8, look=5, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


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


def test_too_few_games_are_refused():
    with pytest.raises(ValueError, match="2 games"):
        nash_conv_bound(SHORT, UniformPolicy(SHORT), games=1)
