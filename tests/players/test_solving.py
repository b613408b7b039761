"""`best` of a game that can be solved before its clock runs plays the solution: at any position, drawn from the mixture."""

import itertools
from collections import Counter

import pytest

from helpers.sizes import COMPILED_ONLY
from saddlepoint.algorithms import SaddlePruning, SerialisedAlphaBeta
from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game.base import TERMINAL
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.oshi_zumo import OshiZumo
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.play.game import play_game
from saddlepoint.players import solving
from saddlepoint.players.base import Answer, RandomPlayer
from saddlepoint.players.clock import Clock
from saddlepoint.players.searching import SearchPlayer
from saddlepoint.players.solving import SolveFirst
from saddlepoint.solvers.general import Solution
from saddlepoint.solvers.general.solve import solve_positions

pytestmark = pytest.mark.plain
HASTY = Clock(0.001, 0.001)
"""No time to search a whole game in."""
OSHI = OshiZumo(coins=10 if PLAIN_PYTHON else 20)


def answer_of(player, state):
    return Answer.of(player.choose(state, HASTY))


@pytest.mark.compiles_long
@COMPILED_ONLY
@pytest.mark.parametrize("seat", [0, 1])
def test_best_of_oshi_zumo_knows_the_value_of_every_position(seat):
    player, solution = make_player("best", OSHI), Solution.of(solve_positions(OSHI))
    player.begin(OSHI, seat, 1)
    for state in itertools.islice(solution.kept_states(), 0, None, 7):
        findings = answer_of(player, state).findings
        assert findings is not None
        assert findings.exact
        assert findings.value == pytest.approx(solution.value_of(state), abs=1e-9)


@COMPILED_ONLY
def test_what_it_plays_is_drawn_from_the_mixture():
    player, solution = make_player("best", OSHI), Solution.of(solve_positions(OSHI))
    mixed = (
        state for state in solution.kept_states() if max(solution.at(state).strategies[0].values()) < 0.8
    )
    state = next(mixed)
    mixture = solution.at(state).strategies[0]
    found = Counter()
    for seed in range(200):
        player.begin(OSHI, 0, seed)
        found[answer_of(player, state).action] += 1
    assert len(found) > 1
    for bid, chance in mixture.items():
        assert abs(found[bid] / 200 - chance) < 0.15


@COMPILED_ONLY
def test_with_choice_best_it_plays_the_likeliest():
    player = make_player("best(choice=best)", OSHI)
    mixture = Solution.of(solve_positions(OSHI)).at(OSHI.initial_state()).strategies[0]
    player.begin(OSHI, 0, 1)
    assert mixture[answer_of(player, OSHI.initial_state()).action] == max(mixture.values())


@pytest.mark.compiles_long
def test_with_solve_false_it_searches():
    player = make_player("best(solve=false)", Goofspiel(4))
    player.begin(Goofspiel(4), 0, 1)
    state = Goofspiel(4).next_state(Goofspiel(4).initial_state(), 0)
    assert Answer.of(player.choose(state, HASTY)).findings.statistics.nodes > 0


def test_a_game_is_solved_once_for_all_games_of_a_process(monkeypatch):
    solved = []
    monkeypatch.setattr(solving, "_kept", solving._Kept())
    monkeypatch.setattr(solving, "solve_beforehand", lambda game, *rest: solved.append(game))
    game = OshiZumo(coins=5)
    for seat in (0, 1, 0):
        SearchPlayer(SaddlePruning(), plans=[SolveFirst()]).begin(game, seat, 1)
    assert solved == [game]


def test_a_game_that_begins_elsewhere_is_solved_from_there():
    game = OshiZumo(coins=5)
    elsewhere = game.initial_state()._replace(field=1)  # no play leads there
    best = make_player("best", game)
    record = play_game(game, (best, RandomPlayer()), elsewhere, (HASTY, HASTY), 3, tolerance=5.0)
    assert not any(record.faults)
    found = record.choices[0][0].answer.findings
    assert found.exact
    assert found.value == pytest.approx(solve_positions(game, elsewhere).value, abs=1e-9)


@pytest.mark.compiles_long
def test_where_it_was_not_solved_the_search_plays():
    game = OshiZumo(coins=5)
    elsewhere = game.initial_state()._replace(field=1)
    player = make_player("best", game)
    player.begin(game, 0, 1)  # as a protocol does that tells no position before it asks
    answer = answer_of(player, elsewhere)
    assert answer.action in game.legal_actions(elsewhere, 0)
    assert answer.findings.statistics.nodes > 0


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
def test_best_of_tic_tac_toe_never_loses(seat):
    game, best = TicTacToe(), make_player("best", TicTacToe())
    if PLAIN_PYTHON:
        pytest.skip("the whole tree takes long in plain Python")
    waiting = [game.initial_state()]
    best.begin(game, seat, 1)
    while waiting:
        state = waiting.pop()
        mover = game.current_player(state)
        if mover == TERMINAL:
            assert game.returns(state) * (1 - 2 * seat) >= 0
        elif mover == seat:
            waiting.append(game.next_state(state, answer_of(best, state).action))
        else:
            waiting += [game.next_state(state, action) for action in game.legal_actions(state, mover)]


@pytest.mark.compiles_long
def test_any_search_takes_the_plan():
    player = SearchPlayer(SerialisedAlphaBeta(), plans=[SolveFirst()])
    player.begin(OSHI, 1, 1)
    assert answer_of(player, OSHI.initial_state()).findings.exact


@pytest.mark.compiles_long
@pytest.mark.skipif(PLAIN_PYTHON, reason="the search to the end takes seconds in plain Python")
def test_a_search_that_reaches_the_end_plays_the_mixture_too():
    game = OshiZumo(coins=10)
    solution = Solution.of(solve_positions(game))
    state = next(
        state for state in solution.kept_states() if max(solution.at(state).strategies[0].values()) < 0.8
    )
    player = SearchPlayer(SaddlePruning(), choice="mixture")
    found = Counter()
    for seed in range(40):
        player.begin(game, 0, seed)
        answer = Answer.of(player.choose(state, Clock(5.0, 5.0)))
        assert answer.findings.exact
        assert answer.findings.value == pytest.approx(solution.value_of(state), abs=1e-9)
        found[answer.action] += 1
    assert len(found) > 1
