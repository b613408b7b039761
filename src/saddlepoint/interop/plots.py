"""Plots in one line each, with matplotlib (the extra `matplotlib`): strategies, NashConv over time, ratings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .optional import library

pyplot = library("matplotlib.pyplot", "matplotlib", "plots")
_COLOURS = ("#2f6fb7", "#d0711c")


def plot_strategies(shown: Any, axes: Any = None) -> Any:
    """Both players' probabilities by action, as bars; returns the axes.

    `shown` is what a search found (`SearchResult`), or what a solution has of a position (`solution.at(state)`).
    Raises ValueError where nobody has a choice.
    """
    chosen = [(player, mixture) for player, mixture in enumerate(shown.strategies) if mixture]
    if not chosen:
        raise ValueError("nobody has a choice in this position: there is no strategy to plot")
    axes = _axes(axes)
    place, places, names = 0.0, list[float](), list[str]()
    for player, mixture in chosen:
        here = [place + k for k in range(len(mixture))]
        axes.bar(here, list(mixture.values()), color=_COLOURS[player], label=f"player {player}")
        names += [_name(shown.root, player, action) for action in mixture]
        places += here
        place = here[-1] + 2
    axes.set_xticks(places, names)
    axes.set_ylim(0, 1)
    axes.set_ylabel("probability")
    axes.legend()
    return axes


def plot_nash_conv(curves: Mapping[str, Sequence[tuple[float, float]]], across: str = "iterations", axes: Any = None) -> Any:
    """NashConv over iterations, nodes or seconds (`across` is what the numbers are called), a curve a name; returns the axes.

    curves: by name, pairs (number above 0, NashConv at least 0), as `cfr_plus(...).measured` has them. Both axes are logarithmic; what
    is 0 is left out. Raises ValueError without a curve.
    """
    if not curves:
        raise ValueError("there is no curve to plot: give a mapping from names to pairs (number, NashConv)")
    axes = _axes(axes)
    for name, points in curves.items():
        drawn = [(number, value) for number, value in points if value > 0]
        axes.plot([number for number, _ in drawn], [value for _, value in drawn], marker="o", markersize=3, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(across)
    axes.set_ylabel("NashConv")
    axes.legend()
    return axes


def plot_ratings(rows: Iterable[Mapping[str, Any]], axes: Any = None) -> Any:
    """Ratings in Elo points with their 95 % intervals, best on top; returns the axes.

    rows: mappings with `player`, `elo`, `low` and `high`, as `tournament_summary(...)["ratings"]` and `saddlepoint tournament --json` give
    them; an end that is None or infinite is open, and is not drawn. Raises ValueError without a row.
    """
    ordered = sorted(rows, key=lambda row: row["elo"])
    if not ordered:
        raise ValueError("there is no rating to plot")
    axes = _axes(axes)
    for place, row in enumerate(ordered):
        ends = [_length(row["elo"] - _end(row["low"])), _length(_end(row["high"]) - row["elo"])]
        axes.errorbar(row["elo"], place, xerr=[[ends[0]], [ends[1]]], fmt="o", color=_COLOURS[0], capsize=3)
    axes.set_yticks(range(len(ordered)), [row["player"] for row in ordered])
    axes.set_xlabel("Elo")
    return axes


def _axes(axes: Any) -> Any:
    return pyplot.subplots()[1] if axes is None else axes


def _name(root: tuple[Any, Any] | None, player: int, action: int) -> str:
    return str(action) if root is None else root[0].action_to_string(root[1], player, action)


def _end(number: float | None) -> float:
    return float("inf") if number is None else number


def _length(number: float) -> float:
    return number if abs(number) < float("inf") else 0.0
