"""`best` of Connect Four: a network that was fitted to the usual board, and what other boards are searched with."""

import shutil

import pytest

from saddlepoint.arena.ledger import versions
from saddlepoint.arena.ledger.versions import player_version
from saddlepoint.compiled import component
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.connect_four import ConnectFour

pytestmark = pytest.mark.plain


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
