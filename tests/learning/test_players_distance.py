"""How far a player is from an equilibrium is told of small games, and what is not small is found out soon."""

import time

import pytest

from saddlepoint.game.base import Game
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.tic_tac_toe import TicTacToe
from saddlepoint.learning.players import nash_conv_of
from saddlepoint.solvers.general.reached import Walks

pytestmark = pytest.mark.slow
LIMIT = 20_000
SOON = 3.0  # seconds, on a busy machine


@pytest.mark.parametrize("size", [6, 8])
def test_a_large_game_in_which_random_players_soon_lose_ends_it_soon(size: int) -> None:
    """Its random walks say that it is small: all its positions would take a gigabyte and half a minute."""
    game = LightRiders(size, size)
    assert Walks(game, game.initial_state(), fold=False).size(256).positions < LIMIT
    assert nash_conv_of(game, "saddle", 10, LIMIT, 1) is None  # compiled now
    began = time.monotonic()
    assert nash_conv_of(game, "saddle", 10, LIMIT, 1) is None
    assert time.monotonic() - began < SOON


def test_a_small_game_is_told_and_one_of_more_positions_than_asked_for_is_not() -> None:
    game: Game = Goofspiel(4, order="descending")
    found = nash_conv_of(game, "saddle(choice=mixture)", 30, LIMIT, 1)
    assert found is not None
    assert 0.0 <= found <= 2.0
    assert nash_conv_of(game, "saddle(choice=mixture)", 30, 10, 1) is None
    assert nash_conv_of(TicTacToe(), "pvs", 30, LIMIT, 1) is None
