"""Analyses leave chance out where a game has a form without."""

import random

import numpy as np
import pytest

from saddlepoint.algorithms import DoubleOracleBounds, Limits
from saddlepoint.algorithms.analysis import review, searched_form
from saddlepoint.algorithms.chance import without_chance
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.games import Battlesnake, Goofspiel

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]

GAME = Battlesnake(7, 7)


def test_a_game_says_whether_it_has_a_form_without_chance():
    assert without_chance(GAME) == GAME.quiet()
    assert Battlesnake(7, 7, mode="royale").quiet().max_chance_plies == 0
    assert without_chance(Goofspiel(cards=3)) == Goofspiel(cards=3)
    assert searched_form(GAME, DoubleOracleBounds()) == GAME.quiet()
    assert searched_form(GAME, DoubleOracleBounds(chance="expect")) == GAME


def test_the_review_of_a_quiet_game_passes_over_what_chance_did():
    drawn, state = random.Random(2), GAME.initial_state(2)
    states, actions = [state], []
    while GAME.current_player(state) != TERMINAL and len(actions) < 12:
        if GAME.current_player(state) == CHANCE:
            joint = (int(GAME.drawn_outcome(state, np.uint64(drawn.getrandbits(64)))), NO_ACTION)
        else:
            joint = tuple(drawn.choice(GAME.search_actions(state, player)) for player in (0, 1))
        state = GAME.advance(state, *joint)
        states.append(state)
        actions.append(joint)
    rounds = [step for step in range(len(actions)) if GAME.current_player(states[step]) != CHANCE]
    assert len(rounds) < len(actions)
    turns = list(review(GAME.quiet(), states, actions, DoubleOracleBounds(), Limits(depth=2)))
    assert [turn.step for turn in turns] == rounds[::-1]
    assert all(turn.depth == 2 for turn in turns)
