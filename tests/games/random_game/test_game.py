"""Random games beside a second program in Python's own numbers: results, sums, values, counts."""

import itertools

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint import check_game
from saddlepoint.algorithms import BackwardInduction, search
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.random_game import RandomGame
from saddlepoint.solvers.general import Solution, certificate_of, exact_value
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

WORD = (1 << 64) - 1


def after(path: int, joint: int) -> int:
    """SplitMix64's finaliser of three times the path plus a multiple of the golden ratio."""
    word = (3 * path + (joint + 1) * 0x9E3779B97F4A7C15) & WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


@pytest.mark.parametrize("utility", ["uniform", "sums"])
def test_results_are_those_of_another_program(utility: str) -> None:
    game = RandomGame(2, 3, utility, seed=7)
    ends = set[int]()
    for joint in itertools.product(range(4), repeat=3):
        state, path, total = game.initial_state(), 7, 0
        for one in joint:
            state, path = game.next_state(state, one // 2, one % 2), after(path, one)
            total += path % 3 - 1 if utility == "sums" else 0
        ends.add(path)
        assert tuple(state) == (path, 3, total) and game.current_player(state) == TERMINAL
        assert game.returns(state) == (total if utility == "sums" else (path >> 11) / 2**53)
    assert len(ends) == 4**3


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


@COMPILED_ONLY
def test_draws_are_spread_evenly() -> None:
    for seed in range(3):
        game = RandomGame(50, 1, "sums", seed)
        start = game.initial_state()
        worths = [game.returns(game.advance(start, a, b)) for a in range(50) for b in range(50)]
        assert all(abs(worths.count(worth) - 2500 / 3) < 120 for worth in (-1.0, 0.0, 1.0))


def test_it_passes_the_conformance_test() -> None:
    check_game(RandomGame(3, 3), playouts=5)
    check_game(RandomGame(2, 4, "sums", 3), playouts=5)
