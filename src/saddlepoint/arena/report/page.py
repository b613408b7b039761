"""The page of a ledger: its sections, in one file with style and script inside, which asks nothing of any network."""

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from ...game.base import Game
from ...play.viewer import asset, bundled, embedded, policy
from ...system.text import count_of
from ..conditions import in_words, renamed, with_names
from ..replaying import UNFOLLOWABLE, follow, replay_id
from ..summary import alike_and_counted, voids_said
from . import GameFigures, clean, clipped, heading_of, rules_of

# The parts of a game's report: what each of them shows, and its HTML, of which the page of `serve` takes some.
#
# The HTML is in `templates/`. Jinja escapes every value there, so nothing that a ledger holds can become a tag.

TITLES = {
    "ratings": "Ratings",
    "cross": "Who beats whom",
    "latency": "Latency",
    "losses": "Reasons of loss",
    "lengths": "Game lengths",
    "openings": "Openings",
    "longest": "Longest games",
    "shortest": "Shortest games",
    "faulty": "Games decided by a fault",
    "replays": "Replays",
}
"""The parts of a game's report in their order."""
_DASH, _MINUS = "\u2013", "\u2212"
_CAUSES = ("rules", "late", "illegal move", "memory", "flood", "escape", "crash", "error")
_WIDEST_CROSS_TABLE = 40  # players
_MOST_COLUMNS = 48  # of the histogram
_RESULTS = ("win", "draw", "lose")
_MARGIN = 2.0  # per cent on either side of a plot
_MOST_TICKS = 6


@dataclass(frozen=True)
class Scale:
    """A stretch of numbers laid over the width of a plot."""

    low: float
    high: float
    logarithmic: bool = False

    @classmethod
    def around(cls, values: Sequence[float], logarithmic: bool = False) -> "Scale":
        """A scale that has room for these values."""
        low, high = min(values), max(values)
        if logarithmic:
            first = math.floor(math.log10(low))
            return cls(10.0**first, 10.0 ** max(math.ceil(math.log10(high)), first + 1), True)
        room = (high - low) * 0.05 or 1.0
        return cls(low - room, high + room)

    def at(self, value: float) -> str:
        """The coordinate of a value in SVG: in per cent, so that a plot fits any width with text in its own
        size.
        """
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = math.log10(low), math.log10(high), math.log10(max(value, low))
        return f"{_MARGIN + (100 - 2 * _MARGIN) * (value - low) / (high - low):.2f}%"

    def ticks(self) -> list[float]:
        """Round numbers within the scale, not too many."""
        if self.logarithmic:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [
                10.0**power
                for power in range(first, last + 1, max(1, math.ceil((last - first) / (_MOST_TICKS - 1))))
            ]
        raw = (self.high - self.low) / (_MOST_TICKS - 1)
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
        return [
            number * step for number in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
        ]


def section_html(part: str, key: str, data: Mapping[str, Any], **more: object) -> Markup:
    """A part of the report of the game whose anchor is `key`; `data` are the game's figures (`GameFigures.summary`)."""
    macros: Any = templates().get_template("sections.html").module
    if part in ("longest", "shortest", "faulty"):
        rows = [one | {"cells": [f"{one['steps']:,}", result(one["points"])]} for one in data[part]]
        return macros.games(key, {**data, "rows": rows, **more}, part)
    return getattr(macros, part)(key, {**data, **(_VIEWS[part](data) if part in _VIEWS else {}), **more})


