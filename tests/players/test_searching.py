"""What a searching player does before its clock runs."""

import dataclasses
from typing import Any

import pytest

from saddlepoint import Limits, Searcher, Simplexity
from saddlepoint.games.catalogue.make import make_player

pytestmark = [pytest.mark.plain, pytest.mark.compiles_long]


@pytest.mark.parametrize("spec", ["dfpn", "pvs(evaluator=lines)"])
def test_making_ready_for_a_large_game_is_a_short_search(spec: str, monkeypatch: pytest.MonkeyPatch):
    asked: list[Limits] = []
    search = Searcher.search

    def watched(self: Any, state: Any, limits: Limits, **options: Any) -> Any:
        asked.append(limits)
        return search(self, state, dataclasses.replace(limits, nodes=10), **options)

    monkeypatch.setattr(Searcher, "search", watched)
    game = Simplexity(6, 7)
    make_player(spec, game).begin(game, 0)
    assert asked
    assert all(limits.nodes is not None and limits.nodes <= 1000 for limits in asked), (
        "proof-number search knows no depth"
    )
