"""Which games are played by the same compiled code: all of a kind, but those whose states or boards have another shape."""

import pytest
from undercut import Undercut

from saddlepoint import Game, Goofspiel, LightRiders, RubiksFlip, Simplexity, Tron41
from saddlepoint.games import ConnectFour

SAME = [
    (Goofspiel(), Goofspiel(9, "descending", "points", 0)),
    (LightRiders(), LightRiders(max_rounds=50)),
    (RubiksFlip(), RubiksFlip("mover")),
    (Simplexity(), Simplexity(round=3, square=8, supply="own")),
    (Tron41("joust"), Tron41("divider", start="random")),
    (Undercut(), Undercut(top=9, rounds=7)),
]
OTHER = [
    (LightRiders(), LightRiders(16, 15)),
    (Simplexity(), Simplexity(7, 6)),
    (Tron41("joust"), Tron41("empty_room_13")),
    (ConnectFour(), ConnectFour(6, 5, 3)),
]


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda game: type(game).__name__)
def test_another_parameter_needs_no_other_code(one: Game, other: Game):
    assert one != other
    assert one._numba_type_ == other._numba_type_


@pytest.mark.parametrize(("one", "other"), OTHER, ids=lambda game: type(game).__name__)
def test_another_board_does(one: Game, other: Game):
    assert one._numba_type_ != other._numba_type_


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda game: type(game).__name__)
def test_each_is_played_by_its_own_parameters(one: Game, other: Game):
    for game in (one, other, one):
        start = game.initial_state()
        assert game.bounds(start) == game.plain.bounds(start)
