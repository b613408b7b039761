"""Goofspiel's evaluators: hands against a definition over lists of cards; the solver's values where the order of prizes is known."""

import numpy as np
import pytest

from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint import solve
from saddlepoint.algorithms import Limits, SaddlePruning, UnsupportedGameError, search
from saddlepoint.games.catalogue.make import algorithm_of
from saddlepoint.games.goofspiel import Goofspiel, Hands, State
from saddlepoint.games.goofspiel.evaluators import known_order_of


def random_state(game, number, draw, prize=False):
    """So many cards in each hand, and as many prizes left; with `prize` one of them is on the table."""
    hands = [sum(1 << int(card) for card in draw.choice(game.cards, number, replace=False)) for _ in range(3)]
    points = int(draw.integers(-5, 6))
    if not prize:
        return State(*hands, -1, points)
    shown = hands[2].bit_length() - 1
    return State(hands[0], hands[1], hands[2] & ~(1 << shown), shown, points)


def members(hand):
    return [card for card in reversed(range(13)) if hand >> card & 1]


def expected_numbers(game, state):
    hand0, hand1 = members(state.hand0), members(state.hand1)
    prizes = sorted(members(state.deck) + ([state.prize] if state.prize >= 0 else []), reverse=True)
    worths = [prize + game.lowest for prize in prizes]

    def sign(card, other):
        return (card > other) - (card < other)

    def advantage(card, hand):
        return sum(sign(card, other) for other in hand)

    leads = [(advantage(a, hand1) - advantage(b, hand0)) / 2 for a, b in zip(hand0, hand1, strict=True)]
    count, mean = len(leads), sum(leads) / len(leads)
    return (
        sum(worths) / count * mean,
        worths[0] * mean,
        sum(worth * lead for worth, lead in zip(worths, leads, strict=True)) / count,
        sum(worth * lead * abs(lead) for worth, lead in zip(worths, leads, strict=True)) / count**2,
        worths[0] * sign(hand0[0], hand1[0]),
        sum(map(abs, worths)),
        sum(worth * worth for worth in worths),
        count,
    )


@pytest.mark.plain
@pytest.mark.parametrize("lowest", [1, -3])
def test_the_numbers(lowest):
    game, draw = Goofspiel(13, lowest=lowest), np.random.default_rng(2)
    for _ in range(scaled(60)):
        state = random_state(game, int(draw.integers(1, 14)), draw, prize=bool(draw.integers(2)))
        assert Hands().counts(game, state) == pytest.approx(expected_numbers(game, state), abs=1e-9)


@pytest.mark.plain
@pytest.mark.parametrize("utility", ["win", "points"])
def test_exchanged_players_have_the_negative_within_the_bounds_of_the_game(utility):
    game, draw = Goofspiel(13, utility=utility), np.random.default_rng(3)
    for _ in range(scaled(60)):
        state = random_state(game, int(draw.integers(1, 14)), draw)
        value = Hands().evaluate(game, state)
        least, most = game.bounds(state)
        assert (
            max(least, -1) - 1e-6 <= value <= min(most, 1) + 1e-6
            if utility == "win"
            else least <= value <= most
        )
        for image in game.symmetries(state):
            assert Hands().evaluate(game, image.state) == pytest.approx(-value, abs=1e-9)


@pytest.mark.plain
def test_equal_hands_are_worth_the_lead():
    game = Goofspiel(8, utility="points")
    assert Hands().evaluate(game, State(0b1011, 0b1011, 0b111, -1, -4)) == -4.0


@pytest.mark.plain
@COMPILED_ONLY
@pytest.mark.parametrize(("utility", "allowed"), [("points", 0.1), ("win", 0.22)])
def test_it_is_near_to_exact_values(utility, allowed):
    """Five random cards of 13 for each, and five prizes: the error's root mean square, as a share of that of the values."""
    game, draw = Goofspiel(13, utility=utility), np.random.default_rng(4)
    states = [random_state(game, 5, draw) for _ in range(60)]
    exact = np.array([solve(game, state).value for state in states])
    found = np.array([Hands().evaluate(game, state) for state in states])
    assert np.sqrt(((found - exact) ** 2).mean()) < allowed * np.sqrt((exact**2).mean())


# -- a known order -------------------------------------------------------------------------------------------------------

ORDERS = ["ascending", "descending", "3 1 4 2"]


@pytest.mark.compiles_long
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
