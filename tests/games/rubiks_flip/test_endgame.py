"""Exact play near the end of Rubik's Flip without a database."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from helpers.flip_positions import minimax, oracle, played, worth
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.games.rubiks_flip import RubiksFlip
from saddlepoint.games.rubiks_flip.endgame import EndgameSolver

pytestmark = pytest.mark.compiles_long

compiled_only = pytest.mark.skipif(PLAIN_PYTHON, reason="too many positions")


@pytest.mark.plain
@pytest.mark.parametrize("rule", ["draw", "opponent"])
def test_the_solved_positions_near_the_end(rule):
    game = RubiksFlip(rule)
    endgame = EndgameSolver(game)
    known = [(text, value) for kind, text, value in oracle(15 if PLAIN_PYTHON else 11) if kind == rule]
    assert len(known) > (50 if PLAIN_PYTHON else 200)
    for text, value in known[:: 5 if PLAIN_PYTHON else 1]:
        assert str(endgame.outcome(game.from_text(text))) == value, text


@compiled_only
@pytest.mark.parametrize("rule", ["draw", "opponent", "mover"])
def test_it_agrees_with_minimax(rule):
    game, rng = RubiksFlip(rule), random.Random(3)
    endgame = EndgameSolver(game)
    for tiles in (14, 14, 14, 15, 15, 15, 13):
        state = played(game, tiles, rng)
        expected = minimax(game, state)
        assert endgame.outcome(state) == expected
        line = endgame.best(state)
        assert line.exact and line.outcome == expected
        assert minimax(game, game.next_state(state, line.action)).before() == expected


@compiled_only
def test_with_little_time_it_says_that_it_did_not_see_the_end():
    game = RubiksFlip()
    line = EndgameSolver(game).best(game.initial_state(), 0.001)
    assert not line.exact
    assert line.action in game.legal_actions(game.initial_state(), 0)


@pytest.mark.compiles_soon
@pytest.mark.plain
def test_a_win_at_once_is_taken_however_little_time_there_is():
    game = RubiksFlip()
    state = game.from_text("WW../BWR./BBW./.R..")
    line = EndgameSolver(game).best(
        game.next_state(state, game.string_to_action(state, 1, "b4>a4 d1Y")), 1e-9
    )
    assert (line.outcome.result, line.exact) == (1, True)


@compiled_only
def test_threads_may_share_one():
    game, rng = RubiksFlip(), random.Random(7)
    states = [played(game, 11, rng) for _ in range(24)]
    alone = [EndgameSolver(game).outcome(state) for state in states]
    shared = EndgameSolver(game)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(shared.outcome, states)) == alone


@compiled_only
@pytest.mark.parametrize("tiles", [9, 10, 11, 12])
def test_a_position_is_worth_its_best_turn_and_that_is_found_at_once_in_the_last_six_plies(tiles):
    game, rng = RubiksFlip("opponent"), random.Random(tiles)
    one, other = EndgameSolver(game), EndgameSolver(game)
    results = set()
    for _ in range({9: 4, 12: 60}.get(tiles, 30)):
        state = played(game, tiles, rng)
        after = {
            turn: other.outcome(game.next_state(state, turn)).before()
            for turn in game.legal_actions(state, tiles % 2)
        }
        expected = max(after.values(), key=worth)
        assert one.outcome(state) == expected
        line = one.best(state)
        assert (line.exact, line.outcome, after[line.action]) == (True, expected, expected) or tiles == 9
        results.add(expected.result)
    assert 0 in results or tiles == 9
