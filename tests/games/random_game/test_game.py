"""Random games: values, counts, how evenly results are spread, and what a path is worth so far."""

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.algorithms import BackwardInduction, search
from saddlepoint.games.random_game import RandomGame, Sums
from saddlepoint.solvers.general import Solution, certificate_of, exact_value
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain


@pytest.mark.compiles_long
@pytest.mark.parametrize("utility", ["uniform", "sums"])
def test_every_path_is_a_position_of_its_own(utility: str) -> None:
    game = RandomGame(3, 3, utility, seed=1)
    solution = Solution.of(solve_positions(game))
    assert len(solution) == 1 + 9 + 81
    assert certificate_of(solution).worst_gap < 1e-9
    assert float(exact_value(solution).value) == pytest.approx(solution.value)
    found = search(game, game.initial_state(), BackwardInduction(table=False))
    assert found.value == pytest.approx(solution.value)
    assert (found.statistics.nodes, found.statistics.leaves) == (1 + 9 + 81 + 729, 729)


@pytest.mark.compiles_long
@COMPILED_ONLY
@pytest.mark.parametrize("seed", range(3))
def test_draws_are_spread_evenly(seed: int) -> None:
    game = RandomGame(50, 1, "sums", seed)
    start = game.initial_state()
    worths = [game.returns(game.advance(start, a, b)) for a in range(50) for b in range(50)]
    assert all(abs(worths.count(worth) - 2500 / 3) < 120 for worth in (-1.0, 0.0, 1.0))


# -- sums ----------------------------------------------------------------------------------------------------------------


def test_with_sums_a_position_is_worth_what_the_joint_actions_so_far_brought():
    game = RandomGame(actions=3, depth=5, utility="sums", seed=4)
    state, seen = game.initial_state(), set()
    for step in range(5):
        worth = Sums().evaluate(game, state)
        assert worth == state.sum
        seen.add(worth)
        state = game.next_state(state, step % 3, (2 * step + 1) % 3)
    assert len(seen) > 1
    assert Sums().evaluate(game, state) == game.returns(state)


def test_without_them_nothing_is_known_before_the_end():
    game = RandomGame(actions=3, depth=5, seed=4)
    assert Sums().evaluate(game, game.initial_state()) == 0.5


def test_how_it_is_played_says_what_its_results_can_be() -> None:
    text = " ".join(RandomGame().how_to_play)
    assert "with uniform payoffs" in text and "with sums" in text
