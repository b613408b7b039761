"""The parts of a game's report: each a heading, a word on what is shown, and a table whose first column is the plot."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ...game import Game
from ..summary import alike_and_counted, voids_said
from . import charts
from .markup import DASH, MINUS, Markup, clipped, element, joined
from .replays import UNFOLLOWABLE, replay_id, result_of

_CAUSES = ("rules", "late", "illegal move", "memory", "flood", "escape", "crash", "error")
_WIDEST_CROSS_TABLE = 40  # players
_MOST_CYCLES = 20
_MOST_COLUMNS = 48  # of the histogram
_SHADES = 10  # of a cell of the heat map on either side of a half; the strongest is 45 % of the colour, so that its text stays legible


TITLES = {
    "ratings": "Ratings", "cross": "Who beats whom", "latency": "Latency", "losses": "Reasons of loss", "lengths": "Game lengths",
    "openings": "Openings", "longest": "Longest games", "shortest": "Shortest games", "faulty": "Games decided by a fault",
    "replays": "Replays",
}  # fmt: skip
"""The parts of a game's report in their order."""


def section(key: str, part: str, *content: object) -> Markup:
    """A part of the report of the game whose anchor is `key`, with its heading."""
    return element("section", element("h3", TITLES[part]), *content, id=f"{key}-{part}")


def paragraph(*parts: object, kind: str | None = None) -> Markup:
    """Some sentences."""
    return element("p", *parts, class_=kind)


def table(caption: str, first: object, heads: Sequence[str], rows: Iterable[tuple[object, Sequence[object]]]) -> Markup:
    """A table whose first column is wide and whose others are figures; on a phone every row becomes a small block.

    The roles keep it a table for screen readers where the style sheet lays it out in another way.
    """
    top = [element("th", first, scope="col", role="columnheader", class_="wide")]
    top += [element("th", head, scope="col", role="columnheader") for head in heads]
    body: list[Markup] = []
    for name, values in rows:
        cells = [element("th", name, scope="row", role="rowheader", class_="wide")]
        cells += [element("td", value, role="cell", data_label=head) for head, value in zip(heads, values, strict=True)]
        body.append(element("tr", *cells, role="row"))
    return element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *top, role="row"), role="rowgroup"),
        element("tbody", *body, role="rowgroup"),
        class_="figures",
        role="table",
    )


def named(spec: str, drawing: Markup | None = None) -> Markup:
    """A player's spec, above its part of the plot."""
    return joined(element("span", element("bdi", clipped(spec)), class_="name"), drawing)


def signed(value: float | None, infinite: str = "") -> str:
    """A rating with its sign, or 0; an end that nothing bounds is written as told."""
    if value is None:
        return infinite
    return f"{value:+.0f}".replace("-", MINUS) if round(value) else "0"


def per_cent(share: float) -> str:
    """A share with one decimal."""
    return f"{100 * share:.1f}\u00a0%"


def duration(seconds: float | None) -> str:
    """Seconds in a unit that suits them."""
    if seconds is None:
        return DASH
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def ratings(key: str, data: dict[str, Any]) -> Markup:
    """Elo with error bars, best first."""
    heads = ["Elo", "95 %"]
    results = ["Games", "Won", "Drawn", "Lost", "Score"]
    figures = {one["player"]: one for one in data["players"]}
    counts = {name: [f"{one[field]:,}" for field in ("games", "wins", "draws", "losses")] for name, one in figures.items()}
    rows: list[tuple[object, Sequence[object]]] = []
    if not data["ratings"]:
        for name, one in figures.items():
            rows.append((named(name), [*counts[name], per_cent(one["score"])]))
        note = paragraph("There are no ratings, because no two different players have met.", kind="note")
        return section(key, "ratings", note, table("Results", "Player", results, rows))
    ends = [row[end] for row in data["ratings"] for end in ("low", "elo", "high") if row[end] is not None]
    scale = charts.Scale.around(ends)
    for row in data["ratings"]:
        name, span = row["player"], _span(row["low"], row["high"])
        title = f"Elo {signed(row['elo'])}, 95 % interval {span}"
        spans = [span] if row["resampled"] is None else [span, _span(*row["resampled"])]
        drawing = charts.dot_with_bar(scale, row["elo"], row["low"], row["high"], title)
        rows.append((named(name, drawing), [signed(row["elo"]), *spans, *counts[name], per_cent(figures[name]["score"])]))
    first = joined("Player", charts.axis(scale, [signed(tick) for tick in scale.ticks()]))
    said = paragraph(
        "Elo by the Bradley-Terry-Davidson model; the mean is 0. Bars are 95 % intervals, drawn open where an interval is unbounded.",
        kind="lead",
    )
    heads += [] if data["ratings"][0]["resampled"] is None else ["95 % resampled"]
    notes = [paragraph(note, kind="note") for note in data["notes"]]
    return section(key, "ratings", said, table("Ratings with 95 % intervals", first, [*heads, *results], rows), *notes)


