"""Every plot of the library, with matplotlib (the extra `matplotlib`): strategies, NashConv over time, ratings, the figures of a fit,
exploitability over nodes.

Axes are drawn in a notebook; commands and the page write a `Figure` as SVG.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from . import library

matplotlib = library("matplotlib", "matplotlib", "plots")
Figure = library("matplotlib.figure", "matplotlib", "plots").Figure
_COLOURS = ("#2f6fb7", "#d0711c")
_NOTHING = 1e-9
"""Smaller numbers count as 0."""


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
    axes.set(ylim=(0, 1), ylabel="probability")
    axes.legend()
    return axes


def plot_nash_conv(
    curves: Mapping[str, Sequence[tuple[float, float]]], across: str = "iterations", axes: Any = None
) -> Any:
    """NashConv over iterations, nodes or seconds (`across` is what the numbers are called), a curve a name; returns the axes.

    curves: by name, pairs (number above 0, NashConv at least 0), as `cfr_plus(...).measured` has them. Both axes are logarithmic; what
    is 0 is left out. Raises ValueError without a curve.
    """
    if not curves:
        raise ValueError("there is no curve to plot: give a mapping from names to pairs (number, NashConv)")
    axes = _axes(axes)
    for name, points in curves.items():
        drawn = [(number, value) for number, value in points if value > 0]
        axes.plot(
            [number for number, _ in drawn],
            [value for _, value in drawn],
            marker="o",
            markersize=3,
            label=_plain(name),
        )
    axes.set(xscale="log", yscale="log", xlabel=across, ylabel="NashConv")
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
        ends = [[_length(row["elo"], row[end])] for end in ("low", "high")]
        axes.errorbar(row["elo"], place, xerr=ends, fmt="o", color=_COLOURS[0], capsize=3)
    axes.set_yticks(range(len(ordered)), [_plain(row["player"]) for row in ordered])
    axes.set_xlabel("Elo")
    return axes


def plot_fit(generations: Sequence[Mapping[str, Any]], title: str) -> Any:
    """A fit's figures over its generations, as `Generation.to_json` has them, at least one: cross entropy, the gate's score, NashConv
    where it is known. Returns the figure; a generation that was not kept is an empty point."""
    panels = {
        "cross entropy": {"where fitted": "entropy", "kept apart": "held_out"},
        "gate, against the best so far (full: kept)": {"share of the points": "score"},
        "NashConv": {"of this generation": "nash_conv"},
    }
    if all(one["nash_conv"] is None for one in generations):
        del panels["NashConv"]
    figure = Figure((9, 2.2 * len(panels) + 0.8), layout="constrained")
    figure.suptitle(_plain(title))
    every = figure.subplots(len(panels), sharex=True)
    for axes, (panel, curves) in zip(every, panels.items(), strict=True):
        for label, key in curves.items():
            known = [one for one in generations if one[key] is not None]
            numbers, values = [one["number"] for one in known], [one[key] for one in known]
            colour = axes.plot(numbers, values, label=label)[0].get_color()
            insides = [colour if panel == "cross entropy" or one["kept"] else "white" for one in known]
            axes.scatter(numbers, values, color=insides, edgecolors=colour, zorder=3)
        axes.set_title(panel, loc="left", fontsize="medium")
        _finish(axes)
    every[1].set_ylim(0, 1)
    if "NashConv" in panels:
        _logarithmic(every[2], [one["nash_conv"] for one in generations if one["nash_conv"] is not None])
    every[-1].set(xlabel="generation", xlim=(0, len(generations) + 1))
    every[-1].xaxis.get_major_locator().set_params(integer=True)
    return figure


def plot_exploitability(
    rows: Sequence[Mapping[str, Any]], title: str, across: str = "nodes a position"
) -> Any:
    """NashConv over nodes, a curve a player, both axes logarithmic; returns the figure. A lower bound has its interval, and a player
    without a limit of nodes is a level line.

    rows: mappings as `saddlepoint exploit --json` has them in `players`; `across` says what their `nodes` are. Raises ValueError where no
    row has a number of nodes.
    """
    if all(row["nodes"] is None for row in rows):
        raise ValueError(
            "--plot draws what comes of more and more nodes: give --at 100,1000,10000, and a player that searches"
        )
    figure = Figure((9, 5), layout="constrained")
    figure.suptitle(_plain(title))
    axes = figure.subplots()
    values = list[float]()
    for number, player in enumerate(dict.fromkeys(row["player"] for row in rows)):
        style = {"color": f"C{number}", "label": _plain(player if len(player) <= 40 else player[:39] + "…")}
        own = [row for row in rows if row["player"] == player]
        limited = sorted((row for row in own if row["nodes"] is not None), key=lambda row: row["nodes"])
        values += [value for row in own for value in (_found(row), *row.get("interval", ()))]
        if limited:
            axes.plot(
                [row["nodes"] for row in limited], [_found(row) for row in limited], marker="o", **style
            )
        else:
            axes.axhline(_found(own[0]), linestyle="--", **style)
        for row in limited:
            axes.vlines(row["nodes"], *row.get("interval", (_found(row),) * 2), color=style["color"])
    is_exact = all(row["method"] == "exact" for row in rows)
    axes.set_title(
        "NashConv" if is_exact else "NashConv is at least this, with 95 % intervals",
        loc="left",
        fontsize="medium",
    )
    axes.set(xscale="log", xlabel=across)
    _logarithmic(axes, values)
    _finish(axes)
    return figure


def svg_of(figure: Any, title: str) -> str:
    """A figure as the text of an SVG file, the same for the same figure."""
    text = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": title}):
        figure.savefig(text, format="svg", metadata={"Title": title, "Date": None})
    return text.getvalue()


def _found(row: Mapping[str, Any]) -> float:
    return row["nash_conv"] if row["method"] == "exact" else row["at_least"]


def _finish(axes: Any) -> None:
    """Its grid, and its legend beside it."""
    axes.grid(color="#ddd")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _logarithmic(axes: Any, values: Sequence[float]) -> None:
    """A logarithmic axis of values; where one of them is 0 its lower edge, a power of ten below all others, is 0."""
    above = [value for value in values if value > _NOTHING]
    if len(above) == len(values):
        axes.set_yscale("log")
    else:
        least = 10.0 ** math.floor(math.log10(min(above, default=0.1)))
        axes.set_yscale("symlog", linthresh=least)
        axes.set_ylim(0, 1.5 * max(above, default=least))


def _plain(text: str) -> str:
    """A text that matplotlib shows as it is: dollar signs would make mathematics of it, and `_` at its start hide it from a legend."""
    return (" " if text.startswith("_") else "") + text.replace("$", r"\$")


def _axes(axes: Any) -> Any:
    return library("matplotlib.pyplot", "matplotlib", "plots").subplots()[1] if axes is None else axes


def _name(root: tuple[Any, Any] | None, player: int, action: int) -> str:
    return str(action) if root is None else root[0].action_to_string(root[1], player, action)


def _length(elo: float, end: float | None) -> float:
    """The length of an interval to one side; 0 where it is open."""
    return 0.0 if end is None or not math.isfinite(end - elo) else abs(end - elo)
