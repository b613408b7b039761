"""Matrix games and stages in Nashpy: the same values on both sides."""

from collections.abc import Callable

import numpy as np
import pytest

from helpers.sizes import scaled
from saddlepoint import BackwardInduction, Goofspiel, OshiZumo, nash_conv, solve
from saddlepoint.game.base import GameError
from saddlepoint.interop.nashpy import from_nashpy, matrix_of, of_search, of_solution
from saddlepoint.matrix import solve_matrix
from saddlepoint.policies import SolutionPolicy

nashpy = pytest.importorskip("nashpy")
pytestmark = pytest.mark.interop


def value_there(game: "nashpy.Game") -> float:  # type: ignore[name-defined]
    """The value by Nashpy's linear program, as each player sees it."""
    rows, columns = game.linear_program()
    return float(game[rows, columns][0])


def drawn(number: int) -> np.ndarray:
    """A random matrix, every other one of whole numbers, so that entries are equal."""
    random = np.random.default_rng(number)
    shape = random.integers(1, 7, 2)
    return random.integers(-3, 4, shape).astype(float) if number % 2 else random.normal(size=shape)


def test_random_matrices_have_the_same_value_on_both_sides() -> None:
    for number in range(scaled(300, 100)):
        game = nashpy.Game(drawn(number))
        assert abs(value_there(game) - solve_matrix(matrix_of(game)).value) < 1e-9


@pytest.mark.parametrize("number", range(12))
def test_a_matrix_game_of_nashpy_is_a_game_here(number: int) -> None:
    there = nashpy.Game(drawn(number))
    game = from_nashpy(there)
    solution = solve(game)
    assert abs(solution.value - value_there(there)) < 1e-9
    back = of_solution(solution, game.initial_state())
    assert np.array_equal(back.game.payoff_matrices[0], there.payoff_matrices[0])
    assert back.actions == (list(range(len(drawn(number)))), list(range(drawn(number).shape[1])))
    assert nash_conv(game, SolutionPolicy(solution)) < 1e-9


def test_the_stages_of_a_solved_game_have_its_values() -> None:
    game = Goofspiel(3)
    solution = solve(game)
    seen = 0
    for state in solution.states():
        if game.players_to_act(state) != (0, 1) and list(game.players_to_act(state)) != [0, 1]:
            continue
        stage = of_solution(solution, state)
        assert abs(value_there(stage.game) - solution.value_of(state)) < 1e-9
        assert stage.actions == tuple(game.legal_actions(state, player) for player in (0, 1))
        seen += 1
    assert seen > 20


def test_a_searched_stage_is_the_solved_one() -> None:
    game = OshiZumo(4, 1)
    solution = solve(game)
    searched = of_search(game, game.initial_state(), BackwardInduction())
    solved = of_solution(solution, game.initial_state())
    assert searched.actions == solved.actions == ([1, 2, 3, 4], [1, 2, 3, 4])
    assert np.abs(searched.game.payoff_matrices[0] - solved.game.payoff_matrices[0]).max() < 1e-9


def test_a_game_that_is_not_zero_sum_is_refused() -> None:
    with pytest.raises(GameError, match="this game of Nashpy is not zero-sum"):
        from_nashpy(nashpy.Game([[1, 0], [0, 1]], [[1, 0], [0, 1]]))


@pytest.mark.parametrize(
    "stage",
    [
        lambda game, state: of_solution(solve(game), state),
        lambda game, state: of_search(game, state, BackwardInduction()),
    ],
    ids=["solved", "searched"],
)
def test_a_position_in_which_not_both_choose_has_no_matrix(stage: Callable[..., object]) -> None:
    game = Goofspiel(3)
    with pytest.raises(GameError, match="not both players choose in this position"):
        stage(game, game.initial_state())