def _span(low: float | None, high: float | None) -> str:
    return f"{signed(low, f'{MINUS}∞')} to {signed(high, '∞')}"


def cross_table(key: str, data: dict[str, Any]) -> Markup:
    """Who scored how much against whom, with cycles and the Nash average."""
    names = [row["player"] for row in data["ratings"]]
    shown = names[:_WIDEST_CROSS_TABLE]
    cells = {(cell["player"], cell["opponent"]): cell for cell in data["cross_table"]}
    head = [element("th", "Player", scope="col", class_="wide")]
    head += [
        element("th", element("abbr", number, title=clipped(name)), scope="col") for number, name in enumerate(shown, 1)
    ]
    rows: list[Markup] = []
    for number, name in enumerate(shown, 1):
        row = [element("th", f"{number} ", element("bdi", clipped(name)), scope="row", class_="wide")]
        row += [_heat(cells.get((name, other)), name == other, name, other) for other in shown]
        rows.append(element("tr", *row))
    grid = element(
        "table", element("caption", "Score of the player on the left, per cent"), element("thead", element("tr", *head)),
        element("tbody", *rows), class_="heat",
    )  # fmt: skip
    parts: list[Markup] = [
        paragraph(
            "Score of the player on the left, per cent, and the number of games. Blue is above a half, orange below; "
            "bold where the 95 % interval leaves out a half.", kind="lead",
        ),
        element("div", grid, class_="scroll", tabindex="0", role="region", aria_label="Cross table"),
    ]  # fmt: skip
    if len(names) > len(shown):
        parts.append(paragraph(f"The best {len(shown)} of {len(names)} players; --json prints all pairings.", kind="note"))
    parts += _cycles(data["cycles"])
    if data["mixture"] is not None:
        shares = sorted(data["mixture"]["shares"].items(), key=lambda one: -one[1])
        mixed = [joined(element("bdi", clipped(player, 80)), f" {per_cent(share)}") for player, share in shares if share > 0.0005]
        parts.append(paragraph("Nash average (no player beats it): ", *_between(mixed, ", "), "."))
    return section(key, "cross", *parts)


def _cycles(cycles: Sequence[dict[str, Any]]) -> list[Markup]:
    """Those that chance does not explain in full, the others folded away."""
    told: dict[bool, list[Markup]] = {True: [], False: []}
    for cycle in cycles:
        names = [element("bdi", clipped(player, 80)) for player in (*cycle["players"], cycle["players"][0])]
        told[cycle["certain"]].append(element("li", *_between(names, " beats ")))
    parts: list[Markup] = []
    for certain, title in ((True, "Cycles, each result by more than chance explains"), (False, "Cycles that chance may have closed")):
        if told[certain]:
            shown = [element("ul", *told[certain][:_MOST_CYCLES])]
            if len(told[certain]) > _MOST_CYCLES:
                shown.append(paragraph(f"The first {_MOST_CYCLES}; --json prints all.", kind="note"))
            parts.append(element("details", element("summary", f"{title}: {len(told[certain])}"), *shown, open=certain))
    return parts


def _between(parts: Sequence[Markup], mark: str) -> list[object]:
    return [piece for number, part in enumerate(parts) for piece in ((mark, part) if number else (part,))]


def _heat(cell: dict[str, Any] | None, same: bool, player: str, opponent: str) -> Markup:
    if cell is None:
        return element("td", "·" if same else DASH, class_="none")
    score, (low, high) = cell["score"], cell["interval95"]
    title = (
        f"{clipped(player, 80)} against {clipped(opponent, 80)}: {per_cent(score)} of {cell['games']} games, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f}"
    )
    kind = ("up" if score >= 0.5 else "down") + (" sure" if low > 0.5 or high < 0.5 else "")
    kind += f" shade{round(2 * _SHADES * abs(score - 0.5))}"
    return element("td", f"{100 * score:.0f}", element("small", cell["games"]), class_=kind, title=title)


