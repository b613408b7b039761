"""A game looked at again: what each step was worth and gave away."""

import itertools

import pytest

from saddlepoint.algorithms import BackwardInduction, Limits, PrincipalVariation, StopToken, search
from saddlepoint.algorithms.analysis import review
from saddlepoint.games.goofspiel import Goofspiel
from sizes import COMPILED_ONLY
from small_games import Guess, Turns

pytestmark = [pytest.mark.compiles_long, pytest.mark.plain]


def played(game, *joints):
    states = [game.initial_state()]
    for joint in joints:
        states.append(game.advance(states[-1], *joint))
    return states, list(joints)


def test_the_step_that_lost_the_game_is_the_one_that_gave_it_away():
    game = Guess(size=3, rounds=2)
    states, joints = played(game, (2, 2), (0, 2))
    turns = {turn.step: turn for turn in review(game, states, joints, BackwardInduction(), Limits())}
    assert turns[0].loss == (0.0, 0.0)
    assert (turns[1].value, turns[1].loss, turns[1].best, turns[1].played) == (0.0, (1.0, 0.0), (2, 2), (0, 2))
    assert turns[1].mixtures == ({2: 1.0}, {2: 1.0})
    assert all(turn.exact for turn in turns.values())


@COMPILED_ONLY
def test_every_value_is_the_exact_games_and_no_loss_is_below_zero():
    """Over whole games of Goofspiel, whose prizes chance draws."""
    game = Goofspiel(cards=3)
    for cards in itertools.permutations(range(3)):
        states, joints = [game.initial_state()], []
        while game.current_player(states[-1]) != -4:
            state = states[-1]
            if game.players_to_act(state):
                joints.append(tuple(game.legal_actions(state, p)[cards[p] % len(game.legal_actions(state, p))] for p in (0, 1)))
            else:
                joints.append((game.chance_outcomes(state)[0][0], -1))
            states.append(game.advance(state, *joints[-1]))
        turns = list(review(game, states, joints, BackwardInduction(), Limits()))
        assert sorted(turn.step for turn in turns) == list(range(len(joints)))
        for turn in turns:
            assert turn.value == pytest.approx(search(game, states[turn.step], BackwardInduction()).value, abs=1e-9)
            assert min(turn.loss) >= 0.0
            assert turn.played == joints[turn.step]


def test_at_a_turn_only_who_moves_can_give_something_away():
    game = Turns()
    states, joints = played(game, (1, -1), (0, -1), (-1, 0), (0, -1), (-1, 1))
    for turn in review(game, states, joints, PrincipalVariation(), Limits()):
        node = game.current_player(states[turn.step])
        assert [p for p in (0, 1) if turn.best[p] >= 0] == [p for p in (0, 1) if p == node]
        assert all(loss == 0.0 for p, loss in enumerate(turn.loss) if p != node)


def test_steps_can_be_chosen_and_a_stop_ends_it():
    game = Guess(rounds=3)
    states, joints = played(game, (0, 1), (1, 1), (2, 0))
    assert [turn.step for turn in review(game, states, joints, BackwardInduction(), Limits(), steps=[1, 0])] == [1, 0]
    stop = StopToken()
    turns = review(game, states, joints, BackwardInduction(), Limits(), stop=stop)
    assert next(turns).step == 2
    stop.stop()
    assert list(turns) == []
