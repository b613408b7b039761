"""A person at the terminal: asked until the answer is a move."""

import io

import pytest

from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.base import PlayerError
from saddlepoint.players.clock import Clock
from saddlepoint.players.human import HumanPlayer


def test_asks_until_the_answer_is_a_move() -> None:
    game, screen = LightRiders(), io.StringIO()
    player = HumanPlayer(io.StringIO("\nsideways\nl\n"), screen)
    player.begin(game, 1)
    assert player.choose(game.initial_state(), Clock()) == 3
    assert screen.getvalue().count("your move") == 3
    assert "'sideways' is not a legal action" in screen.getvalue()


def test_the_end_of_the_input_is_an_error_not_a_loop() -> None:
    player = HumanPlayer(io.StringIO(""), io.StringIO())
    player.begin(LightRiders(), 0)
    with pytest.raises(PlayerError, match="the input ended"):
        player.choose(LightRiders().initial_state(), Clock())
