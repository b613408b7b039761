"""The page's levels: of every game the last one is `best`, and who plays a level is not behind the one below."""

import itertools

import pytest

from helpers.points import points
from helpers.small_games import Guess
from saddlepoint.algorithms import Limits
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import levels_of, make_player
from saddlepoint.players.clock import ENDLESS, Clock

NAMES = ["gentle", "club", "strong", "best"]
ONE_ROUND = {"pursuit_evasion", "biased_rps", "random_game"}
"""Games of a few moves, in which nobody is ahead of an equilibrium, and chance decides most of the games."""


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_four_levels_and_the_last_is_best(name):
    levels = levels_of(make_game(name))
    assert [level.name for level in levels] == NAMES
    assert levels[-1].spec == "best"
    assert levels[-1].seconds


@pytest.mark.parametrize("name", GAMES)
def test_every_level_has_a_player_and_a_higher_one_that_is_the_same_thinks_more(name):
    game = make_game(name)
    levels = levels_of(game)
    for level in levels:
        make_player(level.spec, game, Limits(nodes=level.nodes)).close()
    for lower, higher in itertools.pairwise(levels):
        assert lower.spec != higher.spec or higher.nodes is None or higher.nodes > lower.nodes


def test_a_game_that_brings_nothing_has_the_library_s_best_too():
    """The level is the player `best`, by construction, also of somebody's own game."""

    assert [level.name for level in levels_of(Guess())] == NAMES
    assert levels_of(Guess())[-1].spec == "best"
    make_player("best", Guess()).close()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if name not in ONE_ROUND])
def test_strong_and_best_are_ahead_of_gentle(name):
    game = make_game(name)
    gentle, _, strong, best = levels_of(game)
    for higher in (strong, best):
        levels = higher, gentle
        players = [make_player(level.spec, game, Limits(nodes=level.nodes)) for level in levels]
        clocks = [ENDLESS if level.nodes else Clock(0.1, 0.1) for level in levels]
        assert points(game, (players[0], players[1]), 6, (clocks[0], clocks[1]), wanted=3) >= 3
