"""Whole games played by the searches for turn-based games."""

import pytest

from saddlepoint.algorithms import Limits
from saddlepoint.game.base import TERMINAL
from saddlepoint.games import ConnectFour
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock

pytestmark = pytest.mark.compiles_long

GAME = ConnectFour()


def play(game, specs, limits, seed):
    players = [make_player(spec, game, limits) for spec in specs]
    for number, player in enumerate(players):
        player.begin(game, number, seed)
    state, moves = game.initial_state(), []
    while (mover := game.current_player(state)) != TERMINAL:
        moves.append(Answer.of(players[mover].choose(state, Clock(float("inf"), 0.0))).action)
        state = game.next_state(state, moves[-1])
    return game.returns(state), moves


@pytest.mark.parametrize("spec", ["pvs", "mcts(batch=32)"])
def test_a_player_of_the_search_beats_the_random_player_and_repeats_its_games(spec):
    limits = Limits(nodes=3000)
    for seed in range(6):
        specs = (spec, "random") if seed % 2 == 0 else ("random", spec)
        result, moves = play(GAME, specs, limits, seed)
        assert result == (1.0 if seed % 2 == 0 else -1.0)
        assert play(GAME, specs, limits, seed) == (result, moves)


def test_a_game_against_itself_goes_on_with_what_the_last_search_knew():
    player = make_player("pvs", GAME, Limits(nodes=30_000))
    player.begin(GAME, 0, 1)
    state, clock = GAME.initial_state(), Clock(float("inf"), 0.0)
    before = player.choose(state, clock).findings.depth
    for action in (2, 3):
        state = GAME.next_state(state, action)
    assert player.choose(state, clock).findings.depth > before - 2
