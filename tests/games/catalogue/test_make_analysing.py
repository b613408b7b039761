"""Which search analyses a game."""

import pytest

from helpers.small_games import Guess, Turns
from saddlepoint.algorithms import DoubleOracleBounds, PrincipalVariation, SaddlePruning, SerialisedAlphaBeta
from saddlepoint.evaluators import Prospects, Voronoi
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue import make
from saddlepoint.games.catalogue.make import described, make_player, search_of, stage_search_of
from saddlepoint.games.goofspiel import Goofspiel, Hands
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.games.rubiks_flip import Bob, RubiksFlip
from saddlepoint.games.simplexity import Lines, Simplexity
from saddlepoint.players.base import Player

pytestmark = pytest.mark.plain


def test_without_a_word_it_is_the_search_of_best_and_for_stages_one_of_equilibria():
    search, stages = search_of(LightRiders()), stage_search_of(LightRiders())
    assert isinstance(search.algorithm, SerialisedAlphaBeta)
    assert search.player == "best"
    assert stages.algorithm == DoubleOracleBounds(Prospects())
    assert stages.player == "do_alphabeta(evaluator=prospects)"
    assert search_of(Goofspiel()).algorithm == SaddlePruning(Hands(), tremble=0.35)
    assert stage_search_of(Goofspiel()) == (DoubleOracleBounds(Hands()), "do_alphabeta(evaluator=hands)")
    assert isinstance(stage_search_of(Simplexity()).algorithm, PrincipalVariation)
    assert stage_search_of(Simplexity()) == search_of(Simplexity())


def test_where_best_does_not_search_it_is_a_usual_one():
    assert search_of(RubiksFlip()) == stage_search_of(RubiksFlip()) == (PrincipalVariation(), "pvs")


def test_a_game_that_brings_no_best_is_analysed_by_a_search_whose_values_can_be_proven():
    """Where both choose at once the `best` that every game has samples, and proves nothing by that."""
    assert search_of(Guess()) == stage_search_of(Guess()) == (DoubleOracleBounds(), "do_alphabeta")
    assert search_of(Turns()) == (PrincipalVariation(), "best")


@pytest.mark.parametrize(
    "game", [LightRiders(), Goofspiel(), Simplexity(), RubiksFlip()], ids=lambda game: game.name
)
def test_the_player_that_is_named_compiles_that_search(game):
    for chosen in (search_of(game), stage_search_of(game)):
        player = make_player(chosen.player, game)
        assert getattr(player, "algorithm", chosen.algorithm) == chosen.algorithm


def test_a_search_and_an_evaluator_can_be_chosen():
    assert search_of(LightRiders(), "saddle", "voronoi") == (
        SaddlePruning(Voronoi()),
        "saddle(evaluator=voronoi)",
    )
    assert stage_search_of(LightRiders(), "saddle", "voronoi").algorithm == SaddlePruning(Voronoi())
    assert stage_search_of(LightRiders(), None, "voronoi").algorithm == DoubleOracleBounds(Voronoi())
    assert search_of(LightRiders(), None, "voronoi").player is None
    assert search_of(LightRiders(), "riders_killer").player == "riders_killer"


def test_a_search_that_knows_no_depth_has_another_for_stages():
    assert stage_search_of(Simplexity(), "mcts").algorithm == PrincipalVariation()
    assert stage_search_of(Simplexity(), "dfpn", "lines").algorithm == PrincipalVariation(Lines())


def test_what_only_the_roots_player_thinks_is_not_asked_of_successors():
    assert search_of(RubiksFlip(), "pvs", "bob").algorithm == PrincipalVariation(Bob())
    assert stage_search_of(RubiksFlip(), "pvs", "bob").algorithm == PrincipalVariation()


def test_a_player_that_does_not_search_is_refused():
    with pytest.raises(SpecError, match="random does not search"):
        search_of(LightRiders(), "random")


def test_only_a_search_that_solves_stages_is_called_one_of_equilibria():
    class Maximin(SaddlePruning):
        solves_stages = False

    assert (
        described(LightRiders(), SaddlePruning())
        == "Saddle-point pruning, no evaluator (saddle, Nash equilibrium search)"
    )
    assert (
        described(LightRiders(), Maximin())
        == "Saddle-point pruning, no evaluator (saddle, search of simultaneous moves)"
    )
    assert (
        described(Simplexity(), PrincipalVariation())
        == "Principal variation search, no evaluator (pvs, turn-based search)"
    )


def test_whoever_is_asked_for_a_search_is_closed(monkeypatch):
    made, closed = [], []

    def close(player):
        closed.append(player)

    monkeypatch.setattr(make, "make_player", lambda *asked: made.append(make_player(*asked)) or made[-1])
    monkeypatch.setattr(Player, "close", close)
    for game, player in (
        (LightRiders(), None),
        (LightRiders(), "saddle"),
        (RubiksFlip(), None),
        (Simplexity(), "mcts"),
    ):
        search_of(game, player)
        stage_search_of(game, player)
    assert made and closed == made
