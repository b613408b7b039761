"""`best` of Othello: a network that was fitted to 8x8 cells and who wins, and what other boards are searched with."""

import pytest

from helpers.equal_nodes import points_of_first
from helpers.sizes import COMPILED_ONLY
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import algorithm_of, make_player
from saddlepoint.games.catalogue.searches import EVALUATORS
from saddlepoint.games.othello import Mobility, Othello, OthelloNetwork

pytestmark = pytest.mark.plain


def test_the_usual_board_has_the_network_and_others_have_not():
    assert algorithm_of("best", Othello()).evaluator == OthelloNetwork()
    assert EVALUATORS.own_of(Othello()) == ["mobility", "othello_network"]
    for other in (Othello(6), Othello(8, "discs"), Othello(4)):
        assert algorithm_of("best", other).evaluator == Mobility()
        assert EVALUATORS.own_of(other) == ["mobility"]
        with pytest.raises(SpecError, match=r"is fitted to othello with size=8, utility='win', not to"):
            make_player("pvs(evaluator=othello_network)", other)


@COMPILED_ONLY
@pytest.mark.slow
def test_it_beats_the_same_search_with_the_other_evaluator_at_equal_nodes():
    players = ("pvs(evaluator=othello_network)", "pvs(evaluator=mobility)")
    assert points_of_first(Othello(), players, nodes=5_000, openings=10) > 12  # of 20
