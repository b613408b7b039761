"""A game looked at again: what each step was worth and gave away."""

import itertools
import random
from dataclasses import replace

import pytest

from helpers.sizes import COMPILED_ONLY
from helpers.small_games import Guess, Turns
from saddlepoint.algorithms import (
    BackwardInduction,
    Limits,
    PrincipalVariation,
    SerialisedAlphaBeta,
    StopToken,
    search,
)
from saddlepoint.algorithms.analysis import review
from saddlepoint.algorithms.analysis.fair import fair_searcher
from saddlepoint.evaluators import Voronoi
from saddlepoint.game.base import TERMINAL
from saddlepoint.games import Goofspiel, LightRiders

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
    lost = turns[1]
    assert (lost.value, lost.loss, lost.best, lost.played) == (0.0, (1.0, 0.0), (2, 2), (0, 2))
    assert lost.mixtures == ({2: 1.0}, {2: 1.0})
    assert all(turn.exact for turn in turns.values())


@COMPILED_ONLY
def test_every_value_is_the_exact_games_and_no_loss_is_below_zero():
    """Over whole games of Goofspiel, whose prizes chance draws."""
    game = Goofspiel(cards=3)
    for cards in itertools.permutations(range(3)):
        states, joints = [game.initial_state()], []
        while game.current_player(states[-1]) != TERMINAL:
            own = [game.legal_actions(states[-1], player) for player in (0, 1)]
            joint = tuple(actions[card % len(actions)] for actions, card in zip(own, cards) if actions)
            joints.append(joint or (game.chance_outcomes(states[-1])[0][0], -1))
            states.append(game.advance(states[-1], *joints[-1]))
        turns = list(review(game, states, joints, BackwardInduction(), Limits()))
        assert sorted(turn.step for turn in turns) == list(range(len(joints)))
        for turn in turns:
            assert turn.value == pytest.approx(
                search(game, states[turn.step], BackwardInduction()).value, abs=1e-9
            )
            assert min(turn.loss) >= 0.0
            assert turn.played == joints[turn.step]


def test_at_a_turn_only_who_moves_can_give_something_away():
    game = Turns()
    states, joints = played(game, (1, -1), (0, -1), (-1, 0), (0, -1), (-1, 1))
    for turn in review(game, states, joints, PrincipalVariation(), Limits()):
        for player in (0, 1):
            moves = game.current_player(states[turn.step]) == player
            assert (turn.best[player] >= 0) == moves
            assert moves or turn.loss[player] == 0.0


def test_steps_can_be_chosen_and_a_stop_ends_it():
    game = Guess(rounds=3)
    states, joints = played(game, (0, 1), (1, 1), (2, 0))
    assert [
        turn.step for turn in review(game, states, joints, BackwardInduction(), Limits(), steps=[1, 0])
    ] == [1, 0]
    stop = StopToken()
    turns = review(game, states, joints, BackwardInduction(), Limits(), stop=stop)
    assert next(turns).step == 2
    stop.stop()
    assert list(turns) == []


def test_both_values_of_a_mean_are_of_searches_to_one_depth():
    """Within a number of nodes one may look deeper: its value beside the other's would be no bound."""
    game, algorithm, steps = LightRiders(10, 10), SerialisedAlphaBeta(Voronoi()), random.Random(7)
    state = game.initial_state()
    for _ in range(4):
        state = game.advance(
            state, *(steps.choice(list(game.search_actions(state, player))) for player in (0, 1))
        )
    first, second = (replace(algorithm, first=player) for player in (0, 1))
    depths = [search(game, state, one, Limits(nodes=300)).depth for one in (first, second)]
    assert depths == [3, 4]
    assert search(game, state, second, Limits(4)).value != search(game, state, second, Limits(3)).value
    found = fair_searcher(game, algorithm).search(state, Limits(nodes=600))
    assert found.depth == 3
    assert found.bounds == tuple(search(game, state, one, Limits(3)).value for one in (first, second))
    assert found.bounds[0] <= found.value <= found.bounds[1]
