"""Weights that are fitted in seconds: they know more than nothing, and by nodes they are the same each time."""

import random

import pytest

from helpers.small_games import Guess
from saddlepoint import ConnectFour, PrincipalVariation, search
from saddlepoint.evaluators import Fitted
from saddlepoint.evaluators.network.inputs import random_positions
from saddlepoint.games.catalogue import quick_fit
from saddlepoint.games.catalogue.quick_fit import fit_quickly

BOARD = ConnectFour(4, 4, 3)


def test_by_nodes_they_are_the_same_again_and_tell_who_wins_more_often_than_not(tmp_path, monkeypatch):
    monkeypatch.setattr(quick_fit, "_POSITIONS_BY_NODES", 300)
    for name in ("one", "two"):
        fit_quickly(BOARD, tmp_path / name, by_nodes=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    evaluator = Fitted(str(tmp_path / "one"))
    right = wrong = 0
    for state in random_positions(BOARD, 200, 400, random.Random(1)):
        value = search(BOARD, state, PrincipalVariation(), variation=False).value
        right += value * evaluator.evaluate(BOARD, state) > 0
        wrong += value * evaluator.evaluate(BOARD, state) < 0
    assert right > 2 * wrong > 0


@pytest.mark.parametrize("game", [Guess(rounds=0), Guess(rounds=1)], ids=repr)
def test_a_game_in_which_nothing_can_be_told_apart_is_refused(game, tmp_path):
    with pytest.raises(ValueError, match="positions"):
        fit_quickly(game, tmp_path / "none", by_nodes=True)
    assert not (tmp_path / "none").exists()
