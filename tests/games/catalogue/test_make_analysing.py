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


RIDERS, CARDS, DROPS, FLIP = LightRiders(), Goofspiel(), Simplexity(), RubiksFlip()
USUAL = PrincipalVariation()


@pytest.mark.parametrize(
    ("which", "asked", "algorithm", "player"),
    [
        # Without a word it is the search of `best`, and for stages one of equilibria.
        (search_of, (RIDERS,), SerialisedAlphaBeta, "best"),
        (stage_search_of, (RIDERS,), DoubleOracleBounds(Prospects()), "do_alphabeta(evaluator=prospects)"),
        (search_of, (CARDS,), SaddlePruning(Hands(), tremble=0.35), "best"),
        (stage_search_of, (CARDS,), DoubleOracleBounds(Hands()), "do_alphabeta(evaluator=hands)"),
        (stage_search_of, (DROPS,), PrincipalVariation, "best"),
        # Where `best` does not search it is a usual one.
        (search_of, (FLIP,), USUAL, "pvs"),
        (stage_search_of, (FLIP,), USUAL, "pvs"),
        # A game that brings no `best`: where both choose at once the one of every game samples, and proves nothing.
        (search_of, (Guess(),), DoubleOracleBounds(), "do_alphabeta"),
        (stage_search_of, (Guess(),), DoubleOracleBounds(), "do_alphabeta"),
        (search_of, (Turns(),), USUAL, "best"),
        # A search and an evaluator can be chosen.
        (search_of, (RIDERS, "saddle", "voronoi"), SaddlePruning(Voronoi()), "saddle(evaluator=voronoi)"),
        (
            stage_search_of,
            (RIDERS, "saddle", "voronoi"),
            SaddlePruning(Voronoi()),
            "saddle(evaluator=voronoi)",
        ),
        (
            stage_search_of,
            (RIDERS, None, "voronoi"),
            DoubleOracleBounds(Voronoi()),
            "do_alphabeta(evaluator=voronoi)",
        ),
        (search_of, (RIDERS, None, "voronoi"), SerialisedAlphaBeta, None),
        (search_of, (RIDERS, "riders_killer"), SerialisedAlphaBeta, "riders_killer"),
        # A search that knows no depth has another for stages.
        (stage_search_of, (DROPS, "mcts"), USUAL, "pvs"),
        (stage_search_of, (DROPS, "dfpn", "lines"), PrincipalVariation(Lines()), "pvs(evaluator=lines)"),
        # What only the root's player thinks is not asked of successors.
        (search_of, (FLIP, "pvs", "bob"), PrincipalVariation(Bob()), "pvs(evaluator=bob)"),
        (stage_search_of, (FLIP, "pvs", "bob"), USUAL, "pvs"),
    ],
    ids=lambda given: given.__name__ if callable(given) else str(given),
)
def test_which_search_analyses_a_game(which, asked, algorithm, player):
    chosen = which(*asked)
    assert algorithm in (chosen.algorithm, type(chosen.algorithm))
    assert chosen.player == player


@pytest.mark.parametrize(
    "game", [LightRiders(), Goofspiel(), Simplexity(), RubiksFlip()], ids=lambda game: game.name
)
def test_the_player_that_is_named_compiles_that_search(game):
    for chosen in (search_of(game), stage_search_of(game)):
        player = make_player(chosen.player, game)
        assert getattr(player, "algorithm", chosen.algorithm) == chosen.algorithm


def test_a_player_that_does_not_search_is_refused():
    with pytest.raises(SpecError, match="random does not search"):
        search_of(LightRiders(), "random")


class Maximin(SaddlePruning):
    solves_stages = False


@pytest.mark.parametrize(
    ("game", "algorithm", "text"),
    [
        (RIDERS, SaddlePruning(), "Saddle-point pruning, no evaluator (saddle, Nash equilibrium search)"),
        (RIDERS, Maximin(), "Saddle-point pruning, no evaluator (saddle, search of simultaneous moves)"),
        (DROPS, USUAL, "Principal variation search, no evaluator (pvs, turn-based search)"),
    ],
)
def test_only_a_search_that_solves_stages_is_called_one_of_equilibria(game, algorithm, text):
    assert described(game, algorithm) == text


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
