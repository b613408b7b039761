"""Biased rock-paper-scissors: the published matrix, value and mixture."""

import pytest

from saddlepoint.games.biased_rps import BiasedRPS
from saddlepoint.solvers.general import Solution, certificate_of, exact_value
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


def test_the_published_matrix_value_and_mixture() -> None:
    solution = Solution.of(solve_positions(BiasedRPS()))
    stage = solution.at(solution.root)
    assert [list(row) for row in stage.matrix] == [[0, -25, 50], [25, 0, -5], [-50, 5, 0]]
    assert len(solution) == 1 and exact_value(solution).value == 0
    for player in (0, 1):
        assert stage.strategies[player] == pytest.approx({0: 1 / 16, 1: 10 / 16, 2: 5 / 16})
    assert certificate_of(solution).worst_gap < 1e-9


def test_other_worths_have_their_own_mixture() -> None:
    solution = Solution.of(solve_positions(BiasedRPS(1, 2, 5)))
    assert solution.at(solution.root).strategies[0] == pytest.approx({0: 5 / 8, 1: 1 / 8, 2: 2 / 8})
