"""Goofspiel beside a reference over lists of cards: prizes, bids, points, ends, bounds, text."""

import random

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, TERMINAL
from saddlepoint.games.goofspiel import Goofspiel, State

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAMES = (
    Goofspiel(1),
    Goofspiel(4),
    pytest.param(Goofspiel(4, "random", "points"), marks=pytest.mark.compiles_soon),
    Goofspiel(5, "descending"),
    Goofspiel(5, "ascending", "points"),
    Goofspiel(5, "3 1 5 2 4"),
    Goofspiel(4, "descending", "points", lowest=0),
    Goofspiel(13, "ascending", lowest=2),
    Goofspiel(6, "random", "points", lowest=-3),
    Goofspiel(13, "descending", "points", lowest=-100),
)


def cards(game, bits):
    """The worths of a set of cards."""
    return [card + game.lowest for card in range(13) if bits >> card & 1]


def next_in(order, deck):
    """Where in the deck, the lowest card first, the next prize is."""
    given = [int(worth) for worth in order.split() if worth.isdecimal()]
    return (
        deck.index(next(worth for worth in given if worth in deck))
        if given
        else 0
        if order == "ascending"
        else -1
    )


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_random_games_go_as_the_rules_say(game):
    draw = random.Random(3)
    worths = list(range(game.lowest, game.lowest + game.cards))
    for _ in range(12):
        hands, deck, prize, points = (list(worths), list(worths)), list(worths), None, 0
        state, steps = game.initial_state(), 0
        while True:
            if prize is None and deck and game.order != "random":
                prize = deck.pop(next_in(game.order, deck))
            assert (cards(game, state.hand0), cards(game, state.hand1)) == hands
            assert cards(game, state.deck) == deck
            assert state.prize == (-1 if prize is None else prize - game.lowest)
            assert state.points == points
            left = sum(map(abs, deck)) + abs(prize or 0)  # by all prizes that are left nobody gets further
            if prize is None and not deck:
                break
            if game.utility == "points":
                assert tuple(game.bounds(state)) == (points - left, points + left)
            else:
                sign = [(value > 0) - (value < 0) for value in (points - left, points + left)]
                assert list(game.bounds(state)) == sign
            if prize is None:
                assert game.current_player(state) == CHANCE
                assert game.chance_outcomes(state) == [
                    (card - game.lowest, pytest.approx(1 / len(deck))) for card in deck
                ]
                prize = draw.choice(deck)
                deck.remove(prize)
                state = game.next_state(state, prize - game.lowest)
            else:
                assert game.current_player(state) == SIMULTANEOUS
                for player in (0, 1):
                    assert [action + game.lowest for action in game.legal_actions(state, player)] == hands[
                        player
                    ]
                bids = [draw.choice(hand) for hand in hands]
                for hand, bid in zip(hands, bids):
                    hand.remove(bid)
                points += prize if bids[0] > bids[1] else -prize if bids[0] < bids[1] else 0
                prize = None
                state = game.next_state(state, *(bid - game.lowest for bid in bids))
            steps += 1
        assert game.current_player(state) == TERMINAL
        result = points if game.utility == "points" else (points > 0) - (points < 0)
        assert game.returns(state) == result
        assert tuple(game.bounds(state)) == (result, result)
        assert game.min_utility <= result <= game.max_utility
        assert steps == (2 * game.cards if game.order == "random" else game.cards) <= game.max_depth


def test_parameters():
    assert (Goofspiel(5).max_utility, Goofspiel(5, "random", "points").max_utility) == (1, 15)
    assert Goofspiel(4, "random", "points", lowest=0).min_utility == -6
    assert Goofspiel(3, "2 0 1", lowest=0).initial_state() == State(7, 7, 0b011, 2, 0)


@COMPILED_ONLY
def test_different_positions_of_a_game_have_different_hashes():
    game = Goofspiel(6)
    states = [
        State(a, b, c, prize, points)
        for a in (0, 1, 5, 63)
        for b in (0, 1, 5, 63)
        for c in (0, 1, 5, 63)
        for prize in range(-1, 6)
        for points in range(-21, 22)
    ]
    assert len({int(game.hash(state)) for state in states}) == len(states)


def test_text():
    game = Goofspiel(3, lowest=2)
    state = State(0b101, 0b011, 0b010, 2, -4)
    assert game.render(state) == "prize 4   left 3   0: 2 4   1: 2 3   points -4"
    assert game.render(State(0, 0b111, 0, -1, 0)) == "prize -   left -   0: -   1: 2 3 4   points +0"
    assert game.action_to_string(state, 0, 2) == "4"
    assert game.to_text(state) == "goofspiel hand0=5 hand1=3 deck=2 prize=2 points=-4"
    assert game.from_text(" goofspiel hand1=3 hand0=5 deck=2 points=-4 prize=2\n") == state
    assert game.from_text("goofspiel hand0=7 hand1=0 deck=0 prize=-1 points=0") == State(7, 0, 0, -1, 0)
