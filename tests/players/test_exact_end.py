"""A player that samples plays what a search to the end of the game proves, where it proves something within a part of its time."""

import pytest

from saddlepoint.algorithms import Limits, RegretMatchingTree, SaddlePruning, search
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import ENDLESS, Clock
from saddlepoint.players.exact_end import ExactEnd
from saddlepoint.players.searching import SearchPlayer

pytestmark = pytest.mark.plain


def player_with(nodes=None, choice="mixture"):
    return SearchPlayer(RegretMatchingTree(), limits=Limits(nodes=nodes), choice=choice, endgame=ExactEnd(SaddlePruning()))


def after_a_prize(game):
    return game.next_state(game.initial_state(), 0)


def test_where_the_end_is_in_reach_the_value_and_the_mixture_are_the_exact_ones():
    game = Goofspiel(cards=3)
    state = after_a_prize(game)
    exact = search(game, state, SaddlePruning())
    player = player_with(nodes=100_000)
    player.begin(game, 0, 1)
    findings = Answer.of(player.choose(state, ENDLESS)).findings
    assert findings.exact
    assert findings.value == pytest.approx(exact.value)
    assert player.mixture(state, lambda algorithm: pytest.fail("the search was asked for")) == pytest.approx(exact.strategies[0])


def test_where_it_is_not_the_sampled_search_answers_and_both_keep_within_the_nodes():
    game = Goofspiel(cards=8)
    state = after_a_prize(game)
    player = player_with(nodes=200)
    player.begin(game, 1, 1)
    findings = Answer.of(player.choose(state, ENDLESS)).findings
    assert not findings.exact
    assert findings.statistics.nodes <= 150 + 1  # the node at which it stops is counted
    assert player.search_limits.nodes == 150


def test_the_time_that_the_exact_search_took_is_no_more_there_for_the_other():
    assert Clock(1.0, 0.5, 2.0).less(0.25) == Clock(0.75, 0.5, 2.0)
    assert Clock(0.1, 0.1).less(0.3) == Clock(0.0, 0.1, 0.1)
    assert ENDLESS.less(5.0) == ENDLESS
