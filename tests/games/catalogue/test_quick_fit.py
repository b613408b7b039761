"""Weights that are fitted in seconds: they know more than nothing, and by nodes they are the same each time."""

import random
import threading

import pytest

from helpers.small_games import Guess
from saddlepoint import ConnectFour, PrincipalVariation, search
from saddlepoint.evaluators import Fitted
from saddlepoint.evaluators.network.inputs import random_positions
from saddlepoint.games.catalogue import quick_fit
from saddlepoint.games.catalogue.quick_fit import fit_quickly
from saddlepoint.play.valued_games import ValuedGames

BOARD = ConnectFour(4, 4, 3)


def test_by_nodes_they_are_the_same_again_and_tell_who_wins_more_often_than_not(tmp_path, monkeypatch):
    monkeypatch.setattr(quick_fit, "_POSITIONS_BY_NODES", 300)
    for name in ("one", "two"):
        fit_quickly(BOARD, tmp_path / name, by_nodes=True)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    right, wrong = told_by(tmp_path / "one")
    assert right > 2 * wrong > 0


@pytest.mark.parametrize("cores", [1, 3])
def test_by_time_each_core_plays_games_and_the_weights_know_more_than_nothing(cores, tmp_path, monkeypatch):
    seen, played_before = set[int](), ValuedGames.played

    def played(*asked):
        seen.add(threading.get_ident())
        return played_before(*asked)

    monkeypatch.setattr(ValuedGames, "played", played)
    monkeypatch.setattr(quick_fit, "usable_cores", lambda: cores)
    for name in ("_FIRST_SECONDS", "_SECONDS"):
        monkeypatch.setattr(quick_fit, name, 0.6)
    fit_quickly(BOARD, tmp_path / "one", by_nodes=False)
    right, wrong = told_by(tmp_path / "one")
    assert right > wrong
    assert len(seen) >= cores


def told_by(weights):
    """In how many positions with a winner the weights tell who it is, and in how many they tell the other."""
    evaluator = Fitted(str(weights))
    right = wrong = 0
    for state in random_positions(BOARD, 200, 400, random.Random(1)):
        value = search(BOARD, state, PrincipalVariation(), variation=False).value
        right += value * evaluator.evaluate(BOARD, state) > 0
        wrong += value * evaluator.evaluate(BOARD, state) < 0
    return right, wrong


@pytest.mark.parametrize("game", [Guess(rounds=0), Guess(rounds=1)], ids=repr)
def test_a_game_in_which_nothing_can_be_told_apart_is_refused(game, tmp_path):
    with pytest.raises(ValueError, match="positions"):
        fit_quickly(game, tmp_path / "none", by_nodes=True)
    assert not (tmp_path / "none").exists()