@cache
def templates() -> jinja2.Environment:
    """The templates, with the functions that they call."""
    made: Any = jinja2.Environment(
        loader=jinja2.PackageLoader("saddlepoint.arena.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) else clean(value),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (clipped, signed, percent, duration, result)
    functions = (span, stacked, opening_picture, embedded, replay_id, voids_said, alike_and_counted)
    made.filters |= {"thousands": "{:,}".format} | {one.__name__: one for one in filters}
    made.globals |= {"titles": TITLES} | {one.__name__: one for one in functions}
    return made


def signed(value: float | None, infinite: str = "") -> str:
    """A rating with its sign, or 0; `infinite` for an end that nothing bounds."""
    if value is None:
        return infinite
    return f"{value:+.0f}".replace("-", _MINUS) if round(value) else "0"


def span(low: float | None, high: float | None) -> str:
    """An interval of ratings."""
    return f"{signed(low, f'{_MINUS}∞')} to {signed(high, '∞')}"


def percent(share: float) -> str:
    """A share with one decimal."""
    return f"{100 * share:.1f}\u00a0%"


def duration(seconds: float | None) -> str:
    """Seconds in a unit that suits them."""
    if seconds is None:
        return _DASH
    unit, size = ("s", 1.0) if seconds >= 1 else ("ms", 1e-3) if seconds >= 1e-3 else ("µs", 1e-6)
    return f"{seconds / size:.3g} {unit}"


def result(points: float) -> str:
    """Both players' points, player 0's given."""
    return f"{points:g}{_DASH}{1 - points:g}"


def stacked(
    amounts: Sequence[tuple[str, float]], room: float, total: float
) -> list[tuple[str, float, float]]:
    """(class, where it begins, how long it is) of amounts one behind the other, without those that are 0; `total` would fill the room."""
    found, before = list[tuple[str, float, float]](), 0.0
    for kind, amount in amounts:
        if amount:
            found.append((kind, room * before / total, room * amount / total))
        before += amount
    return found


def _ratings(data: Mapping[str, Any]) -> dict[str, Any]:
    counts = {
        one["player"]: [
            *(f"{one[field]:,}" for field in ("games", "wins", "draws", "losses")),
            percent(one["score"]),
        ]
        for one in data["players"]
    }
    if not data["ratings"]:
        return {"rows": [{"player": player, "cells": cells} for player, cells in counts.items()], "heads": []}
    rows = [
        row
        | {"cells": [signed(row["elo"]), *(span(*ends) for ends in _intervals(row)), *counts[row["player"]]]}
        for row in data["ratings"]
    ]
    scale = Scale.around([row[end] for row in rows for end in ("low", "elo", "high") if row[end] is not None])
    return {
        "rows": rows,
        "heads": ["Elo", "95 %", *["95 % resampled"] * (len(_intervals(rows[0])) - 1)],
        "scale": scale,
    }


def _intervals(row: Mapping[str, Any]) -> list[tuple[float | None, float | None]]:
    return [(row["low"], row["high"]), *([] if row["resampled"] is None else [row["resampled"]])]


def _cross(data: Mapping[str, Any]) -> dict[str, Any]:
    names = [row["player"] for row in data["ratings"]]
    cells = {(cell["player"], cell["opponent"]): cell for cell in data["cross_table"]}
    return {"names": names, "shown": names[:_WIDEST_CROSS_TABLE], "cells": cells}


def _latency(data: Mapping[str, Any]) -> dict[str, Any]:
    searched = {
        head: (name, digits)
        for head, name, digits in (("Nodes/s", "nodes_per_second", 0), ("Depth", "depth", 1))
        if any(one[name] is not None for one in data["players"])
    }
    rows: list[dict[str, Any]] = []
    for one in data["players"]:
        times = [one["latency"][name] for name in ("median", "p99", "longest")]
        more = [
            _DASH if one[name] is None else f"{one[name]:,.{digits}f}" for name, digits in searched.values()
        ]
        said = [duration(value) for value in times]
        rows.append(
            {
                "player": one["player"],
                "times": times,
                "said": said,
                "cells": [*said, f"{one['late_moves']:,}", *more],
            }
        )
    known = [max(value, 1e-7) for row in rows for value in row["times"] if value is not None]
    return {
        "rows": rows,
        "more": list(searched),
        "scale": Scale.around(known, logarithmic=True) if known else None,
    }


def _losses(data: Mapping[str, Any]) -> dict[str, Any]:
    causes = [
        cause
        for cause in (*_CAUSES, *sorted(set(data["reasons"]) - set(_CAUSES)))
        if data["reasons"].get(cause)
    ]
    kinds = ["cause-" + (cause.replace(" ", "-") if cause in _CAUSES else "error") for cause in causes]
    rows: list[dict[str, Any]] = []
    for one in data["players"]:
        lost = [one["lost_by"].get(cause, 0) for cause in causes]
        said = (
            ", ".join(f"{cause} {count}" for cause, count in zip(causes, lost, strict=True) if count)
            or "nothing"
        )
        rest = one["games"] - sum(one["lost_by"].values())
        rows.append(
            {
                "player": one["player"],
                "title": f"{count_of(one['games'], 'game')}, lost by {said}",
                "amounts": [*zip(kinds, lost, strict=True), ("rest", rest)],
                "cells": [f"{count:,}" for count in (one["games"], *lost)],
            }
        )
    return {"causes": causes, "legend": list(zip(kinds, causes, strict=True)), "rows": rows}


def _lengths(data: Mapping[str, Any]) -> dict[str, Any]:
    if not data["lengths"]:
        return {"columns": []}
    least, most = data["lengths"][0]["steps"], data["lengths"][-1]["steps"]
    width = math.ceil((most - least + 1) / _MOST_COLUMNS)
    columns: list[dict[str, Any]] = []
    for first in range(least, most + 1, width):
        last = first + width - 1
        inside = (one["counts"] for one in data["lengths"] if first <= one["steps"] <= last)
        counts = list(map(sum, zip([0, 0, 0], *inside)))
        columns.append(
            {
                "steps": str(first) if width == 1 else f"{first}{_DASH}{last}",
                "least": first,
                "games": sum(counts),
                "amounts": list(zip(_RESULTS, counts, strict=True)),
                "cells": [f"{count:,}" for count in (sum(counts), *counts)],
            }
        )
    return {"columns": columns, "least": least, "most": most}


def _openings(data: Mapping[str, Any]) -> dict[str, Any]:
    names = ("wins", "draws", "losses")
    return {
        "rows": [
            one
            | {
                "number": number,
                "amounts": [(kind, one[name]) for kind, name in zip(_RESULTS, names, strict=True)],
                "cells": [*(f"{one[name]:,}" for name in ("games", *names)), f"{one['mean_length']:.1f}"],
            }
            for number, one in enumerate(data["openings"], 1)
        ]
    }


def opening_picture(game: Game | None, opening: str) -> str:
    """An opening as text: the board where the rules are at hand."""
    try:
        return clipped(game.render(game.from_text(opening)) if game is not None else opening, 20_000)
    except UNFOLLOWABLE:
        return clipped(opening, 2000)


_VIEWS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "ratings": _ratings,
    "cross": _cross,
    "latency": _latency,
    "losses": _losses,
    "lengths": _lengths,
    "openings": _openings,
}


# The whole page: one file with its style and script inside, which asks nothing of any network.


def report_page(
    data: dict[str, Any], figures: Sequence[GameFigures], names: Mapping[str, str] | None = None
) -> str:
    """The page for these figures, `data` being `report_data` of them; `names` are short names of players, by spec."""
    names = names or {}
    data = renamed(data, lambda text: names.get(text, text))
    style = _asset("report.css") + _asset("figures.css") + asset("viewer.css")
    script = bundled(_asset("report.js"))
    pairs = enumerate(zip(data["games"], figures, strict=True), 1)
    games = [_game(f"g{number}", one, kept, data["ledger"], names) for number, (one, kept) in pairs]
    return (
        templates()
        .get_template("report.html")
        .render(
            data=data,
            games=games,
            names=names,
            total=sum(one["games"] for one in data["games"]),
            style=style,
            script=script,
            policy=policy(script),
        )
    )


def _asset(name: str) -> str:
    return files("saddlepoint.arena.report").joinpath(name).read_text(encoding="utf-8")


def _game(
    key: str, data: dict[str, Any], kept: GameFigures, ledger: str, names: Mapping[str, str]
) -> dict[str, Any]:
    """A game's section of the page: its data, and the HTML of its parts."""
    rules = rules_of(kept.tournaments[0])
    entries = {
        entry.id: replace(entry, played=with_names(entry.played, names))
        for shown in kept.shown.values()
        for entry in shown
    }
    more = {
        "rules": rules,
        "command": f"saddlepoint ledger replay {shlex.quote(clean(ledger))}",
        "replays": [follow(rules, entry) for _, entry in sorted(entries.items())],
    }
    has = {
        "cross": data["ratings"],
        "longest": data["longest"],
        "shortest": data["shortest"],
        "faulty": data["faulty"],
    }
    return {
        "key": key,
        "name": heading_of(kept),
        "parts": {part: section_html(part, key, data, **more) for part in TITLES if has.get(part, True)},
        "data": data,
        "tournaments": [_tournament(one) for one in data["tournaments"]],
    }


def _tournament(one: Mapping[str, Any]) -> dict[str, Any]:
    games = f"{one['games']:,}" + (
        f" of {one['planned']}" if one["planned"] and one["planned"] != one["games"] else ""
    )
    began = clean(one["created"])[:16].replace("T", " ")
    return {"name": clipped(f"{one['id']}: {one['kind']}, {in_words(one['terms'])}"), "cells": [games, began]}
