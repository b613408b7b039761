"""Plots: what is drawn is what was found."""

import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from saddlepoint import BiasedRPS, DoubleOracle, TicTacToe, search
from saddlepoint.policies.cfr_plus import cfr_plus

pytest.importorskip("matplotlib")


@pytest.fixture
def plots(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    from saddlepoint.interop import plots

    yield plots
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.plain
@pytest.mark.compiles_long
def test_strategies_are_bars_as_high_as_their_probabilities(plots: Any) -> None:
    game = BiasedRPS()
    found = search(game, game.initial_state(), DoubleOracle())
    axes = plots.plot_strategies(found)
    heights = [bar.get_height() for bars in axes.containers for bar in bars]
    assert heights == [share for mixture in found.strategies for share in mixture.values()]
    names = [
        game.action_to_string(game.initial_state(), p, action)
        for p in (0, 1)
        for action in found.strategies[p]
    ]
    assert [label.get_text() for label in axes.get_xticklabels()] == names


@pytest.mark.plain
@pytest.mark.compiles_long
def test_nash_conv_is_a_curve_a_name(plots: Any) -> None:
    measured = cfr_plus(BiasedRPS(), 20).measured
    axes = plots.plot_nash_conv({"CFR+": measured, "nothing": [(1, 0.0)]})
    first, second = axes.get_lines()
    assert [(x, y) for x, y in zip(*first.get_data(), strict=True)] == [
        (n, value) for n, value in measured if value > 0
    ]
    assert len(second.get_xdata()) == 0
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_ratings_are_drawn_best_on_top_with_open_ends_left_out(plots: Any) -> None:
    rows = [
        {"player": "good", "elo": 100.0, "low": 50.0, "high": float("inf")},
        {"player": "bad", "elo": -100.0, "low": None, "high": -60.0},
    ]
    axes = plots.plot_ratings(rows)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bad", "good"]
    segments = [
        [tuple(point) for point in line.get_segments()[0]]
        for bars in axes.containers
        for line in bars.lines[2]
    ]
    assert segments == [[(-100.0, 0.0), (-60.0, 0.0)], [(50.0, 1.0), (100.0, 1.0)]]


def nobody_chooses() -> Any:
    """A search where a game is over."""
    game = TicTacToe()
    state = game.initial_state()
    for action in (0, 3, 1, 4, 2):
        state = game.next_state(state, action)
    return search(game, state, DoubleOracle())


@pytest.mark.parametrize(
    ("plot", "given", "said"),
    [
        ("plot_strategies", (nobody_chooses(),), "nobody has a choice"),
        ("plot_nash_conv", ({},), "no curve"),
        ("plot_ratings", ([],), "no rating"),
        (
            "plot_exploitability",
            ([{"player": "x", "nodes": None, "method": "exact", "nash_conv": 1.0}], "nothing"),
            "--at",
        ),
    ],
)
def test_what_cannot_be_plotted_is_a_sentence(plots: Any, plot: str, given: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        getattr(plots, plot)(*given)


def generation(number: int, nash_conv: float | None, kept: bool = True) -> dict[str, Any]:
    return {
        "number": number,
        "entropy": 0.6 - 0.01 * number,
        "held_out": 0.61,
        "score": 0.55,
        "nash_conv": nash_conv,
        "kept": kept,
    }


def test_a_fit_has_a_curve_for_each_figure_with_a_point_a_generation(plots: Any) -> None:
    figure = plots.plot_fit([generation(number, 0.5 / number) for number in range(1, 8)], "A fit")
    assert [[line.get_label() for line in axes.get_lines()] for axes in figure.axes] == [
        ["where fitted", "kept apart"],
        ["share of the points"],
        ["of this generation"],
    ]
    for axes in figure.axes:
        assert all(list(line.get_xdata()) == [1, 2, 3, 4, 5, 6, 7] for line in axes.get_lines())
    assert list(figure.axes[2].get_lines()[0].get_ydata()) == [0.5 / number for number in range(1, 8)]


def test_a_generation_that_was_not_kept_is_an_empty_point_of_the_gate(plots: Any) -> None:
    figure = plots.plot_fit(
        [generation(1, None), generation(2, None, kept=False), generation(3, None)], "A fit"
    )
    white = [
        [tuple(colour) == (1, 1, 1, 1) for colour in points.get_facecolors()]
        for axes in figure.axes
        for points in axes.collections
    ]
    assert white == [[False] * 3, [False] * 3, [False, True, False]]


@pytest.mark.parametrize(("nash_conv", "panels"), [(None, 2), (0.0, 3), (0.3, 3)])
def test_one_generation_is_enough_and_what_is_not_known_has_no_panel(
    plots: Any, nash_conv: float | None, panels: int
) -> None:
    figure = plots.plot_fit([generation(1, nash_conv)], "A fit")
    assert len(figure.axes) == panels
    if panels == 3:
        low, high = figure.axes[2].get_ylim()
        assert low <= nash_conv < high
        assert (low == 0) == (nash_conv == 0)


def exact(player: str, nodes: int | None, value: float) -> dict[str, Any]:
    return {"player": player, "nodes": nodes, "method": "exact", "nash_conv": value}


def test_exploitability_is_a_curve_a_player_with_0_at_the_lower_edge(plots: Any) -> None:
    (axes,) = plots.plot_exploitability(
        [exact("<b>", 100, 0.0), exact("<b>", 10, 0.5), exact("_even", None, 1.5)], "a & b"
    ).axes
    curve, level = axes.get_lines()
    assert (list(curve.get_xdata()), list(curve.get_ydata()), curve.get_linestyle()) == (
        [10, 100],
        [0.5, 0.0],
        "-",
    )
    assert (list(level.get_ydata()), level.get_linestyle()) == ([1.5, 1.5], "--")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["<b>", " _even"]
    assert axes.get_ylim()[0] == 0
    assert axes.get_ylim()[1] > 1.5
    (axes,) = plots.plot_exploitability([exact("all above", 10, 0.5)], "a & b").axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_a_lower_bound_has_its_interval(plots: Any) -> None:
    row = {"player": "a", "nodes": 10, "method": "bound", "at_least": 0.5, "interval": [0.25, 0.75]}
    (axes,) = plots.plot_exploitability([row], "a").axes
    assert [[tuple(point) for point in bar.get_segments()[0]] for bar in axes.collections] == [
        [(10, 0.25), (10, 0.75)]
    ]
    assert "at least" in axes.get_title(loc="left")


def test_a_figure_is_one_svg_the_same_each_time_with_its_texts_as_they_are(plots: Any) -> None:
    title = "A fit of <Mine> & $x$ $$"
    first, second = (plots.svg_of(plots.plot_fit([generation(1, 0.1)], title), title) for _ in range(2))
    assert first == second
    root = ElementTree.fromstring(first)
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert root.findtext("{http://www.w3.org/2000/svg}title") == title
    assert {title, "where fitted", "generation"} <= set(texts)
