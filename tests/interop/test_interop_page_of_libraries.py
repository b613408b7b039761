"""The examples of docs/interop.md that need Gymnasium, PettingZoo and matplotlib."""

import pytest

from helpers.arena_games import played
from helpers.page_examples import block_after, run_examples
from saddlepoint import DoubleOracle, search
from saddlepoint.games import BiasedRPS

pytestmark = pytest.mark.interop


def test_the_examples_of_gymnasium_and_pettingzoo_run() -> None:
    run_examples("interop.md", "Gymnasium", "PettingZoo")


def test_the_plots_of_a_notebook_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    game, players = BiasedRPS(), ("random", "safe")
    found = search(game, game.initial_state(), DoubleOracle())
    known = {"game": game, "found": found, "outcome": played(*players)[0], "players": players}
    before = len(pyplot.get_fignums())
    exec(block_after("interop.md", "Plots take one line each"), known)
    assert len(pyplot.get_fignums()) == before + 3
    pyplot.close("all")
    assert game.picture(game.initial_state()).to_svg().startswith("<svg")
