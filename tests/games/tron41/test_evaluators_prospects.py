"""The network's view of two Tron-41 players."""

import pytest

from helpers.tron_positions import random_positions
from saddlepoint.games.tron41 import TronControl, TronProspects

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]
PROSPECTS = TronProspects()


def exchanged(game, state):
    """The position with the players exchanged: their heads, goods, moves in a row, and whose turn it is."""
    header, *board = game.to_text(state).split("\n")
    words = header.split()
    for name, first in (("armor", 1), ("speed", 1)):
        at = words.index(name) + first
        words[at], words[at + 1] = words[at + 1], words[at]
    turn = words.index("turn") + 1
    words[turn] = {"1": "2", "2": "1"}.get(words[turn], words[turn])
    rows = [row.translate(str.maketrans("12", "21")) for row in board]
    return game.from_text("\n".join([" ".join(words), *rows]))


@pytest.mark.parametrize("name", ["empty_room", "joust", "hunger_games"])
def test_players_that_are_exchanged_have_the_value_of_the_other_side(name):
    game, states = random_positions(name, 60, seed=2)
    apart = 0
    for state in states:
        if game.current_player(state) not in (0, 1):
            continue
        value = PROSPECTS.evaluate(game, state)
        assert abs(value) < 1
        assert PROSPECTS.evaluate(game, exchanged(game, state)) == pytest.approx(-value, abs=1e-5)
        if PROSPECTS.is_decided(game, state):
            apart += 1
            assert value == TronControl().evaluate(game, state)
    assert 0 < apart < len(states)
