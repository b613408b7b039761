"""`best` is not behind bots of a few lines, nor behind other searches of this library: the gravest cases, by games.

docs/measurements.md has rating tables of all games.
"""

import pytest
from plain_bots import PlainBot, bots_of

from helpers.points import points
from saddlepoint.algorithms import Limits
from saddlepoint.games.battlesnake import Battlesnake
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.goofspiel import Goofspiel
from saddlepoint.games.oshi_zumo import OshiZumo
from saddlepoint.games.tron import Tron
from saddlepoint.players.base import Answer
from saddlepoint.players.clock import Clock

SHORT = Clock(0.02, 0.02)


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["bid a share", "bid a third", "bid even parts"])
def test_best_of_oshi_zumo_is_not_behind_bots_that_bid_a_share_of_their_coins(bot):
    game = OshiZumo(coins=50)
    # Of 60 games, of which 30 points are expected at least: one run in 1,000 has fewer than 18.
    players = make_player("best", game), PlainBot(bots_of(game)[bot])
    assert points(game, players, 60, (SHORT, SHORT), wanted=18) >= 18


@pytest.mark.slow
def test_best_of_goofspiel_with_six_cards_knows_its_value_at_once():
    game = Goofspiel(6)
    best = make_player("best", game)
    best.begin(game, 0, 1)
    for outcome, _ in game.chance_outcomes(game.initial_state()):
        findings = Answer.of(best.choose(game.next_state(game.initial_state(), outcome), SHORT)).findings
        assert findings is not None
        assert findings.exact
        assert abs(findings.value) < 1e-9  # both hands are alike


@pytest.mark.slow
def test_best_of_battlesnake_is_ahead_of_snake_voronoi_on_a_small_board():
    game = Battlesnake(7, 7)
    players = (
        make_player("best", game, Limits(nodes=2000)),
        make_player("snake_voronoi", game, Limits(nodes=3000)),
    )
    # 90 % of 60 games; with the weights and the contempt of 11x11 half of them, which is 17 or more in one run in 30.
    assert points(game, players, 24, wanted=17) >= 17


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["go straight", "keep to the wall", "keep to the open"])
def test_best_of_tron_beats_bots_of_a_few_lines_on_a_field_that_is_not_solved(bot):
    game = Tron(13, 13)
    players = make_player("best", game), PlainBot(bots_of(game)[bot])
    assert points(game, players, 6, (SHORT, SHORT), wanted=5) >= 5
