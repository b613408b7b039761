"""Games that `best` plays from their solution: solved in each run, or once on this machine."""

from collections import OrderedDict

import pytest

from helpers.small_games import Turns
from saddlepoint import TicTacToe
from saddlepoint.games.catalogue import measured, solved_games
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.catalogue.solved_games import is_solved, solution_file
from saddlepoint.players import solving
from saddlepoint.players.clock import ENDLESS
from saddlepoint.solvers.beforehand import Budget


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(solved_games, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(solving, "_known", OrderedDict())
    monkeypatch.setattr(solving, "_files", {})


@pytest.fixture
def too_large(monkeypatch):
    """No game fits the usual budget; the games that were tried."""
    tried: list[str] = []
    monkeypatch.setattr(
        solved_games, "is_solved_beforehand", lambda game: bool(tried.append(type(game).__name__))
    )
    return tried


def test_a_game_that_is_too_large_is_not_tried_by_each_process(monkeypatch, too_large):
    monkeypatch.setattr(solved_games, "ONCE", Budget(positions=10))
    assert not is_solved(TicTacToe())
    assert not is_solved(TicTacToe())
    assert not is_solved(Turns())
    assert too_large == ["TicTacToe", "Turns"]
    assert not solving.is_solved_beforehand(TicTacToe())  # what plays asks here, and is not to try it either


def test_a_larger_game_is_solved_once_and_then_played_from_the_file(monkeypatch, too_large):
    monkeypatch.setattr(solved_games, "ONCE", Budget())
    monkeypatch.setattr(measured, "measured_choice", None)  # it is not measured
    game = TicTacToe()
    player = make_player("best", game)
    player.begin(game, 0, seed=1)
    assert solution_file(game).is_file()
    assert player.choose(game.from_text("xx./oo./..."), ENDLESS).action == 2  # which completes the row

    with monkeypatch.context() as next_game:
        next_game.setattr(solved_games, "load_solution", None)
        assert is_solved(game)

    monkeypatch.setattr(solving, "_files", {})  # another process
    monkeypatch.setattr(solved_games, "solve_beforehand", None)
    assert is_solved(game)
    assert solving.is_solved_beforehand(game)
    assert too_large == ["TicTacToe"]


def test_a_solution_that_is_damaged_is_solved_again(monkeypatch, too_large, capsys):
    monkeypatch.setattr(solved_games, "ONCE", Budget())
    file = solution_file(TicTacToe())
    file.parent.mkdir()
    file.write_bytes(b"PK nothing")
    assert is_solved(TicTacToe())
    assert file.stat().st_size > 1000
    assert "the solution that was kept is not used" in capsys.readouterr().err