def latency(key: str, data: dict[str, Any]) -> Markup:
    """How long choices took."""
    heads = ["Median", "99 %", "Longest", "Over time"]
    told = [(head, name, digits) for head, name, digits in (("Nodes/s", "nodes_per_second", 0), ("Depth", "depth", 1))
            if any(one[name] is not None for one in data["players"])]  # fmt: skip
    times = {one["player"]: [one["latency"][name] for name in ("median", "p99", "longest")] for one in data["players"]}
    known = [max(value, 1e-7) for values in times.values() for value in values if value is not None]
    if not known:
        return section(key, "latency", paragraph("No choice was timed.", kind="note"))
    scale = charts.Scale.around(known, logarithmic=True)
    rows: list[tuple[object, Sequence[object]]] = []
    for one in data["players"]:
        values = times[one["player"]]
        said = [duration(value) for value in values]
        drawing = None
        if values[0] is not None:
            drawing = charts.dots_in_line(scale, values, f"median {said[0]}, 99 % {said[1]}, longest {said[2]}")
        more = [DASH if one[name] is None else f"{one[name]:,.{digits}f}" for _, name, digits in told]
        rows.append((named(one["player"], drawing), [*said, f"{one['late_moves']:,}", *more]))
    first = joined("Player", charts.axis(scale, [duration(tick) for tick in scale.ticks()]))
    said = paragraph(
        "Time a move, on a logarithmic scale: dot the median, ring the 99th percentile, stroke the longest.", kind="lead"
    )
    return section(key, "latency", said, table("Seconds a move", first, [*heads, *(head for head, _, _ in told)], rows))


def losses(key: str, data: dict[str, Any]) -> Markup:
    """Why games were lost, player by player."""
    causes = [cause for cause in _CAUSES if data["reasons"].get(cause)]
    causes += sorted(set(data["reasons"]) - set(_CAUSES))
    if not causes:
        return section(key, "losses", paragraph("No game was lost.", kind="note"))
    rows: list[tuple[object, Sequence[object]]] = []
    for one in data["players"]:
        spared = one["games"] - sum(one["lost_by"].values())
        lost = [one["lost_by"].get(cause, 0) for cause in causes]
        said = ", ".join(f"{cause} {count}" for cause, count in zip(causes, lost, strict=True) if count) or "nothing"
        parts = [*((_class_of(cause), n) for cause, n in zip(causes, lost, strict=True)), ("rest", spared)]
        drawing = charts.shares(parts, f"{one['games']} games, lost by {said}")
        rows.append((named(one["player"], drawing), [f"{one['games']:,}", *(f"{count:,}" for count in lost)]))
    said = paragraph(
        "Of all games of a player, the share lost by each cause; “rules” is a game lost by its rules, every other cause is a fault of the "
        "player.", kind="lead",
    )  # fmt: skip
    numbers = table("Games lost, by cause", "Player", ["Games", *causes], rows)
    return section(key, "losses", said, _legend([(_class_of(cause), cause) for cause in causes]), numbers)


def _class_of(cause: str) -> str:
    return "cause-" + (cause.replace(" ", "-") if cause in _CAUSES else "error")


def _legend(entries: Sequence[tuple[str, str]]) -> Markup:
    items = [element("li", element("span", class_=f"swatch {kind}"), label) for kind, label in entries]
    return element("ul", *items, class_="legend")


def uncounted(data: dict[str, Any]) -> Markup | None:
    """How many games count once, or not at all."""
    said: list[Markup] = []
    if data["repeats"]:
        text = (
            f"{data['repeats']:,} of {data['games']:,} games repeat an earlier one, move for move, of players that were never seen "
            "to vary: they count once in scores, ratings and intervals. Lengths and openings are those of all games."
        )
        said.append(paragraph(text, kind="note"))
    if (found := alike_and_counted(data)) is not None:
        text = (
            f"{found[0]:,} of the {found[1]:,} games that count are the same as an earlier one in every move; they count, as a player was "
            "seen to vary or the rules left something to chance. The figures are of these openings alone."
        )
        said.append(paragraph(text, kind="note"))
    if data["voids"]:
        text = voids_said(data["voids"])
        items = [
            element("li", element("bdi", clipped(" against ".join(one["players"]), 120)), ": ", clipped(one["reason"]))
            for one in data["void_games"]
        ]
        said += [paragraph(text, kind="note"), element("ul", *items)]
    return joined(*said) if said else None


_RESULTS = (("win", "player 0 won"), ("draw", "drawn"), ("lose", "player 1 won"))


