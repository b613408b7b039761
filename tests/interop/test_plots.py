"""Plots in one line: what is drawn is what was found."""

from typing import Any

import pytest

from saddlepoint.algorithms import DoubleOracle, search
from saddlepoint.games import BiasedRPS, TicTacToe
from saddlepoint.policies.cfr_plus import cfr_plus

pytestmark = pytest.mark.interop


@pytest.fixture
def plots(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    from saddlepoint.interop import plots

    yield plots
    plots.pyplot.close("all")


def test_strategies_are_bars_as_high_as_their_probabilities(plots: Any) -> None:
    game = BiasedRPS()
    found = search(game, game.initial_state(), DoubleOracle())
    axes = plots.plot_strategies(found)
    heights = [bar.get_height() for bars in axes.containers for bar in bars]
    assert heights == [share for mixture in found.strategies for share in mixture.values()]
    names = [game.action_to_string(game.initial_state(), p, action) for p in (0, 1) for action in found.strategies[p]]
    assert [label.get_text() for label in axes.get_xticklabels()] == names


def test_nash_conv_is_a_curve_a_name(plots: Any) -> None:
    measured = cfr_plus(BiasedRPS(), 20).measured
    axes = plots.plot_nash_conv({"CFR+": measured, "nothing": [(1, 0.0)]})
    first, second = axes.get_lines()
    assert [(x, y) for x, y in zip(*first.get_data(), strict=True)] == [(n, value) for n, value in measured if value > 0]
    assert len(second.get_xdata()) == 0
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_ratings_are_drawn_best_on_top_with_open_ends_left_out(plots: Any) -> None:
    rows = [
        {"player": "good", "elo": 100.0, "low": 50.0, "high": float("inf")},
        {"player": "bad", "elo": -100.0, "low": None, "high": -60.0},
    ]
    axes = plots.plot_ratings(rows)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bad", "good"]
    segments = [[tuple(point) for point in line.get_segments()[0]] for bars in axes.containers for line in bars.lines[2]]
    assert segments == [[(-100.0, 0.0), (-60.0, 0.0)], [(50.0, 1.0), (100.0, 1.0)]]


def test_what_cannot_be_plotted_is_a_sentence(plots: Any) -> None:
    game = TicTacToe()
    state = game.initial_state()
    for action in (0, 3, 1, 4, 2):
        state = game.next_state(state, action)
    with pytest.raises(ValueError, match="nobody has a choice"):
        plots.plot_strategies(search(game, state, DoubleOracle()))
    with pytest.raises(ValueError, match="no curve"):
        plots.plot_nash_conv({})
    with pytest.raises(ValueError, match="no rating"):
        plots.plot_ratings([])
