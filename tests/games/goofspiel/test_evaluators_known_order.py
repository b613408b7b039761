"""Goofspiel's evaluator for prizes in a known order: the solver's values by points, and what it is made for."""

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint import solve
from saddlepoint.algorithms import Limits, SaddlePruning, UnsupportedGameError, search
from saddlepoint.games.catalogue.make import algorithm_of
from saddlepoint.games.goofspiel import Goofspiel, Hands
from saddlepoint.games.goofspiel.evaluators import known_order_of

ORDERS = ["ascending", "descending", "3 1 4 2"]


@pytest.mark.plain
@pytest.mark.parametrize("order", ORDERS)
def test_the_points_are_those_of_the_solved_game(order):
    game = Goofspiel(4, order, "points")
    evaluator, solution = known_order_of(game), solve(game)
    for state in solution.states():
        assert evaluator.evaluate(game, state) == pytest.approx(solution.value_of(state), abs=1e-9)


@COMPILED_ONLY
@pytest.mark.parametrize("order", ORDERS)
def test_who_wins_has_the_sign_of_the_points_and_is_antisymmetric(order):
    game = Goofspiel(4, order)
    evaluator = known_order_of(game)
    for state in solve(game).states():
        value = evaluator.evaluate(game, state)
        image = state._replace(hand0=state.hand1, hand1=state.hand0, points=-state.points)
        assert value == pytest.approx(-evaluator.evaluate(game, image), abs=1e-12)
        assert abs(value) <= evaluator.bound
        assert value * (state.points + evaluator.raw(game, state)) >= 0


@pytest.mark.plain
def test_hands_are_refused_where_the_order_is_known_and_best_takes_another_evaluator():
    drawn, known = Goofspiel(8), Goofspiel(8, "ascending")
    assert isinstance(algorithm_of("best", drawn).evaluator, Hands)
    assert algorithm_of("best", known).evaluator.is_made_for(known)
    assert not known_order_of(known).is_made_for(Goofspiel(8, "descending"))
    with pytest.raises(
        UnsupportedGameError,
        match=r"the evaluator Hands is not made for goofspiel\(cards=8, order=ascending\)",
    ):
        search(known, known.initial_state(), SaddlePruning(Hands()), Limits(depth=1))