def lengths(key: str, data: dict[str, Any]) -> Markup:
    """How many steps games took, and how they ended then."""
    if not data["lengths"]:
        return section(key, "lengths", paragraph("No game ended by the rules.", kind="note"))
    least, most = data["lengths"][0]["steps"], data["lengths"][-1]["steps"]
    width = math.ceil((most - least + 1) / _MOST_COLUMNS)
    columns = [[0, 0, 0] for _ in range((most - least) // width + 1)]
    for one in data["lengths"]:
        for kind, count in enumerate(one["counts"]):
            columns[(one["steps"] - least) // width][kind] += count
    begins = [least + width * number for number in range(len(columns))]
    kinds = [kind for kind, _ in _RESULTS]
    title = f"Games by length, {least} to {most} steps, {data['mean_length']:.1f} in the mean"
    drawing = charts.histogram([(str(b), tuple(zip(kinds, c, strict=True))) for b, c in zip(begins, columns, strict=True)], title)
    rows = [
        (str(begin) if width == 1 else f"{begin}{DASH}{begin + width - 1}", [f"{sum(c):,}", *(f"{n:,}" for n in c)])
        for begin, c in zip(begins, columns, strict=True)
        if any(c)
    ]
    numbers = table("Games by length", "Steps", ["Games", "Player 0 won", "Drawn", "Player 1 won"], rows)
    spread = f"{least:,} to {most:,} steps, {data['mean_length']:.1f} in the mean" if most > least else f"Always {least:,} steps"
    left_out = "; games decided by a fault are left out" if data["fault_count"] else ""
    said = paragraph(f"{spread}{left_out}. Games by their number of steps:", kind="lead")
    as_numbers = element("details", element("summary", "As a table"), numbers)
    return section(key, "lengths", said, _legend(_RESULTS), drawing, as_numbers)


def openings(key: str, data: dict[str, Any], game: Game | None) -> Markup:
    """What each opening was worth to player 0."""
    first = data["first_player"]
    low, high = first["interval95"]
    said = paragraph(
        f"Player 0, whoever that was, scored {per_cent(first['score'])} over all games "
        f"(95 % interval {100 * low:.1f} to {100 * high:.1f}).", kind="lead",
    )  # fmt: skip
    rows: list[tuple[object, Sequence[object]]] = []
    for number, one in enumerate(data["openings"], 1):
        counts = [one["wins"], one["draws"], one["losses"]]
        told = ", ".join(f"{label} {count}" for (_, label), count in zip(_RESULTS, counts, strict=True))
        drawing = charts.shares([(kind, count) for (kind, _), count in zip(_RESULTS, counts, strict=True)], told)
        picture = element("pre", _picture(game, one["opening"]), class_="board", tabindex="0")
        name = element("details", element("summary", f"Opening {number}"), picture)
        rows.append((joined(name, drawing), [f"{one['games']:,}", *(f"{n:,}" for n in counts), f"{one['mean_length']:.1f}"]))
    parts: list[Markup] = [said, _legend(_RESULTS)]
    heads = ["Games", "Player 0 won", "Drawn", "Player 1 won", "Mean steps"]
    parts.append(table("Results by opening", "Opening", heads, rows))
    if data["openings_in_all"] > len(rows):
        text = f"The {len(rows)} most played of {data['openings_in_all']:,} openings, the most one-sided of these first."
        parts.append(paragraph(text, kind="note"))
    return section(key, "openings", *parts)


def _picture(game: Game | None, opening: str) -> str:
    try:
        return clipped(game.render(game.from_text(opening)) if game is not None else opening, 20_000)
    except UNFOLLOWABLE:
        return clipped(opening, 2000)


def games(key: str, part: str, said: str, shown: Sequence[dict[str, Any]], command: str | None = None) -> Markup:
    """Some games with links to their replays; with `command` also the one that plays each again."""
    rows: list[tuple[object, Sequence[object]]] = []
    for one in shown:
        a, b = (element("bdi", clipped(spec, 120)) for spec in one["players"])
        link = element("a", f"Game {one['id']}", href=f"#{replay_id(one['id'])}")
        again = None if command is None else element("code", f"{command} {one['id']}", class_="command")
        name = joined(link, " ", a, " against ", b, element("span", clipped(one["reason"]), class_="reason"), again)
        rows.append((name, [f"{one['steps']:,}", result_of(one["points"])]))
    return section(key, part, paragraph(said, kind="lead"), table(TITLES[part], "Game", ["Steps", "Result"], rows))
