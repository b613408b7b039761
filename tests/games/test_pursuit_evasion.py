"""Pursuit and evasion by its rules, with counts that another program made over pairs of coordinates."""

from fractions import Fraction

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint import BackwardInduction, PursuitEvasion, search
from saddlepoint.solvers.general import Solution, certificate_of, exact_value
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

HISTORIES = {
    (3, 3, 3): ([1, 8, 140, 1316], 60),
    (4, 3, 3): ([1, 12, 282, 4885], 93),
    (4, 4, 4): ([1, 12, 300, 6_396, 156_768], 317),
}
"""Free evaders a depth, by the ways of playing, and distinct positions at which somebody has a move to make."""


@pytest.mark.parametrize("size", [(3, 3, 3), (4, 3, 3), pytest.param((4, 4, 4), marks=COMPILED_ONLY)])
def test_positions_and_histories_are_those_of_another_program(size: tuple[int, int, int]) -> None:
    game, (histories, positions) = PursuitEvasion(*size), HISTORIES[size]
    assert solve_positions(game).counts().positions == positions
    layer = [game.initial_state()]
    for count in histories[:3]:
        assert len(layer) == count
        joint = [(s, a, b) for s in layer for a in game.legal_actions(s, 0) for b in game.legal_actions(s, 1)]
        layer = [after for after in (game.advance(*one) for one in joint) if not after.caught]


def test_one_move_from_an_edge_is_a_matrix_that_is_known() -> None:
    # The evader between two pursuers goes up or down (or into one); each pursuer guesses.
    work = solve_positions(PursuitEvasion(3, 3, 1, "1,1 0,0 2,0"))
    assert work.value == pytest.approx(1.0)  # no pursuer reaches (1, 2)
    assert solve_positions(PursuitEvasion(2, 2, 1, "0,0 1,1 1,1")).value == pytest.approx(-1.0)


@COMPILED_ONLY
def test_every_way_of_solving_has_the_same_value() -> None:
    game = PursuitEvasion()
    solution = Solution.of(solve_positions(game))
    assert exact_value(solution).value == Fraction(-7, 8)
    assert certificate_of(solution).worst_gap < 1e-9
    assert search(game, game.initial_state(), BackwardInduction()).value == pytest.approx(-7 / 8)


def test_actions_are_named_by_both_pursuers_steps() -> None:
    game = PursuitEvasion()
    assert game.string_to_action(game.initial_state(), 1, "right UP") == 4
