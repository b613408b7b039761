"""The page's levels: of every game the last one is `best`, and who plays a level is not behind the one below."""

import itertools

import pytest

from saddlepoint.algorithms import Limits
from saddlepoint.compiled import kernel
from saddlepoint.game.base import TERMINAL, Game
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import levels_of, make_player
from saddlepoint.play.game import play_game
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
def test_every_level_has_a_player(name):
    game = make_game(name)
    for level in levels_of(game):
        make_player(level.spec, game, Limits(nodes=level.nodes)).close()


@pytest.mark.parametrize("name", GAMES)
def test_a_higher_level_that_is_the_same_player_thinks_more(name):
    levels = levels_of(make_game(name))
    for lower, higher in itertools.pairwise(levels):
        assert lower.spec != higher.spec or higher.nodes is None or higher.nodes > lower.nodes


def test_a_game_that_brings_nothing_has_the_library_s_best_too():
    """The level is the player `best`, by construction, also of somebody's own game."""

    class Nameless(Game):
        turn_based = False

        @kernel
        def current_player(self, state):
            return TERMINAL

    assert [level.name for level in levels_of(Nameless())] == NAMES
    assert levels_of(Nameless())[-1].spec == "best"
    make_player("best", Nameless()).close()


def _reaches(game, lower, higher, games, wanted):
    """Whether the higher level gets so many points against the lower one in at most so many games, with each side in every other one.

    What is decided is not played on.
    """
    players = [
        make_player(level.spec, game, Limits(nodes=level.nodes) if level.nodes else None)
        for level in (lower, higher)
    ]
    clocks = [ENDLESS if level.nodes else Clock(0.1, 0.1) for level in (lower, higher)]
    middle, points = (game.min_utility + game.max_utility) / 2, 0.0
    for number in range(games):
        swap = number % 2
        seats = (players[::-1], clocks[::-1]) if swap else (players, clocks)
        record = play_game(game, seats[0], None, tuple(seats[1]), number // 2, tolerance=5.0)
        assert not any(record.faults)
        result = record.result - middle
        points += 0.5 if result == 0 else float((result > 0) == bool(swap))
        if points >= wanted:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if name not in ONE_ROUND])
def test_strong_and_best_are_ahead_of_gentle(name):
    game = make_game(name)
    gentle, _, strong, best = levels_of(game)
    assert _reaches(game, gentle, strong, 6, 3)
    assert _reaches(game, gentle, best, 6, 3)
