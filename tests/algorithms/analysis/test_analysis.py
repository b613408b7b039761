"""A watched search finds what the search finds and tells how far it is; analyses leave chance out where a game has a form without."""

import random
import threading
import time

import numpy as np
import pytest

from helpers.small_games import Guess, Turns
from saddlepoint import (
    BackwardInduction,
    Battlesnake,
    DoubleOracleBounds,
    Goofspiel,
    LightRiders,
    Limits,
    Memory,
    PrincipalVariation,
    StopToken,
    search,
)
from saddlepoint.algorithms.analysis import Analysis, review, searched_form
from saddlepoint.algorithms.chance import without_chance
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL

pytestmark = [pytest.mark.compiles_long, pytest.mark.plain]


def test_each_depth_is_told_and_the_end_is_that_of_the_search():
    game = Guess(rounds=3)
    found = []
    last = Analysis(game, game.initial_state(), BackwardInduction(), Limits()).run(found.append)
    plain = search(game, game.initial_state(), BackwardInduction(), deepen=True)
    assert [one.depth for one in found] == [one.depth for one in plain.iterations]
    assert [one.value for one in found] == [one.value for one in plain.iterations]
    assert (last.value, last.bounds, last.exact, last.strategies) == (
        plain.value,
        plain.bounds,
        plain.exact,
        plain.strategies,
    )
    assert last.line == plain.principal_variation


@pytest.mark.parametrize(
    ("game", "algorithm"), [(Turns(), PrincipalVariation()), (LightRiders(4, 4), BackwardInduction())]
)
def test_the_line_is_a_line_of_play_and_watching_changes_no_value(game, algorithm):
    """Also where chance draws, whose likeliest outcome it follows."""
    found = []
    last = Analysis(game, game.initial_state(), algorithm, Limits(depth=4)).run(found.append)
    assert [one.value for one in found] == [
        one.value
        for one in search(game, game.initial_state(), algorithm, Limits(depth=4), deepen=True).iterations
    ]
    for one in (*found, last):
        assert len(one.line) >= 1
        state = game.initial_state()
        for joint in one.line:
            state = game.next_state(
                state, *(joint if not game.turn_based else joint[:1] if joint[0] >= 0 else joint[1:])
            )


def test_counters_are_read_from_another_thread_while_the_search_runs():
    game = LightRiders()
    stop = StopToken()
    analysis = Analysis(
        game, game.initial_state(), BackwardInduction(table=False), Limits(seconds=60), stop=stop
    )
    assert (analysis.counters().nodes, analysis.is_running) == (0, False)
    thread, seen = threading.Thread(target=analysis.run), []
    thread.start()
    until = time.monotonic() + 50
    while len(set(seen)) < 4 and time.monotonic() < until:
        seen.append(analysis.counters().nodes)
        time.sleep(0.005)
    assert analysis.is_running
    stop.stop()
    thread.join(30)
    assert not thread.is_alive()
    assert not analysis.is_running
    end = analysis.counters()
    assert [*seen, end.nodes] == sorted([*seen, end.nodes])
    assert len(set(seen)) >= 4
    assert end.nodes_per_second == end.nodes / end.seconds
    assert analysis.counters() == end


def test_a_search_that_is_stopped_before_it_begins_has_a_legal_answer():
    game, stop = Guess(), StopToken()
    stop.stop()
    last = Analysis(game, game.initial_state(), BackwardInduction(), Limits(), stop=stop).run()
    assert last.depth == 0
    assert set(last.strategies[0]) <= set(game.legal_actions(game.initial_state(), 0))


def test_following_the_line_leaves_the_tables_age_alone():
    game, memory = LightRiders(4, 4), Memory()
    Analysis(game, game.initial_state(), BackwardInduction(), Limits(depth=5), memory=memory).run(
        lambda found: None
    )
    assert memory.age == 1


def test_warming_leaves_no_trace_in_what_is_found():
    game = Guess(rounds=3)
    cold, warmed = (Analysis(game, game.initial_state(), BackwardInduction(), Limits()) for _ in range(2))
    warmed.warm()
    assert not warmed.is_running
    found, expected = warmed.run(), cold.run()
    assert (found.value, found.strategies, found.line) == (expected.value, expected.strategies, expected.line)


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
