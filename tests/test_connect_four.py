"""The example game Connect Four keeps what a game promises; its counts are the published ones."""

import numpy as np
import pytest
from connect_four import ConnectFour

from saddlepoint.compiled import PLAIN_PYTHON
from saddlepoint.game import TERMINAL, GameError
from saddlepoint.testing import check_game
from turn_games import random_positions


@pytest.mark.compiles_long
@pytest.mark.plain
def test_connect_four_keeps_a_games_promises():
    check_game(ConnectFour(5, 4), playouts=1 if PLAIN_PYTHON else 3)


def test_the_actions_told_to_win_are_those_that_do():
    game, told = ConnectFour(), 0
    for state in random_positions(game, 300, 3, least=6):
        player, out = game.current_player(state), np.zeros(7, np.int64)
        count = game.winning_actions(state, player, out)
        winning = [a for a in game.legal_actions(state, player) if game.returns(game.next_state(state, a)) != 0]
        assert sorted(out[:count].tolist()) == winning
        told += count
    assert told > 30


def positions_after(game, plies):
    layer = {game.initial_state()}
    counts = []
    for _ in range(plies + 1):
        counts.append(len(layer))
        layer = {
            game.next_state(state, action)
            for state in layer
            if game.current_player(state) != TERMINAL
            for action in game.legal_actions(state, game.current_player(state))
        }
    return counts


def test_numbers_of_positions_are_those_published():
    """OEIS A212693: positions of the 7x6 board after n plies."""
    assert positions_after(ConnectFour(), 4) == [1, 7, 49, 238, 1120]


@pytest.mark.parametrize("bad", [{"columns": 9, "rows": 7}, {"rows": 0}, {"line": 1}])
def test_boards_that_make_no_sense_are_refused(bad):
    with pytest.raises(GameError, match="must"):
        ConnectFour(**bad)


@pytest.mark.parametrize("text", ["", "....\n....\n....", "x...\n....\n....\n....\nx...", "x...\nx...\nx...\nx..."])
def test_text_that_is_no_position_is_refused(text):
    with pytest.raises(GameError):
        ConnectFour(4, 4).from_text(text)
