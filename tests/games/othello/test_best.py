"""`best` of Othello: a network that was fitted to 8x8 cells and who wins, and what other boards are searched with."""

import pytest

from saddlepoint.algorithms import Limits
from saddlepoint.arena.openings import random_openings
from saddlepoint.games.othello import Mobility, Othello, OthelloNetwork
from saddlepoint.play.game import play_game
from saddlepoint.players.clock import ENDLESS
from saddlepoint.roster.evaluators import EVALUATORS
from saddlepoint.roster.make import algorithm_of, make_player
from saddlepoint.spec import SpecError
from sizes import COMPILED_ONLY

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
def test_it_beats_the_same_search_with_the_other_evaluator():
    """At equal nodes, where the clock plays no part and each run is the same."""
    game, points = Othello(), 0.0
    limits = Limits(nodes=5_000)
    players = [make_player(f"pvs(evaluator={name})", game, limits) for name in ("othello_network", "mobility")]
    for number, opening in enumerate(random_openings(game, 4, 10, seed=1)):
        for swap in (False, True):
            seated = players[::-1] if swap else players
            result = play_game(game, seated, game.from_text(opening), (ENDLESS, ENDLESS), number, tolerance=5.0).result
            points += 0.5 + 0.5 * (-result if swap else result)
    assert points > 12
