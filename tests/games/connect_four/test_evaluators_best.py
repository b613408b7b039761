"""`best` of Connect Four: a network that was fitted to the usual board, and what other boards are searched with."""

import shutil

import pytest

from helpers.equal_nodes import points_of_first
from helpers.sizes import COMPILED_ONLY
from saddlepoint.arena.ledger import versions
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.compiled import component
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.make import algorithm_of, make_player, search_of, stage_search_of
from saddlepoint.games.catalogue.searches import EVALUATORS
from saddlepoint.games.connect_four import ConnectFour, ConnectFourNetwork, Threats

pytestmark = pytest.mark.plain


def test_the_usual_board_has_the_network_and_others_have_not():
    assert algorithm_of("best", ConnectFour()).evaluator == ConnectFourNetwork()
    assert EVALUATORS.own_of(ConnectFour()) == ["threats", "connect_four_network"]
    for other in (ConnectFour(8, 6), ConnectFour(7, 6, 5), ConnectFour(5, 4)):
        assert algorithm_of("best", other).evaluator == Threats()
        assert EVALUATORS.own_of(other) == ["threats"]
        with pytest.raises(
            SpecError, match=r"is fitted to connect_four with columns=7, rows=6, line=4, not to"
        ):
            make_player("pvs(evaluator=connect_four_network)", other)


def test_a_player_is_made_without_compiling_anything(monkeypatch):
    monkeypatch.setattr(component, "run", None)  # what calls a compiled kernel
    make_player("best", ConnectFour()).close()
    make_player("pvs(evaluator=connect_four_network)", ConnectFour()).close()


def test_other_weights_are_another_version_of_its_players(monkeypatch, tmp_path):
    before = player_version("best")
    copied = tmp_path / "saddlepoint"
    shutil.copytree(versions.PACKAGE / "games" / "connect_four", copied / "games" / "connect_four")
    monkeypatch.setattr(versions, "PACKAGE", copied)
    monkeypatch.setattr(versions, "source_files", list)
    versions.sources_digest.cache_clear()
    try:
        known = player_version("best")
        (copied / "games" / "connect_four" / "usual_board.weights").write_bytes(b"other")
        versions.sources_digest.cache_clear()
        assert len({before, known, player_version("best")}) == 3
    finally:
        versions.sources_digest.cache_clear()


def test_it_is_analysed_with_what_it_searches_with():
    game = ConnectFour()
    for chosen in (search_of(game), stage_search_of(game)):
        assert chosen.algorithm.evaluator == ConnectFourNetwork()
        assert chosen.player == "best"
    assert search_of(game, "pvs", "connect_four_network").player == "pvs(evaluator=connect_four_network)"


@COMPILED_ONLY
@pytest.mark.slow
def test_it_beats_the_same_search_with_the_other_evaluator_at_equal_nodes():
    players = ("pvs(evaluator=connect_four_network)", "pvs(evaluator=threats)")
    assert points_of_first(ConnectFour(), players, nodes=20_000, openings=20) > 20  # of 40
