"""Ace and Bob against their description, square by square, and the draw that pleases both."""

import itertools
import random
from typing import Any

import pytest

from helpers.flip_positions import played
from helpers.reference_rubiks_flip import LINES, Flip
from helpers.sizes import COMPILED_ONLY, scaled
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.rubiks_flip import Ace, Bob, RubiksFlip

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
RULES = ("draw", "opponent", "mover")
PAIRS = {frozenset(pair) for line in LINES for pair in (line[:2], line[1:])}


def described(game: RubiksFlip, state: Any, player: int, draw: float, pair: float) -> float:
    """The evaluation in the words of its description."""
    second = Flip.read(game, game.to_text(state))
    if second.mover() == TERMINAL:
        return (10.0, -10.0)[player] * second.result() or draw
    holders = second.holders(PAIRS)
    return pair * ((player in holders) - (1 - player in holders))


def test_there_are_as_many_pairs_as_described():
    assert len(LINES) == 24
    kinds = [sorted((abs(a[0] - b[0]), abs(a[1] - b[1]))) for a, b in map(tuple, PAIRS)]
    assert (kinds.count([0, 1]), kinds.count([1, 1])) == (12 + 12, 14)


@pytest.mark.parametrize("rule", ["draw", *(pytest.param(rule, marks=COMPILED_ONLY) for rule in RULES[1:])])
def test_positions_are_worth_what_is_described(rule):
    game, rng, seen = RubiksFlip(rule), random.Random(6), {Ace: set(), Bob: set()}
    for number in range(scaled(60, 24)):
        state = played(game, 4 + number % 12, rng)
        while True:
            for player, (one, draw, pair) in itertools.product(
                (0, 1), ((Ace(), 7.0, 0.0), (Bob(), 2.0, 3.0))
            ):
                value = one.evaluate_for(game, state, player)
                assert value == described(game, state, player, draw, pair)
                seen[type(one)].add(value)
            mover = game.current_player(state)
            if mover < 0:
                break
            state = game.next_state(state, rng.choice(game.legal_actions(state, mover)))
    assert seen == {Ace: {10.0, -10.0, 7.0, 0.0}, Bob: {10.0, -10.0, 2.0, 3.0, -3.0, 0.0}}


@pytest.mark.compiles_soon
@pytest.mark.parametrize(
    ("text", "ace", "bob"),
    [
        # A draw is good for both, so the views are not negatives.
        ("BBYW/RWWB/RYRY/WRBY", [7.0, 7.0], [2.0, 2.0]),
        # Two tiles that cut a corner, b1 and a2, are no pair; a1 and b1 are one.
        ("YRW./RW../B.../....", [0.0, 0.0], [0.0, 0.0]),
        ("RRY./WYB./..../....", [0.0, 0.0], [3.0, -3.0]),
    ],
)
def test_both_views_of_a_position(text, ace, bob):
    game = RubiksFlip()
    state = game.from_text(text)
    for evaluator, views in ((Ace(), ace), (Bob(), bob)):
        assert [evaluator.evaluate_for(game, state, player) for player in (0, 1)] == views


def test_bounds_are_the_largest_values():
    assert (Ace().bound, Bob().bound, Bob(win=1.0).bound) == (10.0, 10.0, 3.0)
