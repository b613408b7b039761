"""`best` of Connect Four: a network that was fitted to the usual board, and what other boards are searched with."""

import pytest

from saddlepoint.algorithms import Limits, search
from saddlepoint.evaluators.network.fitted import Fitted
from saddlepoint.games.connect_four import ConnectFour, Threats
from saddlepoint.roster.analysing import search_of, stage_search_of
from saddlepoint.roster.make import algorithm_of

pytestmark = pytest.mark.plain


def test_the_usual_board_has_the_network_and_others_have_not():
    found = algorithm_of("best", ConnectFour()).evaluator
    assert type(found) is Fitted
    assert found.__dict__["weights"].game == {"name": "connect_four", "parameters": {"columns": 7, "rows": 6, "line": 4}}
    for other in (ConnectFour(8, 6), ConnectFour(7, 6, 5), ConnectFour(5, 4)):
        assert algorithm_of("best", other).evaluator == Threats()


def test_it_is_the_same_evaluator_each_time_and_names_no_file():
    first, second = (algorithm_of("best", ConnectFour()) for _ in range(2))
    assert first.identity(ConnectFour()) == second.identity(ConnectFour())
    assert first.evaluator.file == ""
    assert first.evaluator.digest


def test_it_is_analysed_with_what_it_searches_with():
    game = ConnectFour()
    for chosen in (search_of(game), stage_search_of(game)):
        assert type(chosen.algorithm.evaluator) is Fitted
        assert chosen.player == "best"


def test_the_first_disc_belongs_in_the_middle():
    """The one first move that wins (Allis 1988)."""
    game = ConnectFour()
    found = search(game, game.initial_state(), algorithm_of("best", game), Limits(depth=2))
    assert found.best_action(0) == 3
